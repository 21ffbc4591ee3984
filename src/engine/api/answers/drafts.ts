import { parsePlatformTime } from '../platform-time.ts'
import { wireDraft, wireReference } from '../wire.ts'
import { readPageOf, readWith } from './read-answer.ts'

/** A draft of the platform, whole. */
export interface FetchedDraft {
  readonly id: string
  /** Null where nobody has said whom it goes to. */
  readonly to: readonly string[] | null
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly threadId: string | null
  readonly replyToEmailId: string | null
  /** The e-mail that came of it, once it was sent. */
  readonly emailId: string | null
  /** Milliseconds since the epoch; null where the platform does not say. */
  readonly updatedAt: number | null
  readonly files: readonly {
    readonly id: string
    readonly filename: string | null
    readonly contentType: string | null
    readonly size: number | null
  }[]
}

export const readDraft = readWith(wireDraft, (wire): FetchedDraft => ({
  id: wire.id,
  to: wire.to ?? null,
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  subject: wire.subject ?? null,
  html: wire.html ?? null,
  text: wire.text ?? null,
  threadId: wire.thread_id ?? null,
  replyToEmailId: wire.reply_to_email_id ?? null,
  emailId: wire.email_id ?? null,
  updatedAt: parsePlatformTime(wire.updated_at ?? ''),
  files: (wire.attachments ?? []).map(({ id, filename, content_type, size }) => ({
    id,
    filename: filename ?? null,
    contentType: content_type ?? null,
    size: size ?? null,
  })),
}))

/** The ID of a draft that was made. */
export const readMadeDraft = readWith(wireReference, ({ id }) => id)

/** A draft in the platform's list. */
export interface ListedDraft {
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string | null
  readonly snippet: string | null
  readonly threadId: string | null
  readonly replyToEmailId: string | null
  /** Milliseconds since the epoch; null where the platform does not say. */
  readonly updatedAt: number | null
  /** How many files it has. */
  readonly files: number
}

export const readDrafts = readPageOf(wireDraft, (wire): ListedDraft => ({
  id: wire.id,
  to: wire.to ?? [],
  subject: wire.subject ?? null,
  snippet: wire.snippet ?? null,
  threadId: wire.thread_id ?? null,
  replyToEmailId: wire.reply_to_email_id ?? null,
  updatedAt: parsePlatformTime(wire.updated_at ?? ''),
  files: wire.attachments?.length ?? 0,
}))
