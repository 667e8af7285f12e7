import type { Model } from '../eval-run.js'
import { memberOf, modelOf, textOf } from './eval-log.js'

/** Assertions that ask a model. */
const GRADED_BY_MODEL =
  /^(?:not-)?(?:llm-rubric|g-eval|factuality|model-graded-.*|answer-relevance|context-.*|conversation-relevance|search-rubric|trajectory:goal-success|select-best|similar.*|moderation|pi|classifier)$/

/**
 * What graded the tests of a promptfoo file: the one model that its assertions ask, or promptfoo's fixed rules where they
 * ask none. Not recorded where no model is named (promptfoo takes a default then), or several are.
 */
export function promptfooJudge(file: unknown, results: readonly unknown[]): Model {
  const fallback = providerOf(memberOf(file, 'config', 'defaultTest', 'options', 'provider'))
  const providers = new Set<string | null>()
  for (const result of results) {
    const test = memberOf(result, 'testCase')
    const own = providerOf(memberOf(test, 'options', 'provider')) ?? fallback
    for (const assertion of assertionsOf(memberOf(test, 'assert'))) {
      if (GRADED_BY_MODEL.test(textOf(memberOf(assertion, 'type')) ?? ''))
        providers.add(providerOf(memberOf(assertion, 'provider')) ?? own)
    }
  }
  if (providers.size === 0) return { provider: 'promptfoo', model: 'assertions' }
  const [only] = providers
  return providers.size > 1 || only === null || only === undefined
    ? { provider: null, model: null }
    : modelOf(only, ':')
}

/** A provider is a text or has an id. */
function providerOf(provider: unknown): string | null {
  return textOf(provider) ?? textOf(memberOf(provider, 'id'))
}

/** Also those within a set of assertions. */
function assertionsOf(assertions: unknown): unknown[] {
  if (!Array.isArray(assertions)) return []
  return assertions.flatMap((one: unknown) => [one, ...assertionsOf(memberOf(one, 'assert'))])
}
