import type { Attachment } from '../../../shared/attachments.ts'
import type { ReadOnlyCache } from '../../store/cache.ts'
import { findReceivedCopy } from '../../store/same-message.ts'
import type { FileOwner, StoredFiles } from '../stored-files.ts'
import type { ExportEntry } from './export-entries.ts'

/** An e-mail of an export, with all that is known about it. */
export interface ExportedEmail {
  readonly id: string
  readonly list: 'threads' | 'received' | 'sent'
  readonly direction: 'inbound' | 'outbound'
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly subject: string | null
  readonly messageId: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string | null
  readonly html: string | null
  /** Message-IDs, oldest first. */
  readonly references: readonly string[]
  readonly inReplyTo: string | null
  /** Null in the account's own lists, as is `threadId`. */
  readonly inbox: { readonly id: string; readonly address: string } | null
  readonly threadId: string | null
  readonly folder: string | null
  readonly labels: readonly string[]
  /** Null if the e-mail has no read state. */
  readonly isRead: boolean | null
  readonly onServer: boolean
  /** The message as it was sent; null if it is not wanted or not stored. */
  readonly original: Uint8Array | null
  /** Empty with an original. `bytes` is null if unavailable. */
  readonly attachments: readonly (Attachment & { readonly bytes: Uint8Array | null })[]
  /** True without an original if text or an attachment is missing. */
  readonly isIncomplete: boolean
}

type Cache = ReadOnlyCache['cache']

const bracketed = (messageId: string): string => `<${messageId.replace(/[\s<>]+/g, '')}>`

const messageIdsIn = (header: string | undefined): readonly string[] => header?.match(/<[^<>\s]+>/g) ?? []

interface Stored extends Omit<ExportedEmail, 'attachments' | 'original'> {
  readonly owner: FileOwner
  /** Null if the list of attachments isn't stored. */
  readonly listed: readonly Attachment[] | null
}

const readOfThread = (cache: Cache, entry: ExportEntry): Stored | null => {
  const { inboxes, threads, emails, receivedEmails } = cache
  const { emailId: id, at, list } = entry
  const [inboxId, threadId] = [entry.inboxId ?? '', entry.threadId ?? '']
  const inbox = inboxes.get(inboxId)
  const thread = inbox && threads.get(inbox, threadId)
  const stored = inbox && emails.get(inbox, threadId, id)
  if (thread === undefined || stored === undefined) return null
  const { direction, from, to, cc, bcc, replyTo, subject, messageId, attachments, isTooLarge, text, html } = stored
  const copy = direction === 'inbound' ? findReceivedCopy(receivedEmails, stored) : undefined
  const said = messageIdsIn(copy?.headers.references)
  // The platform keeps no headers of sent mail, so refer to the thread's earlier e-mails.
  const references = said.length > 0 ? said : entry.earlier.map(bracketed)
  return {
    ...{ id, list, direction, from, to, cc, bcc, replyTo, subject, messageId, at, references, threadId, text, html },
    inReplyTo: messageIdsIn(copy?.headers['in-reply-to'])[0] ?? references.at(-1) ?? null,
    inbox: { id: inboxId, address: inbox?.inbox.emailAddress ?? '' },
    folder: thread.folder,
    labels: thread.labels.map(({ name }) => name),
    isRead: thread.read,
    onServer: thread.onServer,
    isIncomplete: isTooLarge,
    owner: { list: 'threads', email: stored },
    listed: attachments,
  }
}

const readOfList = async (
  cache: Cache,
  files: StoredFiles,
  { emailId: id, at, ...entry }: ExportEntry,
  list: 'received' | 'sent',
): Promise<Stored | null> => {
  const store = cache[list === 'sent' ? 'sentEmails' : 'receivedEmails']
  const whole = store.get(id)
  const listed = whole ?? store.listed(id)
  if (listed === undefined) return null
  const { from, to, subject } = listed
  const { cc = [], bcc = [], replyTo = [], messageId = entry.messageId, text = null, html = null } = whole ?? {}
  const headers = whole !== undefined && 'headers' in whole ? whole.headers : {}
  return {
    ...{ id, list, from, to, cc, bcc, replyTo, subject, messageId, at, text, html },
    ...{ inbox: null, threadId: null, labels: [], isRead: null },
    direction: list === 'sent' ? 'outbound' : 'inbound',
    references: messageIdsIn(headers.references),
    inReplyTo: messageIdsIn(headers['in-reply-to'])[0] ?? null,
    folder: list === 'sent' ? 'sent' : null,
    onServer: whole?.onServer ?? true,
    isIncomplete: whole === undefined,
    owner: { list, email: { id } },
    listed: 'attachments' in listed ? listed.attachments : await files.sentList(id),
  }
}

/**
 * Reads an e-mail of an export, with its original if wanted and stored; null if nothing is stored any more.
 * @param wasFetched true if everything was fetched. A list of attachments that is still unknown is then empty.
 */
export const readMessage = async (
  cache: Cache,
  files: StoredFiles,
  entry: ExportEntry,
  wanted: 'original' | 'parts',
  wasFetched: boolean,
): Promise<ExportedEmail | null> => {
  const stored =
    entry.list === 'threads' ? readOfThread(cache, entry) : await readOfList(cache, files, entry, entry.list)
  if (stored === null) return null
  const { owner, listed, ...email } = stored
  // The platform keeps no originals of sent mail.
  const isOriginalWanted = wanted === 'original' && email.direction === 'inbound'
  const original = isOriginalWanted ? await files.original(owner) : null
  if (original !== null) return { ...email, original, attachments: [], isIncomplete: false }
  const contents = await files.attachments(owner, listed ?? [])
  const attachments = (listed ?? []).map((attachment, place) => {
    const content = contents[place]
    // Attachments in thread responses have no content type; stored ones do.
    const contentType = attachment.contentType ?? content?.contentType ?? null
    return { ...attachment, contentType, bytes: content?.bytes ?? null }
  })
  const isListUnknown = listed === null && !wasFetched
  return {
    ...{ ...email, original, attachments },
    isIncomplete: email.isIncomplete || isListUnknown || contents.includes(null),
  }
}
