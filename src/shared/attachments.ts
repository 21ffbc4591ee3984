import type { AttachmentRisk } from './attachment-risk.ts'
import type { Problem } from './result.ts'

export interface Attachment {
  readonly id: string
  readonly filename: string | null
  /** In bytes. */
  readonly size: number | null
  readonly contentType: string | null
  /** Content-ID that the HTML refers to; null if there is none or the platform omits it. */
  readonly contentId: string | null
}

export interface ListedAttachment extends Attachment {
  readonly isHere: boolean
  /** Bytes fetched so far and the total, if known; null if no fetch is running. */
  readonly fetching: { readonly done: number; readonly total: number | null } | null
}

export interface AttachmentList {
  readonly items: readonly ListedAttachment[]
  /** Why the list couldn't be loaded; null if it is known. */
  readonly problem: Problem | null
}

/** Bytes per response. In base64 this is as long as a body chunk, without padding. */
export const ATTACHMENT_CHUNK_BYTES = 384 * 1024

/** A picture type that can be displayed, detected from the bytes rather than the name. */
export type DisplayablePictureType =
  | 'image/png'
  | 'image/jpeg'
  | 'image/gif'
  | 'image/webp'
  | 'image/avif'
  | 'image/bmp'
  | 'image/x-icon'

/**
 * Kind of preview: a picture, PDF or text, or a picture that can't be displayed because it has too many pixels or an
 * unknown size.
 */
export type AttachmentDisplay = DisplayablePictureType | 'huge picture' | 'broken picture' | 'pdf' | 'text'

/** A locally stored attachment, to read in pieces (`attachment.read`). */
export interface OpenedAttachment {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the content. Don't combine pieces of different versions. */
  readonly version: string
  /** Null if it can't be displayed. */
  readonly look: AttachmentDisplay | null
  /** Risk of opening the file, by name or content; null for none. */
  readonly risk: AttachmentRisk | null
}

export interface Picture {
  /** A raster image type detected from the bytes, such as `image/png`. */
  readonly type: string
  /** Content in base64. */
  readonly content: string
}

/** Length in characters of an 8 MB picture as a base64 `data:` URI, including line breaks and spaces. */
export const MAX_PICTURE_URI_CHARS = 12_000_000

/** A header of the raw source. Non-text and invisible characters appear as symbols. */
export interface SourceHeader {
  readonly name: string
  /** The original lines, trimmed. */
  readonly value: string
  /** The value on one line with encoded words decoded (RFC 2047); null if it contains none. */
  readonly decoded: string | null
  /** True if the value is truncated here; the raw text is complete. */
  readonly isCut: boolean
}

/** The raw source of an e-mail, to read in pieces (`original.read`). */
export interface RawSource {
  readonly bytes: number
  readonly pieces: number
  /** Changes with the content. Don't combine pieces of different versions. */
  readonly version: string
  /** In order; limited to a number that a user can read. */
  readonly headers: readonly SourceHeader[]
  readonly hasMoreHeaders: boolean
}
