import type { Freshness } from '../../shared/model.ts'
import type { BouncedEmail, AddressSuppression, Suppression } from '../../shared/suppressions.ts'
import { ProblemError } from '../../shared/result.ts'
import type { CallOptions } from '../platform/requests.ts'
import { findSuppression, SUPPRESSIONS_UNSUPPORTED } from '../own/find-suppression.ts'
import { buildSuppressionOverlay, suppressionSubject } from '../own/outbox/changes/suppression.ts'
import type { Outbox } from '../own/outbox/outbox.ts'
import { peopleOf } from '../store/search-index/searchable-email.ts'
import { canonicalizeAddress, listAddressForms } from '../store/canonical-address.ts'
import { createSharedCalls } from '../timing/share-calls.ts'
import type { AccountServices } from '../sync/account-services.ts'

/**
 * Maximum age of a response to reuse, in milliseconds. Addresses are rarely suppressed, and each check is a request.
 */
const FRESH_MS = 10 * 60_000
/** Maximum e-mails to an address that are searched for one with no other recipient. */
const MAX_SENT = 10

const MANUAL: Suppression = { origin: 'manual', since: null, sourceId: null }

const FAILURE_EVENTS: readonly (string | null)[] = ['bounced', 'complained', 'suppressed']
const DELIVERY_EVENTS: readonly (string | null)[] = ['delivered', 'opened', 'clicked']

interface SuppressionParts extends Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'report' | 'clock'
> {
  readonly outbox: Outbox
}

/**
 * Suppressed addresses. An address is checked when it is viewed or written to. The result is stored with the time of
 * the request.
 */
export class Suppressions {
  readonly #parts: SuppressionParts
  readonly #shared = createSharedCalls<unknown>()

  constructor(parts: SuppressionParts) {
    this.#parts = parts
  }

  /** Stored information about an address. @param freshness derives freshness from the time of a request */
  of(address: string, freshness: (at: number | null) => Freshness): AddressSuppression {
    const { cache, outbox } = this.#parts
    const key = canonicalizeAddress(address)
    const known = cache.suppressions.get(key)
    const wanted = buildSuppressionOverlay(outbox.waiting.of(suppressionSubject(key)))
    const kept = known?.suppression ?? null
    const isSourceHere = cache.sentEmails.has(kept?.sourceId ?? '')
    const listed = kept === null || isSourceHere ? kept : { ...kept, sourceId: null }
    const newest = this.#newestSent(address)
    const hasFailed = newest !== null && FAILURE_EVENTS.includes(newest.event)
    return {
      address,
      // If the user adds a suppression again, its origin is manual, whatever it was before.
      suppression: wanted === undefined ? listed : wanted ? (listed ?? MANUAL) : null,
      freshness: freshness(known?.askedAt ?? null),
      isWaiting: wanted !== undefined,
      returned: hasFailed ? { event: newest.event, at: newest.at } : null,
    }
  }

  /**
   * Checks each address at most once every ten minutes, unless a delivery has failed since. @param isAskedAgain true to
   * always check
   */
  async refresh(addresses: readonly string[], options: CallOptions, isAskedAgain = false): Promise<void> {
    for (const address of addresses) {
      const key = canonicalizeAddress(address)
      if (!isAskedAgain && this.#isFresh(address)) continue
      try {
        await this.#shared(key, () => this.#fetch(key, options))
      } catch (thrown) {
        // The next request would fail the same way, because of the network or the platform.
        if (!options.signal.aborted && !(thrown instanceof ProblemError)) this.#parts.report(thrown)
        return
      }
    }
  }

  /** True if the stored response can be reused. A response from before a known delivery failure is outdated. */
  #isFresh(address: string): boolean {
    const { cache, clock } = this.#parts
    const askedAt = cache.suppressions.get(canonicalizeAddress(address))?.askedAt
    if (askedAt === undefined) return false
    const age = clock.now() - askedAt
    return age >= 0 && age < FRESH_MS && (this.#newestSent(address)?.learnedAt ?? 0) <= askedAt
  }

  async #fetch(address: string, options: CallOptions): Promise<void> {
    const { platform, capabilities, cache, hub, clock } = this.#parts
    const askedAt = clock.now()
    const found = await findSuppression(platform, capabilities, address, options)
    if (found === SUPPRESSIONS_UNSUPPORTED) return
    const before = cache.suppressions.get(address)?.suppression
    cache.suppressions.put(address, found, askedAt)
    if (JSON.stringify(before) !== JSON.stringify(found)) hub.suppressions()
  }

  /**
   * Newest outcome of mail to this address alone. With several recipients, the platform doesn't show which one an
   * outcome is about (platform.md 20.9).
   */
  #newestSent(address: string): (BouncedEmail & { readonly learnedAt: number }) | null {
    const { cache } = this.#parts
    const { sentKeys } = cache.search.mailWithPerson(listAddressForms(address), [], { threads: 0, sent: MAX_SENT })
    for (const key of sentKeys) {
      const found = cache.sentEmails.found(key)
      if (found === undefined) continue
      const { to, cc, bcc } = peopleOf(found.searchable)
      const { lastEvent, createdAt, id } = found.listed
      const recipients = new Set([...to, ...cc, ...bcc].map((each) => canonicalizeAddress(each.address)))
      if (recipients.size > 1 || lastEvent === null || ![...FAILURE_EVENTS, ...DELIVERY_EVENTS].includes(lastEvent))
        continue
      return { event: lastEvent, at: createdAt, learnedAt: cache.deliveries.get(id)?.learnedAt ?? 0 }
    }
    return null
  }
}
