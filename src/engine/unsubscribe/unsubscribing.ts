import type { BodyOwner, LinnetEvent } from '../../shared/contract.ts'
import { ProblemError } from '../../shared/result.ts'
import type { Unsubscribed, UnsubscribeOffer, UnsubscribeWay } from '../../shared/unsubscribing.ts'
import type { Network } from '../network/network.ts'
import type { Originals } from '../originals/originals.ts'
import { problem } from '../saying.ts'
import { readPerson } from '../search-index/searchable-email.ts'
import { isForged, type Authentications } from '../senders/authentications.ts'
import { listHeadersFact, listHeadersOf, type ListHeaders } from '../senders/list-headers.ts'
import type { Service } from '../service.ts'
import type { Cache } from '../store/cache.ts'
import { canonicalAddress, untagged } from '../store/canonical-address.ts'
import { asReceived } from '../store/received-copy.ts'
import { threadEmailOf } from '../store/thread-email.ts'
import type { Clock } from '../timing/clock.ts'
import { AskedLists, type AskedList } from './asked-lists.ts'
import { postOneClick } from './post-one-click.ts'
import { readWays } from './read-ways.ts'
import type { OwnLists } from '../store/own-list.ts'

interface UnsubscribingParts {
  readonly network: Pick<Network, 'open'>
  readonly own: OwnLists
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'receivedEmails' | 'facts'>
  readonly originals: Pick<Originals, 'isHere' | 'read'>
  readonly authentications: Pick<Authentications, 'known'>
  readonly changed: () => void
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
  readonly clock: Pick<Clock, 'now'>
  /** Who asks a list's server: tests have a world of their own. */
  readonly post?: typeof postOneClick
}

/** The list of an e-mail, as its headers say. */
interface FoundList {
  readonly ways: readonly UnsubscribeWay[]
  readonly recipient: string | null
  readonly key: string
}

const oneClickOf = (ways: readonly UnsubscribeWay[]) => ways.find((way) => way.kind === 'oneClick')

/** Leaves mailing lists, and remembers which. */
export class Unsubscribing implements Service {
  readonly #parts: UnsubscribingParts
  readonly #asked: AskedLists
  /** A server is asked once at a time, however many ask for it. */
  readonly #underWay = new Map<string, Promise<Unsubscribed>>()

  constructor(parts: UnsubscribingParts) {
    this.#parts = parts
    this.#asked = new AskedLists(parts.own, parts.changed)
  }

  /** How to leave the list that an e-mail came by; null where its headers name no way, or are not on this computer. */
  async offer(of: BodyOwner): Promise<UnsubscribeOffer | null> {
    const list = await this.#listOf(of)
    if (list === null) return null
    const found = this.#parts.authentications.known(of)
    const isSigned = found?.dkim === 'pass' && found.dmarc !== 'fail'
    return {
      ways: list.ways,
      sender: isForged(found) ? 'forged' : isSigned ? 'verified' : 'unverified',
      recipient: list.recipient,
      last: this.#asked.lastOf(list.key),
    }
  }

  /**
   * Asks the list's server. That it was asked is on the disk before, and what it answered after: where the program ends in
   * between, it counts as unanswered.
   * @param url the address that a person was asked about
   * @throws ProblemError `refused` where the e-mail names another by now; what `postOneClick` and the disk throw: then
   * nothing was sent
   */
  async post(of: BodyOwner, url: string): Promise<Unsubscribed> {
    const list = await this.#listOf(of)
    if (list === null || oneClickOf(list.ways)?.url !== url) {
      throw problem('refused', 'This message names another address by now. Nothing was sent. Try again.')
    }
    const asking = this.#underWay.get(url) ?? this.#post(list.key, url).finally(() => this.#underWay.delete(url))
    this.#underWay.set(url, asking)
    return asking
  }

  /** A message to the list is a draft now. @throws ProblemError `not_found` where the list names no address */
  async begun(of: BodyOwner, draftId: string): Promise<void> {
    const list = await this.#listOf(of)
    const mail = list?.ways.find((way) => way.kind === 'mail')
    if (list === null || mail === undefined) throw problem('not_found', 'This list has no address for that.')
    const unsent = { outcome: 'begun', status: null, leadsTo: null } as const
    this.#asked.add({ key: list.key, to: mail.to, at: this.#parts.clock.now(), ...unsent, draftId })
  }

  start(): void {
    // It only hears.
  }

  onEvent(event: LinnetEvent): void {
    const begun = event.name === 'draft.sent' ? this.#asked.begunIn(event.payload.draftId) : undefined
    if (begun === undefined) return
    const sent = { ...begun, outcome: 'sent', at: this.#parts.clock.now() } as const
    // What it changes is told in a turn of its own, not amid what is being told now.
    queueMicrotask(() => this.#note(sent))
  }

  ended(): Promise<void> {
    return Promise.resolve()
  }

  async #post(key: string, url: string): Promise<Unsubscribed> {
    const { network, signal, clock, post = postOneClick } = this.#parts
    const { hostname: to } = new URL(url)
    const unanswered = { outcome: 'unanswered', status: null, leadsTo: null } as const
    const asked = this.#asked.add({ key, to, at: clock.now(), ...unanswered, draftId: null }, true)
    try {
      const answer = await post(network, url, signal)
      this.#note({ ...asked, ...answer })
      return { to, at: asked.at, ...answer }
    } catch (thrown) {
      if (thrown instanceof ProblemError && !signal.aborted) this.#attempt(() => this.#asked.withdraw(asked))
      throw thrown
    }
  }

  /** What has happened is said, whether the disk takes it or not. */
  #note(asked: AskedList): void {
    this.#attempt(() => this.#asked.update(asked))
  }

  #attempt(write: () => void): void {
    try {
      write()
    } catch (thrown) {
      this.#parts.report(thrown)
    }
  }

  async #listOf(of: BodyOwner): Promise<FoundList | null> {
    const headers = await this.#headersOf(of)
    const ways = headers === null ? [] : readWays(headers)
    if (headers === null || ways.length === 0) return null
    const { from, recipient } = this.#peopleOf(of)
    // A list is known by its name (RFC 2919), as its e-mails may be from whoever writes to it; else by its sender.
    const list =
      /<([^<>]{1,255})>/
        .exec(headers.listId ?? '')?.[1]
        ?.trim()
        .toLowerCase() ?? from
    return { ways, recipient, key: JSON.stringify([list.slice(0, 1_000), recipient ?? '']) }
  }

  #peopleOf(of: BodyOwner): { readonly from: string; readonly recipient: string | null } {
    const { cache } = this.#parts
    const addressOf = (header: string): string => canonicalAddress(readPerson(header).address)
    const threaded = threadEmailOf(cache, of)
    const email = threaded ?? cache.receivedEmails.get(of.emailId)
    const own = cache.inboxes.all().map(({ inbox }) => inbox)
    const mine =
      of.list === 'threads'
        ? own.find(({ id }) => id === of.inboxId)
        : own.find(({ emailAddress }) =>
            email?.to.some((to) => untagged(addressOf(to)) === untagged(canonicalAddress(emailAddress))),
          )
    return { from: addressOf(email?.from ?? ''), recipient: mine?.emailAddress ?? null }
  }

  /** From what is on this computer: the received e-mail, what was remembered of it, else the original. */
  async #headersOf(of: BodyOwner): Promise<ListHeaders | null> {
    const { cache, originals } = this.#parts
    if (of.list === 'sent') return null
    const threaded = threadEmailOf(cache, of)
    if (threaded?.direction === 'outbound') return null
    const copy = of.list === 'received' ? of.emailId : threaded && asReceived(cache.receivedEmails, threaded)?.id
    const whole = copy === undefined ? undefined : cache.receivedEmails.get(copy)
    const told = Object.entries(whole?.headers ?? {})
    if (told.length > 0) return listHeadersOf(told)
    const remembered = threaded === undefined ? undefined : cache.facts.get(listHeadersFact(threaded.id))
    if (remembered !== undefined) return JSON.parse(remembered) as ListHeaders | null
    if (!originals.isHere(of)) return null
    try {
      const { content } = await originals.read(of, 'onlyHere')
      // Not at the start: the charsets of the world take time to load.
      const { readHeaders } = await import('../originals/read-headers.ts')
      return listHeadersOf(readHeaders(content).headers.map(({ name, value, decoded }) => [name, decoded ?? value]))
    } catch (thrown) {
      // The file is gone: then it is as if it had not been here.
      if (thrown instanceof ProblemError) return null
      throw thrown
    }
  }
}
