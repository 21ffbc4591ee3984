import { isAddress } from '../../../shared/recipients.ts'
import type { DraftContent, SendRefusal } from '../../../shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import { isQuotaExceeded, lacksOperation, PlatformRefusalError } from '../../platform/platform-problem.ts'
import { type LocalDraft, measureDraftBytes } from '../../own/drafts/local-draft.ts'

export const MAY_HAVE_BEEN_SENT: SendRefusal = {
  field: 'message',
  message:
    'This message may have been sent: the platform did not answer for a day. Check Sent before you send it again.',
}
/** The platform sends scheduled messages, and new messages with inline images, outside any thread. */
export const NO_THREAD_TO_RESURFACE: SendRefusal = {
  field: 'message',
  message:
    'Linnet can’t remind you about this message: new messages that are scheduled or have pictures in the text don’t start a thread. Remove the reminder, then send the message.',
}
/** Formats a size as `25 MB`, the same way windows do. */
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 1 : 0)} MB`

/** Error shown when the upload failed too often, or the user stopped it although an earlier try may have arrived. */
export const describeFailedSend = (draft: Pick<LocalDraft, 'content' | 'broken' | 'sending'>): SendRefusal => {
  const { content, broken, sending } = draft
  const what = `this ${megabytes(measureDraftBytes(content))} message`
  const said =
    broken?.isStopped === true ? `You stopped sending ${what}.` : `The connection was lost twice while sending ${what}.`
  // A request repeated with the same key takes effect once. After an edit, it would be a second message.
  const rest =
    (sending?.askedAt ?? null) === null
      ? 'Nothing was sent. Send it again, edit it, or discard it.'
      : 'The message may have arrived. If you send it again unchanged, it won’t be sent twice. Check Sent before you change it.'
  return { field: 'message', message: `${said} ${rest}`, isLineBroken: true }
}

/** Explains why a draft stays on this computer: its files could not be uploaded. */
export const describeUploadFailure = ({ content, broken }: Pick<LocalDraft, 'content' | 'broken'>): SendRefusal => ({
  field: 'message',
  message:
    broken?.isStopped === true
      ? 'The upload of this draft was stopped.'
      : `The connection was lost twice while saving ${megabytes(measureDraftBytes(content))} to the platform.`,
})

export const SENT_ALREADY = 'This message has already been sent.'

/** Maximum time ahead that a message can be scheduled: 30 days, in milliseconds. */
const MAX_SCHEDULE_AHEAD_MS = 30 * 24 * 60 * 60 * 1000

/** Returns why a message cannot be sent as it is, as far as known locally, or null. */
export const findSendRefusal = (
  { to, cc, bcc, subject, files, html }: DraftContent,
  how: { readonly inbox: 'there' | 'gone'; readonly scheduledAt: number | null; readonly now: number },
): SendRefusal | null => {
  const people = [...to, ...cc, ...bcc]
  const wrong = people.find(({ address }) => !isAddress(address))
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const remote = files.filter(({ digest }) => digest === null)
  const lacksPicture = remote.some(({ contentId }) => contentId !== null && html.includes(contentId))
  const isScheduled = how.scheduledAt !== null
  const wait = (how.scheduledAt ?? Infinity) - how.now
  const { recipients, subject: subjectLength, files: most, bytes: size } = MESSAGE_LIMITS
  const faults: readonly (readonly [boolean, SendRefusal['field'], string])[] = [
    [how.inbox === 'gone', 'from', 'This inbox is no longer on the platform. Choose another one.'],
    [people.length === 0, 'to', 'Add a recipient.'],
    [wrong !== undefined, 'to', `“${wrong?.address ?? ''}” is not an email address.`],
    [
      people.length > recipients,
      'to',
      `A message can have at most ${recipients} recipients; this one has ${people.length}.`,
    ],
    [
      subject.length > subjectLength,
      'subject',
      `A subject can have at most ${subjectLength.toLocaleString('en')} characters.`,
    ],
    [/[\r\n]/.test(subject), 'subject', 'A subject can’t contain line breaks.'],
    [files.length > most, 'files', `A message can have at most ${most} files.`],
    [bytes > size, 'files', 'The attachments are too large. A message can have at most 25 MB of attachments.'],
    [isScheduled && to.length === 0, 'to', 'A scheduled message needs a recipient in To.'],
    [wait <= 0, 'schedule', 'This time has passed. Choose a later one.'],
    [
      isScheduled && wait > MAX_SCHEDULE_AHEAD_MS,
      'schedule',
      'You can schedule up to 30 days ahead. Choose an earlier time.',
    ],
    [
      lacksPicture || (isScheduled && remote.length > 0),
      'files',
      'A file in this message is only on the platform. Attach it again.',
    ],
  ]
  const [, field, message] = faults.find(([isFault]) => isFault) ?? []
  return field === undefined || message === undefined ? null : { field, message }
}

/** Maps the platform's error text to the field it is about. The first match wins. */
const FIELDS: readonly { readonly words: RegExp; readonly field: SendRefusal['field'] }[] = [
  { words: /attachment|\bfiles?\b/i, field: 'files' },
  { words: /schedul/i, field: 'schedule' },
  { words: /suppress|recipient|`(?:to|cc|bcc)`|unsubscribed/i, field: 'to' },
  { words: /domain|`from`|sender|inbox not found/i, field: 'from' },
  { words: /email address needs|invalid .*(?:address|email)/i, field: 'to' },
  { words: /subject/i, field: 'subject' },
  { words: /`(?:html|text)`/i, field: 'body' },
]

/**
 * Translates a final rejection into an explanation for the writer. Returns null if the error isn't final: it is
 * temporary, concerns the API key, or comes from a captive portal.
 */
export const toSendRefusal = (thrown: unknown): SendRefusal | null => {
  if (!(thrown instanceof PlatformRefusalError)) return null
  const { problem, errorName, isFinal } = thrown
  if (isQuotaExceeded(thrown)) {
    const span = errorName?.startsWith('daily') === true ? 'today' : 'this month'
    return {
      field: 'message',
      message: `The account has reached its sending limit for ${span}. Send this message again later.`,
    }
  }
  if (!['refused', 'not_found', 'invalid_input'].includes(problem.code) || !isFinal) return null
  const said = `${String(problem.details?.name ?? '')} ${String(problem.details?.platform ?? '')}`
  return { field: FIELDS.find(({ words }) => words.test(said))?.field ?? 'message', message: problem.message }
}

/** The message cannot be sent or saved as it is. The user must fix it. */
export class UnsendableMessageError extends Error {
  readonly reason: SendRefusal

  constructor(reason: SendRefusal) {
    super(reason.message)
    this.name = 'UnsendableMessageError'
    this.reason = reason
  }
}

const KEEPS_NONE: SendRefusal = {
  field: 'message',
  message: 'The platform does not store drafts for this inbox. You can still send this message.',
}

/** Returns why the platform rejects a draft as it is, or null if the error is temporary. */
export const toDraftRefusal = (thrown: unknown): SendRefusal | null => {
  if (thrown instanceof UnsendableMessageError) return thrown.reason
  if (!(thrown instanceof PlatformRefusalError) || isQuotaExceeded(thrown)) return null
  const refusal = toSendRefusal(thrown)
  return refusal !== null && lacksOperation(thrown) && refusal.field === 'message' ? KEEPS_NONE : refusal
}
