import type { AccountKey, InboxIdentity } from '../../shared/engine-api.ts'
import { AccessTokens } from './access-tokens.ts'
import { AuthorizationServer } from './authorization-server.ts'
import { HttpClient, type Reach } from './http-client.ts'
import { createMailPlatform, type MailPlatform } from './mail-platform.ts'
import { RequestBudget } from './request-budget.ts'
import { testCredentials } from './test-credentials.ts'
import type { QuotaHeaders } from './resources/usage.ts'
import type { Network } from './network.ts'
import type { Clock } from '../timing/clock.ts'
import { raceAbort } from '../timing/race-abort.ts'
import { type ProblemError, createProblem } from '../../shared/result.ts'

const missing = (): ProblemError => createProblem('key_missing', 'Sign in or enter an API key to sync.')

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
      throw createProblem(
        'key_of_another_account',
        'This API key belongs to another account. Enter this account’s key. Its mail stays on this computer.',
      )
    }
    // The key may have been replaced in the meantime.
    if (this.#key !== tested) return
    this.#key = { ...tested, isAccepted: true }
    this.#parts.accepted(tested.apiKey, inboxes)
  }
}

export interface PlatformAccessParts {
  readonly network: Pick<Network, 'open'>
  readonly baseUrl: URL
  readonly key: AccountKey | null
  readonly cachedInboxIds: () => readonly string[]
  readonly keyAccepted: (apiKey: string, inboxes: readonly InboxIdentity[]) => void
  /** Called when a signed-in user's refresh token has changed. Resolves when the new one is stored. */
  readonly keyRenewed: (was: string, now: string) => Promise<void>
  /** Called when requests start or stop waiting for the platform's limit. */
  readonly changed: () => void
  readonly onReach: (reach: Reach) => void
  readonly onQuota: (used: QuotaHeaders) => void
  /** True if a platform has ever responded at this base URL. */
  readonly hasAnswered: () => boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Access to the platform. Requests wait until the key is verified to be the account's, and then for their turn. */
export class PlatformAccess {
  readonly platform: MailPlatform
  readonly #gate: KeyGate
  readonly #tokens: AccessTokens
  readonly #client: HttpClient
  #waitingUntil: number | null = null

  constructor(parts: PlatformAccessParts) {
    const { network, baseUrl, key, cachedInboxIds, keyAccepted, keyRenewed, changed, clock, signal } = parts
    const { onReach, onQuota, hasAnswered } = parts
    const common = { network, onReach, hasAnswered, clock }
    const gate = new KeyGate(key, {
      // A platform that rejects the key has responded. Record that here, since no further request is sent.
      test: async (apiKey) =>
        testCredentials({ baseUrl: baseUrl.href, apiKey: await this.#tokens.bearer(apiKey) }, { ...common, signal }),
      cachedInboxIds,
      accepted: keyAccepted,
    })
    const tokens = new AccessTokens({
      server: new AuthorizationServer(network, baseUrl),
      renewed: async (was, now) => {
        gate.rotate(was, now)
        // Don't wait for the host process while the account closes: it waits for the account to close.
        await raceAbort(keyRenewed(was, now), signal)
      },
      ...{ clock, signal },
    })
    const client = new HttpClient({
      ...common,
      baseUrl,
      onQuota,
      // The key may have changed while the request waited, possibly to another account's, so verify it again.
      apiKey: async (asking) => {
        await gate.whenUsable(asking)
        return tokens.bearer(gate.apiKey())
      },
      renewable: (used) => tokens.invalidate(used),
      budget: new RequestBudget(clock, (milliseconds) => {
        this.#waitingUntil = milliseconds > 0 ? clock.now() + milliseconds : null
        changed()
      }),
    })
    this.#gate = gate
    this.#tokens = tokens
    this.#client = client
    this.platform = createMailPlatform(
      {
        request: async (request) => {
          await gate.whenUsable(request.signal)
          return client.request(request)
        },
      },
      clock.now,
    )
  }

  /** End of the wait for the platform's rate limit, in milliseconds since the epoch; null if not waiting. */
  get waitingUntil(): number | null {
    return this.#waitingUntil
  }

  isKeyMissing(): boolean {
    return this.#gate.isMissing()
  }

  /** The current credential; null if there is none, or if the sign-in can't be renewed now. */
  async bearer(): Promise<string | null> {
    if (this.#gate.isMissing()) return null
    return this.#tokens.bearer(this.#gate.apiKey()).catch(() => null)
  }

  /** Continues with another key. With null, requests wait for a key. */
  setKey(key: AccountKey | null): void {
    this.#gate.replace(key)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
