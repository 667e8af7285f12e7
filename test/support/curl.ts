import { execFile } from 'node:child_process'

export interface CurlAnswer {
  /** curl's own exit code: 22 with `--fail-with-body` and a status of 400 or more. */
  readonly exitCode: number
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly stderr: string
}

/** Runs the real curl and takes its answer apart. */
export function curl(...args: string[]): Promise<CurlAnswer> {
  return new Promise((resolve, reject) => {
    const all = ['-sS', '-i', '--max-time', '60', '--noproxy', '*', ...args]
    execFile('curl', all, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number')
        return reject(new Error('curl did not run', { cause: error }))
      return resolve({ exitCode: (error?.code as number | undefined) ?? 0, stderr, ...answerOf(stdout) })
    })
  })
}

/** The last answer of a dialogue that may hold `100 Continue` and tries before. */
function answerOf(text: string): Pick<CurlAnswer, 'status' | 'headers' | 'body'> {
  let rest = text
  let head = ''
  while (/^HTTP\/[\d.]+ \d/.test(rest)) {
    const end = rest.indexOf('\r\n\r\n')
    head = rest.slice(0, end)
    rest = rest.slice(end + 4)
  }
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: rest }
}
