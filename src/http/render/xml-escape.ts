/** What XML 1.0 cannot carry even as a reference, and the controls that it should not. */
const ILLEGAL = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu
/** White space is written as a reference: a parser would turn it into plain spaces in an attribute. */
const SPECIAL = /[&<>"'\t\n\r]/g

/** Text from outside as an attribute's value or as content. What XML cannot carry becomes U+FFFD. */
export function xmlText(text: string): string {
  return text.replace(ILLEGAL, '\ufffd').replace(SPECIAL, (character) => `&#${character.charCodeAt(0)};`)
}
