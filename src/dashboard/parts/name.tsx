/**
 * A name that somebody else chose: kept apart from the text around it, whatever direction its letters run in, and cut at
 * the end of its place with the whole in the title.
 */
export function Name({ text, mono = true }: { text: string; mono?: boolean }) {
  return (
    <bdi class={mono ? 'name mono' : 'name'} dir="auto" title={text}>
      {text}
    </bdi>
  )
}

/** As `Name`, but the end is what differs: a path is cut at its beginning. */
export function PathName({ text }: { text: string }) {
  const cut = text.lastIndexOf('/') + 1
  return (
    <span class="path-name" title={text}>
      {cut > 0 && (
        <bdi class="path-folder" dir="auto">
          {text.slice(0, cut)}
        </bdi>
      )}
      <bdi class="path-file" dir="auto">
        {text.slice(cut)}
      </bdi>
    </span>
  )
}

/** An id, shortened to what people compare; the whole is in the title. */
export function ShortId({ id, length = 8 }: { id: string; length?: number }) {
  return (
    <bdi class="mono" title={id}>
      {id.slice(0, length)}
    </bdi>
  )
}
