import type { Database } from '../storage/database.ts'
import { type EmailRow, loadEmailContent } from '../storage/emails.ts'
import { type Mailbox, formatMailbox, toMailboxKey, parseMailboxes } from './addresses.ts'
import { escapeHtml, htmlToText } from './html-text.ts'

export function parseMailboxesJson(json: string): readonly Mailbox[] {
  return (JSON.parse(json) as readonly string[]).flatMap((entry) => parseMailboxes(entry))
}

/**
 * Replies go to the Reply-To or author, or to the original recipients of an e-mail that the inbox sent
 * (platform.md 13.2). `replyAll` adds everyone in To and Cc except the inbox itself, never Bcc.
 * @param own the inbox's address
 */
export function selectReplyRecipients(
  email: EmailRow,
  own: string,
  replyAll: boolean,
): { readonly to: readonly Mailbox[]; readonly cc: readonly Mailbox[] } {
  const replyTo = parseMailboxesJson(email.reply_to)
  const author = replyTo.length > 0 ? replyTo : parseMailboxes(email.sender)
  const to = deduplicateMailboxes(email.direction === 'outbound' ? parseMailboxesJson(email.recipients) : author)
  if (!replyAll) return { to, cc: [] }
  const taken = new Set([own, ...to.map(({ address }) => address)].map(toMailboxKey))
  const others = [...parseMailboxesJson(email.recipients), ...parseMailboxesJson(email.cc)]
  return { to, cc: deduplicateMailboxes(others.filter(({ address }) => !taken.has(toMailboxKey(address)))) }
}

/** Each address once, as first written. */
export function deduplicateMailboxes(mailboxes: readonly Mailbox[]): readonly Mailbox[] {
  const seen = new Set<string>()
  return mailboxes.filter(({ address }) => {
    const key = address.toLowerCase()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** References of a reply (RFC 5322, 3.6.4): those of the original plus its own ID. */
export function buildReplyReferences(db: Database, email: EmailRow): readonly string[] {
  const headers = JSON.parse(loadEmailContent(db, email.seq).headers) as Readonly<Record<string, string>>
  const earlier = headers.references ?? headers['in-reply-to'] ?? ''
  return [...(earlier.match(/<[^<>\s]+>/g) ?? []), ...(email.message_id === null ? [] : [email.message_id])]
}

/**
 * Body of a forward (platform.md 13.8): the note, a banner with the original's headers, and the original. The text and
 * the HTML part each contain all of it.
 */
export function buildForwardedBody(
  original: { readonly email: EmailRow; readonly text: string | null; readonly html: string | null },
  note: { readonly text: string | null; readonly html: string | null },
): { readonly text: string; readonly html: string } {
  const { email } = original
  const head = [
    '---------- Forwarded message ---------',
    `From: ${email.sender}`,
    `Date: ${bannerDate(email.received_at)}`,
    `Subject: ${email.subject ?? ''}`,
    `To: ${parseMailboxesJson(email.recipients).map(formatMailbox).join(', ')}`,
  ]
  const noteText = note.text ?? (note.html === null ? null : htmlToText(note.html))
  const noteHtml = note.html ?? (note.text === null ? null : textHtml(note.text))
  const text = original.text ?? (original.html === null ? '' : htmlToText(original.html))
  const html = original.html ?? textHtml(text)
  return {
    text: `${noteText === null ? '' : `${noteText}\n\n`}${head.join('\n')}\n\n${text}`,
    html: `${noteHtml === null ? '' : `${noteHtml}<br><br>`}${head.map(escapeHtml).join('<br>')}<br><br>${html}`,
  }
}

function textHtml(text: string): string {
  return escapeHtml(text).replace(/\r?\n/g, '<br>')
}

/** `Wed, Aug 5, 2026 at 2:03 PM`, in UTC. */
function bannerDate(time: number): string {
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(time).replaceAll('\u202f', ' ')
  const day = format({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
  return `${day} at ${format({ hour: 'numeric', minute: '2-digit' })}`
}
