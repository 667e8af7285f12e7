import { xmlText } from './xml-escape.js'

/** One test case. What CI servers turn red on is `failure` and `error` alone. */
export type JunitCase = { readonly name: string } & (
  | { readonly result: 'pass'; readonly output?: string }
  | { readonly result: 'skipped'; readonly message: string }
  | {
      readonly result: 'failure' | 'error'
      readonly type: string
      readonly message: string
      readonly text: string
    }
)

export interface JunitSuite {
  readonly name: string
  /** The class of every case too. */
  readonly suite: string
  readonly createdAt: string
  /** Those that are null are left out. */
  readonly properties: ReadonlyArray<readonly [name: string, value: string | null]>
  readonly cases: readonly JunitCase[]
  readonly output: string | null
}

/** JUnit XML of one suite; every text in it may come from outside. */
export function junitText({ name, suite, createdAt, properties, cases, output }: JunitSuite): string {
  const count = (result: JunitCase['result']) => cases.filter((one) => one.result === result).length
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="0"`
  const className = xmlText(suite)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${xmlText(name)}" ${counts}>`,
    `  <testsuite name="${className}" timestamp="${xmlText(createdAt.slice(0, 19))}" ${counts}>`,
    '    <properties>',
    ...properties.flatMap(([key, value]) =>
      value === null ? [] : [`      <property name="${key}" value="${xmlText(value)}"/>`],
    ),
    '    </properties>',
    ...cases.map((one) => {
      const open = `    <testcase classname="${className}" name="${xmlText(one.name)}" time="0"`
      const result = resultElement(one)
      return result === null ? `${open}/>` : `${open}>${result}</testcase>`
    }),
    ...(output === null ? [] : [`    <system-out>${xmlText(output)}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function resultElement(one: JunitCase): string | null {
  switch (one.result) {
    case 'pass':
      return one.output === undefined ? null : `<system-out>${xmlText(one.output)}</system-out>`
    case 'skipped':
      return `<skipped message="${xmlText(one.message)}"/>`
    default:
      return `<${one.result} type="${one.type}" message="${xmlText(one.message)}">${xmlText(one.text)}</${one.result}>`
  }
}
