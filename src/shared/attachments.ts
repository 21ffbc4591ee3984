/** The files of an e-mail: its attachments, its pictures, its original. */
import type { AttachmentRisk } from './attachment-risk.ts'
import type { Problem } from './result.ts'

export interface Attachment {
  readonly id: string
  readonly filename: string | null
  /** Bytes. */
  readonly size: number | null
  readonly contentType: string | null
  /** Its name in the HTML that shows it; null if it has none, or the platform does not say. */
  readonly contentId: string | null
}

/** An attachment in an e-mail's list, and how much of it is on this computer. */
export interface ListedAttachment extends Attachment {
  readonly isHere: boolean
  /** Bytes fetched so far, and of how many if that is known; null while it is not being fetched. */
  readonly fetching: { readonly done: number; readonly total: number | null } | null
}

export interface AttachmentList {
  readonly items: readonly ListedAttachment[]
  /** Why the attachments are unknown; null if they are known. */
  readonly problem: Problem | null
}

/** The most bytes of an attachment in one answer: in base64 as long as a piece of a body, without padding. */
export const ATTACHMENT_PIECE = 384 * 1024

/** A picture that can be shown, by its bytes, whatever its name says. */
export type PictureLook =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'image/avif'
  | 'image/bmp'
  | 'image/x-icon'

/** How an attachment can be shown, and pictures that cannot be: too many pixels, or of unknown size. */
export type AttachmentLook = PictureLook | 'huge picture' | 'broken picture' | 'pdf' | 'text'

/** An attachment whose bytes are here, to be read piece by piece (`attachment.read`). */
export interface OpenedAttachment {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the bytes: only pieces of one version belong together. */
  readonly version: string
  /** Null if it cannot be shown. */
  readonly look: AttachmentLook | null
  /** What opening the file may do, by its name or its content; null if it only shows something. */
  readonly risk: AttachmentRisk | null
}

/** A remote picture of an e-mail. */
export interface Picture {
  /** A grid of pixels, by its own bytes: `image/png`, … */
  readonly type: string
  /** Base64. */
  readonly content: string
}

/** Characters: a picture of 8 MB that stands in the HTML, in base64, with lines and spaces. */
export const LONGEST_PICTURE_ADDRESS = 12_000_000

/** A header of an original. What is not text, or invisible, appears as a symbol. */
export interface SourceHeader {
  readonly name: string
  /** In its original lines, trimmed. */
  readonly value: string
  /** Its encoded words decoded (RFC 2047), in one line; null if it has none. */
  readonly decoded: string | null
  /** Whether it is longer: the text of the original has all of it. */
  readonly isCut: boolean
}

/** The original of an e-mail, to be read piece by piece (`original.read`). */
export interface OriginalSource {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the bytes: only pieces of one version belong together. */
  readonly version: string
  /** In their order, as many as a person would read. */
  readonly headers: readonly SourceHeader[]
  readonly hasMoreHeaders: boolean
}
