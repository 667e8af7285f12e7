import type { Declaration } from '../gate/declarations.js'
import { accepted, type Fault, type Outcome } from '../gate/outcome.js'
import type { Series } from '../gate/run.js'
import { readStoredDeclarations } from '../gate/stored-declarations.js'
import { shown } from '../gate/text.js'
import type { DeclaredSeries } from './replay.js'
import { seriesKey } from './series-key.js'

/** The declarations of the newest writing run of each series, gathered from runs that come oldest first. */
export class NewestDeclarations {
  readonly #newest = new Map<string, { readonly series: Series; readonly text: string; runId: string }>()

  add(run: { readonly runId: string; readonly series: Series; readonly declarations: string | null }): void {
    if (run.declarations === null) return
    const key = seriesKey(run.series)
    const known = this.#newest.get(key)
    if (known?.text === run.declarations) known.runId = run.runId
    // A copy: the text may be a slice of a line that would be kept whole in memory.
    else {
      const text = Buffer.from(run.declarations).toString()
      this.#newest.set(key, { series: run.series, text, runId: run.runId })
    }
  }

  /** They are refused where they cannot be read: left out, their series would seem to be sound. */
  read(): Outcome<readonly DeclaredSeries[]> {
    const faults: Fault[] = []
    const declared: Array<{ series: Series; declarations: readonly Declaration[] }> = []
    for (const { series, text, runId } of this.#newest.values()) {
      const read = readStoredDeclarations(text, `declarations of run ${shown(runId)}`)
      if (read.ok) declared.push({ series, declarations: read.value })
      else faults.push(...read.faults)
    }
    return faults.length > 0 ? { ok: false, faults } : accepted(declared)
  }
}
