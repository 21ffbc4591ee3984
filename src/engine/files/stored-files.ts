import type { Attachment } from '../../shared/attachments.ts'
import type { BodyOwner } from '../../shared/contract.ts'
import { toProblem } from '../../shared/result.ts'
import { parseInWorker } from '../mail/attachments/parse-in-worker.ts'
import { attachmentKey, sentAttachmentsKey } from '../store/attachment-keys.ts'
import { readBlobFile } from '../store/blobs.ts'
import type { ReadOnlyCache } from '../store/cache.ts'
import { findReceivedCopy, type ThreadMessage } from '../store/same-message.ts'
import { findAttachmentPart } from '../sync/attachment-parts.ts'
import { rawMessageKey } from '../sync/raw-message-key.ts'

/** An e-mail of a thread, or one of an account-wide list. */
export type FileOwner =
  | { readonly list: 'threads'; readonly email: ThreadMessage }
  | { readonly list: 'received' | 'sent'; readonly email: { readonly id: string } }

interface AttachmentBytes {
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

interface StoredFilesParts {
  readonly directory: string
  readonly cache: Pick<ReadOnlyCache['cache'], 'blobs' | 'receivedEmails'>
  readonly partsWorker: string
  readonly signal: AbortSignal
}

/** Originals and attachments in an account's folder, which another process may be writing. Fetches and stores nothing. */
export class StoredFiles {
  readonly #parts: StoredFilesParts

  constructor(parts: StoredFilesParts) {
    this.#parts = parts
  }

  /** The original under the e-mail's own ID or that of its copy in the received list; null if not stored. */
  async original({ list, email }: FileOwner): Promise<Uint8Array | null> {
    if (list === 'sent') return null
    const copy = list === 'threads' ? findReceivedCopy(this.#parts.cache.receivedEmails, email) : undefined
    for (const id of [email.id, ...(copy === undefined ? [] : [copy.id])]) {
      const found = await this.#read(rawMessageKey(id))
      if (found !== null) return found.bytes
    }
    return null
  }

  /** Size in bytes of an attachment that is stored separately. */
  sizeOf({ list, email }: FileOwner, attachmentId: string): number | undefined {
    return this.#parts.cache.blobs.get(attachmentKey({ list, emailId: email.id }, attachmentId))?.bytes
  }

  /**
   * An e-mail's attachments, stored separately or within the original; null for each one that isn't stored.
   * @param all the complete list of the e-mail @param wanted the attachments to read, from that list
   */
  async attachments(
    owner: FileOwner,
    all: readonly Attachment[],
    wanted = all,
  ): Promise<readonly (AttachmentBytes | null)[]> {
    const { partsWorker, signal } = this.#parts
    const of: Pick<BodyOwner, 'list' | 'emailId'> = { list: owner.list, emailId: owner.email.id }
    const stored = await Promise.all(wanted.map(({ id }) => this.#read(attachmentKey(of, id))))
    const original = stored.includes(null) ? await this.original(owner) : null
    if (original === null) return stored
    const parts = await parseInWorker(partsWorker, 'original', original, signal).catch((thrown: unknown) => {
      if (toProblem(thrown).code === 'refused') return []
      throw thrown
    })
    return wanted.map((attachment, place) => stored[place] ?? findAttachmentPart(all, all.indexOf(attachment), parts))
  }

  /** The attachments of an e-mail in the sent list; null if unknown. */
  async sentList(emailId: string): Promise<readonly Attachment[] | null> {
    const list = await this.#read(sentAttachmentsKey(emailId))
    return list === null ? null : (JSON.parse(new TextDecoder().decode(list.bytes)) as readonly Attachment[])
  }

  async #read(key: string): Promise<AttachmentBytes | null> {
    const row = this.#parts.cache.blobs.get(key)
    const bytes = row === undefined ? null : await readBlobFile(this.#parts.directory, row.digest)
    return row === undefined || bytes === null ? null : { contentType: row.contentType, bytes }
  }
}
