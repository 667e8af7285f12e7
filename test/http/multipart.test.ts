import fc from 'fast-check'
import t from 'tap'
import { GatehouseError } from '../../src/errors.js'
import { readMultipart } from '../../src/http/multipart.js'

const TYPE = 'multipart/form-data; boundary=B'
const part = (name: string, content: string, head = '') =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${content}\r\n`
const read = (body: string | Buffer, type = TYPE) => readMultipart(type, Buffer.from(body as string))

t.test('parts are raw bytes, whatever their headers say', async (t) => {
  const json = part('a', '1.0', '; filename="x.json"\r\nContent-Type: application/json')
  const parts = await read(`${json}${part('b', '')}${part('a', 'line\r\n--C\n\n')}--B--\r\n`)
  t.same(
    parts.map(({ name, bytes }) => [name, bytes.toString()]),
    [
      ['a', '1.0'],
      ['b', ''],
      ['a', 'line\r\n--C\n\n'],
    ],
  )
  t.same(await read('--B--\r\n'), [], 'a form without parts')
  t.equal(
    (await read(`\r\n${part('a', 'x')}--B--`, 'multipart/form-data; charset=utf-8; boundary="B"')).length,
    1,
  )
  t.equal((await read(part('\u00e9\u{1F600}', 'x') + '--B--'))[0]?.name, '\u00e9\u{1F600}')
})

t.test('a broken frame is a 400, never a shorter value', async (t) => {
  const good = part('record', 'a'.repeat(10))
  const broken: Record<string, [body: string, type?: string]> = {
    'no boundary': [`${good}--B--`, 'multipart/form-data'],
    'an empty boundary': [`${good}--B--`, 'multipart/form-data; boundary='],
    'another boundary': [`${good}--B--`, 'multipart/form-data; boundary=C'],
    'an empty body': [''],
    'cut off in the content': [good.slice(0, -6)],
    'cut off before the end': [good],
    'cut off within the last boundary': [`${good}--B-`],
    'a part without a name': [`--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n${good}--B--`],
    'an empty name': [`${part('', 'x')}--B--`],
    'no headers': [`--B\r\n\r\nx\r\n${good}--B--`],
    'headers without an end': [`--B\r\nContent-Disposition: form-data; name="a"\r\n--B--`],
    'broken headers': [`--B\r\nnonsense\r\n\r\nx\r\n${good}--B--`],
    'another disposition': [`--B\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--B--`],
    'something before the first boundary': [`lost\r\n${good}--B--`],
    'something after the last': [`${good}--B--\r\n${good}`],
    'the boundary within the content': [`${part('record', 'x\r\n--Bx\r\ny')}--B--`],
    'a transfer encoding': [`${part('a', 'eA==', '\r\nContent-Transfer-Encoding: base64')}--B--`],
  }
  for (const [name, [body, type]] of Object.entries(broken)) {
    await t.rejects(read(body, type), { code: 'malformed_body' }, name)
  }
  await t.rejects(read(`${part('a', 'x').repeat(65)}--B--`), { code: 'too_large' })
})

t.test('any bytes come back, or a refusal does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), async (contents) => {
      const chunks = contents.flatMap((bytes) => [
        Buffer.from('--B\r\nContent-Disposition: form-data; name="r"\r\n\r\n'),
        bytes,
        Buffer.from('\r\n'),
      ])
      const parts = await read(Buffer.concat([...chunks, Buffer.from('--B--\r\n')]))
      return parts.length === contents.length && parts.every(({ bytes }, i) => bytes.equals(contents[i]!))
    }),
  )
  const whole = Buffer.from(`${part('a', 'xx')}${part('b', 'yy', '; filename="f"')}--B--`)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.nat(3), async (at, byte, cut) => {
      const mutant = Buffer.concat([whole.subarray(0, at), Buffer.from([byte]), whole.subarray(at + cut)])
      try {
        await read(mutant)
        return true
      } catch (error) {
        return error instanceof GatehouseError && error.code === 'malformed_body'
      }
    }),
    { numRuns: 2_000 },
  )
})
