import type { AccountKey, InboxName } from '../shared/engine-link.ts'
import { KeyGate } from './account-key.ts'
import { AccessTokens } from './api/access-tokens.ts'
import { AuthorizationServer } from './api/authorization-server.ts'
import { HttpClient, type Reach } from './api/http-client.ts'
import { createMailPlatform, type MailPlatform } from './api/mail-platform.ts'
import { RequestBudget } from './api/request-budget.ts'
import { testCredentials } from './api/test-credentials.ts'
import type { UsedByHeaders } from './api/usage.ts'
import type { Network } from './network/network.ts'
import type { Clock } from './timing/clock.ts'

interface PlatformAccessParts {
  readonly network: Pick<Network, 'open'>
  readonly baseUrl: URL
  readonly key: AccountKey | null
  readonly cachedInboxIds: () => readonly string[]
  readonly keyAccepted: (apiKey: string, inboxes: readonly InboxName[]) => void
  /** Of a person who has signed in, the refresh token is another one. Resolves when that is kept. */
  readonly keyRenewed: (was: string, now: string) => Promise<void>
  /** Called when requests begin or cease to wait for the platform's limit. */
  readonly changed: () => void
  /** Called after every request with how it went. */
  readonly onReach: (reach: Reach) => void
  /** Called with what an answer's headers say of the account's quotas. */
  readonly onQuota: (used: UsedByHeaders) => void
  /** Whether a platform has ever answered at the base URL. */
  readonly hasAnswered: () => boolean
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** @throws the signal's reason once it is aborted */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_none, reject) => {
    const end = (): void => reject(signal.reason as Error)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

/** The way to the platform: a request waits for a key that is known to be the account's, then for its turn. */
export class PlatformAccess {
  readonly platform: MailPlatform
  readonly #gate: KeyGate
  readonly #tokens: AccessTokens
  readonly #client: HttpClient
  #waitingUntil: number | null = null

  constructor(parts: PlatformAccessParts) {
    const { network, baseUrl, key, cachedInboxIds, keyAccepted, keyRenewed, changed, clock, signal } = parts
    const { onReach, onQuota, hasAnswered } = parts
    const around = { network, onReach, hasAnswered, clock }
    const gate = new KeyGate(key, {
      // A platform that refuses the key has answered: where none of the requests behind it is ever made, nothing else says so.
      test: async (apiKey) =>
        testCredentials({ baseUrl: baseUrl.href, apiKey: await this.#tokens.bearer(apiKey) }, { ...around, signal }),
      cachedInboxIds,
      accepted: keyAccepted,
    })
    const tokens = new AccessTokens({
      server: new AuthorizationServer(network, baseUrl),
      renewed: async (was, now) => {
        gate.renew(was, now)
        // An account that is being closed does not wait for its host, which waits for it.
        await Promise.race([keyRenewed(was, now), ended(signal)])
      },
      ...{ clock, signal },
    })
    const client = new HttpClient({
      ...around,
      baseUrl,
      onQuota,
      // Another key, of another account perhaps, may have come while the request waited for its turn.
      apiKey: async (asking) => {
        await gate.pass(asking)
        return tokens.bearer(gate.apiKey())
      },
      renewable: (used) => tokens.refused(used),
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
          await gate.pass(request.signal)
          return client.request(request)
        },
      },
      clock.now,
    )
  }

  /** Until when requests wait for the platform's limit, milliseconds since the epoch; null while they do not. */
  get waitingUntil(): number | null {
    return this.#waitingUntil
  }

  isKeyMissing(): boolean {
    return this.#gate.isMissing()
  }

  /** What a request carries at the moment; null where there is nothing, or the sign-in cannot be renewed now. */
  async bearer(): Promise<string | null> {
    if (this.#gate.isMissing()) return null
    return this.#tokens.bearer(this.#gate.apiKey()).catch(() => null)
  }

  /** Go on with another key, or wait for one. */
  setKey(key: AccountKey | null): void {
    this.#gate.replace(key)
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
