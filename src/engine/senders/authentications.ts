import type { BodyOwner } from '../../shared/contract.ts'
import type { Authentication } from '../../shared/authentication.ts'
import { ProblemError } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { FetchedReceivedEmail } from '../api/received-emails.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { KeptEmail } from '../store/emails.ts'
import { receivedCopyOf } from '../store/received-copy.ts'
import { isSameMessage } from '../store/same-message.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import type { Abilities } from '../sync/abilities.ts'
import { askIfOffered } from '../sync/ask-if-offered.ts'
import { listHeadersFact, listHeadersOf } from './list-headers.ts'

/**
 * Whether an e-mail may be somebody else's than its address says: refused by DMARC, which alone is about that address (RFC
 * 7489, 3.1), or vouched for by nothing where there is no such check.
 */
export const isForged = (found: Authentication | null): boolean =>
  found !== null &&
  (found.dmarc === 'fail' || (found.dmarc !== 'pass' && found.spf === 'fail' && found.dkim === 'fail'))

/** The fact under which it is remembered of an e-mail of a thread: as JSON, `null` where the platform had nothing to say. */
const factOf = (emailId: string): string => `authentication ${emailId}`

interface AuthenticationsParts {
  readonly platform: Pick<MailPlatform, 'getReceivedEmail'>
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'receivedEmails' | 'facts'>
  readonly hub: Pick<EventHub, 'receivedEmails'>
  readonly abilities: Abilities
  readonly signal: AbortSignal
}

/** What the platform found of the senders of an account's e-mails. */
export class Authentications {
  readonly #parts: AuthenticationsParts
  readonly #underWay = new Map<string, Promise<Authentication | null>>()

  constructor(parts: AuthenticationsParts) {
    this.#parts = parts
  }

  /**
   * Contract, 6, `authentication`: of a received e-mail; of one in a thread by the received e-mail of the same ID, or of the
   * same message. What is not here is asked for once and kept.
   * @returns null where it is not known: also offline, and where the platform does not say
   */
  async read(of: BodyOwner): Promise<Authentication | null> {
    const looked = this.#look(of)
    return 'found' in looked ? looked.found : this.#askOnce(looked.email, looked.copy)
  }

  /** What is here of it, without a question to the platform; null also where nobody has asked yet. */
  known(of: BodyOwner): Authentication | null {
    const looked = this.#look(of)
    return 'found' in looked ? looked.found : null
  }

  /** What is known without a question, and else how to ask. */
  #look(
    of: BodyOwner,
  ): { readonly found: Authentication | null } | { readonly email: KeptEmail; readonly copy: string | null } {
    const { cache } = this.#parts
    if (of.list !== 'threads') {
      return { found: of.list === 'sent' ? null : (cache.receivedEmails.get(of.emailId)?.authentication ?? null) }
    }
    const email = threadEmailOf(cache, of)
    if (email === undefined || email.direction === 'outbound') return { found: null }
    const remembered = cache.facts.get(factOf(email.id))
    if (remembered !== undefined) return { found: JSON.parse(remembered) as Authentication | null }
    const same = cache.receivedEmails.get(email.id)
    if (same !== undefined && isSameMessage(same, email)) return { found: same.authentication }
    const isListed = cache.receivedEmails.has(email.id)
    const copy = isListed ? email.id : (receivedCopyOf(cache.receivedEmails, email)?.id ?? null)
    const whole = copy === null || isListed ? undefined : cache.receivedEmails.get(copy)
    return whole === undefined ? { email, copy } : { found: whole.authentication }
  }

  async #askOnce(email: KeptEmail, copy: string | null): Promise<Authentication | null> {
    const underWay = this.#underWay
    const asking = underWay.get(email.id) ?? this.#ask(email, copy).finally(() => underWay.delete(email.id))
    underWay.set(email.id, asking)
    try {
      return await asking
    } catch (thrown) {
      // Nobody waits for it: what cannot be asked for now is asked for when the e-mail is opened the next time.
      if (thrown instanceof ProblemError) return null
      throw thrown
    }
  }

  async #ask(email: KeptEmail, copy: string | null): Promise<Authentication | null> {
    const { cache, hub } = this.#parts
    const fetched = copy === null ? await this.#fetchByThreadId(email) : await this.#fetch(copy)
    if (fetched === undefined) return null
    // Another message under the same ID would vouch for somebody else.
    const isSame = isSameMessage(fetched, email)
    const found = isSame ? fetched.authentication : null
    // The same answer has the headers, which threads come without: no other request is made for them.
    const list = isSame ? listHeadersOf(Object.entries(fetched.headers)) : null
    if (list !== null) cache.facts.set(listHeadersFact(email.id), JSON.stringify(list))
    cache.facts.set(factOf(email.id), JSON.stringify(found))
    if (cache.receivedEmails.has(fetched.id)) {
      cache.receivedEmails.storeWhole(fetched)
      hub.receivedEmails()
    }
    return found
  }

  #fetch(id: string): Promise<FetchedReceivedEmail> {
    const { platform, signal } = this.#parts
    return platform.getReceivedEmail(id, { priority: 'screen', signal })
  }

  /** By the ID that it has in its thread. @returns undefined where the platform does not take that */
  #fetchByThreadId({ id, onServer }: KeptEmail): Promise<FetchedReceivedEmail | undefined> {
    return askIfOffered(
      this.#parts.abilities,
      'retrieve thread original',
      () => this.#fetch(id),
      () => undefined,
      { isEvidence: onServer },
    )
  }
}
