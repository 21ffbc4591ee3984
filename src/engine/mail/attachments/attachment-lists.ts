import { toAttachmentFilename, normalizeMediaType } from '../../../shared/attachment-filename.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import { type ProblemError, createProblem } from '../../../shared/result.ts'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import type { EmailKind } from '../../platform/resources/attachments.ts'
import { lacksOperation } from '../../platform/platform-problem.ts'
import type { AccountServices } from '../../sync/account-services.ts'
import type { FetchPriority } from '../../sync/raw-messages.ts'
import { withMessage } from '../../platform/problem.ts'
import { findReceivedEmail } from '../../store/same-message.ts'
import { findThreadEmail } from '../../store/thread-email.ts'
import { attachmentKey, nestedFilesKey, sentAttachmentsKey } from '../../store/attachment-keys.ts'

export interface AttachmentOwner {
  readonly attachments: readonly Attachment[]
  /** The platform's list that the e-mail may be in. */
  readonly kind: EmailKind
  /** True if the platform has the e-mail. */
  readonly onServer: boolean
}

type AttachmentListParts = Pick<AccountServices, 'platform' | 'cache' | 'blobs' | 'signal' | 'report'>

const SENT_UNKNOWN =
  'You are offline, and Linnet does not know yet whether this message has attachments. Go online to check.'

const createEmailNotFoundError = (): ProblemError =>
  createProblem('not_found', 'This message is no longer on this computer.')

/** @throws ProblemError `not_found` */
export const findAttachment = (
  attachments: readonly Attachment[],
  attachmentId: string,
): readonly [place: number, attachment: Attachment] => {
  const found = [...attachments.entries()].find(([, { id }]) => id === attachmentId)
  if (found === undefined) throw createProblem('not_found', 'This message has no such attachment.')
  return found
}

export class AttachmentLists {
  readonly #parts: AttachmentListParts

  constructor(parts: AttachmentListParts) {
    this.#parts = parts
  }

  /** Fetches unknown attachments of a sent e-mail. @throws ProblemError `not_found`, `unreachable` */
  async ownerOf(of: BodyOwner, fetchPriority: FetchPriority): Promise<AttachmentOwner> {
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
  async allOf(of: BodyOwner, fetchPriority: FetchPriority): Promise<readonly Attachment[]> {
    const { attachments } = await this.ownerOf(of, fetchPriority)
    return this.#withNames(of, [...attachments, ...(await this.#nestedFiles(of, attachments))])
  }

  /** @returns true if the list is new */
  async storeNestedFiles(of: BodyOwner, attachmentId: string, files: readonly Attachment[]): Promise<boolean> {
    const key = nestedFilesKey(of, attachmentId)
    if (files.length === 0 || this.#parts.blobs.has(key)) return false
    await this.#storeList(key, files)
    return true
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
