import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Instruction, Stage } from './parse-dockerfile.js'

/** A stage as far as it was carried out. */
export interface StageState {
  /** The folder that stands for `/` of the image. */
  readonly root: string
  workdir: string
  readonly env: Record<string, string>
  user: string
  stopSignal: string
  healthcheck: Instruction | null
  command: Instruction | null
}

export interface BuildContext {
  /** The folder that a build would be given. */
  readonly folder: string
  /** What .dockerignore lets through. */
  readonly allowed: ReadonlySet<string>
  readonly stages: ReadonlyMap<string, StageState>
  /** Called with each step that was carried out, and each that was not. */
  readonly log: (line: string) => void
}

/** Carries out the instructions of one stage under `root`, in order. */
export function buildStage(stage: Stage, root: string, context: BuildContext): StageState {
  const state: StageState = {
    root,
    workdir: '/',
    env: {},
    user: 'root',
    stopSignal: 'SIGTERM',
    healthcheck: null,
    command: null,
  }
  context.log(`taken as given: FROM ${stage.base} (this machine's node ${process.version} instead)`)
  for (const instruction of stage.instructions) carryOut(instruction, state, context)
  return state
}

function carryOut(instruction: Instruction, state: StageState, context: BuildContext): void {
  const { line, name, text } = instruction
  switch (name) {
    case 'WORKDIR':
      state.workdir = text.startsWith('/') ? text : join(state.workdir, text)
      mkdirSync(join(state.root, state.workdir), { recursive: true })
      break
    case 'ENV':
      for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) state.env[key] = value
      break
    case 'USER':
      state.user = text
      break
    case 'STOPSIGNAL':
      state.stopSignal = text
      break
    case 'COPY':
      copy(instruction, state, context)
      break
    case 'RUN':
      run(instruction, state, context)
      break
    case 'VOLUME':
      mkdirSync(join(state.root, text), { recursive: true })
      break
    case 'HEALTHCHECK':
      state.healthcheck = { ...instruction, text: text.replace(/^CMD\s+/, '') }
      break
    case 'CMD':
      state.command = instruction
      break
    case 'EXPOSE':
    case 'LABEL':
      break
    default:
      throw new Error(`line ${line}: the rehearsal does not know ${name}`)
  }
}

function copy({ line, flags, text }: Instruction, state: StageState, context: BuildContext): void {
  const words = text.split(/\s+/)
  const destination = words.pop() ?? ''
  const stageName = flags.get('from')
  const from = stageName === undefined ? context.folder : context.stages.get(stageName)?.root
  if (from === undefined) throw new Error(`line ${line}: no stage is called ${String(stageName)}`)
  const target = join(
    state.root,
    destination.startsWith('/') ? destination : join(state.workdir, destination),
  )
  for (const word of words) {
    if (stageName === undefined && !context.allowed.has(word.split('/')[0]!)) {
      throw new Error(`line ${line}: .dockerignore keeps ${word} out`)
    }
    const source = join(from, word)
    if (!existsSync(source)) throw new Error(`line ${line}: ${word} does not exist`)
    const into =
      !statSync(source).isDirectory() && destination.endsWith('/') ? join(target, basename(word)) : target
    cpSync(source, into, { recursive: true, verbatimSymlinks: true })
  }
  context.log(`done: COPY ${text}`)
}

/** A build sees none of this shell's variables, but for how to reach a package registry. */
const PASSED_ON =
  /^(?:PATH|HOME|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(?:registry|cache|cafile)|https?_proxy|no_proxy)$/i

function run({ line, text }: Instruction, state: StageState, context: BuildContext): void {
  if (/\bapt-get\b/.test(text)) {
    context.log(`taken as given: RUN ${text}`)
    return
  }
  if (state.user !== 'root') throw new Error(`line ${line}: the rehearsal runs steps as root only`)
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name))
  // Without root a file cannot be given away; it belongs to the one user there is.
  const prelude = process.getuid?.() === 0 ? '' : 'chown() { :; }; '
  const { status } = spawnSync('sh', ['-c', `${prelude}${text}`], {
    cwd: join(state.root, state.workdir),
    env: { ...Object.fromEntries(passedOn), ...state.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`line ${line}: RUN ended with ${String(status)}: ${text}`)
  context.log(`done: RUN ${text}`)
}

/** What a .dockerignore of the form "nothing but" lets through. */
export function allowedByDockerignore(path: string): Set<string> {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [first, ...rest] = lines
  if (first !== '*' || !rest.every((line) => /^![\w.-]+$/.test(line))) {
    throw new Error('.dockerignore must refuse everything (`*`) and then allow single names (`!src`)')
  }
  return new Set(rest.map((line) => line.slice(1)))
}
