import type { Attachment } from '../../../shared/attachments.ts'
import type { ReadOnlyCache } from '../../store/cache.ts'
import { findReceivedCopy } from '../../store/same-message.ts'
import type { FileOwner, StoredFiles } from '../stored-files.ts'
import type { ExportEntry, ExportEntryStore } from './export-entries.ts'

interface ExportedAttachment {
  readonly filename: string | null
  readonly contentType: string | null
  readonly contentId: string | null
  readonly size: number | null
  /** Null if unavailable. */
  readonly bytes: Uint8Array | null
}

/** An e-mail's known parts. */
interface KnownEmail {
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
  /** True if text or an attachment is missing. */
  readonly isIncomplete: boolean
}

/** The parts of an e-mail whose original is missing or not wanted. */
export interface ExportedEmail extends KnownEmail {
  readonly attachments: readonly ExportedAttachment[]
}

interface ExportedMailMetadata {
  readonly inbox: { readonly id: string; readonly address: string } | null
  readonly threadId: string | null
  readonly folder: string | null
  readonly labels: readonly string[]
  /** Null if the e-mail has no read state. */
  readonly isRead: boolean | null
  readonly onServer: boolean
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

const bracketed = (messageId: string): string => `<${messageId.replace(/[\s<>]+/g, '')}>`

const messageIdsIn = (header: string | undefined): readonly string[] => header?.match(/<[^<>\s]+>/g) ?? []

interface Stored {
  readonly place: ExportedMailMetadata
  readonly email: KnownEmail
  readonly owner: FileOwner
  /** Null if the list of attachments isn't stored. */
  readonly attachments: readonly Attachment[] | null
}

/** Reads the messages of an export from what is stored locally. */
export class MessageReader {
  readonly #cache: ReadOnlyCache['cache']
  readonly #files: StoredFiles
  readonly #entries: Pick<ExportEntryStore, 'before'>

  constructor(cache: ReadOnlyCache['cache'], files: StoredFiles, entries: Pick<ExportEntryStore, 'before'>) {
    this.#cache = cache
    this.#files = files
    this.#entries = entries
  }

  /**
   * The original if wanted and stored, else the known parts; null if nothing is stored any more.
   * @param wasFetched true if everything was fetched. A list of attachments that is still unknown is then empty.
   */
  async read(entry: ExportEntry, wanted: 'original' | 'parts', wasFetched: boolean): Promise<ExportableMessage | null> {
    const stored = entry.list === 'threads' ? this.#ofThread(entry) : await this.#ofList(entry, entry.list)
    if (stored === null) return null
    const { email, place, owner } = stored
    const { at, from, subject } = email
    // The platform keeps no originals of sent mail.
    const isOriginalWanted = wanted === 'original' && email.direction === 'inbound'
    const original = isOriginalWanted ? await this.#files.original(owner) : null
    if (original !== null) return { at, from, subject, place, content: { kind: 'original', bytes: original } }
    const listed = stored.attachments ?? []
    const contents = await this.#files.attachments(owner, listed)
    const attachments = listed.map(({ filename, contentType, contentId, size }, place) => {
      const content = contents[place]
      // Attachments in thread responses have no content type; stored ones do.
      const type = contentType ?? content?.contentType ?? null
      return { filename, contentType: type, contentId, size, bytes: content?.bytes ?? null }
    })
    const isListUnknown = stored.attachments === null && !wasFetched
    const isIncomplete = email.isIncomplete || isListUnknown || contents.includes(null)
    return { at, from, subject, place, content: { kind: 'parts', email: { ...email, attachments, isIncomplete } } }
  }

  #ofThread(entry: ExportEntry): Stored | null {
    const { inboxes, threads, emails, receivedEmails } = this.#cache
    const { emailId: id, at, list } = entry
    const [inboxId, threadId] = [entry.inboxId ?? '', entry.threadId ?? '']
    const inbox = inboxes.get(inboxId)
    const thread = inbox && threads.get(inbox, threadId)
    const stored = inbox && emails.get(inbox, threadId, id)
    if (thread === undefined || stored === undefined) return null
    const { direction, from, to, cc, bcc, replyTo, subject, messageId, attachments, isTooLarge } = stored
    const copy = direction === 'inbound' ? findReceivedCopy(receivedEmails, stored) : undefined
    const said = messageIdsIn(copy?.headers.references)
    // The platform keeps no headers of sent mail, so refer to the thread's earlier e-mails.
    const references = said.length > 0 ? said : this.#entries.before(entry, MAX_REFERENCES).map(bracketed)
    return {
      place: {
        inbox: { id: inboxId, address: inbox?.inbox.emailAddress ?? '' },
        threadId,
        folder: thread.folder,
        labels: thread.labels.map(({ name }) => name),
        isRead: thread.read,
        onServer: thread.onServer,
      },
      email: {
        ...{ id, list, direction, from, to, cc, bcc, replyTo, subject, messageId, at, references },
        text: emails.bodyOf(stored, 'text'),
        html: emails.bodyOf(stored, 'html'),
        inReplyTo: messageIdsIn(copy?.headers['in-reply-to'])[0] ?? references.at(-1) ?? null,
        isIncomplete: isTooLarge,
      },
      owner: { list: 'threads', email: stored },
      attachments,
    }
  }

  async #ofList({ emailId: id, at, ...entry }: ExportEntry, list: 'received' | 'sent'): Promise<Stored | null> {
    const store = this.#cache[list === 'sent' ? 'sentEmails' : 'receivedEmails']
    const whole = store.get(id)
    const listed = whole ?? store.listed(id)
    if (listed === undefined) return null
    const { from, to, subject } = listed
    const { cc = [], bcc = [], replyTo = [], messageId = entry.messageId, text = null, html = null } = whole ?? {}
    const headers = whole !== undefined && 'headers' in whole ? whole.headers : {}
    return {
      place: {
        inbox: null,
        threadId: null,
        folder: list === 'sent' ? 'sent' : null,
        labels: [],
        isRead: null,
        onServer: whole?.onServer ?? true,
      },
      email: {
        ...{ id, list, from, to, cc, bcc, replyTo, subject, messageId, at, text, html },
        direction: list === 'sent' ? 'outbound' : 'inbound',
        references: messageIdsIn(headers.references),
        inReplyTo: messageIdsIn(headers['in-reply-to'])[0] ?? null,
        isIncomplete: whole === undefined,
      },
      owner: { list, email: { id } },
      attachments: 'attachments' in listed ? listed.attachments : await this.#files.sentList(id),
    }
  }
}
