import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import type { Mutant } from './mutants/mutant.js'

export type MutantResult =
  | { readonly kind: 'killed'; readonly by: string }
  | { readonly kind: 'survived' }
  /** The entry itself no longer fits the code, or its tests fail without any change. */
  | { readonly kind: 'stale'; readonly reason: string }

export interface Workshop {
  /** Makes the change in this copy, runs the tests, and takes the change back. */
  try(mutant: Mutant): Promise<MutantResult>
  remove(): Promise<void>
}

export interface WorkshopOptions {
  /** The repository, with a fresh build/ in it. */
  readonly root: string
  readonly timeoutMs: number
}

/** A copy of the build to be changed at will. node_modules is shared, and what tests read from the root is linked. */
export async function openWorkshop({ root, timeoutMs }: WorkshopOptions): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-mutants-'))
  await cp(join(root, 'build'), join(folder, 'build'), { recursive: true })
  for (const shared of [
    'node_modules',
    'package.json',
    'src',
    'test',
    'scripts',
    'migrations-external',
    'openapi',
    'docs',
  ]) {
    await symlink(resolve(root, shared), join(folder, shared))
  }
  return {
    remove: () => rm(folder, { recursive: true, force: true }),
    async try(mutant) {
      const source = await readFile(join(root, mutant.file), 'utf8')
      const changed = applyMutant(mutant, source)
      if (changed.kind === 'stale') return changed
      const target = join(folder, builtPath(mutant.file))
      const original = await readFile(target, 'utf8')
      await replaceFile(target, transpile(changed.text, mutant.file))
      try {
        for (const test of mutant.tests) {
          if (!(await passes(test, folder, timeoutMs))) return { kind: 'killed', by: test }
        }
        return { kind: 'survived' }
      } finally {
        await replaceFile(target, original)
      }
    },
  }
}

/** The changed source; stale where `find` does not stand exactly once, or changes nothing. */
export function applyMutant(
  { find, replace, tests }: Mutant,
  source: string,
): { readonly kind: 'changed'; readonly text: string } | { readonly kind: 'stale'; readonly reason: string } {
  const times = source.split(find).length - 1
  if (find === '' || times !== 1)
    return { kind: 'stale', reason: `its text stands ${times} times in the file, not once` }
  if (find === replace) return { kind: 'stale', reason: 'it changes nothing' }
  if (tests.length === 0) return { kind: 'stale', reason: 'it names no test' }
  return { kind: 'changed', text: source.replace(find, () => replace) }
}

export function builtPath(source: string): string {
  return join('build', source.replace(/\.ts$/, '.js'))
}

/** Types do not matter here: a change that the compiler would refuse still has to be noticed by a test. */
function transpile(source: string, file: string): string {
  // `nodenext` would look for the package's type, find none when given a text alone, and write CommonJS.
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  }
  return ts.transpileModule(source, { fileName: file, compilerOptions }).outputText
}

/** Unlinks first, so that a hard link or a shared page of the original is never written through. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await unlink(path)
  await writeFile(path, text)
}

/**
 * Runs one built test by itself; one that hangs has noticed too.
 * @param test its source and what it is called with, separated by spaces
 */
export function passes(test: string, cwd: string, timeoutMs: number): Promise<boolean> {
  const [source = '', ...rest] = test.split(' ')
  const child = spawn(process.execPath, [join(cwd, builtPath(source)), ...rest], {
    cwd,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, TAP_BAIL: '1' },
  })
  return new Promise((done, fail) => {
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), timeoutMs)
    child.on('error', fail)
    child.on('exit', (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}
