/**
 * Names that somebody else chose. They are kept apart from the text around them, whatever direction their letters run
 * in; what could not be seen in them is written as its escape, since two series may differ by nothing else.
 */
import { visibleText } from '../../charts/visible-text'

/** Cut at the end of its place, with the whole in the title. */
export function Name({ text, mono = true }: { text: string; mono?: boolean }) {
  return (
    <bdi class={mono ? 'name mono' : 'name'} dir="auto" title={visibleText(text)}>
      {visibleText(text)}
    </bdi>
  )
}

/** As `Name`, but the end is what differs: a path is cut at its beginning. */
export function PathName({ text }: { text: string }) {
  const cut = text.lastIndexOf('/') + 1
  return (
    <span class="path-name" title={visibleText(text)}>
      {cut > 0 && (
        <bdi class="path-folder" dir="auto">
          {visibleText(text.slice(0, cut))}
        </bdi>
      )}
      <bdi class="path-file" dir="auto">
        {visibleText(text.slice(cut))}
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
