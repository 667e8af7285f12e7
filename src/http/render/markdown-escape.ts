/**
 * Text from outside in GitHub's Markdown: it shows as it is, in one line, and does nothing.
 *
 * Entities stand for every character that Markdown or HTML could read: an entity is never structure, not even a
 * pipe in a table. (A code span alone would not do: in a table it needs `\|`, and renderers disagree about `\\|`.)
 * GitHub looks for mentions, issue numbers and links once more in the text that came out, but not within `<code>`;
 * an empty comment keeps the parser's own autolinks from matching there.
 */
import { visibleEscape, visibleText } from '../../charts/visible-text.js'

const MARKUP = /[&<>|\\`*_[\]~$@#]|:(?=[/\w+-])|www(?=\.)/giu
/** What GitHub turns into links, pings, formulas or pictures after the Markdown is rendered. */
const REFERENCE = /[@#$]|:\/\/|:[\w+-]+:|mailto:|xmpp:|www\./iu
/** What a code span cannot carry as it is. */
const NOT_PLAIN_CODE = /[`|\\<>&@]|(?! )[\p{C}\p{Z}]|^ | $|^$/u

/** A sentence that may hold names from outside; not for the start of a block, where `-` or `1.` would count. */
export function markdownText(text: string): string {
  return REFERENCE.test(text) ? escapedCode(text) : escapeMarkup(text)
}

/** A name or id, as code. */
export function markdownCode(text: string): string {
  return NOT_PLAIN_CODE.test(text) ? escapedCode(text) : `\`${text}\``
}

function escapedCode(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`
}

function escapeMarkup(text: string): string {
  return visibleText(text.replace(MARKUP, entity), (character) => `&#92;${visibleEscape(character).slice(1)}`)
}

function entity(match: string, offset: number, text: string): string {
  // snake_case stays readable in the source: an underscore between letters is no emphasis.
  if (match === '_' && /\w/.test(text[offset - 1] ?? '') && /\w/.test(text[offset + 1] ?? '')) return match
  if (match.length > 1) return `${match}<!-- -->`
  const reference = `&#${match.charCodeAt(0)};`
  return match === '@' || match === ':' || match === '#' ? `${reference}<!-- -->` : reference
}
