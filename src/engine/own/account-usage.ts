import type { KnownUsage, UsageReport, EmailQuotaUsage } from '../../shared/usage.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import { parseStoredUsage, serializeUsage, type QuotaHeaders } from '../platform/resources/usage.ts'
import { withMessage } from '../platform/problem.ts'
import type { AccountMetaStore } from '../store/account-meta.ts'
import type { Capabilities } from '../platform/capabilities.ts'
import { sleep, type Clock } from '../timing/clock.ts'

const USAGE_KEY = 'usage'

const OFFLINE = 'You are offline. This is the last known usage.'

interface AccountUsageParts {
  readonly platform: Pick<MailPlatform, 'getUsage'>
  readonly accountMeta: Pick<AccountMetaStore, 'get' | 'set'>
  readonly capabilities: Capabilities
  readonly clock: Clock
  readonly signal: AbortSignal
}

interface UsageRequest {
  /** Maximum age of a usable response, in milliseconds; 0 always requests. */
  readonly maxAge: number
  /** Milliseconds after which the stored data is returned; undefined waits for the response or its error. */
  readonly timeoutMs?: number | undefined
}

/** Updates the e-mail usage from a header. The new sum no longer matches its parts, so they are dropped. */
const withHeader = (emails: EmailQuotaUsage | null, used: number | null, at: number): EmailQuotaUsage | null => {
  if (emails === null || used === null || at < emails.at) return emails
  if (used === emails.used) return { ...emails, at }
  return { ...emails, used, sent: null, received: null, at }
}

/**
 * An account's usage, fetched only on demand. In between, headers of other responses keep the number of e-mails
 * current.
 */
export class AccountUsage {
  readonly #parts: AccountUsageParts
  #fromHeaders: { readonly used: QuotaHeaders; readonly at: number } | null = null
  #inFlight: Promise<void> | null = null

  constructor(parts: AccountUsageParts) {
    this.#parts = parts
  }

  heard(used: QuotaHeaders): void {
    if (used.daily !== null || used.monthly !== null) this.#fromHeaders = { used, at: this.#parts.clock.now() }
  }

  known(): KnownUsage {
    const { capabilities } = this.#parts
    return { usage: this.#usage(), isOffered: capabilities.belief('retrieve usage') !== 'seems missing' }
  }

  /** Usage, fetched if too old. @throws the request's error if `timeoutMs` is undefined */
  async get({ maxAge, timeoutMs }: UsageRequest): Promise<KnownUsage> {
    if (!this.#isOlderThan(maxAge)) return this.known()
    this.#inFlight ??= this.#fetch().finally(() => {
      this.#inFlight = null
    })
    const asked = this.#inFlight
    if (timeoutMs === undefined) {
      try {
        await asked
      } catch (thrown) {
        throw withMessage(thrown, this.#usage() === null ? {} : { unreachable: OFFLINE })
      }
    } else {
      const { clock, signal } = this.#parts
      const ending = new AbortController()
      const isOver = sleep(clock, timeoutMs, AbortSignal.any([signal, ending.signal]))
      await Promise.race([asked, isOver]).catch(() => undefined)
      ending.abort()
      isOver.catch(() => undefined)
      asked.catch(() => undefined)
    }
    return this.known()
  }

  #isOlderThan(maxAge: number): boolean {
    const usage = this.#usage()
    if (usage === null || maxAge === 0) return true
    const now = this.#parts.clock.now()
    const isFresh = (at: number): boolean => at <= now && now - at <= maxAge
    const isOver = ({ resetsAt }: EmailQuotaUsage): boolean => resetsAt !== null && resetsAt <= now
    const counted = [usage.daily, usage.monthly].filter((emails) => emails !== null)
    return counted.length === 0 ? !isFresh(usage.at) : counted.some((emails) => !isFresh(emails.at) || isOver(emails))
  }

  async #fetch(): Promise<void> {
    const { capabilities, platform, accountMeta, signal } = this.#parts
    const usage = await capabilities.attempt('retrieve usage', () => platform.getUsage({ priority: 'action', signal }))
    if (usage !== null && !signal.aborted) accountMeta.set(USAGE_KEY, serializeUsage(usage))
  }

  #usage(): UsageReport | null {
    const text = this.#parts.accountMeta.get(USAGE_KEY)
    const usage = text === undefined ? null : parseStoredUsage(text)
    if (usage === null || this.#fromHeaders === null) return usage
    const { used, at } = this.#fromHeaders
    const isSamePeriod = (emails: EmailQuotaUsage | null): boolean =>
      emails?.resetsAt === null || (emails !== null && at < emails.resetsAt)
    return {
      ...usage,
      daily: isSamePeriod(usage.daily) ? withHeader(usage.daily, used.daily, at) : usage.daily,
      monthly: isSamePeriod(usage.monthly) ? withHeader(usage.monthly, used.monthly, at) : usage.monthly,
    }
  }
}
