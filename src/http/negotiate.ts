interface Range {
  readonly type: string
  readonly quality: number
}

/**
 * The form of an answer that an `Accept` header asks for (RFC 9110, 12.5.1): the highest quality wins, then the
 * range that names the type more closely, then the one named first. Anything that asks for none of them gets the
 * first form: an answer is never withheld over its form.
 */
export function negotiateForm<Form extends string>(
  accept: string | undefined,
  forms: readonly [Form, ...Form[]],
): Form {
  const ranges = readRanges(accept ?? '')
  let best: { form: Form; quality: number; closeness: number; place: number } | null = null
  for (const form of forms) {
    const rank = rankOf(form, ranges)
    if (rank === null || rank.quality === 0) continue
    const better =
      best === null ||
      rank.quality > best.quality ||
      (rank.quality === best.quality &&
        (rank.closeness > best.closeness || (rank.closeness === best.closeness && rank.place < best.place)))
    if (better) best = { form, ...rank }
  }
  return best?.form ?? forms[0]
}

/** How the closest range that covers the type ranks it. */
function rankOf(form: string, ranges: readonly Range[]) {
  const candidates = [form, `${form.slice(0, form.indexOf('/'))}/*`, '*/*']
  for (const [index, candidate] of candidates.entries()) {
    const place = ranges.findIndex((range) => range.type === candidate)
    if (place !== -1) return { quality: ranges[place]!.quality, closeness: candidates.length - index, place }
  }
  return null
}

function readRanges(accept: string): Range[] {
  return accept.split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2))
    return type === '' || !(quality >= 0 && quality <= 1) ? [] : [{ type, quality }]
  })
}
