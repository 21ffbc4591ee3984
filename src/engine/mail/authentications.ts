import type { BodyOwner } from '../../shared/contract.ts'
import type { Authentication } from '../../shared/authentication.ts'
import { ProblemError } from '../../shared/result.ts'
import type { CachedEmail } from '../store/emails.ts'
import { detectMailAuthor, type MailAuthor } from '../store/search-index/mail-kind.ts'
import { isSameMessage, findReceivedEmail, findReceivedCopy } from '../store/same-message.ts'
import { findThreadEmail } from '../store/thread-email.ts'
import { listHeadersKey, extractListHeaders } from './list-headers.ts'
import { createSharedCalls } from '../timing/share-calls.ts'
import type { AccountServices } from '../sync/account-services.ts'

/**
 * DMARC has the final say, since only DMARC checks the visible sender address (RFC 7489, 3.1). Without a DMARC result,
 * SPF and DKIM must both have failed.
 */
export const isForged = (found: Authentication | null): boolean =>
  found !== null &&
  (found.dmarc === 'fail' || (found.dmarc !== 'pass' && found.spf === 'fail' && found.dkim === 'fail'))

/** Metadata key of a thread e-mail's authentication, stored as JSON; `null` if the platform has none. */
const authenticationKey = (emailId: string): string => `authentication ${emailId}`
const authorKey = (emailId: string): string => `author ${emailId}`

/** Error codes that make a retry useless. */
const FINAL: ReadonlySet<string> = new Set(['not_found', 'refused'])

interface AuthenticationsParts extends Pick<AccountServices, 'platform' | 'cache' | 'hub' | 'capabilities' | 'signal'> {
  readonly listReceived: () => Promise<unknown>
}

/** Sender authentication of an account's e-mails, as reported by the platform. */
export class Authentications {
  readonly #parts: AuthenticationsParts
  readonly #shared = createSharedCalls<Authentication | null>()

  constructor(parts: AuthenticationsParts) {
    this.#parts = parts
  }

  /**
   * Reads an e-mail's authentication (platform.md 21.8). For an e-mail in a thread, uses the received e-mail with the
   * same ID or message. Requested once, then stored.
   * @returns null if unknown: offline, or not offered by the platform
   */
  async read(of: BodyOwner): Promise<Authentication | null> {
    const looked = this.#lookUp(of)
    if ('found' in looked) return looked.found
    try {
      return await this.#fetchOnce(looked.email, looked.copy)
    } catch (thrown) {
      // Retried the next time the e-mail is opened.
      if (thrown instanceof ProblemError) return null
      throw thrown
    }
  }

  /**
   * Author of an e-mail in a thread, determined by its headers. These are requested (once) only if sender and subject
   * look like a person's. Without headers, sender and subject decide.
   * @returns null if the e-mail isn't cached @throws ProblemError if the request fails
   */
  async author(of: BodyOwner): Promise<MailAuthor | null> {
    const { cache, listReceived } = this.#parts
    const email = findThreadEmail(cache, of)
    if (email === undefined) return null
    const byAddress = detectMailAuthor({ ...email, headers: null })
    if (byAddress !== 'person') return byAddress
    const known = this.#localAuthor(email)
    if (known !== null) return known
    try {
      if (findReceivedEmail(cache.receivedEmails, email) === undefined) await listReceived()
      const copy = findReceivedCopy(cache.receivedEmails, email)?.id ?? null
      await this.#fetchOnce(email, cache.receivedEmails.has(email.id) ? email.id : copy)
      return this.#localAuthor(email) ?? byAddress
    } catch (thrown) {
      if (thrown instanceof ProblemError && FINAL.has(thrown.problem.code)) return byAddress
      throw thrown
    }
  }

  #localAuthor(email: CachedEmail): MailAuthor | null {
    const { cache } = this.#parts
    const whole =
      cache.receivedEmails.get(email.id) ??
      cache.receivedEmails.get(findReceivedCopy(cache.receivedEmails, email)?.id ?? '')
    if (whole !== undefined && isSameMessage(whole, email) && Object.keys(whole.headers).length > 0) {
      return detectMailAuthor(whole)
    }
    return (cache.accountMeta.get(authorKey(email.id)) as MailAuthor | undefined) ?? null
  }

  /** Stored authentication, without a request. Also null if it was never requested. */
  known(of: BodyOwner): Authentication | null {
    const looked = this.#lookUp(of)
    return 'found' in looked ? looked.found : null
  }

  #lookUp(
    of: BodyOwner,
  ): { readonly found: Authentication | null } | { readonly email: CachedEmail; readonly copy: string | null } {
    const { cache } = this.#parts
    if (of.list !== 'threads') {
      return { found: of.list === 'sent' ? null : (cache.receivedEmails.get(of.emailId)?.authentication ?? null) }
    }
    const email = findThreadEmail(cache, of)
    if (email === undefined || email.direction === 'outbound') return { found: null }
    const remembered = cache.accountMeta.get(authenticationKey(email.id))
    if (remembered !== undefined) return { found: JSON.parse(remembered) as Authentication | null }
    const same = cache.receivedEmails.get(email.id)
    if (same !== undefined && isSameMessage(same, email)) return { found: same.authentication }
    const isListed = cache.receivedEmails.has(email.id)
    const copy = isListed ? email.id : (findReceivedCopy(cache.receivedEmails, email)?.id ?? null)
    const whole = copy === null || isListed ? undefined : cache.receivedEmails.get(copy)
    return whole === undefined ? { email, copy } : { found: whole.authentication }
  }

  #fetchOnce(email: CachedEmail, copy: string | null): Promise<Authentication | null> {
    return this.#shared(email.id, () => this.#fetchAndStore(email, copy))
  }

  async #fetchAndStore(email: CachedEmail, copy: string | null): Promise<Authentication | null> {
    const { platform, capabilities, cache, hub, signal } = this.#parts
    const get = (id: string) => platform.getReceivedEmail(id, { priority: 'screen', signal })
    const rules = { isEvidence: email.onServer }
    // A platform may have the received e-mail under its ID in the thread.
    const fetched = await (copy === null
      ? capabilities.attempt('retrieve raw thread message', () => get(email.id), rules)
      : get(copy))
    if (fetched === null) return null
    // If the platform has a different message under this ID, its result would vouch for the wrong sender.
    const isSame = isSameMessage(fetched, email)
    const found = isSame ? fetched.authentication : null
    // This response includes the headers, which thread responses lack.
    const list = isSame ? extractListHeaders(Object.entries(fetched.headers)) : null
    if (list !== null) cache.accountMeta.set(listHeadersKey(email.id), JSON.stringify(list))
    if (isSame) cache.accountMeta.set(authorKey(email.id), detectMailAuthor(fetched))
    cache.accountMeta.set(authenticationKey(email.id), JSON.stringify(found))
    if (cache.receivedEmails.has(fetched.id)) {
      cache.receivedEmails.storeWhole(fetched)
      hub.receivedEmails()
    }
    return found
  }
}
