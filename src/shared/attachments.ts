import type { AttachmentRisk } from './attachment-risk.ts'
import type { Problem } from './result.ts'

export interface Attachment {
  readonly id: string
  readonly filename: string | null
  /** Bytes. */
  readonly size: number | null
  readonly contentType: string | null
  /** Content-ID, used by the HTML; null if it has none or the platform omits it. */
  readonly contentId: string | null
}

export interface ListedAttachment extends Attachment {
  readonly isHere: boolean
  /** Bytes fetched so far and the total, if known; null unless being fetched. */
  readonly fetching: { readonly done: number; readonly total: number | null } | null
}

export interface AttachmentList {
  readonly items: readonly ListedAttachment[]
  /** Null if the list is known. */
  readonly problem: Problem | null
}

/** Bytes per response: in base64 as long as a body piece, without padding. */
export const ATTACHMENT_PIECE = 384 * 1024

/** A displayable picture type, by its bytes, not its name. */
export type PictureDisplay =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'image/avif'
  | 'image/bmp'
  | 'image/x-icon'

/** Display types, plus pictures that can't be displayed: too many pixels, or unknown size. */
export type AttachmentDisplay = PictureDisplay | 'huge picture' | 'broken picture' | 'pdf' | 'text'

/** A locally stored attachment, to read in pieces (`attachment.read`). */
export interface OpenedAttachment {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the bytes: don't combine pieces of different versions. */
  readonly version: string
  /** Null if it can't be displayed. */
  readonly look: AttachmentDisplay | null
  /** Risk of opening the file, by name or content; null for none. */
  readonly risk: AttachmentRisk | null
}

export interface Picture {
  /** A raster type by its bytes: `image/png`, … */
  readonly type: string
  /** Base64. */
  readonly content: string
}

/** Characters of an 8 MB picture in a base64 `data:` URI, with lines and spaces. */
export const LONGEST_PICTURE_ADDRESS = 12_000_000

/** A header of the raw source. Non-text and invisible characters appear as symbols. */
export interface SourceHeader {
  readonly name: string
  /** Original lines, trimmed. */
  readonly value: string
  /** With encoded words decoded (RFC 2047), on one line; null if it has none. */
  readonly decoded: string | null
  /** True if truncated; the raw text is complete. */
  readonly isCut: boolean
}

/** The raw source of an e-mail, to read in pieces (`original.read`). */
export interface OriginalSource {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the bytes: don't combine pieces of different versions. */
  readonly version: string
  /** In order, limited to a readable number. */
  readonly headers: readonly SourceHeader[]
  readonly hasMoreHeaders: boolean
}
