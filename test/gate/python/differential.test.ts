import t from 'tap'
import { loadPythonReader } from '../../../src/gate/python/load.js'
import { needs } from '../../support/requires.js'
import { Dice, pythonFile } from './corpus.js'
import { readAlike, readWithPython } from './python-oracle.js'

const FILES = 3000

t.test("reads files as CPython's ast does", { skip: needs('python3') }, async (t) => {
  const readPythonSource = await loadPythonReader()
  const dice = new Dice(20260101)
  const files = Array.from({ length: FILES }, () => Buffer.from(pythonFile(dice)))
  const expected = readWithPython(files)
  const differing = files.flatMap((file, index) => {
    const wanted = expected[index] ?? null
    const found = readAlike(readPythonSource, file)
    return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [{ file: file.toString(), found, wanted }]
  })
  t.strictSame(differing, [])
  const withFields = expected.filter((calls) => calls?.some(([, fields]) => fields.length > 0)).length
  t.ok(withFields > FILES / 10, `${withFields} files declare gates with fields`)
  const refused = expected.filter((calls) => calls === null).length
  t.ok(refused > FILES / 4, `${refused} files are refused`)
  t.ok(refused < (FILES * 3) / 4, `${FILES - refused} files are read`)
})
