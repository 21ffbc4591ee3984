import { NO_THREAD_MARKS } from '../../../../src/shared/thread-marks.ts'
import type { Email, Inbox, Label, ReceivedEmailDetail, Thread } from '../../../../src/shared/model.ts'
import type { Contact, TopicSubscription } from '../../../../src/shared/people.ts'

/** Time of the newest thread; every other date counts back from it. */
const NOON = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000

export const INBOX: Inbox = {
  id: 'inbox-1',
  name: 'Support',
  emailAddress: 'support@heron.example',
  unread: 4,
  onServer: true,
}

export const LABELS: readonly Label[] = [
  { id: 'label-1', name: 'Billing', color: '#E93D82' },
  { id: 'label-2', name: 'Urgent', color: '#F76B15' },
  { id: 'label-3', name: 'Harbour', color: '#00A2C7' },
]

const SENDERS = [
  'Ada Quill <ada@quill.example>',
  '"Juno Tide" <juno@tide.example>',
  'noreply@receipts.example',
] as const
const SUBJECTS = ['The webcam shows a black picture', 'Your receipt for October', 'Lunch on Thursday', null] as const
const FOLDERS = ['inbox', 'inbox', 'inbox', 'archive', 'spam', 'sent', 'trash'] as const

const pick = <Value>(values: readonly Value[], index: number): Value => {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('there is at least one value')
  return value
}

/** Deterministic for each count, newest first. */
export const fixtureThreads = (count: number): readonly Thread[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `thread-${index}`,
    inboxId: INBOX.id,
    subject: pick(SUBJECTS, index),
    from: pick(SENDERS, index),
    to: [INBOX.emailAddress],
    cc: [],
    bcc: [],
    labels: index % 5 === 0 ? [pick(LABELS, index)] : [],
    emailCount: 1 + (index % 4),
    hasAttachment: index % 6 === 0,
    hasDraft: false,
    read: index % 7 !== 0,
    receivedAt: NOON - index * HOUR,
    folder: pick(FOLDERS, index),
    snippet: 'Good morning, the webcam at the north pier shows a black picture since 06:10.',
    writers: [{ from: pick(SENDERS, index), isMe: false, isUnread: index % 7 === 0 }],
    hasOutbound: false,
    onServer: true,
    ...(index === 9 && { marks: { ...NO_THREAD_MARKS, isStarred: true, isMuted: true } }),
  }))

export const fixtureEmails = (thread: Thread): readonly Email[] =>
  Array.from({ length: thread.emailCount }, (_, index) => ({
    id: `${thread.id}-email-${index}`,
    threadId: thread.id,
    direction: index % 2 === 0 ? 'inbound' : 'outbound',
    from: index % 2 === 0 ? (thread.from ?? 'nobody@heron.example') : INBOX.emailAddress,
    to: thread.to,
    cc: [],
    bcc: [],
    replyTo: [],
    subject: thread.subject,
    messageId: `<${index}@heron.example>`,
    html:
      index % 2 === 0 ? null : '<p>Thank you, we are <b>looking</b> into it.</p><img src="https://t.example/p.gif">',
    text: 'Good morning,\n\nthe webcam is black: https://pier.example/cam\n\nOn Friday you wrote:\n> Is it on?\n',
    apart: null,
    attachments: thread.hasAttachment
      ? [{ id: 'a', filename: 'pier.jpg', size: 48_213, contentType: 'image/jpeg', contentId: null }]
      : [],
    read: thread.read,
    receivedAt: thread.receivedAt - (thread.emailCount - 1 - index) * HOUR,
    onServer: true,
  }))

export const fixtureContacts = (count: number): readonly Contact[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `contact-${index}`,
    email: `person${index}@tide.example`,
    firstName: index % 3 === 0 ? null : 'Person',
    lastName: index % 3 === 0 ? null : String(index),
    createdAt: NOON - index * 24 * HOUR,
    unsubscribed: index % 9 === 0,
    properties: { plan_name: 'Harbour', seats: index },
  }))

export const TOPICS: readonly TopicSubscription[] = [
  { id: 'topic-1', name: 'Product news', description: 'What changed this month', subscription: 'opt_in' },
  { id: 'topic-2', name: 'Incidents', description: null, subscription: 'opt_out' },
]

export const fixtureReceived = (count: number): readonly ReceivedEmailDetail[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `received-${index}`,
    from: pick(SENDERS, index),
    to: [INBOX.emailAddress],
    receivedFor: [INBOX.emailAddress],
    subject: pick(SUBJECTS, index),
    createdAt: NOON - index * HOUR,
    attachments: [],
    onServer: true,
    cc: [],
    bcc: [],
    replyTo: [],
    messageId: `<${index}@tide.example>`,
    html: null,
    text: 'As it came.',
    apart: null,
    headers: { 'x-mailer': 'Tide 2' },
    authentication: null,
    hasRaw: true,
  }))
