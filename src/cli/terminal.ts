/** The streams of a command: data goes to stdout, words go to stderr. */
import type { Readable, Writable } from 'node:stream'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Tells a person something. */
export function say(terminal: Terminal, ...lines: readonly string[]): void {
  for (const line of lines) terminal.stderr.write(`${printable(line)}\n`)
}

/** Names come from files of others: a terminal must not obey what is written in them. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
