import type { AccountKey, InboxIdentity } from '../../shared/engine-api.ts'
import { ProblemError } from '../../shared/result.ts'

const missing = (): ProblemError =>
  new ProblemError({ code: 'key_missing', message: 'Sign in or enter an API key to sync.' })

/**
 * True if a key may belong to the account: they share an inbox, or one side has none (a key without inboxes, or a new
 * cache).
 */
const mayBeSame = (ofKey: readonly InboxIdentity[], inCache: readonly string[]): boolean =>
  ofKey.length === 0 || inCache.length === 0 || ofKey.some(({ id }) => inCache.includes(id))

interface KeyGateParts {
  /** @returns the inboxes that the key can read */
  readonly test: (apiKey: string) => Promise<readonly InboxIdentity[]>
  readonly cachedInboxIds: () => readonly string[]
  readonly accepted: (apiKey: string, inboxes: readonly InboxIdentity[]) => void
}

/**
 * Guards every request of an account. The key may be missing, untested, or replaced while requests are in flight. A new
 * key is tested once for all waiting requests and compared with the cached inboxes, so two accounts' mail never mixes.
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

  /** @throws ProblemError `key_missing` */
  apiKey(): string {
    if (this.#key === null) throw missing()
    return this.#key.apiKey
  }

  /** Stores a rotated refresh token, unless another key has replaced this one. */
  rotate(was: string, apiKey: string): void {
    if (this.#key?.apiKey === was) this.#key = { ...this.#key, apiKey }
  }

  replace(next: AccountKey | null): void {
    this.#key = next
  }

  /** Resolves when the key may be used. @throws ProblemError `key_missing`, `key_of_another_account`; test errors */
  async whenUsable(signal: AbortSignal): Promise<void> {
    while (this.#key !== null && !this.#key.isAccepted) {
      signal.throwIfAborted()
      const tested = this.#key
      const shared = this.#testing?.key === tested ? this.#testing : { key: tested, end: this.#test(tested) }
      this.#testing = shared
      try {
        await shared.end
      } catch (thrown) {
        // The next request retries.
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
        message: 'This API key belongs to another account. Enter this account’s key. Its mail stays on this computer.',
      })
    }
    // The key may have been replaced in the meantime.
    if (this.#key !== tested) return
    this.#key = { ...tested, isAccepted: true }
    this.#parts.accepted(tested.apiKey, inboxes)
  }
}
