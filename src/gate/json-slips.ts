import { shown } from './text.js'

/**
 * Names the slip behind a text that is not JSON, for the person whose job just went red.
 * @param error what `JSON.parse` said of it
 */
export function diagnoseJson(text: string, error: SyntaxError): string {
  return pythonSlip(outsideStrings(text)) ?? plainFault(error)
}

/** The same for a line that should hold one object. */
export function diagnoseJsonLine(line: string, error: SyntaxError): string {
  const bare = outsideStrings(line)
  const slip = pythonSlip(bare)
  if (slip !== null) return slip
  const { closedAt, depth } = bracketsOf(bare)
  if (closedAt !== -1 && /\S/.test(bare.slice(closedAt + 1))) {
    return 'trailing data: more than one JSON value stands on this line; put one object on each line'
  }
  if (depth > 0) {
    return 'ends in the middle of its object: one object stands on one line (was the file cut off, or printed over several lines?)'
  }
  if (/^\s*\{\s*'/.test(line))
    return "is no JSON: keys and strings stand in double quotes, not in Python's single ones"
  return plainFault(error)
}

/** The same for a line of a record, which may be another file altogether. */
export function diagnoseRecordLine(line: string, error: SyntaxError): string {
  const begins = /^\s*([^{\s][^\s]{0,100})/.exec(line)?.[1]
  if (begins === undefined || pythonSlip(outsideStrings(line)) !== null) return diagnoseJsonLine(line, error)
  return (
    `is no record line: it begins with ${shown(begins, 40)}, and a line is an object ` +
    '{"metric": "…", "series": […]}; with curl, a file is sent with @ (record=@FILE)'
  )
}

/** What Python's `json.dumps` and `repr` write, and JSON does not know. */
function pythonSlip(bare: string): string | null {
  const number = /(?:^|[[,:\s])(-?(?:NaN|Infinity|nan|inf))(?=[\s,\]}]|$)/.exec(bare)
  if (number !== null) {
    return (
      `holds a bare ${number[1]}${lineOf(bare, number.index)}, which is no JSON (Python's json.dumps writes it by default); ` +
      'write the string marker "NaN", "Infinity" or "-Infinity"'
    )
  }
  const word = /(?:^|[[,:\s])(None|True|False)(?=[\s,\]}]|$)/.exec(bare)
  return word && `holds Python's ${word[1]}${lineOf(bare, word.index)}; JSON writes null, true and false`
}

/** The line of a text that has several; what stands before a slip may be the newline itself. */
function lineOf(bare: string, index: number): string {
  const before = bare.slice(0, index + 1)
  return bare.includes('\n') ? ` in line ${before.split('\n').length}` : ''
}

/** V8 quotes the text around the fault; a page of it helps nobody. */
function plainFault(error: SyntaxError): string {
  return `is no JSON: ${error.message.replace(/, ?(?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '').slice(0, 200)}`
}

/** The text with the content of its strings left out. A loop: a regular expression over 32 MiB can exhaust its stack. */
function outsideStrings(text: string): string {
  const pieces: string[] = []
  let start = 0
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', start)) {
    pieces.push(text.slice(start, quote), '""')
    let end = quote + 1
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    start = end + 1
    if (start >= text.length) return pieces.join('')
  }
  pieces.push(text.slice(start))
  return pieces.join('')
}

/** Where the first value closes (-1 where it does not), and how many brackets are open at the end. */
function bracketsOf(bare: string): { closedAt: number; depth: number } {
  let depth = 0
  for (let i = 0; i < bare.length; i++) {
    const character = bare[i]
    if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return { closedAt: i, depth }
  }
  return { closedAt: -1, depth }
}
