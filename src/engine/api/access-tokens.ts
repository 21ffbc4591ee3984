import { readGrant, writeGrant, type Grant } from '../../shared/grant.ts'
import type { Clock } from '../timing/clock.ts'
import { ProblemError } from '../../shared/result.ts'
import type { AuthorizationServer } from './authorization-server.ts'

/** A token is not used in the last minute of its life, nor in the last quarter: a request may be on its way for a while. */
const marginOf = (seconds: number): number => Math.min(60, seconds / 4)

interface AccessTokensParts {
  readonly server: Pick<AuthorizationServer, 'refresh'>
  /** The refresh token is another one: it is kept before anything is asked with what came along. */
  readonly renewed: (was: string, now: string) => Promise<void>
  readonly clock: Pick<Clock, 'elapsed'>
  readonly signal: AbortSignal
}

/** The access tokens of an account that a person has signed in to, one after the other, in memory alone. */
export class AccessTokens {
  readonly #parts: AccessTokensParts
  /** Of the grant whose refresh token this is. @see until milliseconds on the clock that is never set */
  #current: { readonly of: string; readonly token: string; readonly until: number } | null = null
  #refreshing: { readonly of: string; readonly token: Promise<string> } | null = null
  /** A grant that the platform has ended. Only another sign-in helps, so it is not asked about again. */
  #ended: { readonly of: string; readonly problem: ProblemError } | null = null

  constructor(parts: AccessTokensParts) {
    this.#parts = parts
  }

  /** What a request carries for a key: the key itself, or a token of the grant in its place, asked for where none is good. */
  async bearer(key: string): Promise<string> {
    const held = readGrant(key)
    if (held === null) return key
    const { refreshToken: of } = held
    if (this.#current?.of !== of && held.access !== null) this.#take(held)
    const current = this.#current
    if (current?.of === of && this.#parts.clock.elapsed() < current.until) return current.token
    if (this.#ended?.of === of) throw this.#ended.problem
    // One refresh for all that wait: a refresh token is good once.
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

  /** The platform did not take a token. @returns whether another can be asked for */
  refused(token: string): boolean {
    if (this.#current?.token !== token) return false
    this.#current = { ...this.#current, until: 0 }
    return true
  }

  async #refresh(key: string, held: Grant): Promise<string> {
    const next = await this.#parts.server.refresh(held, this.#parts.signal)
    this.#take(next)
    await this.#parts.renewed(key, writeGrant({ ...next, access: null }))
    return next.access?.token ?? ''
  }

  #take({ refreshToken: of, access }: Grant): void {
    if (access === null) return
    const seconds = Math.max(0, access.expiresIn - marginOf(access.expiresIn))
    this.#current = { of, token: access.token, until: this.#parts.clock.elapsed() + seconds * 1_000 }
  }
}
