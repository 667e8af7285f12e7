import { setImmediate } from 'node:timers/promises'
import { loadPythonReader } from '../gate/python/load.js'
import type { ReadRequest, ParserReport } from './messages.js'

/** The process in which test files are parsed, so that one that takes too long or breaks a parser can be ended. */
if (!process.send) throw new Error('this file runs as a child process only')
process.on('disconnect', () => process.exit())
// A terminal tells the whole group; when this process ends is its parent's to say.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const WARM_UP = `# -*- coding: utf-8 -*-
import os

@decorated(1)
def test(a, *b, c=-1.5, **d) -> None:
    with open(a) as file:
        return [f"{line!r:>{c}}" for line in file if line] or {**d, "x": (yield)}

if __name__ == "__main__":
    register_ci_gate(metric_key="not a gate")
elif not os.x[0]:
    print(1 + 2)
register_ci_gate(metric_key="a" 'b', steps=[0, 0x1], constraint={"rel_up": -1.5, "\\x61": None}, enforce=True)
register_ci_gate(b"positional", name=name)
`

function report(message: ParserReport): void {
  process.send?.(message)
}

const readPythonSource = await loadPythonReader()
process.on('message', ({ bytes }: ReadRequest) => {
  report({ kind: 'started' })
  try {
    report({ kind: 'read', outcome: readPythonSource(bytes) })
  } catch {
    // An overflow or a panic leaves a parser in no state to go on with; the owner replaces this process.
    report({ kind: 'broken' })
  }
})
// WebAssembly is compiled when it first runs, which must not be counted as the first file's parsing. It is left to a
// later turn: what runs in the turn that loaded the parsers is followed by a wait for every optimization it caused.
await setImmediate()
readPythonSource(new TextEncoder().encode(WARM_UP))
report({ kind: 'ready' })
