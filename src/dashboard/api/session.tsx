/** Who is looking, and what they may do: `useSession` anywhere below `SessionProvider`. */
import { createContext, type ComponentChildren } from 'preact'
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { forgetKept } from '../hooks/use-kept'
import { ApiError, get, post, remove, whenUnauthorized } from './client'
import type { Scope } from './types'

export interface Session {
  /** `out`: the server wants a credential. `unknown`: not asked yet. */
  readonly state: 'unknown' | 'out' | 'in' | 'failed'
  readonly actor: string
  /** Whether a session was begun here, which can be ended; not so in open mode or with public reading. */
  readonly isSignedIn: boolean
  readonly error: ApiError | null
  /** Why a session that was there ended by itself, in the server's words. */
  readonly ended: string | null
  readonly may: (scope: Scope) => boolean
  /** @throws ApiError where the server does not take the token */
  readonly signIn: (token: string) => Promise<void>
  readonly signOut: () => Promise<void>
  readonly retry: () => void
}

interface Whoami {
  readonly actor: string
  readonly scopes: readonly Scope[]
}

const Context = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(Context)
  if (session === null) throw new Error('no SessionProvider above')
  return session
}

type Known = Pick<Session, 'state' | 'error' | 'ended'> & Whoami

const NOBODY: Known = { state: 'unknown', error: null, ended: null, actor: '', scopes: [] }
/** Whom the server names where nobody has to sign in. */
const UNNAMED = new Set(['open-mode', 'anonymous'])

function isNamed({ state, actor }: Known): boolean {
  return state === 'in' && !UNNAMED.has(actor)
}

export function SessionProvider({ children }: { children: ComponentChildren }) {
  const [known, setKnown] = useState(NOBODY)

  const refresh = useCallback(async () => {
    try {
      setKnown({ ...(await get<Whoami>('/v1/whoami')), state: 'in', error: null, ended: null })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setKnown(
        // What a refused credential leads to is done by the listener below.
        thrown.status === 401 ? (before) => before : { ...NOBODY, state: 'failed', error: thrown },
      )
    }
  }, [])

  useEffect(() => {
    whenUnauthorized(({ message }) => {
      forgetKept()
      // Of several requests the first tells; and a refused token leaves the reason where it stands.
      setKnown((before) =>
        before.state === 'out'
          ? before
          : { ...NOBODY, state: 'out', ended: isNamed(before) ? message : null },
      )
    })
    void refresh()
  }, [refresh])

  const session = useMemo<Session>(
    () => ({
      ...known,
      isSignedIn: isNamed(known),
      may: (scope) => known.scopes.includes('admin') || known.scopes.includes(scope),
      signIn: async (token) => {
        await post('/v1/session', { token })
        await refresh()
      },
      signOut: async () => {
        try {
          await remove('/v1/session')
        } catch (thrown) {
          // Dead already, or nobody to be told: what can be seen now says which.
          if (!(thrown instanceof ApiError)) throw thrown
        }
        forgetKept()
        setKnown(NOBODY)
        // Where reading is public, somebody without a name goes on.
        await refresh()
      },
      retry: () => void refresh(),
    }),
    [known, refresh],
  )
  return <Context.Provider value={session}>{children}</Context.Provider>
}
