import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment, AttachmentList, ListedAttachment } from '../../../shared/attachments.ts'
import { ProblemError, toProblem, createProblem } from '../../../shared/result.ts'
import { isNotFound, lacksOperation } from '../../platform/platform-problem.ts'
import type { OnTransferProgress } from '../../platform/exchange.ts'
import { type BlobContent, type Blobs, computeDigest } from '../../store/blobs.ts'
import type { EventHub } from '../../own/event-hub.ts'
import type { FetchPriority, RawMessages } from '../../sync/raw-messages.ts'
import { withMessage } from '../../platform/problem.ts'
import { type Clock, systemClock } from '../../timing/clock.ts'
import { raceAbort } from '../../timing/race-abort.ts'
import { attachmentKey, toNestedAttachmentId, isPlatformAttachmentId } from '../../store/attachment-keys.ts'
import {
  type AttachmentListDependencies,
  AttachmentLists,
  type AttachmentOwner,
  createEmailNotFoundError,
  findAttachmentIndex,
} from './attachment-lists.ts'
import { type AttachmentPart, findAttachmentPart } from '../../sync/attachment-parts.ts'
import { normalizeMediaType } from '../../../shared/attachment-filename.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import type { SignedDownloads } from '../../platform/signed-downloads.ts'
import type { Priority } from '../../platform/request-budget.ts'
import type { Capabilities } from '../../platform/capabilities.ts'
import { detectFileType } from './display-kind.ts'

const PROGRESS_EVERY_MS = 200

interface Fetching {
  readonly ending: AbortController
  readonly content: Promise<BlobContent>
  done: number
  total: number | null
}

interface WantedBytes {
  readonly of: BodyOwner
  readonly owner: AttachmentOwner
  /** Index among the owner's attachments. */
  readonly place: number
  readonly fetchPriority: FetchPriority
  readonly ending: AbortSignal
  readonly progress: OnTransferProgress
}

interface FetchedBytes {
  readonly bytes: Uint8Array
  readonly contentType: string | null
}

interface AttachmentSourceParts {
  readonly platform: Pick<MailPlatform, 'getAttachment'>
  readonly downloads: Pick<SignedDownloads, 'fetchFresh'>
  readonly blobs: Pick<Blobs, 'put' | 'has'>
  readonly rawMessages: Pick<RawMessages, 'read' | 'isHere'>
  readonly capabilities: Capabilities
  readonly clock: Clock
  readonly readParts: (original: Uint8Array, signal: AbortSignal) => Promise<readonly AttachmentPart[]>
  readonly report: (thrown: unknown) => void
}

const MESSAGES = {
  unreachable: 'You are offline, and this attachment is not on this computer yet. Go online to download it.',
  not_found: 'This attachment is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform does not offer this attachment, and it is not in the message’s original either.'
const BROKEN_LINK = 'The platform’s link to this attachment does not work. Try again later.'

/** Prefers a type with a charset, then the e-mail's, then the platform's, then one guessed from the bytes. */
const typeOf = (
  listed: Pick<Attachment, 'contentType'> | undefined,
  { contentType, bytes }: FetchedBytes,
): string | null => {
  const types = [listed?.contentType, contentType].filter((type) => normalizeMediaType(type) !== '')
  const known = types.find((type) => type?.includes('charset=')) ?? types[0]
  return known ?? detectFileType(bytes) ?? listed?.contentType ?? contentType
}

/** Fetches attachments from the platform (platform.md 12.4, 20.7 and 21.4) or the e-mail's original. */
class AttachmentSource {
  readonly #parts: AttachmentSourceParts

  constructor(parts: AttachmentSourceParts) {
    this.#parts = parts
  }

  /** True if the original is stored, and with it all attachments. */
  hasOriginal(of: BodyOwner): boolean {
    return this.#parts.rawMessages.isHere(of)
  }

  async fetch(wanted: WantedBytes): Promise<FetchedBytes> {
    const { of, ending } = wanted
    // Prefer a stored original to a download.
    let failure: Error | null = null
    if (this.hasOriginal(of)) {
      try {
        return await this.#fromOriginal(wanted)
      } catch (thrown) {
        ending.throwIfAborted()
        failure = thrown instanceof Error ? thrown : new Error(String(thrown))
      }
    }
    const answer = await this.#fromPlatform(wanted)
    if (typeof answer === 'object') return answer
    try {
      if (failure !== null) throw failure
      return await this.#fromOriginal(wanted)
    } catch (thrown) {
      ending.throwIfAborted()
      if (toProblem(thrown).code !== 'not_found') throw thrown
      throw answer === 'not reached'
        ? createProblem('unreachable', MESSAGES.unreachable)
        : createProblem('not_found', NOT_OFFERED)
    }
  }

  /** @returns the reason if the platform has no bytes */
  async #fromPlatform(wanted: WantedBytes): Promise<FetchedBytes | 'not reached' | 'not offered'> {
    const { capabilities, clock } = this.#parts
    const { of, owner, place, fetchPriority, ending } = wanted
    if (fetchPriority === 'localOnly') return 'not reached'
    const attachmentId = owner.attachments[place]?.id ?? ''
    const isOfThread = of.list === 'threads'
    const capability = 'retrieve thread attachments'
    if (!isPlatformAttachmentId(attachmentId) || (isOfThread && !capabilities.shouldProbe(capability)))
      return 'not offered'
    const askedAt = clock.elapsed()
    try {
      const fetched = await this.#download(wanted, attachmentId, fetchPriority)
      if (isOfThread) capabilities.recordSuccess(capability)
      return fetched
    } catch (thrown) {
      ending.throwIfAborted()
      const isUnreachable = thrown instanceof ProblemError && thrown.problem.code === 'unreachable'
      const isMissing =
        lacksOperation(thrown) || (thrown instanceof ProblemError && thrown.problem.code === 'not_found')
      if (!isUnreachable && !isMissing) throw thrown
      // A 404 for a deleted e-mail doesn't show that the platform lacks the operation.
      if (isOfThread && owner.onServer && lacksOperation(thrown)) capabilities.recordRefusal(capability, askedAt)
      return isUnreachable ? 'not reached' : 'not offered'
    }
  }

  async #download(
    { of, owner, ending, progress }: WantedBytes,
    attachmentId: string,
    priority: Priority,
  ): Promise<FetchedBytes> {
    const { platform, downloads } = this.#parts
    let contentType: string | null = null
    const askForLink = async (): Promise<string> => {
      const options = { priority, signal: ending }
      const attachment = await platform.getAttachment(owner.kind, of.emailId, attachmentId, options)
      const { downloadUrl } = attachment
      if (downloadUrl === null || downloadUrl === '') throw createProblem('not_found', MESSAGES.not_found)
      contentType = attachment.contentType
      return downloadUrl
    }
    const bytes = await downloads.fetchFresh(askForLink, BROKEN_LINK, ending, progress)
    return { bytes, contentType }
  }

  /** Parses the original and stores all of its attachments. */
  async #fromOriginal({ of, owner, place, fetchPriority, ending }: WantedBytes): Promise<FetchedBytes> {
    const { rawMessages, blobs, readParts, report } = this.#parts
    const { content } = await raceAbort(rawMessages.read(of, fetchPriority), ending)
    const parts = await readParts(content, ending)
    const found = findAttachmentPart(owner.attachments, place, parts)
    if (found === null) throw createProblem('not_found', NOT_OFFERED)
    for (const [index, other] of owner.attachments.entries()) {
      const part = index === place ? null : findAttachmentPart(owner.attachments, index, parts)
      if (part === null || blobs.has(attachmentKey(of, other.id))) continue
      const contentType = typeOf(other, part)
      await blobs.put(attachmentKey(of, other.id), part.bytes, { contentType }).catch(report)
    }
    return found
  }
}

interface AttachmentsParts extends AttachmentListDependencies, Omit<AttachmentSourceParts, 'clock' | 'platform'> {
  readonly platform: AttachmentListDependencies['platform'] & AttachmentSourceParts['platform']
  readonly blobs: Pick<Blobs, 'get' | 'put' | 'has' | 'metadata' | 'piece'>
  readonly hub: Pick<EventHub, 'attachments'>
  readonly clock?: Clock
}

export class Attachments {
  readonly #parts: Required<AttachmentsParts>
  readonly #lists: AttachmentLists
  readonly #source: AttachmentSource
  readonly #inFlight = new Map<string, Fetching>()
  /** The last attachment that didn't fit on the disk, kept in memory so it can still be viewed and saved elsewhere. */
  #unstored: { readonly key: string; readonly content: BlobContent } | null = null

  constructor({ clock = systemClock, ...parts }: AttachmentsParts) {
    this.#parts = { ...parts, clock }
    this.#lists = new AttachmentLists(parts)
    this.#source = new AttachmentSource(this.#parts)
  }

  /** Names unnamed attachments after their type. Fetches the list for a sent e-mail if it is unknown. */
  async list(of: BodyOwner, fetchPriority: FetchPriority = 'action'): Promise<AttachmentList> {
    try {
      const attachments = await this.#lists.allOf(of, fetchPriority)
      const isOriginalHere = attachments.length > 0 && this.#source.hasOriginal(of)
      const items = attachments.map((attachment): ListedAttachment => {
        const key = attachmentKey(of, attachment.id)
        const fetching = this.#inFlight.get(key)
        return {
          ...attachment,
          isHere: isOriginalHere || this.#parts.blobs.has(key) || this.#unstored?.key === key,
          fetching: fetching === undefined ? null : { done: fetching.done, total: fetching.total ?? attachment.size },
        }
      })
      return { items, problem: null }
    } catch (thrown) {
      if (!(thrown instanceof ProblemError)) throw thrown
      return { items: [], problem: thrown.problem }
    }
  }

  /** @throws ProblemError `not_found` */
  async find(of: BodyOwner, attachmentId: string): Promise<Attachment> {
    const attachments = await this.#lists.allOf(of, 'action')
    const found = attachments[findAttachmentIndex(attachments, attachmentId)]
    if (found === undefined) throw createEmailNotFoundError()
    return found
  }

  /**
   * An attachment's bytes from local storage, the platform, or the original. Fetched bytes are stored.
   * @throws ProblemError `unreachable` if they can't be fetched, `not_found` if they exist nowhere, `refused` for too
   * large a file, an untrusted URL or an unreadable original, `cancelled`
   */
  async fetch(of: BodyOwner, attachmentId: string, fetchPriority: FetchPriority = 'action'): Promise<BlobContent> {
    const key = attachmentKey(of, attachmentId)
    const begun = this.#inFlight.get(key)
    if (begun !== undefined) return begun.content
    if (fetchPriority === 'localOnly') return this.#fetchAndStore(of, attachmentId, this.#parts.signal, fetchPriority)
    const ending = new AbortController()
    const content = this.#fetchAndStore(
      of,
      attachmentId,
      AbortSignal.any([this.#parts.signal, ending.signal]),
      fetchPriority,
    )
      .catch((thrown: unknown) => {
        throw withMessage(thrown, isNotFound(thrown) ? MESSAGES : { unreachable: MESSAGES.unreachable })
      })
      .finally(() => {
        this.#inFlight.delete(key)
        this.#parts.hub.attachments(of.emailId)
      })
    this.#inFlight.set(key, { ending, content, done: 0, total: null })
    this.#parts.hub.attachments(of.emailId)
    return content
  }

  /** A piece of a stored attachment; null if missing or changed. @param version digest of the complete file */
  async piece(
    of: BodyOwner,
    attachmentId: string,
    version: string,
    from: number,
    length: number,
  ): Promise<Uint8Array | null> {
    const key = attachmentKey(of, attachmentId)
    const unkept = this.#unstored
    if (unkept?.key === key && unkept.content.digest === version) {
      return unkept.content.bytes.subarray(from, from + length)
    }
    return this.#parts.blobs.metadata(key)?.digest === version ? this.#parts.blobs.piece(key, from, length) : null
  }

  /** Stores the files within an attachment; they are listed after the e-mail's own. */
  async storeNested(of: BodyOwner, attachmentId: string, files: readonly AttachmentPart[]): Promise<void> {
    const list: Attachment[] = []
    for (const [place, { filename, contentType, contentId, bytes }] of files.entries()) {
      const id = toNestedAttachmentId(attachmentId, place)
      const key = attachmentKey(of, id)
      list.push({ id, filename, size: bytes.byteLength, contentType, contentId })
      if (!this.#parts.blobs.has(key)) await this.#parts.blobs.put(key, bytes, { contentType })
    }
    if (await this.#lists.storeNestedFiles(of, attachmentId, list)) this.#parts.hub.attachments(of.emailId)
  }

  /** Cancels a download for all its callers. */
  cancel(of: BodyOwner, attachmentId: string): void {
    this.#inFlight
      .get(attachmentKey(of, attachmentId))
      ?.ending.abort(createProblem('cancelled', 'This download was cancelled.'))
  }

  async #fetchAndStore(
    of: BodyOwner,
    attachmentId: string,
    ending: AbortSignal,
    fetchPriority: FetchPriority,
  ): Promise<BlobContent> {
    const key = attachmentKey(of, attachmentId)
    const kept = (await this.#parts.blobs.get(key)) ?? (this.#unstored?.key === key ? this.#unstored.content : null)
    if (kept !== null) return kept
    const owner = await this.#lists.ownerOf(of, fetchPriority)
    const place = findAttachmentIndex(owner.attachments, attachmentId)
    const progress = this.#progressOf(key, of.emailId)
    const fetched = await this.#source.fetch({ of, owner, place, fetchPriority, ending, progress })
    const { bytes } = fetched
    const contentType = typeOf(owner.attachments[place], fetched)
    try {
      return { ...(await this.#parts.blobs.put(key, bytes, { contentType })), bytes }
    } catch (thrown) {
      ending.throwIfAborted()
      this.#parts.report(thrown)
      const content = { digest: await computeDigest(bytes), bytes, contentType, fetchedAt: this.#parts.clock.now() }
      this.#unstored = { key, content }
      return content
    }
  }

  #progressOf(key: string, emailId: string): OnTransferProgress {
    let reportedAt = 0
    return (done, total) => {
      const fetching = this.#inFlight.get(key)
      if (fetching === undefined) return
      fetching.done = done
      fetching.total = total
      if (this.#parts.clock.elapsed() - reportedAt < PROGRESS_EVERY_MS) return
      reportedAt = this.#parts.clock.elapsed()
      this.#parts.hub.attachments(emailId)
    }
  }
}
