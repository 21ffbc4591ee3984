import { toDisplayName } from './address.ts'
import { MAX_MAIL_NOTIFICATIONS, type ArrivedMail, type ArrivedThread } from './arrived-mail.ts'
import type { ResurfaceReason } from './thread-marks.ts'
import type { Preferences } from './preferences.ts'
import { toVisibleText } from './visible-text.ts'

/** Caller name of changes that the user makes in a notification (`CallContext`). */
export const NOTICES_CALLER = 'notices'

/** Plain text of a desktop notification. */
export interface Notice {
  readonly title: string
  readonly body: string
}

/** Characters per line. Truncating here keeps senders from exploiting the way the desktop truncates. */
const LONGEST_LINE = 160

const line = (text: string): string => {
  const seen = toVisibleText(text)
  return seen.length > LONGEST_LINE ? `${seen.slice(0, LONGEST_LINE - 1)}…` : seen
}

const subjectOf = ({ subject }: ArrivedThread): string => {
  const words = line(subject ?? '')
  return words === '' ? '(no subject)' : words
}

const minutesOf = (at: Date): number => at.getHours() * 60 + at.getMinutes()

const isQuiet = ({ quietHours }: Pick<Preferences, 'quietHours'>, at: Date): boolean => {
  if (quietHours === null) return false
  const { from, to } = quietHours
  const now = minutesOf(at)
  return from <= to ? from <= now && now < to : from <= now || now < to
}

/** The part of the new mail that the user wants to be notified of, or null. @param at the local time */
export const filterNewMail = (
  preferences: Pick<Preferences, 'notify' | 'notifyInboxes' | 'notifyLabels' | 'quietHours'>,
  mail: ArrivedMail,
  at: Date,
): ArrivedMail | null => {
  const { notify, notifyInboxes, notifyLabels } = preferences
  if (notify === 'none' || isQuiet(preferences, at)) return null
  // Returning threads pass even with `notify: 'chosen'`, because the user asked for them to come back.
  if (notify === 'all' || mail.why !== undefined || notifyInboxes.includes(mail.inboxId)) return mail
  const names = new Set(notifyLabels.map((name) => name.toLowerCase()))
  const threads = mail.threads.filter(({ labelNames }) => labelNames.some((name) => names.has(name.toLowerCase())))
  return threads.length === 0 ? null : { ...mail, threads, count: threads.length }
}

/**
 * Replaces markup characters. Some freedesktop.org notification servers parse markup (`body-markup`), others show
 * escapes literally, and Linnet can't ask which one is running. Look-alike characters are safe in both.
 */
export const withoutMarkup = ({ title, body }: Notice): Notice => ({
  title,
  body: body.replace(/[<>&]/g, (sign) => ({ '<': '‹', '>': '›' })[sign] ?? '＆'),
})

const RETURNS: Readonly<Record<ResurfaceReason, { readonly one: string; readonly many: string }>> = {
  snoozed: { one: 'Back in your inbox', many: 'snoozed threads are back' },
  unanswered: { one: 'No one has replied', many: 'threads no one has replied to' },
}

export const createNewMailNotice = ({ threads, count, why }: ArrivedMail): Notice => {
  const [first] = threads
  if (first !== undefined && count === 1 && why !== undefined) {
    const sender = line(toDisplayName(first.from))
    return { title: RETURNS[why].one, body: why === 'snoozed' ? `${sender}: ${subjectOf(first)}` : subjectOf(first) }
  }
  if (first !== undefined && count === 1) {
    const text = line(first.snippet ?? '')
    return { title: line(toDisplayName(first.from)), body: `${subjectOf(first)}${text === '' ? '' : `\n${text}`}` }
  }
  const more = count > threads.length ? ['…'] : []
  return {
    title: `${count} ${why === undefined ? 'threads with new mail' : RETURNS[why].many}`,
    body: [
      ...threads
        .slice(0, MAX_MAIL_NOTIFICATIONS)
        .map((each) => `${line(toDisplayName(each.from))}: ${subjectOf(each)}`),
      ...more,
    ].join('\n'),
  }
}
