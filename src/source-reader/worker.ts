import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { loadPythonReader } from '../gate/python/load.js'
import type { ReadRequest, WorkerReport } from './messages.js'

/** The thread in which test files are parsed, so that one that takes too long can be stopped. */
if (!parentPort) throw new Error('this file runs as a worker thread only')
const port = parentPort

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

function report(message: WorkerReport): void {
  port.postMessage(message)
}

const readPythonSource = await loadPythonReader()
port.on('message', ({ bytes }: ReadRequest) => {
  report({ kind: 'started' })
  try {
    report({ kind: 'read', outcome: readPythonSource(bytes) })
  } catch {
    // An overflow or a panic leaves a parser in no state to go on with; the owner replaces this thread.
    report({ kind: 'broken' })
  }
})
// WebAssembly is compiled when it first runs, which must not be counted as the first file's parsing. It is left to a
// later turn: what runs in the turn that loaded the parsers is followed by a wait for every optimization it caused.
await setImmediate()
readPythonSource(new TextEncoder().encode(WARM_UP))
report({ kind: 'ready' })
