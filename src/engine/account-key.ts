import type { AccountKey, InboxName } from '../shared/engine-link.ts'
import { ProblemError } from '../shared/result.ts'

const missing = (): ProblemError =>
  new ProblemError({ code: 'key_missing', message: 'Sign in or enter an API key to sync.' })

/**
 * Whether a key may be one of this account: both know an inbox, or one of them knows none (an account may have no
 * inboxes, and a new cache has none yet).
 */
const mayBeSame = (ofKey: readonly InboxName[], inCache: readonly string[]): boolean =>
  ofKey.length === 0 || inCache.length === 0 || ofKey.some(({ id }) => inCache.includes(id))

interface KeyGateParts {
  /** @returns the inboxes of the account that a key belongs to */
  readonly test: (apiKey: string) => Promise<readonly InboxName[]>
  readonly cachedInboxIds: () => readonly string[]
  readonly accepted: (apiKey: string, inboxes: readonly InboxName[]) => void
}

/**
 * Stands before every request of an account, whose key may be missing, not tried yet, or replaced while requests are under
 * way. A key that the platform has not taken yet is tested first, once for all requests that wait, and held against the
 * inboxes in the cache: mail of two accounts never meets in one.
 */
export class KeyGate {
  readonly #parts: KeyGateParts
  #key: AccountKey | null
  #testing: { readonly key: AccountKey; readonly end: Promise<void> } | null = null

  constructor(first: AccountKey | null, parts: KeyGateParts) {
    this.#key = first
    this.#parts = parts
  }

  isMissing(): boolean {
    return this.#key === null
  }

  /** The key to ask with. @throws ProblemError `key_missing` */
  apiKey(): string {
    if (this.#key === null) throw missing()
    return this.#key.apiKey
  }

  /** Of what a person signed in with, the refresh token is another one. Another key may have taken its place meanwhile. */
  renew(was: string, apiKey: string): void {
    if (this.#key?.apiKey === was) this.#key = { ...this.#key, apiKey }
  }

  replace(next: AccountKey | null): void {
    this.#key = next
  }

  /**
   * Resolves when requests may be made with the key.
   * @throws ProblemError `key_missing`; `key_of_another_account`; whatever testing the key throws
   */
  async pass(signal: AbortSignal): Promise<void> {
    while (this.#key !== null && !this.#key.isAccepted) {
      signal.throwIfAborted()
      const tested = this.#key
      const shared = this.#testing?.key === tested ? this.#testing : { key: tested, end: this.#test(tested) }
      this.#testing = shared
      try {
        await shared.end
      } catch (thrown) {
        // The next request tries again.
        if (this.#testing === shared) this.#testing = null
        if (this.#key === tested) throw thrown
      }
    }
    if (this.#key === null) throw missing()
  }

  async #test(tested: AccountKey): Promise<void> {
    const inboxes = await this.#parts.test(tested.apiKey)
    if (!mayBeSame(inboxes, this.#parts.cachedInboxIds())) {
      throw new ProblemError({
        code: 'key_of_another_account',
        message: 'This API key belongs to another account. Enter this account’s key; its mail stays.',
      })
    }
    // Another key may have taken its place meanwhile.
    if (this.#key !== tested) return
    this.#key = { ...tested, isAccepted: true }
    this.#parts.accepted(tested.apiKey, inboxes)
  }
}
