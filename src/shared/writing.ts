/**
 * What a person writes: drafts, from the first word until the platform has taken them. The same on the disk, in the engine and on the screen.
 */
import { z } from 'zod'
import { DRAFT_BOUNDS } from './writing-limits.ts'

const id = z.string().min(1).max(512)
const recipient = z
  .object({ name: z.string().max(DRAFT_BOUNDS.name).nullable(), address: z.string().max(DRAFT_BOUNDS.address) })
  .strict()
export type Recipient = z.infer<typeof recipient>
const recipients = z.array(recipient).max(DRAFT_BOUNDS.people).readonly()

/** What is answered or forwarded: an e-mail of a thread. */
export const writingTarget = z.object({ threadId: id, emailId: id }).strict()
export type WritingTarget = z.infer<typeof writingTarget>

export const WRITING_KINDS = ['new', 'reply', 'replyAll', 'forward'] as const
export type WritingKind = (typeof WRITING_KINDS)[number]

/** A file of a draft. Its bytes lie on this computer by their digest, or with the platform alone (`digest` null). */
export const draftFile = z
  .object({
    id,
    filename: z.string().max(1_000),
    contentType: z.string().max(255),
    size: z.int().min(0),
    /** Of the bytes, SHA-256 in hexadecimal digits. */
    digest: z.string().length(64).nullable(),
    /** Where it is a picture within the text: what the text's `cid:` names it by. */
    contentId: z.string().max(255).nullable(),
    /** Where it is the platform's: the ID that it has there. */
    platformId: id.nullable(),
  })
  .strict()
export type DraftFile = z.infer<typeof draftFile>

/** A file of an e-mail that cannot go along with a message. */
export interface LeftOutFile {
  readonly filename: string
  /** Why, in words for the person. */
  readonly message: string
}

/** What a person writes, as the composer shows it. */
export const draftContent = z
  .object({
    to: recipients,
    cc: recipients,
    bcc: recipients,
    subject: z.string().max(DRAFT_BOUNDS.subject),
    /** Whether it is sent as rich text with a plain alternative, or as plain text alone. */
    format: z.enum(['rich', 'plain']),
    /** The person's own words as clean HTML (docs/writing.md); empty where the format is plain. */
    html: z.string().max(DRAFT_BOUNDS.body),
    /** The same as plain text: what is sent beside the HTML, or alone. */
    text: z.string().max(DRAFT_BOUNDS.body),
    /** What was written before, below the person's words, as it is sent; null where there is none or it was taken out. */
    quote: z
      .object({ html: z.string().max(DRAFT_BOUNDS.body), text: z.string().max(DRAFT_BOUNDS.body) })
      .strict()
      .nullable(),
    files: z.array(draftFile).max(DRAFT_BOUNDS.files).readonly(),
  })
  .strict()
export type DraftContent = z.infer<typeof draftContent>

/**
 * Where a draft stands: `open`, it is being written; `held`, it is sent at `at` unless the person takes it back; `waiting`,
 * in the outbox; `sending`, the request is under way or its answer was lost; `scheduled`, the platform sends it at `at`;
 * `refused`, the platform does not take it, and the person is to mend it.
 */
export type DraftState =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly at: number }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'scheduled'; readonly at: number }
  | { readonly kind: 'refused'; readonly reason: SendRefusal }

/** Why a message was not taken, in words, and at which field of the composer it is shown. */
export interface SendRefusal {
  readonly field: 'from' | 'to' | 'subject' | 'files' | 'body' | 'schedule' | 'message'
  readonly message: string
  /** The line broke too often on the way, and nothing is wrong with the message: `draft.sendAgain` sends it as it is. */
  readonly isLineBroken?: true | undefined
}

/** A row of the lists Drafts and Outbox. */
export interface DraftSummary {
  readonly id: string
  readonly inboxId: string
  readonly kind: WritingKind
  readonly target: WritingTarget | null
  readonly to: readonly Recipient[]
  readonly subject: string
  readonly snippet: string
  readonly state: DraftState
  /** When it was last changed, here or there. Milliseconds since the epoch. */
  readonly updatedAt: number
  readonly files: number
  /** Whether it was begun on this computer, or is somebody else's on the platform. */
  readonly isOurs: boolean
  /** Whether all that is written here is on the platform as well. */
  readonly isSynced: boolean
  /** Whether it was changed elsewhere while it was changed here: both stand beside each other until the person decides. */
  readonly hasConflict: boolean
  /**
   * Why the platform does not keep it as it is, for good: it is on this computer alone until the person mends that. Null
   * where it is kept, or is to be.
   */
  readonly notKept: SendRefusal | null
  /** How much of it has gone to the platform, in bytes of its files; null where nothing large has been on its way for some seconds. */
  readonly upload: { readonly done: number; readonly total: number } | null
}

/** What the headers of an e-mail say of people, as they came: `Ada Lovelace <ada@example.com>`. */
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
  /** Of the e-mail that is answered or forwarded; null where there is none, or it is not on this computer. */
  readonly original: OriginalHeaders | null
  /** Grows with each change of the content on this computer. */
  readonly revision: number
  /** What the platform has instead, where that was changed elsewhere meanwhile. */
  readonly theirs: DraftContent | null
  /** When its thread comes back unless somebody answers what is sent, milliseconds since the epoch; null for never. */
  readonly remindAt: number | null
}

/** A reply that was sent from elsewhere while a draft was written. */
export interface AnswerElsewhere {
  readonly emailId: string
  /** As it came: `Mara Lind <support@example.com>`. */
  readonly from: string
  /** When the platform took it, by its own clock. Milliseconds since the epoch. */
  readonly at: number
  /** The beginning of its text; null where it has none. */
  readonly snippet: string | null
}

/** An unsent reply that is on the platform and is none of this computer's. The platform does not say whose it is. */
export interface DraftElsewhere {
  /** When it was last changed, by the platform's clock; null where that is not said. */
  readonly changedAt: number | null
  readonly snippet: string | null
}

/** Replies to the thread of a draft that were not made in it: since it was begun, as far as they are known. */
export interface AnsweredElsewhere {
  /** The newest of them, oldest first. */
  readonly answers: readonly AnswerElsewhere[]
  readonly drafts: readonly DraftElsewhere[]
}

/** Whom an answer goes to, and what it is about, by the platform's own rule (platform facts 3.5). */
export interface AnswerRecipients {
  readonly to: readonly Recipient[]
  readonly cc: readonly Recipient[]
}
