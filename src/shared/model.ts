/** Types shown in windows, named as in docs/platform.md. Times are in milliseconds since the epoch, UTC. */
import type { Attachment } from './attachments.ts'
import type { Authentication } from './authentication.ts'
import type { DeliveryFailure } from './delivery.ts'
import type { FolderCounts } from './folder-counts.ts'
import type { ProxyInUse } from './proxy.ts'
import type { Problem } from './result.ts'
import type { ThreadMarks } from './thread-marks.ts'

/** Folders of the platform (platform.md 7.1); it may add more. Only the platform assigns `sent`. */
export const FOLDERS = ['inbox', 'archive', 'spam', 'sent', 'trash'] as const
export type Folder = (typeof FOLDERS)[number]

/** Folders the user can move a thread to (platform.md 7.2). */
export const MOVE_TARGETS = ['inbox', 'archive', 'spam', 'trash'] as const satisfies readonly Folder[]
export type MoveTarget = (typeof MOVE_TARGETS)[number]

/**
 * How fresh a list is: confirmed by the platform just now (`live`), confirmed at time `at` (`cached`), or never
 * confirmed.
 */
export interface Freshness {
  readonly state: 'live' | 'cached' | 'never'
  readonly at: number | null
  /** Why the last check of the list failed; omitted if it succeeded. A list with a failure is not live. */
  readonly failure?: Problem
}

/** A window of a list. `total` counts the entire list, as far as it is cached. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly offset: number
  readonly total: number
  readonly freshness: Freshness
  /** True if the list may continue beyond `total`; scrolling loads the rest. */
  readonly hasMore?: boolean
}

export interface Label {
  readonly id: string
  readonly name: string
  /** `#RRGGBB`, or a token such as `crimson`, which is kept as received (platform.md 15.6). */
  readonly color: string
}

/** Platform limits (platform.md 15.1): labels per inbox, and UTF-16 units per name. */
export const LABEL_LIMITS = { count: 100, name: 64 } as const

export interface Inbox {
  readonly id: string
  readonly name: string | null
  readonly emailAddress: string
  /** Sender name on mail from this inbox. Null if there is none; omitted where irrelevant. */
  readonly fromName?: string | null
  /** Threads in the folder `inbox` with at least one unread e-mail. */
  readonly unread: number
  /**
   * Threads that exist only locally because the platform has dropped them, except in spam and trash; omitted if none.
   */
  readonly localOnly?: number
  /** Threads of `unread` that exist only locally; omitted if none. */
  readonly unreadLocalOnly?: number
  /** Numbers of starred and snoozed threads; each is omitted if zero. */
  readonly starred?: number
  readonly snoozed?: number
  /** False once the platform no longer has the inbox; its local mail stays readable. */
  readonly onServer: boolean
}

export interface ThreadWriter {
  /** Sender of this writer's newest e-mail: an address, perhaps with a display name. */
  readonly from: string
  /** True if the writer is the inbox itself, or another address of the account in a thread where others wrote too. */
  readonly isMe: boolean
  readonly isUnread: boolean
}

export interface Thread {
  readonly id: string
  readonly inboxId: string
  readonly subject: string | null
  /** Sender of the newest e-mail: an address, perhaps with a display name. */
  readonly from: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly labels: readonly Label[]
  readonly emailCount: number
  readonly hasAttachment: boolean
  readonly hasDraft: boolean
  readonly read: boolean
  readonly receivedAt: number
  /** One of `FOLDERS`, `SNOOZED`, or a name that the platform has added since. */
  readonly folder: string
  /** First words of the newest e-mail, if its body is cached. */
  readonly snippet: string | null
  /** Each writer once, newest first: from cached e-mails, and from `from` if the cached e-mails lag behind it. */
  readonly writers: readonly ThreadWriter[]
  /** True if one of its e-mails is known to have been sent from the inbox. */
  readonly hasOutbound: boolean
  /** False once the platform has dropped the thread; the cache still keeps it. */
  readonly onServer: boolean
  /** When the thread was first seen in the trash, milliseconds since the epoch; omitted in other folders. */
  readonly trashedAt?: number
  /** The user's local marks; omitted if none. */
  readonly marks?: ThreadMarks
  /** Address of the assignee in the platform's dashboard, in lower case; omitted if none is known. */
  readonly dashboardAssignee?: string
  /**
   * Sort time of a thread that returned to the inbox automatically, used instead of `receivedAt`. Milliseconds since
   * the epoch.
   */
  readonly listedAt?: number
  /** In the inbox, and a person wrote last and has waited for an answer since `receivedAt`; otherwise omitted. */
  readonly isWaiting?: true
}

/** The e-mail that made a search match a thread. */
export interface ThreadMatch {
  /**
   * `computer`: `emailId` is a local e-mail's own ID. `platform`: it is a platform ID that no local e-mail has
   * (platform.md 9.18); find the e-mail by its time and position in the thread.
   */
  readonly by: 'computer' | 'platform'
  readonly emailId: string
}

/** A thread in a list. In a search, includes the matching e-mail, if known. */
export interface ListedThread extends Thread {
  readonly match: ThreadMatch | null
}

/** A local e-mail that made a search match a thread. */
export interface LocalMatch {
  readonly threadId: string
  readonly emailId: string
}

/** Text around the matches; null if the matches are not in that e-mail's body, or are in its subject. */
export interface ThreadExcerpt extends LocalMatch {
  readonly text: string | null
}

export const MAX_EXCERPTS = 100

export interface LocalSearchCoverage {
  /** Number of the inbox's e-mails that were searched, and of all e-mails in its threads. */
  readonly emails: number
  readonly of: number
  /**
   * Other spellings of words that were searched too, because the platform treats them as different words. Omitted if
   * none.
   */
  readonly spellings?: readonly string[]
}

/** State of a search on the platform. `at` is the time of its newest response, milliseconds since the epoch. */
export type PlatformSearchState =
  /** Only local mail was searched, because the user is still typing. */
  | { readonly state: 'not asked' }
  /** `at` is the time of the previous response, whose rows are still shown. */
  | { readonly state: 'waiting'; readonly at: number | null }
  | { readonly state: 'answered'; readonly at: number }
  /** Also used without a request if the platform is known to reject the search. */
  | { readonly state: 'failed'; readonly at: number | null; readonly problem: Problem }

export interface SearchCoverage {
  /** Null if local mail can't be searched. */
  readonly computer: LocalSearchCoverage | null
  readonly platform: PlatformSearchState
  /** True if 10,000 or more threads match: the platform covers only the newest (platform.md 9.6). */
  readonly isCapped: boolean
  /** True if the platform's search may still miss new mail, because it lags by up to a minute (platform.md 9.17). */
  readonly mayLag: boolean
}

/** Number of threads in each folder that match a search, as known locally. */
export interface ThreadCountsByFolder {
  /** A thread with a matching sent e-mail also counts in `sent`. */
  readonly folders: FolderCounts
  /** True if the counts are complete for the local mail; otherwise they are lower bounds. */
  readonly isWhole: boolean
}

/**
 * A window of a list of threads. In a search, `total` counts the matches so far, and `hasMore` is true if there may be
 * others.
 */
export interface ThreadPage extends Page<ListedThread> {
  readonly hasMore: boolean
  /** Null for the list of a folder or label. */
  readonly searched: SearchCoverage | null
  /**
   * Excerpts of the first rows: up to the requested number, or fewer if reading them would take too long.
   * `thread.excerpts` returns the rest.
   */
  readonly excerpts?: readonly ThreadExcerpt[]
}

/** Maximum number of threads that a window keeps in a list of read or unread threads after their state has changed. */
export const MAX_RETAINED_THREADS = 1_000

/** Coverage of a search in an account-wide list; local only, because the platform can't search these lists. */
export interface EmailSearchCoverage {
  /** E-mails searched. */
  readonly emails: number
  /** E-mails of the list that are stored locally. */
  readonly of: number
  /** True if the list was fetched from the platform to its end; otherwise older e-mails are still to come. */
  readonly isWhole: boolean
}

export interface ThreadOfEmail {
  readonly thread: Thread
  /** The e-mail's ID within the thread, which may differ from its ID in the list. */
  readonly emailId: string
}

export type WithThread<Email> = Email & {
  /** Null if no inbox has the e-mail; `unknown` while inbox mail that may contain it is still to come. */
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

export type WithExcerpt<Email> = Email & {
  /** Text around the matches, unless the matches are in the subject. */
  readonly excerpt?: string | null
}

/** A row of an account-wide list. */
export type ListedEmail<Email> = WithThread<WithExcerpt<Email>>

/** A window of an account-wide list. In a search, `total` counts the matches so far. */
export interface EmailPage<Email> extends Page<ListedEmail<Email>> {
  /** Null if this isn't a search. */
  readonly searched: EmailSearchCoverage | null
}

export const STORED_SEARCH_LIMITS = {
  recent: 20,
  saved: 200,
  /** Maximum characters of a saved search's name. */
  name: 100,
  /** Maximum UTF-16 units of a search's text. */
  text: 4_000,
  /** Maximum count of unread threads for a saved search. Counting stops at one more, which means "more than this". */
  unread: 999,
} as const

export interface RecentSearch {
  readonly text: string
}

export interface SavedSearch {
  readonly id: string
  readonly name: string
  readonly inboxId: string
  /** A search query, evaluated each time, so `newer_than:7d` moves with the clock. */
  readonly text: string
  /** True if the search is also a tab of its inbox when the inbox is split. */
  readonly isTab?: true | undefined
  /**
   * Matching unread threads stored locally, at most `STORED_SEARCH_LIMITS.unread` plus one. Null if not counted yet, if the
   * text has a fault, or if the search is for read threads.
   */
  readonly unread: number | null
}

/** UTF-16 units of a body per response, limited so that no response blocks a window. */
export const MAX_CHUNK_LENGTH = 512 * 1024

/** Bytes of a file whose base64 fills one chunk; a multiple of three. */
export const FILE_CHUNK_BYTES = Math.floor(MAX_CHUNK_LENGTH / 4) * 3

/** Bodies that are too large to return with their e-mail; read them in chunks (`body.read`). */
export interface ChunkedBodies {
  /** Number of chunks of each body; 0 for none. */
  readonly html: number
  readonly text: number
  /** Changes with the bodies. Only chunks of the same version belong together. */
  readonly version: string
  /** The first words of the text, or an empty string. */
  readonly beginning: string
}

export interface EmailBodies {
  /** HTML as sent: untrusted until the reader has sanitised it. */
  readonly html: string | null
  readonly text: string | null
  /** Null if `html` and `text` are included; otherwise both of them are null. */
  readonly apart: ChunkedBodies | null
}

export interface Email extends EmailBodies {
  readonly id: string
  readonly threadId: string
  readonly direction: 'inbound' | 'outbound'
  readonly from: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly subject: string | null
  readonly messageId: string | null
  readonly attachments: readonly Attachment[]
  readonly read: boolean
  readonly receivedAt: number
  readonly onServer: boolean
}

/** An e-mail of the account-wide received list. It has neither a thread nor a read state. */
export interface ReceivedEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  /**
   * Addresses at which the e-mail arrived, whatever its headers name: the user's own, an alias, or any address of a
   * catch-all.
   */
  readonly receivedFor: readonly string[]
  readonly subject: string | null
  readonly createdAt: number
  readonly attachments: readonly Attachment[]
  readonly onServer: boolean
}

/** Availability of an e-mail's text: in account-wide lists, only the list entry may be known. */
interface TextAvailability {
  /** True if the platform dropped the e-mail before its text was stored. */
  readonly isTextLost?: true
  /** User-facing reason why the platform withholds the text and files. */
  readonly withheld?: string
}

export interface ReceivedEmailDetail extends ReceivedEmail, EmailBodies, TextAvailability {
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly messageId: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Null if the platform doesn't report it. */
  readonly authentication: Authentication | null
  /** True if the platform offers the raw source. */
  readonly hasRaw: boolean
}

/** An e-mail of the account-wide sent list, from any inbox or program. */
export interface SentEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string | null
  readonly createdAt: number
  /**
   * Latest delivery event (platform.md 20.9), such as `delivered` or `bounced`, or one that the platform added later.
   */
  readonly lastEvent: string | null
  /** Details of the last event if delivery failed and an event of a webhook told them. Null otherwise. */
  readonly failure: DeliveryFailure | null
  /** Scheduled time, or null if it was sent at once. */
  readonly scheduledAt: number | null
  readonly onServer: boolean
}

export interface SentEmailDetail extends SentEmail, EmailBodies, TextAvailability {
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly messageId: string | null
}

/** Delivery of an e-mail that the account sent in a thread, as last reported by the platform. */
export interface Delivery extends Pick<SentEmail, 'lastEvent' | 'failure' | 'scheduledAt'> {
  readonly emailId: string
  /**
   * When Linnet first saw this event, milliseconds since the epoch; null if that was before Linnet recorded such times.
   */
  readonly learnedAt: number | null
  /** When the platform last confirmed the event, milliseconds since the epoch; null as for `learnedAt`. */
  readonly confirmedAt: number | null
}

export interface Account {
  /** Random ID, also the name of the account's folder. Stays the same when the key changes. */
  readonly id: string
  readonly baseUrl: string
  readonly kind: 'platform' | 'demo'
  /** Name chosen by the user; null if the account is shown under its inbox addresses. */
  readonly name: string | null
  /** Colour in the form `#RRGGBB`. */
  readonly color: string
}

export const MAX_ACCOUNT_NAME_LENGTH = 60

/** When the platform last confirmed each list, milliseconds since the epoch; null for never. */
export interface Confirmations {
  readonly inboxes: number | null
  readonly received: number | null
  readonly sent: number | null
  readonly contacts: number | null
  /** By inbox ID, for inboxes that exist on the platform. */
  readonly threads: Readonly<Record<string, number | null>>
}

/** Lists whose last check failed although the platform was reachable, each with the reason. Other lists are omitted. */
export interface ListFailures {
  readonly inboxes?: Problem
  readonly received?: Problem
  readonly sent?: Problem
  readonly contacts?: Problem
  /** By inbox ID, with the reason. */
  readonly threads: Readonly<Record<string, Problem>>
}

export interface SyncStatus {
  /** `offline`: the platform is unreachable. `refused`: the platform rejects the key. `needsKey`: there is no key. */
  readonly connection: 'online' | 'offline' | 'refused' | 'needsKey'
  /** Null while nothing is being fetched. `total` is the amount known so far. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly lastSyncAt: number | null
  /** Number of unconfirmed changes, unsent messages, and drafts that are missing or outdated on the platform. */
  readonly pendingChanges: number
  /** User-facing message, set if sync can't continue. */
  readonly problem: string | null
  /** Sign-in page that the network requires first (a captive portal): http or https, and untrusted. */
  readonly signInPage?: string
  /** The proxy that requires a different name and password. */
  readonly proxyNeedingLogin?: ProxyInUse
  readonly confirmedAt: Confirmations
  readonly failures?: ListFailures
  /** End of a pause that the platform has requested, or null. No requests are sent until then. */
  readonly waitingUntil: number | null
}

export interface ChangeProgress {
  readonly changeId: string
  /** Kind of the items: `thread`, `contact`, or `contactImport` for parts of a table. */
  readonly kind: string
  readonly total: number
  /** Items that the platform has confirmed or doesn't need to know. */
  readonly sent: number
  /** The change that this one undoes, or null. */
  readonly undoes: string | null
}

/** A change to threads; at least one field is set. Label IDs belong to the inbox. */
export interface ThreadChange {
  readonly read?: boolean | undefined
  readonly folder?: MoveTarget | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  /** These four fields stay local. Times are milliseconds since the epoch; null clears the current one. */
  readonly star?: boolean | undefined
  readonly mute?: boolean | undefined
  readonly snoozedUntil?: number | null | undefined
  /** When the thread returns unless somebody replies. */
  readonly remindAt?: number | null | undefined
}
