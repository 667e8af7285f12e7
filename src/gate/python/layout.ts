/**
 * The layout of a Python file, found without a parser: where comments stand, how deep brackets nest, and where the
 * statements of column zero begin.
 *
 * It is wanted before parsing, because deep nesting overflows the parsers' stacks, and after it, as an independent
 * witness: tree-sitter reads more than Python and may misplace a statement, and a gate that it misplaced would be
 * silently lost. An error in here can only cause a refusal.
 */

/** CPython's own limit on open brackets. */
export const MAX_BRACKET_DEPTH = 200

export interface Layout {
  /** Offsets at which the logical lines of column zero begin, in order. */
  readonly columnZero: readonly number[]
  /** Comments as pairs of offsets, `#` included, the line end not. */
  readonly comments: readonly (readonly [number, number])[]
  /** Where a line returns to an indentation that no line around it has, or null. */
  readonly misindentedAt: number | null
  /** Where the bracket stands that is nested too deep, or null; scanning ends there. */
  readonly tooDeepAt: number | null
  /** Where the innermost bracket stands that is never closed, or null. */
  readonly unclosedAt: number | null
}

/** What is open at a place: a bracket, the `{` of a template's field, a field's format, or a template string. */
type Frame =
  | { readonly kind: 'bracket' | 'field'; readonly close: string; readonly at: number }
  | { readonly kind: 'format' }
  | { readonly kind: 'template'; readonly quote: string; readonly raw: boolean }

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

/** Scans decoded source whose lines end in LF. Invalid source gives some layout or other; a parser judges it. */
export function scanLayout(text: string): Layout {
  return new LayoutScanner(text).scan()
}

class LayoutScanner {
  readonly #text: string
  readonly #columnZero: number[] = []
  readonly #comments: [number, number][] = []
  readonly #frames: Frame[] = []
  #at = 0
  #depth = 0
  #tooDeepAt: number | null = null
  readonly #indents = [0]
  #misindentedAt: number | null = null

  constructor(text: string) {
    this.#text = text
  }

  scan(): Layout {
    this.#lineStart()
    while (this.#at < this.#text.length && this.#tooDeepAt === null) {
      const top = this.#frames.at(-1)
      if (top?.kind === 'template' || top?.kind === 'format') this.#templateText(top.kind)
      else this.#code(top)
    }
    const open = this.#frames.findLast((frame) => frame.kind === 'bracket' || frame.kind === 'field')
    return {
      columnZero: this.#columnZero,
      misindentedAt: this.#misindentedAt,
      comments: this.#comments,
      tooDeepAt: this.#tooDeepAt,
      unclosedAt: open && 'at' in open ? open.at : null,
    }
  }

  /** Measures the indentation of a logical line as CPython's tokenizer does, and notes the line if it has none. */
  #lineStart(): void {
    let column = 0
    let continued = 0
    for (; ; this.#at++) {
      const char = this.#text[this.#at]
      if (char === ' ') column++
      else if (char === '\t') column = (Math.floor(column / 8) + 1) * 8
      else if (char === '\f') column = 0
      else if (char === '\\' && this.#text[this.#at + 1] === '\n') {
        // The first backslash that has white space before it decides, whatever the next lines are indented by.
        continued ||= column
        this.#at++
      } else {
        if (char !== undefined && char !== '\n' && char !== '#') this.#noteLine(continued || column)
        return
      }
    }
  }

  /** ruff misses some returns to a wrong indentation where a backslash joins the line to the one before. */
  #noteLine(column: number): void {
    if (column === 0) this.#columnZero.push(this.#at)
    const before = this.#indents.length
    while (column < (this.#indents.at(-1) ?? 0)) this.#indents.pop()
    if (column === this.#indents.at(-1)) return
    // Deeper than the line before is a block, whose place a parser judges.
    if (this.#indents.length < before) this.#misindentedAt ??= this.#at
    this.#indents.push(column)
  }

  #code(top: Frame | undefined): void {
    const char = this.#text.charAt(this.#at)
    if (char === '\n') {
      this.#at++
      if (!top) this.#lineStart()
    } else if (char === '\\') {
      this.#at += 2
    } else if (char === '#') {
      const end = this.#find('\n')
      this.#comments.push([this.#at, end])
      this.#at = end
    } else if (char === '"' || char === "'") {
      this.#string('')
    } else if (isWord(char)) {
      this.#word()
    } else if (CLOSERS.has(char)) {
      this.#open('bracket', CLOSERS.get(char) ?? '')
    } else if (top && 'close' in top && top.close === char) {
      this.#close()
    } else {
      this.#at++
      if (char === ':' && top?.kind === 'field') this.#frames.push({ kind: 'format' })
    }
  }

  /** Skips a name, a keyword or a number; a name that touches a quote may be the prefix of a string. */
  #word(): void {
    const start = this.#at
    while (isWord(this.#text.charAt(this.#at))) this.#at++
    const next = this.#text[this.#at]
    if (next !== '"' && next !== "'") return
    const word = this.#text.slice(start, this.#at).toLowerCase()
    this.#string(/^(?:r?[ft]|[ft]r|r?b|br|r|u)$/.test(word) ? word : '')
  }

  #string(prefix: string): void {
    const one = this.#text.charAt(this.#at)
    const quote = this.#text.startsWith(one.repeat(3), this.#at) ? one.repeat(3) : one
    this.#at += quote.length
    if (/[ft]/.test(prefix)) {
      this.#frames.push({ kind: 'template', quote, raw: prefix.includes('r') })
      return
    }
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at)
      // A string that its line does not close is an error, which a parser will name.
      if (char === '\n' && quote === one) return
      if (char === one && this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length
        return
      }
      this.#at += char === '\\' ? 2 : 1
    }
  }

  /** One step through the text of an f-string or t-string, or through the format of one of its fields. */
  #templateText(kind: 'template' | 'format'): void {
    const template = this.#frames.findLast((frame) => frame.kind === 'template')
    if (template?.kind !== 'template') throw new Error('a format without its template string')
    const { quote, raw } = template
    const char = this.#text.charAt(this.#at)
    const next = this.#text.charAt(this.#at + 1)
    if (this.#text.startsWith(quote, this.#at)) {
      this.#leave(template)
      this.#at += quote.length
    } else if (char === '\n' && quote.length === 1) {
      this.#leave(template)
    } else if (char === '\\' && !raw && this.#text.startsWith('N{', this.#at + 1)) {
      this.#at = this.#find('}') + 1
    } else if (char === '\\') {
      // A backslash does not escape a brace.
      this.#at += next === '{' || next === '}' ? 1 : 2
    } else if (char === '{' && next === '{' && kind === 'template') {
      this.#at += 2
    } else if (char === '{') {
      this.#open('field', '}')
    } else if (char === '}' && kind === 'format') {
      this.#frames.pop()
      this.#close()
    } else {
      this.#at++
    }
  }

  #open(kind: 'bracket' | 'field', close: string): void {
    this.#frames.push({ kind, close, at: this.#at })
    if (++this.#depth > MAX_BRACKET_DEPTH) this.#tooDeepAt = this.#at
    this.#at++
  }

  #close(): void {
    this.#frames.pop()
    this.#depth--
    this.#at++
  }

  /** Drops a template string and whatever is still open within it. */
  #leave(template: Frame): void {
    for (let frame = this.#frames.pop(); frame && frame !== template; frame = this.#frames.pop()) {
      if ('close' in frame) this.#depth--
    }
  }

  #find(char: string): number {
    const found = this.#text.indexOf(char, this.#at)
    return found === -1 ? this.#text.length : found
  }
}

/** Whether a character belongs to a name or number. Every character beyond ASCII is taken for one of a name. */
function isWord(char: string): boolean {
  return /[\w\u0080-\uffff]/.test(char)
}
