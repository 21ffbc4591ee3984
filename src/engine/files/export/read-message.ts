import type { Attachment, AttachmentList } from '../../../shared/attachments.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import { toProblem } from '../../../shared/result.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import type { FetchedReceivedEmail } from '../../platform/resources/received-emails.ts'
import type { BlobContent } from '../../store/blobs.ts'
import type { FetchPriority, RawMessages } from '../../sync/raw-messages.ts'
import type { Cache } from '../../store/cache.ts'
import { findReceivedCopy } from '../../store/same-message.ts'
import type { ExportedAttachment, ExportedEmail, ExportedMailMetadata } from './exported-email.ts'
import type { ExportEntry, ExportEntryStore } from './export-entries.ts'

export interface MessageSources {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'emails' | 'receivedEmails' | 'sentEmails'>
  readonly platform: Pick<MailPlatform, 'getReceivedEmail' | 'getSentEmail'>
  readonly rawMessages: Pick<RawMessages, 'read'>
  readonly attachments: {
    readonly list: (of: BodyOwner, fetchPriority: FetchPriority) => Promise<AttachmentList>
    readonly fetch: (of: BodyOwner, attachmentId: string, fetchPriority: FetchPriority) => Promise<BlobContent>
  }
  readonly signal: AbortSignal
}

/** A message to write: its original or known parts. */
export interface ExportableMessage {
  readonly at: number
  readonly from: string
  readonly subject: string | null
  readonly place: ExportedMailMetadata
  readonly content:
    | { readonly kind: 'original'; readonly bytes: Uint8Array }
    | { readonly kind: 'parts'; readonly email: ExportedEmail }
}

/** Maximum number of references to earlier messages. */
const MAX_REFERENCES = 20

const ownerOf = ({ list, inboxId, threadId, emailId }: ExportEntry): BodyOwner =>
  list === 'threads' ? { list, inboxId: inboxId ?? '', threadId: threadId ?? '', emailId } : { list, emailId }

const bracketed = (messageId: string): string => `<${messageId.replace(/[\s<>]+/g, '')}>`

const messageIdsIn = (header: string | undefined): readonly string[] => header?.match(/<[^<>\s]+>/g) ?? []

/** Null if the thread isn't stored. */
const placeOf = (
  { cache }: MessageSources,
  { list, inboxId, threadId, emailId }: ExportEntry,
): ExportedMailMetadata | null => {
  if (list !== 'threads' || inboxId === null || threadId === null) {
    const onServer = cache[list === 'sent' ? 'sentEmails' : 'receivedEmails'].get(emailId)?.onServer ?? true
    return {
      ...{ inbox: null, threadId: null, folder: list === 'sent' ? 'sent' : null, labels: [], isRead: null, onServer },
    }
  }
  const stored = cache.inboxes.get(inboxId)
  const thread = stored && cache.threads.get(stored, threadId)
  if (thread === undefined) return null
  const { folder, labels, read, onServer } = thread
  const inbox = { id: inboxId, address: stored?.inbox.emailAddress ?? '' }
  return { inbox, threadId, folder, labels: labels.map(({ name }) => name), isRead: read, onServer }
}

/** Null if nothing is stored any more. @param fetchPriority priority for fetching the attachments */
const readParts = async (
  sources: MessageSources,
  entries: Pick<ExportEntryStore, 'before'>,
  entry: ExportEntry,
  fetchPriority: FetchPriority,
): Promise<ExportedEmail | null> => {
  const { cache, platform, attachments, signal } = sources
  const of = ownerOf(entry)
  const { emailId: id, at } = entry

  const readAttachments = async (
    known: readonly Attachment[] | null,
  ): Promise<{ readonly items: readonly ExportedAttachment[]; readonly isWhole: boolean }> => {
    const listed = known === null ? await attachments.list(of, fetchPriority) : null
    const items: ExportedAttachment[] = []
    for (const { id: attachmentId, filename, contentType, contentId, size } of known ?? listed?.items ?? []) {
      const content = await attachments.fetch(of, attachmentId, fetchPriority).catch((thrown: unknown) => {
        signal.throwIfAborted()
        // Missing attachments are counted; internal errors are thrown.
        if (toProblem(thrown).code === 'internal') throw thrown
        return null
      })
      // Attachments in thread responses have no content type; fetched ones do.
      const type = contentType ?? content?.contentType ?? null
      items.push({ filename, contentType: type, contentId, size, bytes: content?.bytes ?? null })
    }
    return { items, isWhole: (listed?.problem ?? null) === null && items.every(({ bytes }) => bytes !== null) }
  }

  const ofThread = async (inboxId: string, threadId: string): Promise<ExportedEmail | null> => {
    const stored = cache.inboxes.get(inboxId)
    const email = stored && cache.emails.get(stored, threadId, id)
    if (email === undefined) return null
    const { direction, from, to, cc, bcc, replyTo, subject, messageId } = email
    const copy = direction === 'inbound' ? findReceivedCopy(cache.receivedEmails, email) : undefined
    const headers: FetchedReceivedEmail['headers'] = copy?.headers ?? {}
    const { items, isWhole } = await readAttachments(email.attachments)
    const said = messageIdsIn(headers.references)
    // The platform keeps no headers of sent mail, so refer to the thread's earlier e-mails.
    const earlier = said.length > 0 ? said : entries.before(entry, MAX_REFERENCES).map((each) => bracketed(each))
    return {
      ...{ id, list: 'threads', direction, from, to, cc, bcc, replyTo, subject, messageId, at },
      text: cache.emails.bodyOf(email, 'text'),
      html: cache.emails.bodyOf(email, 'html'),
      references: earlier,
      inReplyTo: messageIdsIn(headers['in-reply-to'])[0] ?? earlier.at(-1) ?? null,
      attachments: items,
      isIncomplete: email.isTooLarge || !isWhole,
    }
  }

  /** Fetches an e-mail that is only listed. */
  const fetchWhole = async (fetch: () => Promise<void>): Promise<void> => {
    if (fetchPriority === 'localOnly') return
    await fetch().catch((thrown: unknown) => {
      signal.throwIfAborted()
      if (toProblem(thrown).code === 'internal') throw thrown
    })
  }

  const received = async (): Promise<ExportedEmail | null> => {
    const store = cache.receivedEmails
    const options = { priority: 'backfill', signal } as const
    if (store.get(id) === undefined)
      await fetchWhole(async () => store.storeWhole(await platform.getReceivedEmail(id, options)))
    const email = store.get(id)
    const listed = email ?? store.listed(id)
    if (listed === undefined) return null
    const { items, isWhole } = await readAttachments(listed.attachments)
    const { from, to, subject } = listed
    const { cc = [], bcc = [], replyTo = [], messageId = entry.messageId, text = null, html = null } = email ?? {}
    const references = messageIdsIn(email?.headers.references)
    return {
      ...{ id, list: 'received', direction: 'inbound', from, to, cc, bcc, replyTo, subject, messageId, at },
      ...{ text, html, references, inReplyTo: messageIdsIn(email?.headers['in-reply-to'])[0] ?? null },
      attachments: items,
      isIncomplete: email === undefined || !isWhole,
    }
  }

  const sent = async (): Promise<ExportedEmail | null> => {
    const store = cache.sentEmails
    const options = { priority: 'backfill', signal } as const
    if (store.get(id) === undefined)
      await fetchWhole(async () => store.storeWhole(await platform.getSentEmail(id, options)))
    const email = store.get(id)
    const listed = email ?? store.listed(id)
    if (listed === undefined) return null
    const { items, isWhole } = await readAttachments(null)
    const { from, to, subject } = listed
    const { cc = [], bcc = [], replyTo = [], messageId = entry.messageId, text = null, html = null } = email ?? {}
    return {
      ...{ id, list: 'sent', direction: 'outbound', from, to, cc, bcc, replyTo, subject, messageId, at },
      ...{ text, html, references: [], inReplyTo: null, attachments: items },
      isIncomplete: email === undefined || !isWhole,
    }
  }

  if (entry.list === 'received') return received()
  if (entry.list === 'sent') return sent()
  return ofThread(entry.inboxId ?? '', entry.threadId ?? '')
}

/** Sender, subject and direction, or null. */
const summaryOf = (
  { cache }: MessageSources,
  { list, inboxId, threadId, emailId }: ExportEntry,
): { readonly from: string; readonly subject: string | null; readonly isOutbound: boolean } | null => {
  if (list !== 'threads') {
    const listed = cache[list === 'sent' ? 'sentEmails' : 'receivedEmails'].listed(emailId)
    return listed === undefined ? null : { ...listed, isOutbound: list === 'sent' }
  }
  const stored = cache.inboxes.get(inboxId ?? '')
  const email = stored && cache.emails.get(stored, threadId ?? '', emailId)
  return email === undefined ? null : { ...email, isOutbound: email.direction === 'outbound' }
}

/**
 * The original if wanted and available, else the known parts; null if nothing is stored any more. @param fetchPriority
 * `localOnly` if offline
 */
export const readMessage = async (
  sources: MessageSources,
  entries: Pick<ExportEntryStore, 'before'>,
  entry: ExportEntry,
  wanted: 'original' | 'parts',
  fetchPriority: FetchPriority,
): Promise<ExportableMessage | null> => {
  const { rawMessages, signal } = sources
  const place = placeOf(sources, entry)
  if (place === null) return null
  const known = summaryOf(sources, entry)
  // The platform keeps no originals of sent mail.
  if (wanted === 'original' && known?.isOutbound === false) {
    const original = await rawMessages.read(ownerOf(entry), fetchPriority).catch((thrown: unknown) => {
      signal.throwIfAborted()
      if (toProblem(thrown).code === 'internal') throw thrown
      return null
    })
    if (original !== null) {
      const { from, subject } = known
      return { at: entry.at, from, subject, place, content: { kind: 'original', bytes: original.content } }
    }
  }
  const email = await readParts(sources, entries, entry, fetchPriority)
  if (email === null) return null
  return { at: email.at, from: email.from, subject: email.subject, place, content: { kind: 'parts', email } }
}
