import { isObject } from '../../gate/is-object.js'
import { numberOf } from '../../convert/python-json.js'
import type { Fault, Outcome } from '../../gate/outcome.js'
import { keyFault, shown } from '../../gate/text.js'
import type { Model } from '../eval-run.js'

/** What the readers of other tools' logs find in them: one shape, from which request bodies are made. */
export interface EvalLog {
  /** What was run against: each model (and prompt) of the log. */
  readonly harnesses: readonly Harness[]
  /** Ids of the questions that were to be asked, not those that were answered: or nothing could ever be missing. */
  readonly questions: readonly string[]
  readonly repeats: number
  readonly rows: readonly LogRow[]
  /** What gave the scores: a model, or a fixed rule, named after the tool. */
  readonly judge: Model
  /** What a person should know: nothing is left out without a word. */
  readonly notes: readonly string[]
}

export interface Harness {
  readonly name: string
  readonly model: Model
}

export interface LogRow {
  readonly question: string
  readonly harness: string
  /** From 1. */
  readonly repeat: number
  /** null where the log holds no number. */
  readonly score: number | null
  readonly error: string | null
}

export interface LogFile {
  /** As the tool named it, with or without its folder. */
  readonly name: string
  readonly text: string
}

/** Which of several scores of a log is meant; null where it holds one only. */
export interface ScoreChoice {
  /** A scorer, metric or named score. */
  readonly metric: string | null
  /** Of lm-evaluation-harness: how the answer was cut out. */
  readonly filter: string | null
}

export type LogReader = (files: readonly LogFile[], choice: ScoreChoice) => Outcome<EvalLog>

/** Faults told at once. */
export const MAX_FAULTS = 100

/** A log that says it has more was not written by its tool. */
export const MAX_QUESTIONS = 1_000_000

export class Faults {
  readonly list: Fault[] = []

  add(where: string, message: string): void {
    if (this.list.length < MAX_FAULTS) this.list.push({ where, message })
  }
}

/** What of a log names no task and no harness: it would be refused, at places of a body that nobody wrote. */
export function checkNames({ questions, harnesses }: EvalLog): Fault[] {
  const faults = new Faults()
  const check = (kind: string, name: string) => {
    const message = keyFault(name)
    if (message !== null) faults.add(`the ${kind} ${shown(name)}`, message)
  }
  for (const question of questions) check('question', question)
  for (const { name } of harnesses) check('harness', name)
  return faults.list
}

/** A score as a tool wrote it; a verdict of a fixed rule (true, false) is 1 or 0. What is not finite is none. */
export function scoreOf(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  const number = numberOf(value)
  return number !== null && Number.isFinite(number) ? number : null
}

/** `provider/model` and `provider:model`, cut at the first separator; without one the provider is not recorded. */
export function modelOf(name: string, separator: '/' | ':'): Model {
  const at = name.indexOf(separator)
  return at === -1
    ? { provider: null, model: name }
    : { provider: name.slice(0, at), model: name.slice(at + 1) }
}

export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let member = value
  for (const key of path) member = isObject(member) && Object.hasOwn(member, key) ? member[key] : undefined
  return member
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A list of names for a message. */
export function named(names: Iterable<string>): string {
  const all = [...names]
  const some = all.slice(0, 20).map((name) => JSON.stringify(name))
  return some.join(', ') + (all.length > some.length ? `, … (${all.length} in all)` : '')
}
