import type { Fault } from '../gate/outcome.js'
import { shown } from '../gate/text.js'
import { type Scope, WRITING_SCOPES } from './scopes.js'

/** An issuer of job tokens that the configuration trusts, and what its jobs may do. */
export interface OidcIssuer {
  /** Equal to the claim `iss`, to the letter. */
  readonly issuer: string
  readonly audience: string
  /** Where its keys are; null where its discovery document says so. */
  readonly jwksUri: string | null
  /** The first that matches a token counts. */
  readonly rules: readonly OidcRule[]
}

export type ClaimValue = string | number | boolean

export interface OidcRule {
  /** As it stands in answers and verdicts. */
  readonly name: string
  /** Each claim, and the values of which it must have one. */
  readonly claims: ReadonlyMap<string, readonly ClaimValue[]>
  readonly scopes: ReadonlySet<Scope>
  readonly testPathPrefixes: readonly string[] | null
  /** For a job that submits the record of another run. */
  readonly onBehalf: boolean
}

/** The claims of a token whose signature is verified. */
export type Claims = Readonly<Record<string, unknown>>

/** What the rule that matched gives; its scopes are those that the token may have of it. */
export type Grant = Pick<OidcRule, 'name' | 'scopes' | 'testPathPrefixes' | 'onBehalf'>

/** The first rule that matches decides, also where a later one would give more. */
export function grantFor(rules: readonly OidcRule[], claims: Claims): Grant | null {
  const rule = rules.find((candidate) => matches(candidate, claims))
  if (rule === undefined) return null
  const { name, testPathPrefixes, onBehalf } = rule
  return { name, testPathPrefixes, onBehalf, scopes: scopesOf(rule, claims) }
}

/** Of the same type and equal: no patterns, no numbers in text, and a claim that is missing matches nothing. */
function matches(rule: OidcRule, claims: Claims): boolean {
  return [...rule.claims].every(
    ([name, values]) => Object.hasOwn(claims, name) && values.some((value) => value === claims[name]),
  )
}

/**
 * The configuration refuses rules that would let such jobs write (`ruleFaults`). That the grant holds it back again is
 * a second line: history that a pull request could write would be worth nothing.
 */
function scopesOf(rule: OidcRule, claims: Claims): ReadonlySet<Scope> {
  const event = claims['event_name']
  const mayWrite =
    !rule.onBehalf && event !== TARGET_EVENT && (!isPullRequestEvent(event) || rule.claims.has('environment'))
  return mayWrite ? rule.scopes : new Set([...rule.scopes].filter((scope) => !WRITING_SCOPES.has(scope)))
}

/** Runs with the base's rights, ref and commit, whatever the pull request holds that it was started for. */
const TARGET_EVENT = 'pull_request_target'

/** Of a pull request's code: `pull_request`, and its reviews and their comments, which run on the same merge. */
function isPullRequestEvent(event: unknown): boolean {
  return typeof event === 'string' && event.startsWith('pull_request')
}

/** One of them says whose jobs a rule is for. `job_workflow_ref` does not: other repositories may call that workflow. */
const WHOSE = ['repository', 'repository_id', 'repository_owner', 'repository_owner_id']

/** GitHub gives these as text, though they look like numbers or truth values. */
const LOOKS_OTHERWISE = /(?:_id|^run_number|^run_attempt|^ref_protected)$/

/**
 * What is wrong with a rule that is well-formed: it would let strangers in, or jobs write whose record nobody vouches
 * for, or it could never match.
 * @returns each fault, its place counted from the rule
 */
export function ruleFaults({ claims, scopes, onBehalf }: OidcRule): Fault[] {
  const faults: Fault[] = []
  if (!WHOSE.some((name) => claims.has(name))) {
    const message = `must name one of ${WHOSE.join(', ')}: the issuer signs for every repository that it hosts`
    faults.push({ where: 'claims', message })
  }
  for (const [name, values] of claims) {
    const value = values.find((candidate) => typeof candidate !== 'string')
    if (value === undefined || !LOOKS_OTHERWISE.test(name)) continue
    faults.push({ where: `claims/${name}`, message: `comes as text; write "${value}"` })
  }
  const writing = [...scopes].find((scope) => WRITING_SCOPES.has(scope))
  return writing === undefined ? faults : [...faults, ...writingFaults(writing, claims, onBehalf)]
}

function writingFaults(scope: Scope, claims: OidcRule['claims'], onBehalf: boolean): Fault[] {
  if (onBehalf) {
    const message = `grants ${scope}, and a run that is submitted on behalf of another is judged and never written`
    return [{ where: 'scopes', message }]
  }
  const faults: Fault[] = []
  const events = claims.get('event_name')
  if (events === undefined) {
    faults.push({
      where: 'claims',
      message: `must name event_name, as the rule grants ${scope}: a pull request's job has the same repository`,
    })
  }
  if (!claims.has('ref') && !claims.has('environment')) {
    faults.push({ where: 'claims', message: `must name ref or environment, as the rule grants ${scope}` })
  }
  if (events?.includes(TARGET_EVENT)) {
    const message = `${TARGET_EVENT} never gets ${scope}: its claims are those of the base, whoever opened the pull request`
    faults.push({ where: 'claims/event_name', message })
  }
  const pullRequest = events?.find((event) => event !== TARGET_EVENT && isPullRequestEvent(event))
  if (pullRequest !== undefined && !claims.has('environment')) {
    faults.push({
      where: 'claims',
      message: `must name environment (a protected one), as ${shown(String(pullRequest))} gets ${scope}: all else a pull request can choose`,
    })
  }
  return faults
}
