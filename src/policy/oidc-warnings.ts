import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { prefixWarning } from './confinement.js'
import type { OidcIssuer, OidcRule } from './oidc-rules.js'

/**
 * What of the rules can never match, or may not be meant so. Told at start and not refused: what an issuer will put into
 * its tokens tomorrow is its own matter.
 * @returns each under its place, `oidc[0].rules[1]` as `GET /v1/whoami` names it
 */
export function oidcWarnings(issuers: readonly OidcIssuer[]): Fault[] {
  return issuers.flatMap(({ issuer, rules }, index) => {
    const place = `oidc[${index}]`
    const warnings = rules.flatMap((rule, at) =>
      [...ruleWarnings(rule), ...shadowWarnings(rules, at, place)].map((message) => ({
        where: namedPlace(rule, `${place}.rules[${at}]`),
        message,
      })),
    )
    if (!issuer.endsWith('/')) return warnings
    const message = `ends with a slash, and is compared with the claim iss to the letter; GitHub's has none`
    return [{ where: `${place}.issuer`, message }, ...warnings]
  })
}

function namedPlace({ name }: OidcRule, place: string): string {
  return name === place ? place : `${place} (${shown(name)})`
}

function ruleWarnings({ claims, scopes, testPathPrefixes }: OidcRule): string[] {
  const warnings: string[] = []
  for (const [name, values] of claims) {
    for (const value of values) {
      if (typeof value !== 'string') continue
      if (value.includes('*')) {
        warnings.push(`the claim ${name} is ${shown(value)}, and a * stands for itself: list the values`)
      } else if (name === 'ref' && !value.startsWith('refs/')) {
        warnings.push(`the claim ref is ${shown(value)}, and comes in full, as refs/heads/${value}`)
      }
    }
  }
  if (scopes.has('baselines:write') && !scopes.has('runs:submit')) {
    warnings.push('the scope baselines:write is of no use without runs:submit')
  }
  for (const prefix of testPathPrefixes ?? []) {
    const warning = prefixWarning(prefix)
    if (warning !== null) warnings.push(`the prefix ${warning}`)
  }
  return warnings
}

function shadowWarnings(rules: readonly OidcRule[], at: number, place: string): string[] {
  const rule = rules[at]
  const before = rules.findIndex((other, index) => index < at && rule !== undefined && covers(other, rule))
  const other = rules[before]
  if (other === undefined) return []
  return [
    `never decides: ${namedPlace(other, `${place}.rules[${before}]`)} stands before it and matches all that it matches`,
  ]
}

/** Whether `wide` matches every token that `narrow` matches. */
function covers(wide: OidcRule, narrow: OidcRule): boolean {
  return [...wide.claims].every(([name, values]) => {
    const asked = narrow.claims.get(name)
    return asked !== undefined && asked.every((value) => values.includes(value))
  })
}
