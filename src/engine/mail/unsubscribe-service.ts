import type { EngineService, EventListeners } from '../timing/loop.ts'
import type { LookupFunction } from 'node:net'
import type { BodyOwner } from '../../shared/contract.ts'
import { ProblemError, createProblem } from '../../shared/result.ts'
import type { UnsubscribeRecord, UnsubscribeOffer, UnsubscribeMethod } from '../../shared/unsubscribe.ts'
import type { Network } from '../platform/network.ts'
import type { MailParts } from './parts.ts'
import { parsePerson } from '../store/search-index/searchable-email.ts'
import { isForged } from './authentications.ts'
import { type ListHeaders, listHeadersKey, extractListHeaders } from './list-headers.ts'
import { canonicalizeAddress, stripAddressTag } from '../store/canonical-address.ts'
import { findReceivedEmail } from '../store/same-message.ts'
import { findThreadEmail } from '../store/thread-email.ts'
import { UnsubscribeLog, type UnsubscribeRequest } from '../own/unsubscribe-log.ts'
import { decodePercent } from '../../shared/decode-percent.ts'
import { isPrivateAddressError, isPublicHttps, lookupPublicAddress } from '../platform/fetchable-address.ts'
import { REDIRECT_STATUSES } from '../platform/signed-downloads.ts'
import { ProxyError } from '../platform/proxy-problem.ts'
import { createBytesBody } from '../platform/outgoing-body.ts'
import { MINIMUM_SPEED } from '../platform/timeouts.ts'
import { UntrustedCertificateError } from '../platform/untrusted-certificate.ts'
import { createSharedCalls } from '../timing/share-calls.ts'
import { attempt } from '../store/storage-problem.ts'

/** RFC 8058, 3.2: the entire request body. */
const BODY = Buffer.from('List-Unsubscribe=One-Click')

/** No cookie, referrer or language, and a generic browser name. */
const HEADERS = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/x-www-form-urlencoded',
  'content-length': String(BODY.byteLength),
  'user-agent': 'Mozilla/5.0',
}

/** Time limit for the entire request, in milliseconds. */
const OVERALL_MS = 20_000

type OneClickAnswer = Pick<UnsubscribeRecord, 'outcome' | 'status' | 'leadsTo'>

const UNANSWERED: OneClickAnswer = { outcome: 'unanswered', status: null, leadsTo: null }

interface OneClickOptions {
  readonly overall?: number
  readonly lookup?: LookupFunction
}

/**
 * Sends a one-click request (RFC 8058), once. Only public Internet addresses are allowed, checked at name lookup, and
 * the request doesn't identify the user. A redirect isn't followed (3.1). Only the status and redirect target are read.
 * @param url from `parseUnsubscribeMethods`
 * @returns `unanswered` if the request may have arrived without a response
 * @throws ProblemError `refused` or `unreachable` if nothing was sent; the signal's reason
 */
export const postOneClick = async (
  network: Pick<Network, 'open'>,
  url: string,
  signal: AbortSignal,
  { overall = OVERALL_MS, lookup = lookupPublicAddress }: OneClickOptions = {},
): Promise<OneClickAnswer> => {
  const address = URL.parse(url)
  const host = address?.hostname ?? ''
  const notPublic = () =>
    createProblem('refused', `${host} is not on the public Internet, so Linnet did not contact it. Nothing was sent.`)
  if (address === null || !isPublicHttps(address)) throw notPublic()
  const timeout = AbortSignal.timeout(overall)
  const line = network.open({ connections: 1, lookup, isNameNeeded: true })
  const sent = { bytes: 0 }
  try {
    const { status, headers } = await line.request({
      method: 'POST',
      url: address,
      headers: HEADERS,
      body: createBytesBody(BODY),
      progress: (bytes) => (sent.bytes = bytes),
      timeout: { silence: overall, speed: MINIMUM_SPEED },
      beforeRetry: null,
      signal: AbortSignal.any([signal, timeout]),
    })
    if (status >= 200 && status < 300) return { outcome: 'accepted', status, leadsTo: null }
    const aim = REDIRECT_STATUSES.includes(status) ? URL.parse(headers.location ?? '', address) : null
    return { outcome: 'declined', status, leadsTo: aim === null ? null : aim.hostname.slice(0, 253) || null }
  } catch (thrown) {
    // Also if the account was closed in the meantime, since the request must not be repeated.
    if (sent.bytes > 0) return UNANSWERED
    signal.throwIfAborted()
    if (isPrivateAddressError(thrown)) throw notPublic()
    if (thrown instanceof UntrustedCertificateError) throw createProblem('unreachable', thrown.describe(false))
    if (thrown instanceof ProxyError && thrown.kind !== 'refused') {
      throw createProblem('unreachable', `${thrown.message} Nothing was sent.`)
    }
    if (timeout.aborted) throw createProblem('unreachable', `${host} is taking too long. Nothing was sent.`)
    throw createProblem('unreachable', `${host} cannot be reached. Nothing was sent. Check your connection.`)
  } finally {
    await line.end()
  }
}

interface UnsubscribingParts extends Pick<
  MailParts,
  'network' | 'own' | 'cache' | 'rawMessages' | 'authentications' | 'hub' | 'signal' | 'report' | 'clock'
> {
  readonly post?: typeof postOneClick
}

interface FoundList {
  readonly ways: readonly UnsubscribeMethod[]
  readonly recipient: string | null
  readonly key: string
}

/** More than real lists have. */
const MAX_URIS = 20
/** In UTF-16 units. Users can't judge longer addresses. */
const LONGEST_URI = 4_096
/** Limits for the message that a list requests; its software only needs a word or token. */
const MAX_LENGTH = { subject: 500, text: 2_000 } as const

/** Addresses in angle brackets (RFC 2369, 2), without comments, other text and folding blanks. */
const urisIn = (header: string): readonly string[] => {
  const uris: string[] = []
  let depth = 0
  for (let at = 0; at < header.length && uris.length < MAX_URIS; at += 1) {
    const letter = header[at]
    if (depth > 0 && letter === '\\') at += 1
    else if (letter === '(') depth += 1
    else if (letter === ')') depth = Math.max(0, depth - 1)
    else if (letter === '<' && depth === 0) {
      const end = header.indexOf('>', at)
      // The last address is truncated.
      if (end === -1) break
      const uri = header.slice(at + 1, end).replace(/\s+/g, '')
      if (uri !== '' && uri.length <= LONGEST_URI) uris.push(uri)
      at = end
    }
  }
  return uris
}

/** A single plain address as used by mail servers, so that it cannot add a recipient or header. */
const ADDRESS = /^[^\s"'<>()[\]\\,;:@\uff20\ufe6b]{1,64}@[^\s"'<>()[\]\\,;:@\uff20\ufe6b/?#%]{1,255}$/u

/** Removes line breaks, invisible characters and direction controls. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cf}]/gu, '')
    .trim()

const mailOf = (uri: URL): UnsubscribeMethod | null => {
  const to = decodePercent(uri.pathname)
  if (!ADDRESS.test(to) || /[\p{Cc}\p{Cf}]/u.test(to)) return null
  const fieldOf = (name: string): string => {
    // Unlike in form encoding, a plus sign is literal (RFC 6068).
    const field = uri.search
      .slice(1)
      .split('&')
      .find((each) => each.toLowerCase().startsWith(`${name}=`))
    return field === undefined ? '' : decodePercent(field.slice(name.length + 1))
  }
  const lines = fieldOf('body')
    .slice(0, MAX_LENGTH.text)
    .split(/\r\n?|\n/)
  return {
    kind: 'mail',
    to,
    subject: oneLine(fieldOf('subject').slice(0, MAX_LENGTH.subject)),
    text: lines.map((line) => oneLine(line)).join('\n'),
  }
}

/** True if the list accepts one-click: the header has only this value (RFC 8058, 3.1). */
const isOneClick = (post: string | null): boolean =>
  post?.split(',').every((each) => each.trim().toLowerCase() === 'list-unsubscribe=one-click') === true

/**
 * Ways to unsubscribe, best first: the first usable one of each kind. One-click requires https, a public address and
 * its header. Addresses with credentials or other schemes are ignored. Never throws.
 */
export const parseUnsubscribeMethods = ({
  unsubscribe,
  post,
}: Pick<ListHeaders, 'unsubscribe' | 'post'>): readonly UnsubscribeMethod[] => {
  const uris = urisIn(unsubscribe).flatMap((uri) => URL.parse(uri) ?? [])
  const pages = uris.filter(
    ({ protocol, username, password }) =>
      (protocol === 'https:' || protocol === 'http:') && username === '' && password === '',
  )
  const posted = isOneClick(post) ? pages.find(isPublicHttps) : undefined
  const mail = uris.flatMap((uri) => (uri.protocol === 'mailto:' ? (mailOf(uri) ?? []) : []))[0]
  const page = posted ?? pages[0]
  return [
    ...(posted === undefined ? [] : [{ kind: 'oneClick', url: posted.href } as const]),
    ...(mail === undefined ? [] : [mail]),
    ...(page === undefined ? [] : [{ kind: 'page', url: page.href } as const]),
  ]
}

export class UnsubscribeService implements EngineService {
  readonly listeners: EventListeners = {
    'draft.sent': ({ draftId }) => {
      const begun = this.#log.begunIn(draftId)
      if (begun === undefined) return
      const sent = { ...begun, outcome: 'sent', at: this.#parts.clock.now() } as const
      // Runs in a microtask so that its own events don't interrupt the current one.
      queueMicrotask(() => this.#note(sent))
    },
  }
  readonly #parts: UnsubscribingParts
  readonly #log: UnsubscribeLog
  /** Requests by server address. */
  readonly #shared = createSharedCalls<UnsubscribeRecord>()

  constructor(parts: UnsubscribingParts) {
    this.#parts = parts
    this.#log = new UnsubscribeLog(parts.own, parts.hub.unsubscribed)
  }

  /** Ways to unsubscribe from an e-mail's list; null if its headers name none or aren't stored. */
  async offer(of: BodyOwner): Promise<UnsubscribeOffer | null> {
    const list = await this.#listOf(of)
    if (list === null) return null
    const found = this.#parts.authentications.known(of)
    const isSigned = found?.dkim === 'pass' && found.dmarc !== 'fail'
    return {
      ways: list.ways,
      sender: isForged(found) ? 'forged' : isSigned ? 'verified' : 'unverified',
      recipient: list.recipient,
      last: this.#log.lastOf(list.key),
    }
  }

  /**
   * Records the request on disk before sending it, so after a crash it counts as unanswered.
   * @param url the address that the user confirmed
   * @throws ProblemError `refused` if the e-mail's address has changed; errors of `postOneClick` and the disk, in which
   * case nothing was sent
   */
  async post(of: BodyOwner, url: string): Promise<UnsubscribeRecord> {
    const list = await this.#listOf(of)
    if (list?.ways.some((way) => way.kind === 'oneClick' && way.url === url) !== true) {
      throw createProblem(
        'refused',
        'The unsubscribe address in this message has changed. Nothing was sent. Try again.',
      )
    }
    return this.#shared(url, () => this.#post(list.key, url))
  }

  /** Records that an unsubscribe message is now a draft. @throws ProblemError `not_found` if the list has no address */
  async begun(of: BodyOwner, draftId: string): Promise<void> {
    const list = await this.#listOf(of)
    const mail = list?.ways.find((way) => way.kind === 'mail')
    if (list === null || mail === undefined)
      throw createProblem('not_found', 'This mailing list has no email address for unsubscribing.')
    const unsent = { outcome: 'begun', status: null, leadsTo: null } as const
    this.#log.add({ key: list.key, to: mail.to, at: this.#parts.clock.now(), ...unsent, draftId })
  }

  async #post(key: string, url: string): Promise<UnsubscribeRecord> {
    const { network, signal, clock, post = postOneClick } = this.#parts
    const { hostname: to } = new URL(url)
    const asked = this.#log.add({ key, to, at: clock.now(), ...UNANSWERED, draftId: null }, true)
    try {
      const answer = await post(network, url, signal)
      this.#note({ ...asked, ...answer })
      return { to, at: asked.at, ...answer }
    } catch (thrown) {
      const isUnsent = thrown instanceof ProblemError && !signal.aborted
      if (isUnsent) attempt(() => this.#log.withdraw(asked), this.#parts.report)
      throw thrown
    }
  }

  /** The outcome is announced even if the disk write fails. */
  #note(asked: UnsubscribeRequest): void {
    attempt(() => this.#log.update(asked), this.#parts.report)
  }

  async #listOf(of: BodyOwner): Promise<FoundList | null> {
    const headers = await this.#headersOf(of)
    const ways = headers === null ? [] : parseUnsubscribeMethods(headers)
    if (headers === null || ways.length === 0) return null
    const { from, recipient } = this.#peopleOf(of)
    // Identify a list by its List-Id (RFC 2919), as its e-mails may come from any member; otherwise by its sender.
    const list =
      /<([^<>]{1,255})>/
        .exec(headers.listId ?? '')?.[1]
        ?.trim()
        .toLowerCase() ?? from
    return { ways, recipient, key: JSON.stringify([list.slice(0, 1_000), recipient ?? '']) }
  }

  #peopleOf(of: BodyOwner): { readonly from: string; readonly recipient: string | null } {
    const { cache } = this.#parts
    const addressOf = (header: string): string => canonicalizeAddress(parsePerson(header).address)
    const threaded = findThreadEmail(cache, of)
    const email = threaded ?? cache.receivedEmails.get(of.emailId)
    const own = cache.inboxes.all().map(({ inbox }) => inbox)
    const mine =
      of.list === 'threads'
        ? own.find(({ id }) => id === of.inboxId)
        : own.find(({ emailAddress }) =>
            email?.to.some(
              (to) => stripAddressTag(addressOf(to)) === stripAddressTag(canonicalizeAddress(emailAddress)),
            ),
          )
    return { from: addressOf(email?.from ?? ''), recipient: mine?.emailAddress ?? null }
  }

  /** Looks in local data: the received e-mail, its stored list headers, then the raw source. */
  async #headersOf(of: BodyOwner): Promise<ListHeaders | null> {
    const { cache, rawMessages } = this.#parts
    if (of.list === 'sent') return null
    const threaded = findThreadEmail(cache, of)
    if (threaded?.direction === 'outbound') return null
    const copy = of.list === 'received' ? of.emailId : threaded && findReceivedEmail(cache.receivedEmails, threaded)?.id
    const whole = copy === undefined ? undefined : cache.receivedEmails.get(copy)
    const told = Object.entries(whole?.headers ?? {})
    if (told.length > 0) return extractListHeaders(told)
    const remembered = threaded === undefined ? undefined : cache.accountMeta.get(listHeadersKey(threaded.id))
    if (remembered !== undefined) return JSON.parse(remembered) as ListHeaders | null
    if (!rawMessages.isHere(of)) return null
    try {
      const { content } = await rawMessages.read(of, 'localOnly')
      // Loaded on demand, because the charset tables take time to load.
      const { parseHeaders: readHeaders } = await import('../sync/parse-headers.ts')
      return extractListHeaders(
        readHeaders(content).headers.map(({ name, value, decoded }) => [name, decoded ?? value]),
      )
    } catch (thrown) {
      // The file was deleted; treat it as never stored.
      if (thrown instanceof ProblemError) return null
      throw thrown
    }
  }
}
