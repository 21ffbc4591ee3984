import type { AccountKey, InboxIdentity } from '../../shared/engine-api.ts'
import { KeyGate } from './account-key.ts'
import { AccessTokens } from './access-tokens.ts'
import { AuthorizationServer } from './authorization-server.ts'
import { HttpClient, type Reach } from './http-client.ts'
import { createMailPlatform, type MailPlatform } from './mail-platform.ts'
import { RequestBudget } from './request-budget.ts'
import { testCredentials } from './test-credentials.ts'
import type { QuotaHeaders } from './resources/usage.ts'
import type { Network } from './network.ts'
import type { Clock } from '../timing/clock.ts'

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

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_none, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

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
        await Promise.race([keyRenewed(was, now), rejectOnAbort(signal)])
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
