import t from 'tap'
import { negotiateForm } from '../../src/http/negotiate.js'

t.test('the form of a verdict', (t) => {
  const markdown = 'text/markdown'
  const junit = 'application/junit+xml'
  const json = 'application/json'
  const cases: ReadonlyArray<readonly [string | undefined, string]> = [
    [undefined, json],
    ['', json],
    ['*/*', json],
    ['image/png', json],
    [markdown, markdown],
    ['TEXT/Markdown; charset=utf-8', markdown],
    ['text/*', markdown],
    ['application/*', json],
    [junit, junit],
    [`${markdown}, */*`, markdown],
    [`*/*, ${markdown}`, markdown],
    [`${markdown};q=0.5, ${json}`, json],
    [`${markdown};q=0.5, ${junit};q=0.7`, junit],
    [`${markdown}, ${json}`, markdown],
    [`${json}, ${markdown}`, json],
    [`${markdown};q=0, text/*`, json],
    [`${json};q=0`, json],
    [`${json};q=0, */*`, markdown],
    [`${markdown};q=x`, json],
    [`${markdown};q=2`, json],
    [',;,q=1;', json],
  ]
  for (const [accept, form] of cases)
    t.equal(negotiateForm(accept, [json, markdown, junit]), form, String(accept))
  t.end()
})
