import { spawnSync } from 'node:child_process'

/** An element as a real XML parser reads it; names without their namespace. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Before the first child. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

const READ_XML = `
import json, sys, xml.etree.ElementTree as ET
def told(e):
    return {"name": e.tag.split("}")[-1], "attributes": dict(e.attrib), "text": e.text or "", "children": [told(c) for c in e]}
print(json.dumps([told(ET.fromstring(document.encode("utf-8"))) for document in json.load(sys.stdin)]))
`

/** Parses documents, all in one process of Python. */
export function parseXml(documents: readonly string[]): XmlElement[] {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', READ_XML], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as XmlElement[]
}

/** The element and all within it. */
export function allElements(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(allElements)]
}

const NAMES = new Set(['svg', 'title', 'desc', 'g', 'rect', 'path', 'circle', 'text'])
const ATTRIBUTES = new Set([
  ...['width', 'height', 'viewBox', 'role', '{http://www.w3.org/XML/1998/namespace}space', 'transform'],
  ...['x', 'y', 'rx', 'cx', 'cy', 'r', 'd', 'data-kind', 'data-part'],
  ...['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'textLength', 'lengthAdjust'],
])

/** What a picture holds that it has no need of: each a way to run, load or style something. */
export function strangers(root: XmlElement): string[] {
  return allElements(root).flatMap(({ name, attributes }) => [
    ...(NAMES.has(name) ? [] : [name]),
    ...Object.entries(attributes).flatMap(([key, value]) =>
      ATTRIBUTES.has(key) && !/url\(|:|NaN|Infinity|undefined|null/.test(value)
        ? []
        : [`${name} ${key}=${value}`],
    ),
  ])
}
