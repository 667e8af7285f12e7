/** Numbers as people read them; the exact one is in the title. */
import type { Double } from '../../documents/common'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A count: 12,345. */
export function count(value: number): string {
  return grouped.format(value)
}

/** `1 run`, `2 runs`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** Up to five significant digits; thousands grouped, powers of ten where zeros would fill the cell. */
export function short(value: Double | null): string {
  if (value === null) return '–'
  if (typeof value !== 'number') return value.replace('Infinity', '∞').replace('-', '−')
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e9 || size < 1e-4)
    return signed(
      value
        .toExponential(2)
        .replace(/\.?0+e/, 'e')
        .replace('e+', 'e'),
    )
  if (size >= 1_000)
    return signed(value.toLocaleString('en-US', { maximumFractionDigits: size >= 10_000 ? 0 : 1 }))
  return signed(String(Number(value.toPrecision(5))))
}

/** A share of a whole as per cent; only all is 100 %, and only nothing 0 %. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = Math.round((100 * part) / whole)
  if (part > 0 && percent === 0) return '< 1 %'
  if (part < whole && percent === 100) return '> 99 %'
  return `${percent} %`
}

function signed(text: string): string {
  return text.replace(/^-/, '−').replace('e-', 'e−')
}

export function Value({ value }: { value: Double | null }) {
  return (
    <span class="number" title={value === null ? undefined : String(value)}>
      {short(value)}
    </span>
  )
}
