import t from 'tap'
import { requestPath } from '../../src/http/request-path.js'

t.test('the path alone', (t) => {
  const cases: ReadonlyArray<readonly [string | undefined, string]> = [
    ['/v1/runs', '/v1/runs'],
    ['/v1/runs?token=x', '/v1/runs'],
    ['/v1/runs#token=x', '/v1/runs'],
    ['http://ci:x@localhost/v1/runs?y', '/v1/runs'],
    ['HTTP://ci:x@localhost', '/'],
    ['http://ci:x@localhost?y', '/'],
    ['?token=x', '/'],
    ['*', '*'],
    [undefined, '/'],
    [`/${'x'.repeat(5_000)}`, `/${'x'.repeat(199)}`],
  ]
  for (const [target, path] of cases) t.equal(requestPath(target), path)
  t.end()
})
