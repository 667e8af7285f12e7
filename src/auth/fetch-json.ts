/** What an issuer answers is small; anything larger is not read to its end. */
const MAX_BYTES = 256 * 1_024

/**
 * Fetches a JSON document from an address that the configuration trusts. Redirects are not followed: they would lead
 * elsewhere than it says, to plain http among others.
 * @param signal bounds the time, of the body too
 * @throws Error that says what was wrong with the answer, or fetch's own
 */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: 'application/json' } })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`${url} answered ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let size = 0
  // Counted as it comes, after decompression: a length that is announced binds nobody. Leaving the loop ends the request.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`${url} answered more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (cause) {
    throw new Error(`${url} answered no JSON`, { cause })
  }
}
