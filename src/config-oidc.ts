import { isObject } from './gate/is-object.js'
import { issuerUrlFault, keysUrlFault } from './auth/issuer-url.js'
import { MAX_STAGE, MAX_TEST_PATH } from './gate/identity.js'
import type { Fault } from './gate/outcome.js'
import { keyFault, shown, textFault } from './gate/text.js'
import { type ClaimValue, type OidcIssuer, type OidcRule, ruleFaults } from './policy/oidc-rules.js'
import { type Scope, SCOPES } from './policy/scopes.js'

type Members = Readonly<Record<string, unknown>>

/**
 * Reads `oidc` of the configuration file: who signs the tokens of jobs, and what their jobs may do.
 * @param faults takes every fault, under its place (`oidc[0].rules[1].claims.ref`, and the rule's name where it has one)
 * @returns the issuers; of no use where there are faults
 */
export function readOidc(value: unknown, faults: Fault[]): readonly OidcIssuer[] {
  if (!Array.isArray(value)) {
    faults.push({ where: 'oidc', message: 'must be a list of issuers with their rules' })
    return []
  }
  const reader = new Reader(value, faults)
  const issuers = value.map((member: unknown, index) => reader.issuer(member, index))
  issuers.forEach(({ issuer }, index) => {
    const first = issuers.findIndex((other) => other.issuer === issuer)
    if (issuer === '' || first === index) return
    faults.push({
      where: `oidc[${index}].issuer`,
      message: `stands in oidc[${first}] already; put the rules there`,
    })
  })
  return issuers
}

/** What stands for a value with a fault, so that the rest is read all the same. */
const UNREAD_ISSUER: OidcIssuer = { issuer: '', audience: '', jwksUri: null, rules: [] }
const UNREAD_RULE: OidcRule = {
  name: '',
  claims: new Map(),
  scopes: new Set(),
  testPathPrefixes: null,
  onBehalf: false,
}

/** Reads one member after the other, and goes on after a fault. */
class Reader {
  constructor(
    private readonly oidc: unknown,
    private readonly faults: Fault[],
  ) {}

  issuer(value: unknown, index: number): OidcIssuer {
    const where = `oidc/${index}`
    const members = this.members(value, where, ['issuer', 'audience', 'jwks_uri', 'rules'])
    if (members === null) return UNREAD_ISSUER
    const list = members['rules']
    if (!Array.isArray(list) || list.length === 0) {
      this.fault(`${where}/rules`, 'must be a list of at least one rule; without any, every token is refused')
    }
    const rules: readonly unknown[] = Array.isArray(list) ? list : []
    return {
      issuer: this.text(members['issuer'], `${where}/issuer`, issuerUrlFault),
      audience: this.text(members['audience'], `${where}/audience`, keyFault),
      jwksUri:
        members['jwks_uri'] === undefined
          ? null
          : this.text(members['jwks_uri'], `${where}/jwks_uri`, keysUrlFault),
      rules: rules.map((rule, at) => this.rule(rule, `${where}/rules/${at}`, `oidc[${index}].rules[${at}]`)),
    }
  }

  private rule(value: unknown, where: string, place: string): OidcRule {
    const before = this.faults.length
    const known = ['name', 'claims', 'scopes', 'test_path_prefixes', 'on_behalf']
    const members = this.members(value, where, known)
    if (members === null) return UNREAD_RULE
    const { name, on_behalf: onBehalf = false, test_path_prefixes: prefixes } = members
    if (typeof onBehalf !== 'boolean') this.fault(`${where}/on_behalf`, 'must be true or false')
    const rule = {
      name:
        name === undefined ? place : this.text(name, `${where}/name`, (text) => keyFault(text, MAX_STAGE)),
      claims: this.claims(members['claims'], `${where}/claims`),
      scopes: this.scopes(members['scopes'], `${where}/scopes`),
      testPathPrefixes:
        prefixes === undefined ? null : this.prefixes(prefixes, `${where}/test_path_prefixes`),
      onBehalf: onBehalf === true,
    }
    // What a rule may grant is asked of rules that could be read: anything else would name faults that are none.
    if (this.faults.length === before) {
      for (const fault of ruleFaults(rule)) this.fault(`${where}/${fault.where}`, fault.message)
    }
    return rule
  }

  private claims(value: unknown, where: string): OidcRule['claims'] {
    const claims = new Map<string, readonly ClaimValue[]>()
    if (!isObject(value) || Object.keys(value).length === 0) {
      this.fault(where, 'must be an object from claim to value, as {"repository": "acme/rl"}')
      return claims
    }
    for (const [name, member] of Object.entries(value)) {
      const values: readonly unknown[] = Array.isArray(member) ? member : [member]
      if (values.length > 0 && values.every(isClaimValue)) claims.set(name, values)
      else this.fault(`${where}/${name}`, 'must be a text, a number, true or false, or a list of them')
    }
    return claims
  }

  private scopes(value: unknown, where: string): ReadonlySet<Scope> {
    const scopes = new Set<Scope>()
    if (!Array.isArray(value) || value.length === 0) {
      this.fault(where, `must be a list of scopes: ${SCOPES.join(', ')}`)
      return scopes
    }
    value.forEach((member: unknown, index) => {
      const scope = SCOPES.find((known) => known === member)
      if (scope !== undefined) scopes.add(scope)
      else this.fault(`${where}/${index}`, `must be one of ${SCOPES.join(', ')}`)
    })
    return scopes
  }

  private prefixes(value: unknown, where: string): readonly string[] {
    if (!Array.isArray(value) || value.length === 0) {
      this.fault(where, 'must be a list of beginnings of test paths, as ["tests/rl/"]; leave it out for all')
      return []
    }
    return value.map((member: unknown, index) => this.text(member, `${where}/${index}`, prefixFault))
  }

  private text(value: unknown, where: string, faultOf: (text: string) => string | null): string {
    const fault = typeof value === 'string' ? faultOf(value) : 'must be a text'
    if (fault === null) return value as string
    this.fault(where, fault)
    return ''
  }

  private members(value: unknown, where: string, known: readonly string[]): Members | null {
    if (!isObject(value)) {
      this.fault(where, `must be an object with ${known.join(', ')}`)
      return null
    }
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.fault(`${where}/${key}`, `is not known; known are ${known.join(', ')}`)
    }
    return value
  }

  private fault(where: string, message: string): void {
    this.faults.push({ where: placeOf(where, this.oidc), message })
  }
}

/**
 * A place as `GET /v1/whoami` names rules: `oidc/0/rules/1/claims` is `oidc[0].rules[1].claims`, with the rule's name
 * behind it where it has one.
 * @param pointer from the root of the file; any but one into `oidc` stays as it is
 * @param oidc as the file has it
 */
export function placeOf(pointer: string, oidc: unknown): string {
  const [, index, at, rest = ''] = /^oidc\/(\d+)(?:\/rules\/(\d+))?(.*)$/s.exec(pointer) ?? []
  if (index === undefined) return pointer
  const inner = rest.replace(/\/(\d+)$/, '[$1]').replaceAll('/', '.')
  if (at === undefined) return `oidc[${index}]${inner}`
  const place = `oidc[${index}].rules[${at}]${inner}`
  const name = ruleName(oidc, Number(index), Number(at))
  return name === null ? place : `${place} (${shown(name)})`
}

function ruleName(oidc: unknown, index: number, at: number): string | null {
  const issuer: unknown = Array.isArray(oidc) ? oidc[index] : null
  const rules = isObject(issuer) ? issuer['rules'] : null
  const rule: unknown = Array.isArray(rules) ? rules[at] : null
  const name = isObject(rule) ? rule['name'] : null
  return typeof name === 'string' && name !== '' ? name : null
}

/** A whole number that a double cannot hold would be another than the one that was written. */
function isClaimValue(value: unknown): value is ClaimValue {
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return typeof value === 'boolean' || (typeof value === 'string' && value !== '')
}

function prefixFault(text: string): string | null {
  if (text === '') return 'is empty, which every path begins with; leave test_path_prefixes out for all'
  if ([...text].length > MAX_TEST_PATH) return `is longer than ${MAX_TEST_PATH} characters`
  return textFault(text)
}
