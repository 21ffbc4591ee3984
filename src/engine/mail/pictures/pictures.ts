import { parseCidUrl, parseEmbeddedFilename } from '../../../shared/embedded-picture.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { SenderPolicy } from '../../../shared/sender-choices.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { isForged } from '../authentications.ts'
import { limitConcurrency } from '../../timing/limit-concurrency.ts'
import type { InlinePictures } from './inline-pictures.ts'
import type { MailParts } from '../parts.ts'
import { fetchPicture, PUBLIC_INTERNET_POLICY, type FetchedPicture, type PictureFetchPolicy } from './fetch-picture.ts'
import { collectWebAddresses } from './web-addresses.ts'
import { findThreadEmail } from '../../store/thread-email.ts'
import { parsePictureMetadata } from '../../store/picture-metadata.ts'
import { type SenderChoices, parseSender, type Sender } from '../../own/sender-choices.ts'
import { createRecentMap } from '../../timing/recent-map.ts'
import { createSharedCalls } from '../../timing/share-calls.ts'
import { sleep } from '../../timing/clock.ts'

/** Limits: `count` and `bytes` per e-mail, `atOnce` for all concurrent requests. */
const FETCH_LIMITS = { count: 200, bytes: 50 * 1024 * 1024, atOnce: 4 } as const
/** Maximum number of e-mails whose requests (`asked`) and web addresses (`named`) are remembered. */
const REMEMBERED = { asked: 500, named: 8 } as const

/** Longest wait for an e-mail's authentication, in milliseconds. */
const AUTHENTICATION_WAIT_MS = 3_000

const keyOf = (url: string): string => `picture ${url}`

type RequestResult = { readonly bytes: number } | { readonly problem: ProblemError }

/** True for failures that would happen again. A connection failure may pass. */
const isPermanent = (thrown: unknown, isElsewhere: boolean): thrown is ProblemError =>
  thrown instanceof ProblemError &&
  ['refused', 'not_found', ...(isElsewhere ? ['platform_failed'] : [])].includes(thrown.problem.code)

const tooMany = () => createProblem('refused', 'This message has more pictures than Linnet loads at once.')
const inSpam = () =>
  createProblem('refused', 'Pictures stay blocked in spam. If you know the sender, move the thread out of spam first.')

interface PicturesParts extends Pick<
  MailParts,
  'network' | 'cache' | 'authentications' | 'blobs' | 'report' | 'clock' | 'signal'
> {
  readonly choices: SenderChoices
  readonly inlinePictures: Pick<InlinePictures, 'read' | 'located'>
  readonly signedHtmlOf: (of: BodyOwner) => string | null
  readonly reach?: PictureFetchPolicy
  /** True in safe mode: shows no pictures in this run. */
  readonly isSafe: boolean
}

const bytesOf = (asked: RequestResult | undefined): number =>
  asked !== undefined && 'bytes' in asked ? asked.bytes : 0

/** Pictures in e-mails: embedded ones, and remote ones if the user allows them. */
export class Pictures {
  readonly #parts: PicturesParts
  readonly #inTurn = limitConcurrency(FETCH_LIMITS.atOnce)
  readonly #shared = createSharedCalls<FetchedPicture>()
  readonly #requestsByEmail = createRecentMap<Map<string, RequestResult>>(REMEMBERED.asked)
  readonly #addressesByEmail = createRecentMap<Promise<ReadonlySet<string>>>(REMEMBERED.named)

  constructor(parts: PicturesParts) {
    this.#parts = parts
  }

  /** Choices for an e-mail's sender; checks authentication if one depends on it. @throws ProblemError `not_found` */
  async policyOf(of: BodyOwner): Promise<SenderPolicy> {
    const { choices, isSafe } = this.#parts
    const from = this.#fromOf(of)
    if (from === undefined) throw createProblem('not_found', 'This message is no longer on this computer.')
    const sender = parseSender(from)
    const chosen = sender === null || isSafe || this.#isInSpam(of) ? 'asked' : await this.#choiceFor(of, sender)
    return {
      sender: sender?.address ?? null,
      domain: sender?.domain ?? null,
      // The e-mail may have moved to spam during the request.
      pictures: this.#isInSpam(of) ? 'spam' : chosen,
      isDark: sender !== null && choices.of('dark', sender) !== null,
    }
  }

  /**
   * Reads a picture from the cache, the e-mail or the Internet. @param isRetry true if the user retries
   * @throws ProblemError `refused` if the e-mail is in spam, doesn't name the picture or is over a limit; the errors of
   * `fetchPicture` and `InlinePictures`
   */
  async read(of: BodyOwner, url: string, isRetry: boolean): Promise<FetchedPicture> {
    if (this.#parts.isSafe) throw createProblem('refused', 'Pictures are not shown in safe mode.')
    const isInline = await this.#isInline(of, url)
    // Embedded pictures need no request, so they reveal nothing.
    const isBlocked = (): boolean => !isInline && this.#isInSpam(of)
    if (isBlocked()) throw inSpam()
    const key = JSON.stringify(of)
    const asked = this.#requestsByEmail.put(key, this.#requestsByEmail.get(key) ?? new Map<string, RequestResult>())
    const before = asked.get(url)
    if (before !== undefined && 'problem' in before && !isRetry) throw before.problem
    const bytes = (): number => [...asked.values()].reduce((sum, each) => sum + bytesOf(each), 0)
    if (before === undefined && (asked.size >= FETCH_LIMITS.count || bytes() >= FETCH_LIMITS.bytes)) throw tooMany()
    // Count the picture before it arrives, so that concurrent requests are included.
    if (before === undefined) asked.set(url, { bytes: 0 })
    try {
      if (!isInline && !(await this.#isNamed(of, url)))
        throw createProblem('refused', 'This picture is not in the message.')
      const picture = await (isInline
        ? this.#inTurn(() => this.#parts.inlinePictures.read(of, url))
        : this.#readOnce(url))
      if (bytes() - bytesOf(before) + picture.content.byteLength > FETCH_LIMITS.bytes) throw tooMany()
      asked.set(url, { bytes: picture.content.byteLength })
      // The e-mail may have moved to spam in the meantime. Don't remember this failure: the e-mail may move back.
      if (!isBlocked()) return picture
    } catch (thrown) {
      if (isPermanent(thrown, !isInline)) asked.set(url, { problem: thrown })
      throw thrown
    }
    throw inSpam()
  }

  /** Web addresses in the e-mail that its own parts claim as their location. They are never fetched. */
  async located(of: BodyOwner): Promise<readonly string[]> {
    const named = await (this.#addressesByEmail.get(JSON.stringify(of)) ?? this.#listNamed(of))
    return this.#parts.inlinePictures.located(of, named)
  }

  async #isInline(of: BodyOwner, url: string): Promise<boolean> {
    if (parseCidUrl(url) !== null || parseEmbeddedFilename(url) !== null) return true
    // If the raw source can't be read, the picture counts as remote and the user decides.
    return (await this.located(of).catch((): readonly string[] => [])).includes(url)
  }

  /** E-mails in the account's received list have no folder, so check the same message in its thread. */
  #isInSpam(of: BodyOwner): boolean {
    const { cache } = this.#parts
    if (of.list === 'sent') return false
    if (of.list === 'threads') {
      const inbox = cache.inboxes.get(of.inboxId)
      return inbox !== undefined && cache.threads.currentState(inbox, of.threadId)?.folder === 'spam'
    }
    const message = cache.receivedEmails.get(of.emailId)
    return message !== undefined && cache.inboxes.all().some((inbox) => cache.emails.isIn(inbox, 'spam', message))
  }

  #fromOf(of: BodyOwner): string | undefined {
    const { cache } = this.#parts
    if (of.list === 'threads') return findThreadEmail(cache, of)?.from
    return (of.list === 'received' ? cache.receivedEmails : cache.sentEmails).get(of.emailId)?.from
  }

  #htmlOf(of: BodyOwner): string | null {
    const { cache } = this.#parts
    const email = findThreadEmail(cache, of)
    if (email !== undefined) return email.html
    if (of.list === 'threads') return null
    return (of.list === 'received' ? cache.receivedEmails : cache.sentEmails).get(of.emailId)?.html ?? null
  }

  #listNamed(of: BodyOwner): Promise<ReadonlySet<string>> {
    const html = `${this.#htmlOf(of) ?? ''}${this.#parts.signedHtmlOf(of) ?? ''}`
    return this.#addressesByEmail.put(JSON.stringify(of), collectWebAddresses(html))
  }

  /** The window isn't trusted: only addresses that the sender wrote are safe to request. */
  async #isNamed(of: BodyOwner, url: string): Promise<boolean> {
    const before = this.#addressesByEmail.get(JSON.stringify(of))
    if (before !== undefined && (await before).has(url)) return true
    // The e-mail may be new or have been reloaded, so read its addresses again.
    return (await this.#listNamed(of)).has(url)
  }

  #readOnce(url: string): Promise<FetchedPicture> {
    return this.#shared(url, () =>
      this.#inTurn(async () => (await this.#readStored(url)) ?? (await this.#fetchAndStore(url))),
    )
  }

  /** Stored bytes are checked again, as supported formats may have changed. */
  async #readStored(url: string): Promise<FetchedPicture | null> {
    const kept = await this.#parts.blobs.get(keyOf(url))
    const facts = kept === null ? null : parsePictureMetadata(kept.bytes)
    return kept === null || facts === null ? null : { type: facts.type, content: kept.bytes }
  }

  async #fetchAndStore(url: string): Promise<FetchedPicture> {
    const { network, blobs, signal, report, reach = PUBLIC_INTERNET_POLICY } = this.#parts
    const picture = await fetchPicture(network, url, signal, undefined, reach)
    try {
      await blobs.put(keyOf(url), picture.content, { contentType: picture.type, share: 'pictures' })
    } catch (thrown) {
      signal.throwIfAborted()
      report(thrown)
    }
    return picture
  }

  async #choiceFor(of: BodyOwner, sender: Sender): Promise<SenderPolicy['pictures']> {
    const { choices, authentications, signal, clock } = this.#parts
    const choice = choices.of('pictures', sender)
    const known = authentications.known(of)
    if (choice === null || known !== null) return isForged(known) ? 'forged' : (choice ?? 'asked')
    // Don't wait for a slow platform: until it responds, treat the sender as undecided.
    const late = sleep(clock, AUTHENTICATION_WAIT_MS, signal, { unref: true })
    const found = await Promise.race([authentications.read(of), late])
    if (found === undefined) return 'asked'
    return isForged(found) ? 'forged' : choice
  }
}
