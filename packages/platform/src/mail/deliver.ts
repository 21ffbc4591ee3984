import type { Platform } from '../platform.ts'
import { type Authentication, type AuthenticationResult, authenticationResults } from '../settings.ts'
import type { Database } from '../storage/database.ts'
import { type EmailRow, type NewEmail, insertEmail } from '../storage/emails.ts'
import { findDomain, isReadyFor } from '../storage/domains.ts'
import { type InboxRow, findInboxByAddress } from '../storage/inboxes.ts'
import { type Folder, insertThread, refreshThread, setThreadFolder } from '../storage/threads.ts'
import { type Mailbox, domainOf, toMailboxKey } from './addresses.ts'
import { type ParsedMessage, parseMessage } from './parse-message.ts'
import { rememberReferences, findThread } from './threading.ts'

export interface IncomingMail {
  readonly raw: Uint8Array
  readonly message: ParsedMessage
  /** Empty for the null sender of a delivery notice. */
  readonly envelopeFrom: string
  readonly envelopeTo: readonly string[]
  readonly read?: boolean
  /** Milliseconds since 1970: the e-mail's time. */
  readonly receivedAt: number
}

/** True for an inbox, or any address of a domain that receives mail. */
export function isLocalRecipient(db: Database, address: string): boolean {
  return isReceivingDomain(db, address) || findInboxByAddress(db, address) !== undefined
}

function isReceivingDomain(db: Database, address: string): boolean {
  return isReadyFor(findDomain(db, domainOf(address)), 'receiving')
}

/**
 * Stores a message once per inbox of its envelope, plus one copy for other addresses of receiving domains
 * (platform.md 21.1: any local part is received). Call within a transaction. @returns the stored e-mails
 */
export function deliver(platform: Platform, mail: IncomingMail): readonly EmailRow[] {
  const { db } = platform
  const byInbox = new Map<number, { readonly inbox: InboxRow; readonly addresses: string[] }>()
  const unassigned: string[] = []
  for (const address of mail.envelopeTo) {
    const inbox = findInboxByAddress(db, address)
    if (inbox) {
      const known = byInbox.get(inbox.seq)
      if (known) known.addresses.push(address)
      else byInbox.set(inbox.seq, { inbox, addresses: [address] })
    } else if (isReceivingDomain(db, address)) unassigned.push(address)
  }
  const delivered = [...byInbox.values()].map(({ inbox, addresses }) =>
    deliverToInbox(platform, inbox, addresses, mail),
  )
  return unassigned.length === 0
    ? delivered
    : [...delivered, insertEmail(db, buildInboundEmail(platform, mail, unassigned, null))]
}

function deliverToInbox(
  platform: Platform,
  inbox: InboxRow,
  addresses: readonly string[],
  mail: IncomingMail,
): EmailRow {
  const { db } = platform
  const facts = { ...mail.message, receivedAt: mail.receivedAt }
  const known = findThread(db, inbox.seq, facts)
  const thread = known ?? insertThread(db, { inboxSeq: inbox.seq, folder: 'inbox', subject: mail.message.subject })
  const email = insertEmail(db, buildInboundEmail(platform, mail, addresses, { inbox: inbox.seq, thread }))
  rememberReferences(db, inbox.seq, thread, mail.message)
  // Also if an API request sent the message.
  if (known !== null) platform.events.as('system', () => returnToInbox(db, thread))
  refreshThread(db, thread)
  return email
}

/**
 * A received message moves its thread from `archive`, `sent` and `trash` to `inbox`: such a thread isn't `sent`, and
 * new mail must not be deleted unseen. Spam stays spam. This is the local platform's choice.
 */
function returnToInbox(db: Database, threadSeq: number): void {
  const thread = db.get<{ folder: Folder }>('SELECT folder FROM threads WHERE seq = ?', threadSeq)
  if (thread && thread.folder !== 'spam' && thread.folder !== 'inbox') setThreadFolder(db, threadSeq, 'inbox', null)
}

/** @param place `null` if no inbox has the address */
export function buildInboundEmail(
  platform: Platform,
  mail: IncomingMail,
  addresses: readonly string[],
  place: { readonly inbox: number; readonly thread: number } | null,
): NewEmail {
  const { message } = mail
  return {
    direction: 'inbound',
    inboxSeq: place?.inbox ?? null,
    threadSeq: place?.thread ?? null,
    receivedAt: mail.receivedAt,
    storedAt: platform.now(),
    read: mail.read ?? false,
    messageId: message.messageId,
    subject: message.subject,
    from: message.from ?? (mail.envelopeFrom === '' ? null : { name: '', address: mail.envelopeFrom }),
    // In a thread, `to` is the only field that can contain the delivery addresses.
    to: place === null ? message.to : withDelivered(message, addresses),
    cc: message.cc,
    // Always empty for a received e-mail (platform.md 8.2).
    bcc: [],
    replyTo: message.replyTo,
    deliveredTo: addresses,
    text: message.text,
    html: message.html,
    headers: message.headers,
    attachments: message.attachments,
    inlineImages: platform.settings.inlineImages,
    raw: mail.raw,
    authentication: authenticationOf(platform, message),
    sent: null,
  }
}

/** The To header plus delivery addresses that no header names. */
function withDelivered(message: ParsedMessage, addresses: readonly string[]): readonly Mailbox[] {
  const named = new Set([...message.to, ...message.cc].map(({ address }) => toMailboxKey(address)))
  const unnamed = addresses.filter((address) => !named.has(toMailboxKey(address)))
  return [...message.to, ...unnamed.map((address) => ({ name: '', address }))]
}

function authenticationOf(platform: Platform, message: ParsedMessage): Authentication {
  const { authentication } = platform.settings
  if (authentication !== 'header') return authentication
  const header = message.headers['authentication-results'] ?? ''
  const result = (method: string): AuthenticationResult => {
    const value = new RegExp(`\\b${method}=([a-z]+)`, 'i').exec(header)?.[1]?.toLowerCase()
    if (value === undefined) return 'unknown'
    if (value === 'softfail' || value === 'neutral' || value === 'none') return 'gray'
    return authenticationResults.find((known) => known === value) ?? 'unknown'
  }
  return { spf: result('spf'), dkim: result('dkim'), dmarc: result('dmarc') }
}

/** SMTP sender and recipients, independent of the headers. */
interface Envelope {
  /** Empty for the null sender of a delivery notice. */
  readonly from: string
  readonly to: readonly string[]
}

/** Stores an incoming message. @returns the stored e-mails, one per inbox in the envelope */
export async function receiveMessage(
  platform: Platform,
  raw: Uint8Array,
  envelope: Envelope,
): Promise<readonly EmailRow[]> {
  const message = await parseMessage(raw)
  const now = platform.now()
  const receivedAt = platform.settings.trustDate ? (message.date ?? now) : now
  return platform.db.transaction(() =>
    deliver(platform, { raw, message, envelopeFrom: envelope.from, envelopeTo: envelope.to, receivedAt }),
  )
}
