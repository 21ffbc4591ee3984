import { resolvePlatformRecipients } from '../../../shared/reply-recipients.ts'
import type { Email } from '../../../shared/model.ts'
import { haveSameRecipients } from '../../../shared/recipients.ts'
import type { DraftContent, DraftFile, Recipient, DraftKind, DraftTarget } from '../../../shared/drafts.ts'
import type { SendMethod } from '../../own/drafts/send-record.ts'

/** The e-mail being answered or forwarded, with its complete text; null for a missing HTML or text part. */
export interface OriginalEmail extends Pick<
  Email,
  'direction' | 'from' | 'to' | 'cc' | 'replyTo' | 'messageId' | 'attachments'
> {
  readonly html: string | null
  readonly text: string | null
}

export interface OutgoingMessage {
  readonly inboxId: string
  readonly kind: DraftKind
  readonly target: DraftTarget | null
  readonly content: DraftContent
  readonly scheduledAt: number | null
  readonly hasPlatformDraft: boolean
  /** True if its platform draft would not be a reply, and so would be sent outside the thread. */
  readonly standsAlone: boolean
  readonly from: Recipient
  /** The e-mail being answered or forwarded, if cached. */
  readonly original: OriginalEmail | null
  /** Message-IDs of the thread up to the original, oldest first. */
  readonly references: readonly string[]
}

const isPicture = ({ html, quote }: DraftContent, { contentId }: DraftFile): boolean =>
  contentId !== null && `${html} ${quote?.html ?? ''}`.includes(`cid:${contentId}`)

const MESSAGE_ID = /^<[^<>\s]{1,900}>$/
/** Bounds the header. Mail clients keep fewer than this for a long thread. */
const MAX_REFERENCES = 20

/** Headers that place a message in its thread in the recipient's mail client (platform.md 20.5). */
const threadHeaders = (messageId: string | null, references: readonly string[]): Readonly<Record<string, string>> => {
  const known = [...new Set(references.filter((id) => MESSAGE_ID.test(id)))].slice(-MAX_REFERENCES)
  const answered = messageId !== null && MESSAGE_ID.test(messageId) ? messageId : null
  return {
    ...(answered !== null && { 'In-Reply-To': answered }),
    ...(known.length > 0 && { References: known.join(' ') }),
  }
}

/** IDs of the draft's files that match the original's attachments one to one, or null if any is missing. */
const filesOfOriginal = (
  files: readonly DraftFile[],
  attachments: readonly { readonly filename: string | null; readonly size: number | null }[],
): readonly string[] | null => {
  const left = [...files]
  const found = attachments.flatMap(({ filename, size }) => {
    const place = left.findIndex(
      (file) => (filename === null || file.filename === filename) && (size === null || file.size === size),
    )
    return place === -1 ? [] : left.splice(place, 1).map(({ id }) => id)
  })
  return found.length === attachments.length ? found : null
}

export const toEmailSendMethod = ({ kind, from, original, references }: OutgoingMessage): SendMethod => ({
  kind: 'email',
  from,
  headers: kind === 'reply' || kind === 'replyAll' ? threadHeaders(original?.messageId ?? null, references) : {},
})

const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * True if the composer shows everything the platform quotes in a forward. The platform forwards HTML unchanged,
 * including tracking pixels, scripts and hidden text. Plain text is also unchanged, while the composer drops invisible
 * characters. With neither part cached, the quote is unknown.
 */
const isQuotedWhole = ({ html, text }: OriginalEmail, quote: { readonly text: string }): boolean => {
  const words = collapseSpaces(text ?? '')
  return (html ?? '').trim() === '' && words !== '' && collapseSpaces(quote.text).endsWith(words)
}

/**
 * Chooses how to send a message. Prefers the platform's own calls when they send what the user sees, which keeps
 * threads intact (platform.md 13 and 14). Otherwise a draft, or a separate message if only that can carry it.
 */
export const chooseSendMethod = (message: OutgoingMessage): SendMethod => {
  const { inboxId, kind, target, content, scheduledAt, hasPlatformDraft, standsAlone, original } = message
  const isAnswer = (kind === 'reply' || kind === 'replyAll') && target !== null
  const isForward = kind === 'forward' && target !== null
  const hasPictures = content.files.some((file) => isPicture(content, file))
  // Only separate messages can be scheduled.
  if (scheduledAt !== null) return toEmailSendMethod(message)
  const asDraft: SendMethod = { kind: 'draft', inboxId, answers: isAnswer && !standsAlone ? target : null }
  // Required if the content of a file exists only in the platform's draft.
  if (content.files.some(({ digest }) => digest === null)) return asDraft
  const isWhole = original !== null && content.quote !== null && isQuotedWhole(original, content.quote)
  if (isForward && isWhole && !hasPictures && content.to.length > 0) {
    const originalFiles = filesOfOriginal(content.files, original.attachments)
    if (originalFiles !== null) return { kind: 'forward', inboxId, ...target, originalFiles }
  }
  const isToSame = original !== null && haveSameRecipients(content.to, resolvePlatformRecipients(original))
  if (isAnswer && isToSame && (hasPictures || standsAlone || !hasPlatformDraft)) {
    return { kind: 'reply', inboxId, ...target }
  }
  // Platform drafts don't support inline images.
  const isNoDraft = hasPictures || (isAnswer && standsAlone)
  return isNoDraft && content.to.length > 0 ? toEmailSendMethod(message) : asDraft
}
