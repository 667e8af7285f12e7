/** What of a configuration does nothing, or not what was meant; told at start. */
import { type Config, type Environment, VARIABLES } from './config.js'
import type { Fault } from './gate/outcome.js'
import { nearestName } from './nearest.js'
import { oidcWarnings } from './policy/oidc-warnings.js'

/** @returns what is odd, under the variable or the place in the configuration file */
export function configWarnings(env: Environment, { oidc }: Pick<Config, 'oidc'>): Fault[] {
  return [...variableWarnings(env), ...oidcWarnings(oidc)]
}

const PREFIX = 'GATEHOUSE_'
/** Those of the shell function for CI; a runner may share the machine. */
const CLIENTS = ['GATEHOUSE_URL', 'GATEHOUSE_TOKEN', 'GATEHOUSE_ALLOW_UNJUDGED']
/** What Kubernetes and Docker set for a service of the name `gatehouse`. */
const LINKS = /^GATEHOUSE_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_)/
/** Shorter names are near to too many of other programs, as HOST to HOME. */
const SHORTEST = 8

/** Variables that nobody reads: a misspelt one must not pass for a default without a word. Values are not shown. */
function variableWarnings(env: Environment): Fault[] {
  return Object.keys(env)
    .sort()
    .flatMap((name) => {
      const message = isKnown(name) ? null : variableWarning(name, env[name] ?? '')
      return message === null ? [] : [{ where: name, message }]
    })
}

function isKnown(name: string): boolean {
  return ([...VARIABLES, ...CLIENTS] as readonly string[]).includes(name)
}

function variableWarning(name: string, value: string): string | null {
  if (value === '' || LINKS.test(name) || value.startsWith('tcp://')) return null
  if (!name.startsWith(PREFIX)) {
    const long = VARIABLES.filter((known) => known.length >= SHORTEST)
    const near = nearestName(name, long)
    return near === null ? null : `is no variable of Gatehouse; is ${near} meant?`
  }
  // Some are meant with a prefix that they do not have.
  const near =
    VARIABLES.find((known) => `${PREFIX}${known}` === name.toUpperCase()) ?? nearestName(name, VARIABLES)
  return `is not known, and does nothing; ${near === null ? `known are ${VARIABLES.join(', ')}` : `is ${near} meant?`}`
}
