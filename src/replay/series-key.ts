import { compareCodePoints } from '../gate/literal.js'
import type { Series } from '../gate/run.js'

/** A key of maps. No text that is kept holds a NUL, so that it can part the three. */
export function seriesKey({ testPath, backend, suite }: Series): string {
  return `${testPath}\0${backend}\0${suite}`
}

/** Orders series by code point of test path, backend, suite. */
export function compareSeries(a: Series, b: Series): number {
  return (
    compareCodePoints(a.testPath, b.testPath) ||
    compareCodePoints(a.backend, b.backend) ||
    compareCodePoints(a.suite, b.suite)
  )
}
