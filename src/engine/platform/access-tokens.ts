import { decodeGrant, encodeGrant, type Grant } from '../../shared/grant.ts'
import type { Clock } from '../timing/clock.ts'
import { ProblemError } from '../../shared/result.ts'
import type { AuthorizationServer } from './authorization-server.ts'

/** Seconds before expiry at which tokens are retired, because requests may be in flight. */
const marginOf = (seconds: number): number => Math.min(60, seconds / 4)

interface AccessTokensParts {
  readonly server: Pick<AuthorizationServer, 'refresh'>
  /** Saves the rotated refresh token before the new access token is used. */
  readonly renewed: (was: string, now: string) => Promise<void>
  readonly clock: Pick<Clock, 'elapsed'>
  readonly signal: AbortSignal
}

/** Access tokens of a signed-in account, kept only in memory. */
export class AccessTokens {
  readonly #parts: AccessTokensParts
  /** Access token for the grant whose refresh token is `of`; `until` in milliseconds of the monotonic clock. */
  #current: { readonly of: string; readonly token: string; readonly until: number } | null = null
  #refreshing: { readonly of: string; readonly token: Promise<string> } | null = null
  /** A grant that the platform has ended. Only signing in again helps, so it isn't retried. */
  #ended: { readonly of: string; readonly problem: ProblemError } | null = null

  constructor(parts: AccessTokensParts) {
    this.#parts = parts
  }

  /** The bearer token for a request: the key itself, or the grant's access token, refreshed if expired. */
  async bearer(key: string): Promise<string> {
    const held = decodeGrant(key)
    if (held === null) return key
    const { refreshToken: of } = held
    if (this.#current?.of !== of && held.access !== null) this.#take(held)
    const current = this.#current
    if (current?.of === of && this.#parts.clock.elapsed() < current.until) return current.token
    if (this.#ended?.of === of) throw this.#ended.problem
    // Share one refresh: a refresh token works only once.
    if (this.#refreshing?.of !== of) {
      const token = this.#refresh(key, held)
        .catch((thrown: unknown) => {
          if (thrown instanceof ProblemError && thrown.problem.code === 'key_rejected') {
            this.#ended = { of, problem: thrown }
          }
          throw thrown
        })
        .finally(() => {
          if (this.#refreshing?.token === token) this.#refreshing = null
        })
      this.#refreshing = { of, token }
    }
    return this.#refreshing.token
  }

  /** Call when the platform rejected a token. @returns true if another can be requested */
  invalidate(token: string): boolean {
    if (this.#current?.token !== token) return false
    this.#current = { ...this.#current, until: 0 }
    return true
  }

  async #refresh(key: string, held: Grant): Promise<string> {
    const next = await this.#parts.server.refresh(held, this.#parts.signal)
    this.#take(next)
    await this.#parts.renewed(key, encodeGrant({ ...next, access: null }))
    return next.access?.token ?? ''
  }

  #take({ refreshToken: of, access }: Grant): void {
    if (access === null) return
    const seconds = Math.max(0, access.expiresIn - marginOf(access.expiresIn))
    this.#current = { of, token: access.token, until: this.#parts.clock.elapsed() + seconds * 1_000 }
  }
}
