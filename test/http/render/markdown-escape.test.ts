import fc from 'fast-check'
import t from 'tap'
import { markdownCode, markdownText } from '../../../src/http/render/markdown-escape.js'
import { HOSTILE_NAMES } from '../../support/verdict-document.js'

t.test('ordinary names and sentences stay as they are', async (t) => {
  for (const name of [
    'train/ppo_kl',
    'a b',
    'loss (v2)',
    'métrique/größe',
    '损失',
    'a%2Fb',
    '#1',
    '__proto__',
  ]) {
    t.equal(markdownCode(name), `\`${name}\``)
  }
  const reason = 'train_loss: 0.33 lies above 0.329 (4 of 10 trusted values)'
  t.equal(markdownText(reason), reason)
})

t.test('markup becomes entities', async (t) => {
  t.equal(markdownCode('a|b'), '<code>a&#124;b</code>')
  t.equal(markdownCode('<img src=x>'), '<code>&#60;img src=x&#62;</code>')
  t.equal(markdownText('a < b | *c*'), 'a &#60; b &#124; &#42;c&#42;')
  t.equal(markdownText('_em_ x_y'), '&#95;em&#95; x_y')
})

t.test('what GitHub would link or ping stands in code, broken', async (t) => {
  t.equal(markdownText('ask @octocat'), '<code>ask &#64;<!-- -->octocat</code>')
  t.equal(markdownText('see http://x.example'), '<code>see http&#58;<!-- -->//x.example</code>')
  t.equal(markdownText('see www.x.example'), '<code>see www<!-- -->.x.example</code>')
})

t.test('what cannot be seen is written out', async (t) => {
  t.equal(markdownCode('a\nb'), '<code>a&#92;nb</code>')
  t.equal(markdownCode('a\u202eb'), '<code>a&#92;u202eb</code>')
  t.equal(markdownCode('a\u00a0b'), '<code>a&#92;u00a0b</code>')
  t.equal(markdownCode('a\ud800'), '<code>a&#92;ud800</code>')
  t.equal(markdownCode('\u{e0001}'), '<code>&#92;u{e0001}</code>')
})

/** The text that a reader sees: our own elements gone, entities resolved. */
function shown(markdown: string): string {
  const text = /^`[^`]*`$/.test(markdown)
    ? markdown.slice(1, -1)
    : markdown.replace(/<!-- -->|<\/?code>/g, '')
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

function assertHarmless(markdown: string): void {
  const isSpan = /^`[^`]*`$/.test(markdown)
  const rest = isSpan ? markdown.slice(1, -1) : markdown.replace(/<!-- -->|^<code>|<\/code>$|&#\d+;/g, '')
  if (/[<>&|`\\@]|(?! )[\p{C}\p{Z}]/u.test(rest)) throw new Error(`not harmless: ${JSON.stringify(markdown)}`)
  if (!isSpan && /[*[\]~$#]|:\/\/|www\./i.test(rest.replaceAll('<!-- -->', ''))) {
    if (!markdown.includes('<!-- -->')) throw new Error(`not harmless: ${JSON.stringify(markdown)}`)
  }
}

t.test('whatever the text, it is harmless and shows as itself', async (t) => {
  const hostile = fc.oneof(
    fc.constantFrom(...HOSTILE_NAMES),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'|`\\<>&@#:/_*[]()!~$w.\n\r\t\u202e\ud800 ax') }),
  )
  fc.assert(
    fc.property(hostile, (text) => {
      for (const markdown of [markdownCode(text), markdownText(text)]) {
        assertHarmless(markdown)
        const visible = text.replace(/(?! )[\p{C}\p{Z}]/gu, (character) => {
          const code = character.codePointAt(0)!
          const short = ({ 10: 'n', 13: 'r', 9: 't' } as Record<number, string>)[code]
          const hex = code.toString(16)
          return `\\${short ?? (code > 0xffff ? `u{${hex}}` : `u${hex.padStart(4, '0')}`)}`
        })
        if (shown(markdown) !== visible)
          throw new Error(`${JSON.stringify(text)} shows as ${shown(markdown)}`)
      }
    }),
    { numRuns: 2_000 },
  )
  t.pass('no text did harm')
})
