import { isBlockedAttachment } from '../../shared/blocked-attachments.ts'
import type { DraftFile } from '../../shared/writing.ts'
import { WRITING_LIMITS } from '../../shared/writing-limits.ts'
import { problem } from '../saying.ts'

/** An upload that nobody goes on with is forgotten: its window may be gone. */
const FORGOTTEN_AFTER_MS = 10 * 60_000

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')

/**
 * Why a draft does not take another file, as far as the platform's rules go, in words that stand beside its name; null where it does.
 * @param others those that it has, and those that are on their way
 * @param size bytes, as far as they are known
 */
export const refusalOfFile = (
  filename: string,
  size: number,
  others: readonly Pick<DraftFile, 'size'>[],
): string | null => {
  if (isBlockedAttachment(filename)) return 'Mail services reject this kind of file. Share it another way.'
  if (others.length >= WRITING_LIMITS.files)
    return `A message can have at most ${WRITING_LIMITS.files} files. Remove one first.`
  const all = others.reduce((sum, other) => sum + other.size, size)
  if (all <= WRITING_LIMITS.bytes) return null
  const most = megabytes(WRITING_LIMITS.bytes)
  return others.length === 0
    ? `It is too large: a message can have at most ${most} MB of files.`
    : `It is too large: a message can have at most ${most} MB of files; this one has ${megabytes(all - size)} MB.`
}

interface Upload {
  readonly draftId: string
  readonly pieces: Uint8Array[]
  size: number
  touchedAt: number
}

/** A part of a file that is being added. */
export interface FilePiece {
  readonly draftId: string
  readonly upload: string
  /** Counted from 0; the first one begins anew. */
  readonly place: number
  readonly bytes: Uint8Array
  readonly isLast: boolean
  readonly filename: string
}

/** Files that come in pieces, each until its last one. */
export class Uploads {
  readonly #now: () => number
  readonly #underWay = new Map<string, Upload>()

  /** @param now wall time, milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * @param files those that the draft has
   * @returns all of the file with its last piece
   * @throws ProblemError `invalid_input` for what the platform does not take, `not_found` for a piece whose earlier ones are not here
   */
  add(
    { draftId, upload: name, place, bytes, isLast, filename }: FilePiece,
    files: readonly Pick<DraftFile, 'size'>[],
  ): Uint8Array | null {
    this.#forgetOld()
    if (place === 0) this.#underWay.set(name, { draftId, pieces: [], size: 0, touchedAt: this.#now() })
    const upload = this.#underWay.get(name)
    if (upload?.draftId !== draftId || upload.pieces.length !== place) {
      this.#underWay.delete(name)
      throw problem('not_found', `Adding “${filename}” was interrupted. Attach it again.`)
    }
    upload.pieces.push(bytes)
    upload.size += bytes.byteLength
    upload.touchedAt = this.#now()
    try {
      const others = [...this.#underWay].filter(([key, other]) => key !== name && other.draftId === draftId)
      const refused = refusalOfFile(filename, upload.size, [...files, ...others.map(([, { size }]) => ({ size }))])
      if (refused !== null) throw problem('invalid_input', refused)
      if (isLast && upload.size === 0) throw problem('invalid_input', `“${filename}” is empty.`)
    } catch (thrown) {
      this.#underWay.delete(name)
      throw thrown
    }
    if (!isLast) return null
    this.#underWay.delete(name)
    return Buffer.concat(upload.pieces)
  }

  #forgetOld(): void {
    const oldest = this.#now() - FORGOTTEN_AFTER_MS
    for (const [key, { touchedAt }] of this.#underWay) if (touchedAt < oldest) this.#underWay.delete(key)
  }
}
