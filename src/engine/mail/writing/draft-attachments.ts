import { randomUUID } from 'node:crypto'
import { toAttachmentFilename } from '../../../shared/attachment-filename.ts'
import { ATTACHMENT_CHUNK_BYTES } from '../../../shared/attachments.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { DraftFile, LeftOutFile } from '../../../shared/drafts.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { DraftAttachmentStore } from '../../own/drafts/draft-attachment-store.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'
import { isBlockedAttachment } from '../../../shared/attachment-risk.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import { createProblem } from '../../../shared/result.ts'

type FileInfo = Pick<DraftFile, 'filename' | 'contentType' | 'contentId'>

/** Replaces types that aren't valid in a header. */
const typeOf = (contentType: string): string =>
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(contentType) ? contentType : 'application/octet-stream'

interface DraftAttachmentsParts {
  readonly bytes: DraftAttachmentStore
  readonly attachments: Pick<Attachments, 'list' | 'fetch' | 'find'>
  /** @throws ProblemError if the draft doesn't exist */
  readonly draft: (id: string) => Pick<LocalDraft, 'content' | 'theirs'>
  readonly now: () => number
}

/** Unfinished uploads expire, as their window may be gone. */
const FORGOTTEN_AFTER_MS = 10 * 60_000

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')

/**
 * Reason why a file can't be added to a draft, shown next to its name; null if it can.
 * @param size bytes, as far as known @param others attached files and current uploads
 */
const refusalOfFile = (filename: string, size: number, others: readonly Pick<DraftFile, 'size'>[]): string | null => {
  if (isBlockedAttachment(filename)) return 'Mail services reject this kind of file. Share it another way.'
  if (others.length >= MESSAGE_LIMITS.files)
    return `A message can have at most ${MESSAGE_LIMITS.files} files. Remove one first.`
  const all = others.reduce((sum, other) => sum + other.size, size)
  if (all <= MESSAGE_LIMITS.bytes) return null
  const most = megabytes(MESSAGE_LIMITS.bytes)
  return others.length === 0
    ? `This file is too large. A message can have at most ${most} MB of attachments.`
    : `This file is too large. A message can have at most ${most} MB of attachments; this one already has ${megabytes(all - size)} MB.`
}

interface Upload {
  readonly draftId: string
  readonly pieces: readonly Uint8Array[]
  readonly touchedAt: number
}

const sizeOf = ({ pieces }: Upload): number => pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)

interface FileChunk {
  readonly draftId: string
  readonly upload: string
  /** Counted from 0; the first piece restarts the upload. */
  readonly place: number
  readonly bytes: Uint8Array
  readonly isLast: boolean
  readonly filename: string
}

/** The user's attachments in drafts. All methods throw `not_found` for an unknown draft. */
export class DraftAttachments {
  readonly #parts: DraftAttachmentsParts
  readonly #uploads = new Map<string, Upload>()
  /** Files added since startup. The composer adds them to the content a moment later, or again after an undo. */
  readonly #added = new Map<string, { readonly draftId: string; readonly file: DraftFile }>()

  constructor(parts: DraftAttachmentsParts) {
    this.#parts = parts
  }

  /**
   * @returns the file after its last piece
   * @throws ProblemError `invalid_input` if the platform doesn't allow the file, `not_found` if earlier pieces are
   * missing
   */
  addPiece(piece: FileChunk & Pick<DraftFile, 'contentType'> & { readonly isInline: boolean }): DraftFile | null {
    const { draftId, upload: name, place, isLast, filename, contentType, isInline } = piece
    const { files } = this.#parts.draft(draftId).content
    const touchedAt = this.#parts.now()
    const before = place === 0 ? { draftId, pieces: [] } : this.#uploads.get(name)
    // Put back if the piece is accepted.
    this.#uploads.delete(name)
    for (const [key, other] of this.#uploads) {
      if (other.touchedAt < touchedAt - FORGOTTEN_AFTER_MS) this.#uploads.delete(key)
    }
    if (before?.draftId !== draftId || before.pieces.length !== place) {
      throw createProblem('not_found', `Adding “${filename}” was interrupted. Attach it again.`)
    }
    const upload = { draftId, pieces: [...before.pieces, piece.bytes], touchedAt }
    const size = sizeOf(upload)
    const others = [...this.#uploads.values()].filter((other) => other.draftId === draftId)
    const refused = refusalOfFile(filename, size, [...files, ...others.map((other) => ({ size: sizeOf(other) }))])
    if (refused !== null) throw createProblem('invalid_input', refused)
    if (isLast && size === 0) throw createProblem('invalid_input', `“${filename}” is empty.`)
    if (isLast) {
      const contentId = isInline ? `${randomUUID()}@linnet` : null
      return this.#keep(draftId, Buffer.concat(upload.pieces), { filename, contentType, contentId })
    }
    this.#uploads.set(name, upload)
    return null
  }

  /** Adds the attachments that fit. @throws the platform's errors, in which case nothing is added */
  async addFrom(
    draftId: string,
    of: BodyOwner,
  ): Promise<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }> {
    const { attachments, draft } = this.#parts
    draft(draftId)
    const { items, problem: unknown } = await attachments.list(of)
    if (unknown !== null && items.length === 0) throw createProblem(unknown.code, unknown.message)
    const fetched: { readonly bytes: Uint8Array; readonly about: FileInfo }[] = []
    const leftOut: LeftOutFile[] = []
    for (const { id, filename: given, contentType, contentId, size } of items) {
      const filename = toAttachmentFilename({ filename: given, contentType })
      const refusal = (bytes: number): string | null => {
        const others = fetched.map((each) => ({ size: each.bytes.byteLength }))
        return refusalOfFile(filename, bytes, [...draft(draftId).content.files, ...others])
      }
      // Report files that can't be attached. Otherwise a forwarded message would look complete.
      let message = refusal(size ?? 0)
      if (message === null) {
        const { bytes } = await attachments.fetch(of, id)
        message = refusal(bytes.byteLength)
        // The type is only known now, and so is the name of a file that was listed without one.
        const found = await attachments.find(of, id)
        const about = {
          filename: toAttachmentFilename(found),
          contentType: found.contentType ?? 'application/octet-stream',
          contentId,
        }
        if (message === null) fetched.push({ bytes, about })
      }
      if (message !== null) leftOut.push({ filename, message })
    }
    return { files: fetched.map(({ bytes, about }) => this.#keep(draftId, bytes, about)), leftOut }
  }

  /** @returns the bytes of a piece; null after the end */
  readPiece(draftId: string, fileId: string, place: number): Uint8Array | null {
    const { content, theirs } = this.#parts.draft(draftId)
    const added = this.#added.get(fileId)
    const file =
      (added?.draftId === draftId ? added.file : undefined) ??
      [...content.files, ...(theirs?.content.files ?? [])].find((each) => each.id === fileId)
    const digest = file?.digest ?? null
    const bytes = digest === null ? null : this.#parts.bytes.read(digest)
    if (bytes === null) throw createProblem('not_found', 'This file is no longer on this computer. Attach it again.')
    const from = place * ATTACHMENT_CHUNK_BYTES
    return from >= bytes.byteLength ? null : bytes.subarray(from, from + ATTACHMENT_CHUNK_BYTES)
  }

  #keep(draftId: string, bytes: Uint8Array, { filename, contentType, contentId }: FileInfo): DraftFile {
    const file: DraftFile = {
      id: `file-${randomUUID()}`,
      filename,
      contentType: typeOf(contentType),
      size: bytes.byteLength,
      digest: this.#parts.bytes.keep(bytes),
      contentId,
      platformId: null,
    }
    this.#added.set(file.id, { draftId, file })
    return file
  }
}
