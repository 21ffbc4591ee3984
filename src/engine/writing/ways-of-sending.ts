import { platformRecipients } from '../../shared/answer-recipients.ts'
import type { Email } from '../../shared/model.ts'
import { areSame } from '../../shared/recipients.ts'
import type { DraftContent, DraftFile, Recipient, WritingKind, WritingTarget } from '../../shared/writing.ts'
import type { WayOfSending } from './sending.ts'

/** The e-mail that is answered or forwarded, with all of its text: null where it has none of that kind. */
export interface OriginalEmail extends Pick<
  Email,
  'direction' | 'from' | 'to' | 'cc' | 'replyTo' | 'messageId' | 'attachments'
> {
  readonly html: string | null
  readonly text: string | null
}

/** What is known of a draft when it is sent. */
export interface ToBeSent {
  readonly inboxId: string
  readonly kind: WritingKind
  readonly target: WritingTarget | null
  readonly content: DraftContent
  readonly scheduledAt: number | null
  readonly hasDraftThere: boolean
  /** Whether a draft of it there would be none that answers the e-mail: sent by that, it would be in no thread. */
  readonly standsAlone: boolean
  readonly from: Recipient
  /** The e-mail that is answered or forwarded, as far as it is on this computer. */
  readonly original: OriginalEmail | null
  /** The Message-IDs of the thread up to that e-mail, oldest first. */
  readonly references: readonly string[]
}

const isPicture = ({ html }: DraftContent, { contentId }: DraftFile): boolean =>
  contentId !== null && html.includes(`cid:${contentId}`)

/** A Message-ID that a header can carry. */
const MESSAGE_ID = /^<[^<>\s]{1,900}>$/
/** More than mail programs keep of a long thread; the header must not grow without an end. */
const MOST_REFERENCES = 20

/** What tells a reader's mail program which thread a message belongs to (platform facts 6.1). */
const threadHeaders = (messageId: string | null, references: readonly string[]): Readonly<Record<string, string>> => {
  const known = [...new Set(references.filter((id) => MESSAGE_ID.test(id)))].slice(-MOST_REFERENCES)
  const answered = messageId !== null && MESSAGE_ID.test(messageId) ? messageId : null
  return {
    ...(answered !== null && { 'In-Reply-To': answered }),
    ...(known.length > 0 && { References: known.join(' ') }),
  }
}

/**
 * The files of a draft that stand for the original's attachments, each for one; null where they are not all there.
 */
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

/** A message of its own. */
export const asEmail = ({ kind, from, original, references }: ToBeSent): WayOfSending => ({
  kind: 'email',
  from,
  headers: kind === 'reply' || kind === 'replyAll' ? threadHeaders(original?.messageId ?? null, references) : {},
})

const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Whether the composer shows all that the platform quotes when it forwards an e-mail. HTML is sent as it came, with what
 * nobody sees: pixels that count, scripts, hidden words. So is text, of which the composer leaves out signs that nobody sees.
 * Where neither is here, nobody knows what the platform has.
 */
const isQuotedWhole = ({ html, text }: OriginalEmail, quote: { readonly text: string }): boolean => {
  const words = squeezed(text ?? '')
  return (html ?? '').trim() === '' && words !== '' && squeezed(quote.text).endsWith(words)
}

/**
 * Which way a message goes: by the platform's own calls where these send what the person sees, so that threads stay
 * threads (platform facts 3.5 to 3.7); else as a draft, and as a message of its own where only that can carry it.
 */
export const chooseWay = (message: ToBeSent): WayOfSending => {
  const { inboxId, kind, target, content, scheduledAt, hasDraftThere, standsAlone, original } = message
  const isAnswer = (kind === 'reply' || kind === 'replyAll') && target !== null
  const isThereAlone = content.files.some(({ digest }) => digest === null)
  // Only a message of its own is sent at another time.
  if (scheduledAt !== null) return asEmail(message)
  // Their bytes are with the platform's draft.
  const asDraft = (): WayOfSending => ({
    kind: 'draft',
    inboxId,
    answers: isAnswer && !standsAlone ? target : null,
  })
  if (isThereAlone) return asDraft()
  const isForwarded = kind === 'forward' && target !== null && content.to.length > 0
  if (isForwarded && original !== null && content.quote !== null && isQuotedWhole(original, content.quote)) {
    const originalFiles = filesOfOriginal(content.files, original.attachments)
    const hasPictures = content.files.some((file) => isPicture(content, file))
    if (originalFiles !== null && !hasPictures) return { kind: 'forward', inboxId, ...target, originalFiles }
  }
  const hasPictures = content.files.some((file) => isPicture(content, file))
  if (isAnswer && original !== null) {
    if (areSame(content.to, platformRecipients(original)) && (hasPictures || standsAlone || !hasDraftThere))
      return { kind: 'reply', inboxId, ...target }
  }
  // A draft of the platform knows no pictures within its text.
  const isNoDraft = hasPictures || (isAnswer && standsAlone)
  return isNoDraft && content.to.length > 0 ? asEmail(message) : asDraft()
}
