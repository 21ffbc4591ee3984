import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment, AttachmentList, ListedAttachment } from '../../../shared/attachments.ts'
import { ProblemError, toProblem, createProblem } from '../../../shared/result.ts'
import { isNotFound, lacksOperation } from '../../platform/platform-problem.ts'
import type { OnTransferProgress } from '../../platform/exchange.ts'
import { type BlobContent, computeDigest } from '../../store/blobs.ts'
import type { FetchPriority, RawMessages } from '../../sync/raw-messages.ts'
import { withMessage } from '../../platform/problem.ts'
import {
  attachmentKey,
  isPlatformAttachmentId,
  nestedFilesKey,
  sentAttachmentsKey,
  toNestedAttachmentId,
} from '../../store/attachment-keys.ts'
import { type AttachmentPart, findAttachmentPart } from '../../sync/attachment-parts.ts'
import { normalizeMediaType, toAttachmentFilename } from '../../../shared/attachment-filename.ts'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import type { EmailKind } from '../../platform/resources/attachments.ts'
import { findReceivedEmail } from '../../store/same-message.ts'
import { findThreadEmail } from '../../store/thread-email.ts'
import type { AccountServices } from '../../sync/account-services.ts'
import { raceAbort } from '../../timing/race-abort.ts'
import { detectFileType } from './display-kind.ts'

const PROGRESS_EVERY_MS = 200

interface AttachmentOwner {
  readonly attachments: readonly Attachment[]
  /** The platform's list that the e-mail may be in. */
  readonly kind: EmailKind
  /** True if the platform has the e-mail. */
  readonly onServer: boolean
}

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

const MESSAGES = {
  unreachable: 'You are offline, and this attachment is not on this computer yet. Go online to download it.',
  not_found: 'This attachment is no longer on the platform.',
} as const
const NOT_OFFERED = 'The platform does not offer this attachment, and it is not in the message’s original either.'
const BROKEN_LINK = 'The platform’s link to this attachment does not work. Try again later.'

const SENT_UNKNOWN =
  'You are offline, and Linnet does not know yet whether this message has attachments. Go online to check.'

const createEmailNotFoundError = (): ProblemError =>
  createProblem('not_found', 'This message is no longer on this computer.')

/** @throws ProblemError `not_found` */
const findAttachment = (
  attachments: readonly Attachment[],
  attachmentId: string,
): readonly [place: number, attachment: Attachment] => {
  const found = [...attachments.entries()].find(([, { id }]) => id === attachmentId)
  if (found === undefined) throw createProblem('not_found', 'This message has no such attachment.')
  return found
}

/** Prefers a type with a charset, then the e-mail's, then the platform's, then one guessed from the bytes. */
const typeOf = (listed: Pick<Attachment, 'contentType'>, { contentType, bytes }: FetchedBytes): string | null => {
  const types = [listed.contentType, contentType].filter((type) => normalizeMediaType(type) !== '')
  const known = types.find((type) => type?.includes('charset=')) ?? types[0]
  return known ?? detectFileType(bytes) ?? listed.contentType ?? contentType
}

type AttachmentsParts = Pick<
  AccountServices,
  'platform' | 'downloads' | 'cache' | 'blobs' | 'capabilities' | 'readParts' | 'hub' | 'clock' | 'report' | 'signal'
> & { readonly rawMessages: Pick<RawMessages, 'read' | 'isHere'> }

export class Attachments {
  readonly #parts: AttachmentsParts
  readonly #inFlight = new Map<string, Fetching>()
  /** The last attachment that didn't fit on the disk, kept in memory so it can still be viewed and saved elsewhere. */
  #unstored: { readonly key: string; readonly content: BlobContent } | null = null

  constructor(parts: AttachmentsParts) {
    this.#parts = parts
  }

  /** Names unnamed attachments after their type. Fetches the list for a sent e-mail if it is unknown. */
  async list(of: BodyOwner, fetchPriority: FetchPriority = 'action'): Promise<AttachmentList> {
    try {
      const attachments = await this.#allOf(of, fetchPriority)
      const isOriginalHere = attachments.length > 0 && this.#parts.rawMessages.isHere(of)
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
    const [, found] = findAttachment(await this.#allOf(of, 'action'), attachmentId)
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
    const key = nestedFilesKey(of, attachmentId)
    if (list.length === 0 || this.#parts.blobs.has(key)) return
    await this.#storeList(key, list)
    this.#parts.hub.attachments(of.emailId)
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
    const owner = await this.#ownerOf(of, fetchPriority)
    const [place, listed] = findAttachment(owner.attachments, attachmentId)
    const progress = this.#progressOf(key, of.emailId)
    const fetched = await this.#fetchBytes({ of, owner, place, fetchPriority, ending, progress })
    const { bytes } = fetched
    const contentType = typeOf(listed, fetched)
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

  /** Prefers a stored original, which has all attachments, to a download. */
  async #fetchBytes(wanted: WantedBytes): Promise<FetchedBytes> {
    const { of, ending } = wanted
    let failure: unknown
    const hasOriginal = this.#parts.rawMessages.isHere(of)
    if (hasOriginal) {
      try {
        return await this.#fromOriginal(wanted)
      } catch (thrown) {
        ending.throwIfAborted()
        failure = thrown
      }
    }
    const answer = await this.#fromPlatform(wanted)
    if (!(answer instanceof ProblemError)) return answer
    try {
      if (hasOriginal) throw failure
      return await this.#fromOriginal(wanted)
    } catch (thrown) {
      ending.throwIfAborted()
      throw toProblem(thrown).code === 'not_found' ? answer : thrown
    }
  }

  /** platform.md 12.4, 20.7 and 21.4. @returns the reason if the platform has no bytes */
  async #fromPlatform({ of, owner, place, fetchPriority, ending, progress }: WantedBytes) {
    const { platform, downloads, capabilities } = this.#parts
    const notReached = createProblem('unreachable', MESSAGES.unreachable)
    const notOffered = createProblem('not_found', NOT_OFFERED)
    if (fetchPriority === 'localOnly') return notReached
    const attachmentId = owner.attachments[place]?.id ?? ''
    if (!isPlatformAttachmentId(attachmentId)) return notOffered
    let contentType: string | null = null
    const askForLink = async (): Promise<string> => {
      const options = { priority: fetchPriority, signal: ending }
      const attachment = await platform.getAttachment(owner.kind, of.emailId, attachmentId, options)
      const { downloadUrl } = attachment
      if (downloadUrl === null || downloadUrl === '') throw createProblem('not_found', MESSAGES.not_found)
      contentType = attachment.contentType
      return downloadUrl
    }
    const download = async (): Promise<FetchedBytes> => ({
      bytes: await downloads.fetchFresh(askForLink, BROKEN_LINK, ending, progress),
      contentType,
    })
    try {
      if (of.list !== 'threads') return await download()
      // A 404 for a deleted e-mail doesn't show that the platform lacks the operation.
      const rules = { isEvidence: owner.onServer }
      return (await capabilities.attempt('retrieve thread attachments', download, rules)) ?? notOffered
    } catch (thrown) {
      ending.throwIfAborted()
      const { code } = toProblem(thrown)
      if (code === 'unreachable') return notReached
      if (code === 'not_found' || lacksOperation(thrown)) return notOffered
      throw thrown
    }
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

  /** Fetches unknown attachments of a sent e-mail. @throws ProblemError `not_found`, `unreachable` */
  async #ownerOf(of: BodyOwner, fetchPriority: FetchPriority): Promise<AttachmentOwner> {
    const { cache } = this.#parts
    if (of.list === 'threads') {
      const email = findThreadEmail(cache, of)
      if (email === undefined) throw createEmailNotFoundError()
      const kind = email.direction === 'outbound' ? 'sent' : 'received'
      return { attachments: email.attachments, kind, onServer: email.onServer }
    }
    if (of.list === 'received') {
      const email = cache.receivedEmails.get(of.emailId)
      if (email === undefined) throw createEmailNotFoundError()
      return { attachments: email.attachments, kind: 'received', onServer: email.onServer }
    }
    const kept = await this.#storedList(sentAttachmentsKey(of.emailId))
    return { attachments: kept ?? (await this.#fetchSentList(of.emailId, fetchPriority)), kind: 'sent', onServer: true }
  }

  /** All files of an e-mail: its attachments and the stored files within them. */
  async #allOf(of: BodyOwner, fetchPriority: FetchPriority): Promise<readonly Attachment[]> {
    const { attachments } = await this.#ownerOf(of, fetchPriority)
    return this.#withNames(of, [...attachments, ...(await this.#nestedFiles(of, attachments))])
  }

  async #nestedFiles(of: BodyOwner, attachments: readonly Attachment[]): Promise<readonly Attachment[]> {
    const { blobs } = this.#parts
    const keys = attachments.map(({ id }) => nestedFilesKey(of, id)).filter((key) => blobs.has(key))
    const lists = await Promise.all(keys.map((key) => this.#storedList(key)))
    return lists.flatMap((list) => list ?? []).filter(({ id }) => blobs.has(attachmentKey(of, id)))
  }

  /** Adds a name to each attachment, and a type from any local source. */
  #withNames(of: BodyOwner, attachments: readonly Attachment[]): readonly Attachment[] {
    const received = attachments.some(({ contentType }) => contentType === null) ? this.#receivedAttachmentsOf(of) : []
    return attachments.map((attachment) => {
      const { id, filename } = attachment
      const sources = [
        attachment,
        received.find((other) => other.id === id),
        this.#parts.blobs.metadata(attachmentKey(of, id)),
      ]
      const types = sources.map((source) => source?.contentType ?? null)
      const contentType = types.find((type) => normalizeMediaType(type) !== '') ?? attachment.contentType
      const isNamed = toSafeFilename(filename ?? '') !== ''
      return {
        ...attachment,
        contentType,
        filename: isNamed ? filename : toAttachmentFilename({ filename, contentType }),
      }
    })
  }

  /** The same attachments in the account's received list, which has their content types (platform.md 12.1 and 21.4). */
  #receivedAttachmentsOf(of: BodyOwner): readonly Attachment[] {
    const { cache } = this.#parts
    const email = findThreadEmail(cache, of)
    return email === undefined ? [] : (findReceivedEmail(cache.receivedEmails, email)?.attachments ?? [])
  }

  async #fetchSentList(emailId: string, fetchPriority: FetchPriority): Promise<readonly Attachment[]> {
    const { platform, signal, report } = this.#parts
    if (fetchPriority === 'localOnly') throw createProblem('unreachable', SENT_UNKNOWN)
    const listed = await platform
      .listAttachments('sent', emailId, { priority: fetchPriority, signal })
      .catch((thrown: unknown) => {
        if (lacksOperation(thrown)) return null
        throw withMessage(thrown, { unreachable: SENT_UNKNOWN })
      })
    // Platforms without this list have no attachments to fetch.
    if (listed === null) return []
    const attachments = listed.map(({ downloadUrl: _url, ...attachment }) => attachment)
    await this.#storeList(sentAttachmentsKey(emailId), attachments).catch(report)
    return attachments
  }

  async #storedList(key: string): Promise<readonly Attachment[] | null> {
    const kept = await this.#parts.blobs.get(key)
    return kept === null ? null : (JSON.parse(new TextDecoder().decode(kept.bytes)) as readonly Attachment[])
  }

  async #storeList(key: string, attachments: readonly Attachment[]): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(attachments))
    await this.#parts.blobs.put(key, bytes, { contentType: 'application/json' })
  }
}
