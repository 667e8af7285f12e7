/** Numbers as people read them; the exact one is in the title. */
import { NO_VALUE, shortNumber } from '../../charts/numbers'
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

/** As in charts and reports; the marks of what JSON cannot carry as signs. */
export function short(value: Double | null): string {
  if (value === null) return NO_VALUE
  const text = typeof value === 'number' ? shortNumber(value) : value.replace('Infinity', '∞')
  return text.replaceAll('-', '−')
}

/** A share of a whole as per cent; only all is 100 %, and only nothing 0 %. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  const percent = Math.round((100 * part) / whole)
  if (part > 0 && percent === 0) return '< 1 %'
  if (part < whole && percent === 100) return '> 99 %'
  return `${percent} %`
}

export function Value({ value }: { value: Double | null }) {
  return (
    <span class="number" title={value === null ? undefined : String(value)}>
      {short(value)}
    </span>
  )
}
