/** Drafts, until the platform has accepted them. Same types on disk, in the engine and in windows. */
import { z } from 'zod'
import { DRAFT_BOUNDS } from './writing-limits.ts'

const id = z.string().min(1).max(512)
const recipient = z
  .object({ name: z.string().max(DRAFT_BOUNDS.name).nullable(), address: z.string().max(DRAFT_BOUNDS.address) })
  .strict()
export type Recipient = z.infer<typeof recipient>
const recipients = z.array(recipient).max(DRAFT_BOUNDS.people).readonly()

export const writingTarget = z.object({ threadId: id, emailId: id }).strict()
export type WritingTarget = z.infer<typeof writingTarget>

export const WRITING_KINDS = ['new', 'reply', 'replyAll', 'forward'] as const
export type WritingKind = (typeof WRITING_KINDS)[number]

/** A draft's file. Its bytes are stored locally by digest, or only on the platform (`digest` null). */
export const draftFile = z
  .object({
    id,
    filename: z.string().max(1_000),
    contentType: z.string().max(255),
    size: z.int().min(0),
    /** SHA-256 of the bytes in hexadecimal. */
    digest: z.string().length(64).nullable(),
    /** For an inline picture: its `cid:` in the text. */
    contentId: z.string().max(255).nullable(),
    platformId: id.nullable(),
  })
  .strict()
export type DraftFile = z.infer<typeof draftFile>

/** A file of an e-mail that can't be sent along. */
export interface LeftOutFile {
  readonly filename: string
  /** User-facing reason. */
  readonly message: string
}

export const draftContent = z
  .object({
    to: recipients,
    cc: recipients,
    bcc: recipients,
    subject: z.string().max(DRAFT_BOUNDS.subject),
    /** `rich` is sent with a plain alternative. */
    format: z.enum(['rich', 'plain']),
    /** The user's own text as sanitised HTML (docs/writing.md); empty for plain drafts. */
    html: z.string().max(DRAFT_BOUNDS.body),
    /** The same as plain text, sent next to the HTML or alone. */
    text: z.string().max(DRAFT_BOUNDS.body),
    /** Quoted text below the user's, as sent; null if there is none or it was removed. */
    quote: z
      .object({ html: z.string().max(DRAFT_BOUNDS.body), text: z.string().max(DRAFT_BOUNDS.body) })
      .strict()
      .nullable(),
    files: z.array(draftFile).max(DRAFT_BOUNDS.files).readonly(),
  })
  .strict()
export type DraftContent = z.infer<typeof draftContent>

/**
 * `open`: being written. `held`: sent at `at` unless undone. `waiting`: in the outbox. `sending`: the request is in
 * flight, or its response was lost. `scheduled`: the platform sends it at `at`. `refused`: the platform rejects it, and
 * the user has to fix it.
 */
export type DraftState =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly at: number }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'scheduled'; readonly at: number }
  | { readonly kind: 'refused'; readonly reason: SendRefusal }

/** User-facing reason for a rejection, and the composer field that shows it. */
export interface SendRefusal {
  readonly field: 'from' | 'to' | 'subject' | 'files' | 'body' | 'schedule' | 'message'
  readonly message: string
  /** The connection broke too often; the message itself is fine, and `draft.sendAgain` resends it. */
  readonly isLineBroken?: true | undefined
}

/** A row of Drafts or Outbox. */
export interface DraftSummary {
  readonly id: string
  readonly inboxId: string
  readonly kind: WritingKind
  readonly target: WritingTarget | null
  readonly to: readonly Recipient[]
  readonly subject: string
  readonly snippet: string
  readonly state: DraftState
  /** Last change, here or on the platform. Milliseconds since the epoch. */
  readonly updatedAt: number
  readonly files: number
  /** True if started on this computer, false for somebody else's on the platform. */
  readonly isOurs: boolean
  readonly isSynced: boolean
  /** True after edits both here and elsewhere: both versions are kept until the user decides. */
  readonly hasConflict: boolean
  /** Why the platform permanently rejects this version, which stays local until fixed. Null if not rejected. */
  readonly notKept: SendRefusal | null
  /** Upload progress in bytes of its files; null unless something large has been in flight for some seconds. */
  readonly upload: { readonly done: number; readonly total: number } | null
}

/** People in an e-mail's headers, as received: `Ada Lovelace <ada@example.com>`. */
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
  /** The platform's version, if that was edited elsewhere in the meantime. */
  readonly theirs: DraftContent | null
  /** When its thread comes back unless somebody replies, milliseconds since the epoch; null for never. */
  readonly remindAt: number | null
}

export interface RemoteReply {
  readonly emailId: string
  /** As received: `Mara Lind <support@example.com>`. */
  readonly from: string
  /** When the platform accepted it, by its own clock. Milliseconds since the epoch. */
  readonly at: number
  /** First words of its text, or null. */
  readonly snippet: string | null
}

/** An unsent reply on the platform from elsewhere. The platform doesn't say whose it is. */
export interface RemoteDraft {
  /** Last change, by the platform's clock; null if unknown. */
  readonly changedAt: number | null
  readonly snippet: string | null
}

/** Known replies to a draft's thread that were made elsewhere since the draft was started. */
export interface RemoteReplies {
  /** The newest ones, oldest first. */
  readonly answers: readonly RemoteReply[]
  readonly drafts: readonly RemoteDraft[]
}

/** Recipients of a reply, by the platform's own rule (platform facts 3.5). */
export interface ReplyRecipients {
  readonly to: readonly Recipient[]
  readonly cc: readonly Recipient[]
}
