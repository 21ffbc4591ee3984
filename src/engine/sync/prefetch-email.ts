import type { BodyOwner } from '../../shared/contract.ts'
import type { Attachment } from '../../shared/attachments.ts'
import { ProblemError, toProblem, createProblem } from '../../shared/result.ts'
import type { EmailKind, FetchedAttachment } from '../platform/resources/attachments.ts'
import { DownloadTooLargeError, isExpiredUrlError, MAX_DOWNLOAD_BYTES } from '../platform/signed-downloads.ts'
import { isNotFound, PlatformRefusalError } from '../platform/platform-problem.ts'
import { attachmentKey, sentAttachmentsKey } from '../store/attachment-keys.ts'
import { findAttachmentPart } from './attachment-parts.ts'
import { rawMessageKey } from './raw-message-key.ts'
import type { CachedEmail } from '../store/emails.ts'
import type { EmailToPrefetch, PrefetchState } from '../store/prefetch-queue.ts'
import { findReceivedCopy } from '../store/same-message.ts'
import type { StorageBudget } from './storage-budget.ts'
import type { AccountServices } from './account-services.ts'

/** Storage key of the e-mail's raw source, or the reason why it isn't stored. */
type Original = { readonly key: string } | 'unavailable' | 'no room'

const worse = (original: Original, attachments: PrefetchState): PrefetchState => {
  if (original === 'no room' || attachments === 'no room') return 'no room'
  return original === 'unavailable' ? 'partial' : attachments
}

/** True if the platform lacks the item or won't provide it. */
const isRefusal = (thrown: unknown): boolean =>
  isNotFound(thrown) || (thrown instanceof PlatformRefusalError && thrown.problem.code === 'refused')

/** Runs a request, treating a refusal as a result. */
const unlessRefused = async <Value extends object>(ask: () => Promise<Value>): Promise<Value | 'gone' | 'refused'> => {
  try {
    return await ask()
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    return isNotFound(thrown) ? 'gone' : 'refused'
  }
}

const hasValue = <Value extends object>(answer: Value | 'gone' | 'refused'): answer is Value =>
  typeof answer === 'object'

type Standing = Pick<EmailToPrefetch, 'failures' | 'onServer'>

interface EmailPrefetcherParts extends Pick<
  AccountServices,
  'platform' | 'downloads' | 'cache' | 'blobs' | 'capabilities' | 'readParts' | 'signal'
> {
  readonly budget: StorageBudget
  readonly received: () => void
  readonly sent: () => void
}

/** Give up on a file after this many rejected downloads, each from a fresh URL. */
const MAX_REFUSALS = 3

/** `no room`: over the user's storage limit; `unavailable`: the platform won't provide the file. */
type FetchOutcome = 'here' | 'unavailable' | 'no room'

export class EmailPrefetcher {
  readonly #parts: EmailPrefetcherParts
  readonly #options: { readonly priority: 'prefetch'; readonly signal: AbortSignal }
  /** E-mails being stored, by their ID in the account-wide list. */
  readonly #inFlight = new Map<string, Promise<PrefetchState>>()

  constructor(parts: EmailPrefetcherParts) {
    this.#parts = parts
    this.#options = { priority: 'prefetch', signal: parts.signal }
  }

  /**
   * Fetches an e-mail's missing parts. A new received e-mail takes one request for its text and raw-source URL, plus
   * the download of the raw source, which includes the attachments. A sent e-mail takes two requests, plus a download
   * for each attachment.
   * @throws ProblemError for temporary failures, `storage_failed` if the disk is full
   */
  prefetch(email: EmailToPrefetch): Promise<PrefetchState> {
    // An e-mail may be in both a list and a thread. Fetch it only once: the second run finds it stored.
    const id = this.#ownIdOf(email)
    const keeping = Promise.allSettled([this.#inFlight.get(id)])
      .then(() => this.#prefetchNow(email))
      .finally(() => {
        if (this.#inFlight.get(id) === keeping) this.#inFlight.delete(id)
      })
    this.#inFlight.set(id, keeping)
    return keeping
  }

  #prefetchNow(email: EmailToPrefetch): Promise<PrefetchState> {
    switch (email.list) {
      case 'received':
        return this.#prefetchReceived(email)
      case 'sent':
        return this.#prefetchSent(email)
      case 'threads':
        return this.#prefetchFromThread(email)
    }
  }

  /** The e-mail's ID in the account-wide list of received mail, or `email.id` if it isn't in that list. */
  #ownIdOf(email: EmailToPrefetch): string {
    const { cache } = this.#parts
    if (email.list !== 'threads' || cache.receivedEmails.has(email.id)) return email.id
    const place = cache.keeping.threadOf(email.key)
    const inThread = place === undefined ? undefined : cache.emails.get(place.inbox, place.threadId, email.id)
    return inThread === undefined ? email.id : (findReceivedCopy(cache.receivedEmails, inThread)?.id ?? email.id)
  }

  async #prefetchReceived({ id, onServer, failures }: EmailToPrefetch): Promise<PrefetchState> {
    const { platform, cache, blobs, budget, received } = this.#parts
    const key = rawMessageKey(id)
    let isThere = onServer
    let link: string | null = null
    const ask = async (): Promise<void> => {
      const answer = isThere ? await unlessRefused(() => platform.getReceivedEmail(id, this.#options)) : 'refused'
      isThere = hasValue(answer)
      if (answer === 'gone') cache.receivedEmails.markGone(id)
      if (hasValue(answer)) {
        link = answer.rawUrl
        if (cache.receivedEmails.get(id) === undefined) cache.receivedEmails.storeWhole(answer)
      }
      received()
    }
    if (cache.receivedEmails.get(id) === undefined) await ask()
    const email = cache.receivedEmails.get(id)
    if (email === undefined) return 'lost'
    const keepMissing = async (): Promise<Original> => {
      if (blobs.has(key)) return { key }
      if (!isThere || !email.hasRaw) return 'unavailable'
      if (budget.left() <= 0) return 'no room'
      if (link === null) await ask()
      return this.#storeOriginal(id, link, failures)
    }
    const original = await keepMissing()
    const of = { list: 'received', emailId: id } as const
    const currentState = { failures, onServer: isThere }
    return worse(original, await this.#prefetchAttachments('received', of, email.attachments, original, currentState))
  }

  async #prefetchSent({ id, onServer, failures }: EmailToPrefetch): Promise<PrefetchState> {
    const { platform, cache, blobs, budget, sent } = this.#parts
    if (cache.sentEmails.get(id) === undefined) {
      const answer = onServer ? await unlessRefused(() => platform.getSentEmail(id, this.#options)) : 'refused'
      if (answer === 'gone') cache.sentEmails.markGone(id)
      if (hasValue(answer)) cache.sentEmails.storeWhole(answer)
      sent()
      if (!hasValue(answer)) return 'lost'
    }
    const of = { list: 'sent', emailId: id } as const
    const key = sentAttachmentsKey(id)
    const kept = await blobs.get(key)
    const known = kept === null ? null : (JSON.parse(new TextDecoder().decode(kept.bytes)) as readonly Attachment[])
    if (known?.every((attachment) => blobs.has(attachmentKey(of, attachment.id))) === true) return 'whole'
    if (!onServer) return 'partial'
    if (known !== null && budget.left() <= 0) return 'no room'
    const listed = await unlessRefused(() => platform.listAttachments('sent', id, this.#options))
    const attachments = hasValue(listed) ? listed.map(({ downloadUrl: _url, ...attachment }) => attachment) : []
    if (known === null) {
      // The attachment list is small, so it is stored even if there is no room for files.
      await blobs.put(key, new TextEncoder().encode(JSON.stringify(attachments)), {
        contentType: 'application/json',
      })
    }
    return hasValue(listed) ? this.#prefetchListed(of, attachments, listed, failures) : 'partial'
  }

  async #prefetchFromThread({ key, id, onServer, failures }: EmailToPrefetch): Promise<PrefetchState> {
    const { cache, blobs } = this.#parts
    const place = cache.keeping.threadOf(key)
    const email = place === undefined ? undefined : cache.emails.get(place.inbox, place.threadId, id)
    // The row is unreadable. Repair refetches it.
    if (place === undefined || email === undefined) return 'partial'
    const of = { list: 'threads', inboxId: place.inbox.id, threadId: place.threadId, emailId: id } as const
    // The account's own list has this e-mail under the same ID, so its state applies here too.
    const own = cache.keeping.ownState(id)
    if (own !== null) {
      const isInFiles = { key: rawMessageKey(id) }
      const lacking =
        own === 'whole'
          ? await this.#lackingFrom(blobs.has(isInFiles.key) ? isInFiles : 'unavailable', of, email.attachments)
          : []
      if (lacking.length === 0) return own === 'lost' ? 'partial' : own
    }
    const currentState = { failures, onServer }
    if (email.direction === 'outbound') {
      // The platform has no raw source for sent mail.
      return this.#prefetchAttachments('sent', of, email.attachments, 'unavailable', currentState)
    }
    const original = await this.#originalOfThread(email, currentState)
    return worse(original, await this.#prefetchAttachments('received', of, email.attachments, original, currentState))
  }

  /** Raw source stored for the account's own list, or else fetched by the e-mail's ID in the thread. */
  async #originalOfThread(email: CachedEmail, { failures, onServer }: Standing): Promise<Original> {
    const { platform, cache, blobs, capabilities, budget, received } = this.#parts
    const own = rawMessageKey(email.id)
    if (blobs.has(own)) return { key: own }
    const copy = findReceivedCopy(cache.receivedEmails, email)?.id ?? null
    if (copy !== null) {
      cache.keeping.markDuplicate(copy)
      if (blobs.has(rawMessageKey(copy))) return { key: rawMessageKey(copy) }
    }
    if (!onServer) return 'unavailable'
    if (budget.left() <= 0) return 'no room'
    const byThreadId = await capabilities
      .attempt('retrieve raw thread message', () => platform.getReceivedEmail(email.id, this.#options))
      .catch((thrown: unknown) => {
        if (toProblem(thrown).code === 'refused') return null
        throw thrown
      })
    if (byThreadId !== null) {
      // The account's own list has this e-mail but not its text yet, so store the text there too.
      const { receivedEmails } = cache
      if (receivedEmails.has(email.id) && receivedEmails.get(email.id) === undefined) {
        receivedEmails.storeWhole(byThreadId)
        received()
      }
      return this.#storeOriginal(email.id, byThreadId.rawUrl, failures)
    }
    if (copy === null) return 'unavailable'
    const fetched = await unlessRefused(() => platform.getReceivedEmail(copy, this.#options))
    return hasValue(fetched) ? this.#storeOriginal(copy, fetched.rawUrl, failures) : 'unavailable'
  }

  async #storeOriginal(receivedId: string, link: string | null, failures: number): Promise<Original> {
    const key = rawMessageKey(receivedId)
    const end = await this.#fetchFile(key, link, 'message/rfc822', failures)
    return end === 'here' ? { key } : end
  }

  async #prefetchAttachments(
    kind: EmailKind,
    of: BodyOwner,
    attachments: readonly Attachment[],
    original: Original,
    { failures, onServer }: Standing,
  ): Promise<PrefetchState> {
    const { platform, capabilities, budget } = this.#parts
    const lacking = await this.#lackingFrom(original, of, attachments)
    if (lacking.length === 0) return 'whole'
    if (budget.left() <= 0) return 'no room'
    if (!onServer) return 'partial'
    const list = () => platform.listAttachments(kind, of.emailId, this.#options)
    const listed =
      of.list === 'threads'
        ? await capabilities.attempt('retrieve thread attachments', list, { isLacking: isRefusal })
        : await unlessRefused(list)
    return listed !== null && hasValue(listed) ? this.#prefetchListed(of, lacking, listed, failures) : 'partial'
  }

  /** Attachments that the raw source doesn't contain. Those that it contains count as stored. */
  async #lackingFrom(
    original: Original,
    of: BodyOwner,
    attachments: readonly Attachment[],
  ): Promise<readonly Attachment[]> {
    const { blobs, readParts, signal } = this.#parts
    const lacking = attachments.filter(({ id }) => !blobs.has(attachmentKey(of, id)))
    if (lacking.length === 0 || typeof original === 'string') return lacking
    const bytes = (await blobs.get(original.key))?.bytes
    if (bytes === undefined) return lacking
    const parts = await readParts(bytes, signal).catch((thrown: unknown) => {
      signal.throwIfAborted()
      if (toProblem(thrown).code === 'refused') return []
      throw thrown
    })
    return lacking.filter(
      (attachment) => findAttachmentPart(attachments, attachments.indexOf(attachment), parts) === null,
    )
  }

  async #prefetchListed(
    of: BodyOwner,
    wanted: readonly Attachment[],
    listed: readonly FetchedAttachment[],
    failures: number,
  ): Promise<PrefetchState> {
    let state: PrefetchState = 'whole'
    for (const { id, contentType } of wanted) {
      const key = attachmentKey(of, id)
      if (this.#parts.blobs.has(key)) continue
      const found = listed.find((other) => other.id === id)
      const type = contentType ?? found?.contentType ?? null
      const end = await this.#fetchFile(key, found?.downloadUrl ?? null, type, failures)
      if (end === 'no room') return end
      if (end === 'unavailable') state = 'partial'
    }
    return state
  }

  /**
   * @param link a fresh URL; null or empty if the platform gave none @throws ProblemError for temporary failures,
   * `storage_failed` if the disk is full
   */
  async #fetchFile(
    key: string,
    link: string | null,
    contentType: string | null,
    failures: number,
  ): Promise<FetchOutcome> {
    if (link === null || link === '') return 'unavailable'
    const bytes = await this.#download(link, failures)
    return typeof bytes === 'string' ? bytes : this.#put(key, bytes, contentType)
  }

  async #download(link: string, failures: number): Promise<Uint8Array | 'unavailable' | 'no room'> {
    const { downloads, budget, signal } = this.#parts
    const bytes = Math.min(MAX_DOWNLOAD_BYTES, budget.left())
    if (bytes <= 0) return 'no room'
    try {
      return await downloads.fetch(link, signal, bytes)
    } catch (thrown) {
      if (thrown instanceof DownloadTooLargeError && bytes < MAX_DOWNLOAD_BYTES) return 'no room'
      if (isExpiredUrlError(thrown)) {
        // The URL was fresh, so the failure may be temporary: a new URL may work. But don't retry forever.
        if (failures + 1 >= MAX_REFUSALS) return 'unavailable'
        throw createProblem('platform_failed', 'The platform’s download link does not work.')
      }
      if (thrown instanceof ProblemError && thrown.problem.code === 'refused') return 'unavailable'
      throw thrown
    }
  }

  async #put(key: string, bytes: Uint8Array, contentType: string | null): Promise<FetchOutcome> {
    const { blobs, budget } = this.#parts
    const release = budget.take(bytes.byteLength)
    if (release === null) return 'no room'
    let isWritten = false
    try {
      await blobs.put(key, bytes, { contentType })
      isWritten = true
    } finally {
      release(isWritten)
    }
    return 'here'
  }
}
