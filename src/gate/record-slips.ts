import { shown } from './text.js'

/**
 * Names the slip behind a line of a record that is not JSON, for the person whose job just went red.
 * @param error what `JSON.parse` said of the line
 */
export function diagnoseJsonLine(line: string, error: SyntaxError): string {
  const bare = /[[,:\s](-?(?:NaN|Infinity|nan|inf))(?=[\s,\]}]|$)/.exec(outsideStrings(line))
  if (bare) {
    return (
      `holds a bare ${bare[1]}, which is no JSON (Python's json.dumps writes it by default); ` +
      'write the string marker "NaN", "Infinity" or "-Infinity"'
    )
  }
  if (startsWithWholeObject(line))
    return 'trailing data: more than one JSON value stands on this line; put one object on each line'
  if (isCutOff(line)) return 'ends in the middle: the line is cut off (a process that died while writing?)'
  if (/^\s*\{\s*'/.test(line))
    return "is no JSON: keys and strings stand in double quotes, not in Python's single ones"
  const begins = /^\s*([^{\s][^\s]*)/.exec(line)?.[1]
  if (begins !== undefined) {
    return (
      `is no record line: it begins with ${shown(begins, 40)}, and a line is an object ` +
      '{"metric": "…", "series": […]}; with curl, a file is sent with @ (record=@FILE)'
    )
  }
  return `is no JSON: ${error.message.replace(/, ?"(?:[^"\\]|\\.)*"\.{0,3} is not valid JSON$/, '').slice(0, 200)}`
}

/** The line with the content of its strings blanked. */
function outsideStrings(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"/g, '""')
}

function startsWithWholeObject(line: string): boolean {
  let depth = 0
  const bare = outsideStrings(line)
  for (let i = 0; i < bare.length; i++) {
    if (bare[i] === '{' || bare[i] === '[') depth++
    else if (bare[i] === '}' || bare[i] === ']') {
      depth--
      if (depth === 0) return /\S/.test(bare.slice(i + 1))
    }
  }
  return false
}

function isCutOff(line: string): boolean {
  const bare = outsideStrings(line)
  let depth = 0
  for (const character of bare) {
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
  }
  return depth > 0
}
