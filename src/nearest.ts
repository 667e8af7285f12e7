/** The known name that a wrong one most likely meant; null where none is near. */
export function nearestName(wrong: string, known: Iterable<string>): string | null {
  if (wrong.length > 64) return null
  const folded = fold(wrong)
  let best: string | null = null
  let bestDistance = Math.min(3, Math.floor(folded.length / 2)) + 1
  for (const name of known) {
    const distance = editDistance(folded, fold(name))
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** `testPath`, `test-path` and `TEST_PATH` are all near to `test_path`. */
function fold(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Levenshtein distance; both texts are short. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
