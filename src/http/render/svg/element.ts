import { xmlText } from '../xml-escape.js'

/** A finished piece of SVG. Nothing but this file makes one, so that every text in a picture is escaped. */
export interface Svg {
  readonly markup: string
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/**
 * An element with its children: elements, or text from wherever.
 * @param attributes those that are undefined are left out; numbers are written with two decimals at most
 */
export function element(name: string, attributes: Attributes, ...children: ReadonlyArray<Svg | string>): Svg {
  const said = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${xmlText(typeof value === 'number' ? coordinate(value) : String(value))}"`,
    )
  const open = `<${name}${said.join('')}`
  if (children.length === 0) return { markup: `${open}/>` }
  const inside = children.map((child) => (typeof child === 'string' ? xmlText(child) : child.markup))
  return { markup: `${open}>${inside.join('')}</${name}>` }
}

/** A length in pixels, as short as a hundredth allows. */
export function coordinate(pixels: number): string {
  return String(Math.round(pixels * 100) / 100 + 0)
}

/**
 * A whole picture, at home in an `img`: of a fixed size, without a script, a style sheet or an address of anything.
 * @param title one line for those who do not see it
 * @param description more of the same; none where the title says all
 */
export function picture(
  { width, height, fonts }: { width: number; height: number; fonts: string },
  { title, description }: { title: string; description?: string },
  ...children: readonly Svg[]
): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'font-family': fonts,
    // Spaces that stand together in a name are part of it.
    'xml:space': 'preserve',
  }
  const words = [
    element('title', {}, title),
    ...(description === undefined ? [] : [element('desc', {}, description)]),
  ]
  return `${element('svg', attributes, ...words, ...children).markup}\n`
}
