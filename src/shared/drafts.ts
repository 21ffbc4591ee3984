/** Drafts, until the platform has accepted them. The same types are used on disk, in the engine and in windows. */
import { z } from 'zod'
import { DRAFT_BOUNDS } from './message-limits.ts'

const id = z.string().min(1).max(512)
const recipient = z
  .object({ name: z.string().max(DRAFT_BOUNDS.name).nullable(), address: z.string().max(DRAFT_BOUNDS.address) })
  .strict()
export type Recipient = z.infer<typeof recipient>
const recipients = z.array(recipient).max(DRAFT_BOUNDS.people).readonly()

export const draftTargetSchema = z.object({ threadId: id, emailId: id }).strict()
export type DraftTarget = z.infer<typeof draftTargetSchema>

export const DRAFT_KINDS = ['new', 'reply', 'replyAll', 'forward'] as const
export type DraftKind = (typeof DRAFT_KINDS)[number]

/** A file of a draft. Its bytes are stored locally by digest, or only on the platform (`digest` is null). */
export const draftFileSchema = z
  .object({
    id,
    filename: z.string().max(1_000),
    contentType: z.string().max(255),
    size: z.int().min(0),
    /** SHA-256 of the bytes in hexadecimal. */
    digest: z.string().length(64).nullable(),
    /** For an inline picture, the Content-ID that the text refers to with `cid:`. */
    contentId: z.string().max(255).nullable(),
    platformId: id.nullable(),
  })
  .strict()
export type DraftFile = z.infer<typeof draftFileSchema>

/** A file of an e-mail that can't be attached to a draft. */
export interface LeftOutFile {
  readonly filename: string
  /** User-facing reason why the file was left out. */
  readonly message: string
}

export const draftContentSchema = z
  .object({
    to: recipients,
    cc: recipients,
    bcc: recipients,
    subject: z.string().max(DRAFT_BOUNDS.subject),
    /** `rich` is sent as HTML with a plain-text alternative. */
    format: z.enum(['rich', 'plain']),
    /** The user's own text as sanitised HTML (docs/writing.md); empty for plain drafts. */
    html: z.string().max(DRAFT_BOUNDS.body),
    /** The same text as plain text, sent in addition to the HTML or alone. */
    text: z.string().max(DRAFT_BOUNDS.body),
    /** Quoted text below the user's text, as sent; null if there is none or the user removed it. */
    quote: z
      .object({ html: z.string().max(DRAFT_BOUNDS.body), text: z.string().max(DRAFT_BOUNDS.body) })
      .strict()
      .nullable(),
    files: z.array(draftFileSchema).max(DRAFT_BOUNDS.files).readonly(),
  })
  .strict()
export type DraftContent = z.infer<typeof draftContentSchema>

/**
 * `open`: being written. `held`: will be sent at `at` unless undone, or waits for the user's consent if there is an
 * objection. `sending`: in the outbox, until the platform has it. `scheduled`: the platform will send it at `at`.
 * `refused`: the platform rejected it, and the user has to fix it.
 */
export type DraftState =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly at: number; readonly objection?: undefined }
  | { readonly kind: 'held'; readonly at: null; readonly objection: SendObjection }
  /** `mayHaveLeft`: a request may have reached the platform, so the message can't be taken back. */
  | { readonly kind: 'sending'; readonly mayHaveLeft: boolean }
  | { readonly kind: 'scheduled'; readonly at: number }
  | { readonly kind: 'refused'; readonly reason: SendRefusal }

/** User-facing reason for a rejection, and the composer field that shows it. */
export interface SendRefusal {
  readonly field: 'from' | 'to' | 'subject' | 'files' | 'body' | 'schedule' | 'message'
  readonly message: string
  /** True if the connection broke too often. The message itself is fine, and `draft.sendAgain` resends it. */
  readonly isLineBroken?: true | undefined
}

/** A row in Drafts or Outbox. */
export interface DraftSummary {
  readonly id: string
  readonly inboxId: string
  readonly kind: DraftKind
  readonly target: DraftTarget | null
  readonly to: readonly Recipient[]
  readonly subject: string
  readonly snippet: string
  readonly state: DraftState
  /** When the draft was last changed, locally or on the platform. Milliseconds since the epoch. */
  readonly updatedAt: number
  readonly files: number
  /** True if the draft was started on this computer; false if it was started elsewhere and found on the platform. */
  readonly isOurs: boolean
  readonly isSynced: boolean
  /** True if the draft was edited both here and elsewhere. Both versions are kept until the user decides. */
  readonly hasConflict: boolean
  /**
   * Why the platform permanently rejects this version, which stays local until the user fixes it. Null if it isn't
   * rejected.
   */
  readonly notKept: SendRefusal | null
  /**
   * Upload progress of the draft's files in bytes; null unless something large has been uploading for several seconds.
   */
  readonly upload: { readonly done: number; readonly total: number } | null
}

/** People in an e-mail's headers, as received, such as `Ada Lovelace <ada@example.com>`. */
export interface OriginalHeaders {
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly replyTo: readonly string[]
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

export interface Draft extends DraftSummary {
  readonly content: DraftContent
  /** Headers of the e-mail being answered or forwarded; null if there is none, or it isn't stored locally. */
  readonly original: OriginalHeaders | null
  /** Increases with each local change of the content. */
  readonly revision: number
  /** The platform's version, if the draft was edited elsewhere in the meantime. */
  readonly theirs: DraftContent | null
  /** When the thread returns unless somebody replies, milliseconds since the epoch; null for never. */
  readonly remindAt: number | null
}

export interface RemoteReply {
  readonly emailId: string
  /** Sender as received, such as `Mara Lind <support@example.com>`. */
  readonly from: string
  /** When the platform accepted the reply, by the platform's clock. Milliseconds since the epoch. */
  readonly at: number
  /** First words of the reply's text, or null. */
  readonly snippet: string | null
}

/** An unsent reply that was written elsewhere and is stored on the platform, which doesn't report its author. */
export interface RemoteDraft {
  /** Last change by the platform's clock, milliseconds since the epoch; null if unknown. */
  readonly changedAt: number | null
  readonly snippet: string | null
}

/** Known replies to a draft's thread that were made elsewhere since the draft was started. */
export interface RemoteReplies {
  /** The newest replies, oldest first. */
  readonly answers: readonly RemoteReply[]
  readonly drafts: readonly RemoteDraft[]
}

/** Changes that others have made to a draft and its thread since it was started here. */
export interface Elsewhere extends RemoteReplies {
  /** The platform's version of the draft, if it was edited elsewhere in the meantime. */
  readonly theirs: DraftContent | null
}

/** Why a message waits for the user's consent before it is sent. */
export interface SendObjection {
  /** Replies and drafts by others that the user has not been told about yet. */
  readonly replies: RemoteReplies
  /** Says that the message exceeds the sending quota; null if it doesn't, or if the quota is unknown. */
  readonly quota: string | null
  readonly isScheduled: boolean
}

/** Recipients of a reply, by the platform's own rule (platform.md 13.2). */
export interface ReplyRecipients {
  readonly to: readonly Recipient[]
  readonly cc: readonly Recipient[]
}
