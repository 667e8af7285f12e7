/** A status as icon, word and colour: each alone would do, so that nobody has to see the colour. */
import { Icon, type IconName } from './icon'

const WORDS = {
  pass: 'passed',
  fail: 'failed',
  error: 'error',
  inactive: 'inactive',
  insufficient: 'too little history',
  trusted: 'trusted',
  untrusted: 'untrusted',
  revoked: 'revoked',
  undone: 'undone',
  undecided: 'undecided',
} as const satisfies Partial<Record<IconName, string>>

export type Status = keyof typeof WORDS

/**
 * @param word instead of the usual one, where a view has a better one
 * @param quiet without the tint behind it, for dense tables
 */
export function StatusMark({ status, word, quiet }: { status: Status; word?: string; quiet?: boolean }) {
  return (
    <span class={`status status-${status}${quiet ? ' status-quiet' : ''}`}>
      <Icon name={status} size={14} />
      <span>{word ?? WORDS[status]}</span>
    </span>
  )
}

export function TrustMark({ trusted, quiet }: { trusted: boolean; quiet?: boolean }) {
  return <StatusMark status={trusted ? 'trusted' : 'untrusted'} {...(quiet && { quiet })} />
}
