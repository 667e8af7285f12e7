/** The head of a view: its title, which is the document's too, what stands beneath, and what can be done. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { visibleText } from '../../charts/visible-text'

interface Props {
  /** For the window's title. */
  readonly title: string
  /** Where the heading is more than the title's text. */
  readonly heading?: ComponentChildren
  readonly above?: ComponentChildren
  readonly below?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function PageHead({ title, heading, above, below, actions }: Props) {
  useEffect(() => {
    document.title = `${visibleText(title)} · Gatehouse`
  }, [title])
  return (
    <header class="page-head">
      <div class="page-head-text">
        {above && <div class="page-above">{above}</div>}
        <h1 tabIndex={-1}>{heading ?? visibleText(title)}</h1>
        {below && <div class="page-below">{below}</div>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </header>
  )
}
