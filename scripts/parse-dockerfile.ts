/** One instruction, its lines joined. */
export interface Instruction {
  readonly line: number
  /** Upper case: `COPY`. */
  readonly name: string
  /** `--from=build` and the like, without the dashes. */
  readonly flags: ReadonlyMap<string, string>
  readonly text: string
}

/** What stands between one FROM and the next. */
export interface Stage {
  readonly base: string
  /** The name after AS; null without one. */
  readonly name: string | null
  readonly instructions: readonly Instruction[]
}

/** Splits a Dockerfile into its stages. No heredocs, no escape directive: this project's file has none. */
export function parseDockerfile(text: string): Stage[] {
  const stages: Array<Stage & { instructions: Instruction[] }> = []
  for (const instruction of logicalLines(text).map(parseInstruction)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = null] = instruction.text.split(/\s+/)
      stages.push({ base, name, instructions: [] })
    } else {
      const stage = stages.at(-1)
      if (stage === undefined)
        throw new Error(`line ${instruction.line}: ${instruction.name} before any FROM`)
      stage.instructions.push(instruction)
    }
  }
  return stages
}

interface LogicalLine {
  readonly line: number
  readonly text: string
}

function logicalLines(text: string): LogicalLine[] {
  const lines: LogicalLine[] = []
  let open: LogicalLine | null = null
  for (const [index, raw] of text.split('\n').entries()) {
    const part = raw.trim()
    if (part === '' || part.startsWith('#')) continue
    const whole: LogicalLine = open
      ? { line: open.line, text: `${open.text} ${part}` }
      : { line: index + 1, text: part }
    open = part.endsWith('\\') ? { line: whole.line, text: whole.text.slice(0, -1).trimEnd() } : null
    if (open === null) lines.push(whole)
  }
  if (open !== null) throw new Error(`line ${open.line}: it ends in a backslash`)
  return lines
}

function parseInstruction({ line, text }: LogicalLine): Instruction {
  const match = /^([A-Za-z]+)\s+((?:--[a-z-]+=\S+\s+)*)(.*)$/.exec(text)
  if (match === null) throw new Error(`line ${line}: not an instruction: ${text}`)
  const [, name = '', flagText = '', rest = ''] = match
  const flags = new Map(
    flagText
      .split(/\s+/)
      .filter((flag) => flag !== '')
      .map((flag) => {
        const at = flag.indexOf('=')
        return [flag.slice(2, at), flag.slice(at + 1)] as const
      }),
  )
  return { line, name: name.toUpperCase(), flags, text: rest }
}

/** The words of an exec form (`["node", "x.js"]`); a shell form would not hand signals on, so it is refused. */
export function execForm({ line, name, text }: Instruction): string[] {
  if (!text.startsWith('[')) throw new Error(`line ${line}: ${name} wants the form ["command", "argument"]`)
  const words: unknown = JSON.parse(text)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw new Error(`line ${line}: ${name} holds something else than words`)
  }
  return words
}
