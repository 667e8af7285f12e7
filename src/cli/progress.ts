import { SingleBar } from 'cli-progress'
import type { Terminal } from './terminal.js'

export interface Progress {
  update(done: number, counted?: number): void
  stop(): void
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined }

/**
 * Shows how far long work is, on a terminal only: a log of a CI job would keep every frame.
 * @param total null where nobody knows; then what is done is counted
 * @param noun what is counted beside the bar, as `runs`
 */
export function startProgress(
  { stderr }: Terminal,
  label: string,
  total: number | null,
  noun: string,
): Progress {
  if (stderr.isTTY !== true) return SILENT
  const format =
    total === null
      ? `${label} {counted} ${noun} ({duration_formatted})`
      : `${label} {bar} {percentage} %  {counted} ${noun} ({duration_formatted})`
  const bar = new SingleBar({
    format,
    stream: stderr,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // Its own handlers would swallow the first Ctrl-C; without them a hidden cursor would stay hidden.
    gracefulExit: false,
    hideCursor: false,
    clearOnComplete: true,
    etaBuffer: 50,
  })
  bar.start(total ?? 1, 0, { counted: 0 })
  return {
    update: (done, counted = done) => bar.update(total === null ? 0 : done, { counted }),
    stop: () => bar.stop(),
  }
}
