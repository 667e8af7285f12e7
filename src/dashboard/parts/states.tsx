/** What stands where data would: it is coming, there is none, it could not be had. */
import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api/client'
import type { Resource } from '../hooks/use-resource'
import { Icon } from './icon'

/** Grey bars in place of what is coming; they appear late, so that a fast answer does not flicker. */
export function Loading({ what, rows = 6 }: { what: string; rows?: number }) {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading {what}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="loading-bar" />
      ))}
    </div>
  )
}

/** @param children what to do about it */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="empty-hint">{children}</div>}
    </div>
  )
}

export function Failure({ error, what, onRetry }: { error: ApiError; what: string; onRetry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <div>
        <p class="failure-title">
          {error.status === 404 ? `There is no such ${what}.` : `Could not load the ${what}.`}
        </p>
        <FailureDetail error={error} />
        {onRetry && (
          <button type="button" class="button" onClick={onRetry}>
            <Icon name="reload" /> Try again
          </button>
        )}
      </div>
    </div>
  )
}

/** What the server said of a refusal, in full: it names the fault and what would be right. */
export function FailureDetail({ error }: { error: ApiError }) {
  return (
    <>
      <p>
        <bdi>{error.message}</bdi>
      </p>
      {error.faults.length > 0 && (
        <ul>
          {error.faults.map(({ where, message }) => (
            <li key={where}>
              <bdi class="mono">{where}</bdi> {message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId !== null && (
        <p class="muted small">
          {error.title}, request <bdi class="mono">{error.requestId}</bdi>
        </p>
      )}
    </>
  )
}

/** A resource in whichever state it is; `children` draws what is there. */
export function Loaded<T>({
  of,
  what,
  rows,
  children,
}: {
  of: Resource<T>
  what: string
  rows?: number
  children: (data: T) => ComponentChildren
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error !== undefined) return <Failure error={of.error} what={what} onRetry={of.reload} />
  return <Loading what={what} {...(rows !== undefined && { rows })} />
}
