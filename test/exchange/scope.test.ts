import t from 'tap'
import { encodeScope, scopeFaults } from '../../src/exchange/scope.js'

const SERIES = { testPath: 'a', backend: 'cuda', suite: 's' }

t.test('only the filters that were given are told', async (t) => {
  t.strictSame(encodeScope({}), {})
  t.strictSame(encodeScope({ testPath: 'a', prNumber: 7, githubRunId: 5n, trusted: false, until: 'u' }), {
    test_path: 'a',
    github_run_id: 5,
    pr_number: 7,
    trusted: false,
    until: 'u',
  })
  t.strictSame(encodeScope({ githubRunId: 2n ** 63n - 1n }), { github_run_id: 2n ** 63n - 1n })
})

t.test(
  'a replay rests on the whole history of what is declared, and on nothing of another scope',
  async (t) => {
    t.strictSame(scopeFaults({}, [SERIES]), [])
    t.strictSame(
      scopeFaults({ test_path: 'a', backend: 'cuda', until: '2026-01-01T00:00:00.000000Z' }, [SERIES]),
      [],
    )
    t.match(scopeFaults({ backend: 'rocm', suite: 's' }, [SERIES]), [
      { where: 'line 1', message: /another scope: it holds backend "rocm", and "cuda" is declared/ },
    ])
    for (const name of ['run_id', 'commit_sha', 'github_run_id', 'pr_number', 'trusted', 'since']) {
      t.match(scopeFaults({ [name]: 'x' }, []), [
        { message: new RegExp(`filtered by ${name}, .*whole history`) },
      ])
    }
  },
)
