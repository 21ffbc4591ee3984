/** Types shown in windows, in the platform's terms (contract). Times are in milliseconds since the epoch, UTC. */
import type { Attachment } from './attachments.ts'
import type { Authentication } from './authentication.ts'
import type { FolderCounts } from './folder-counts.ts'
import type { ProxyInUse } from './proxy.ts'
import type { Problem } from './result.ts'
import type { ThreadMarks } from './thread-marks.ts'

/** Folders of the platform today (contract, "Thread folders"). Only the platform assigns `sent`. */
export const FOLDERS = ['inbox', 'archive', 'spam', 'sent', 'trash'] as const
export type Folder = (typeof FOLDERS)[number]

/** Folders the user can move a thread to (contract, "Thread folders"). */
export const MOVE_TARGETS = ['inbox', 'archive', 'spam', 'trash'] as const satisfies readonly Folder[]
export type MoveTarget = (typeof MOVE_TARGETS)[number]

/** Freshness of a list: confirmed by the platform just now (`live`), at a given time (`cached`), or never. */
export interface Freshness {
  readonly state: 'live' | 'cached' | 'never'
  readonly at: number | null
  /** Why the last check of the list failed; omitted if it succeeded. Such a list is not live. */
  readonly failure?: Problem
}

/** A window of a list. `total` counts the entire list as far as cached. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly offset: number
  readonly total: number
  readonly freshness: Freshness
  /** True if the list may continue beyond `total`; the rest is found by scrolling. */
  readonly hasMore?: boolean
}

export interface Label {
  readonly id: string
  readonly name: string
  /** `#RRGGBB`; a token such as `crimson` is kept as it came (platform facts 0.1). */
  readonly color: string
}

/** Platform limits (platform facts 3.8): labels per inbox, and UTF-16 units per name. */
export const LABEL_LIMITS = { count: 100, name: 64 } as const

export interface Inbox {
  readonly id: string
  readonly name: string | null
  readonly emailAddress: string
  /** Sender name on mail from it; null for none, omitted where irrelevant. */
  readonly fromName?: string | null
  /** Threads in the folder `inbox` with at least one unread e-mail. */
  readonly unread: number
  /** Threads that exist only here because the platform has dropped them, except in spam and trash; omitted if none. */
  readonly localOnly?: number
  /** Part of `unread` that exists only here; omitted if none. */
  readonly unreadLocalOnly?: number
  /** Starred and snoozed threads; each omitted if none. */
  readonly starred?: number
  readonly snoozed?: number
  /** False once the platform no longer has the inbox; its local mail stays readable. */
  readonly onServer: boolean
}

export interface ThreadWriter {
  /** Sender of their newest e-mail: an address, perhaps with a display name. */
  readonly from: string
  /** True if sent from the inbox, or from another address of the account in a thread where others wrote too. */
  readonly isMe: boolean
  /** True if something they wrote is unread. */
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
  /** Each writer once, newest first: from cached e-mails, and from `from` if those lag behind. */
  readonly writers: readonly ThreadWriter[]
  /** True if one of its e-mails is known to have been sent from the inbox. */
  readonly hasOutbound: boolean
  /** False once the platform has dropped the thread; the cache keeps it. */
  readonly onServer: boolean
  /** When it was first seen in the trash, milliseconds since the epoch; omitted elsewhere. */
  readonly trashedAt?: number
  /** Local marks of the user; omitted if none. */
  readonly marks?: ThreadMarks
  /** Sort time of a thread that came back on its own, instead of `receivedAt`. Milliseconds. */
  readonly listedAt?: number
}

/** The e-mail that made a search match a thread. */
export interface ThreadMatch {
  /**
   * `computer`: the e-mail's own ID. `platform`: a platform ID that no local e-mail has (contract, Thread,
   * `matched_email_id`); find the e-mail by its time and place in the thread.
   */
  readonly by: 'computer' | 'platform'
  readonly emailId: string
}

/** A thread in a list; in a search, with the matching e-mail if known. */
export interface ListedThread extends Thread {
  readonly match: ThreadMatch | null
}

/** A local e-mail that made a search match a thread. */
export interface LocalMatch {
  readonly threadId: string
  readonly emailId: string
}

/** Text around the matches; null if they are not in the body of that e-mail, or are in its subject. */
export interface ThreadExcerpt extends LocalMatch {
  readonly text: string | null
}

/** Limit per request. */
export const MAX_EXCERPTS = 100

export interface LocalCoverage {
  /** Searched e-mails of the inbox, and all e-mails in its threads. */
  readonly emails: number
  readonly of: number
  /** Other spellings that were searched too, as the platform treats them as different. Omitted if none. */
  readonly spellings?: readonly string[]
}

/** State of a search on the platform. `at` is the time of its newest response, milliseconds since the epoch. */
export type PlatformSearchState =
  /** Local only, while the user is typing. */
  | { readonly state: 'not asked' }
  /** `at`: time of the previous response, whose rows are still shown. */
  | { readonly state: 'waiting'; readonly at: number | null }
  | { readonly state: 'answered'; readonly at: number }
  /** Also set without a request if the platform is known to reject the search. */
  | { readonly state: 'failed'; readonly at: number | null; readonly problem: Problem }

export interface Searched {
  /** Null if local mail can't be searched. */
  readonly computer: LocalCoverage | null
  readonly platform: PlatformSearchState
  /** True if 10,000 or more match: the platform covers only the newest (contract, Search threads, rule 6). */
  readonly isCapped: boolean
  /** True if the platform's search may still miss new mail, as it lags by up to a minute (contract, Limits). */
  readonly mayLag: boolean
}

/** Number of threads in each folder that match a search, as known locally. */
export interface ThreadsByFolder {
  /** A thread with a matching sent e-mail also counts in `sent`. */
  readonly folders: FolderCounts
  /** True if the counts are complete for the local mail; otherwise they are lower bounds. */
  readonly isWhole: boolean
}

/** In a search, `total` counts the matches so far; `hasMore` is true if there may be others. */
export interface ThreadPage extends Page<ListedThread> {
  readonly hasMore: boolean
  /** Null for the list of a folder or label. */
  readonly searched: Searched | null
  /** Excerpts of the first rows, as many as requested and quickly read; `thread.excerpts` returns the rest. */
  readonly excerpts?: readonly ThreadExcerpt[]
}

/** A thread in a list across accounts. Its ID is unique only within its account. */
export interface UnifiedThread extends ListedThread {
  readonly accountId: string
}

/** A window of a list across accounts. `total`, `freshness` and `searched` cover every list that could be read. */
export interface UnifiedThreadPage extends Page<UnifiedThread> {
  readonly hasMore: boolean
  /** Null if no list is a search. */
  readonly searched: Searched | null
  /** Accounts with an unreadable list, each once, with the reason. */
  readonly failed: readonly { readonly accountId: string; readonly problem: Problem }[]
}

/** Limit for lists merged into one. */
export const MAX_LISTS = 500

/** Limit for threads that a window keeps in a list of read or unread ones after their state has changed. */
export const MAX_HELD = 1_000

/** Extent of a search in an account-wide list; local only, since the platform can't search these lists. */
export interface EmailSearchCoverage {
  /** Searched e-mails, and stored e-mails of the list. */
  readonly emails: number
  readonly of: number
  /** True if the list was read from the platform to its end; otherwise older e-mails are still to come. */
  readonly isWhole: boolean
}

export interface ThreadOfEmail {
  readonly thread: Thread
  /** The e-mail's ID within the thread, which may differ. */
  readonly emailId: string
}

export type InThread<Email> = Email & {
  /** Null if no inbox has it; `unknown` while inbox mail that may contain it is still to come. */
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

export type FoundEmail<Email> = Email & {
  /** Text around the matches, if the subject has none. */
  readonly excerpt?: string | null
}

/** A row of an account-wide list. */
export type ListedEmail<Email> = InThread<FoundEmail<Email>>

/** A window of an account-wide list. In a search, `total` counts the matches so far. */
export interface EmailPage<Email> extends Page<ListedEmail<Email>> {
  /** Null without a search. */
  readonly searched: EmailSearchCoverage | null
}

export const SEARCH_KEEPING = {
  recent: 20,
  saved: 200,
  /** Characters of a saved search's name. */
  name: 100,
  /** UTF-16 units of a search's text. */
  text: 4_000,
  /** Unread threads counted for a saved search; one more means that there are more than these. */
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
  /** True if it is also a tab of its inbox when that is split. */
  readonly isTab?: true | undefined
  /**
   * Matching unread threads on this computer, up to one more than `SEARCH_KEEPING.unread`; null if unknown (yet), if
   * its text has a fault, or if it searches for read threads.
   */
  readonly unread: number | null
}

/** UTF-16 units of a body per response, so that none blocks a window. */
export const BODY_PIECE = 512 * 1024

/** Bytes of a file whose base64 fills one chunk: a multiple of three. */
export const FILE_PIECE = Math.floor(BODY_PIECE / 4) * 3

/** Bodies too large to return with their e-mail; read them in chunks (`body.read`). */
export interface ChunkedBodies {
  /** Number of chunks of each body; 0 for none. */
  readonly html: number
  readonly text: number
  /** Changes with the bodies: chunks of one version belong together. */
  readonly version: string
  /** The first words of the text, or an empty string. */
  readonly beginning: string
}

export interface Bodies {
  /** As sent: hostile until the reader has sanitised it. */
  readonly html: string | null
  readonly text: string | null
  /** Null if both bodies are included; otherwise both are null. */
  readonly apart: ChunkedBodies | null
}

export interface Email extends Bodies {
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

/** An e-mail of the account-wide received list, which has neither threads nor a read state. */
export interface ReceivedEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  /** Addresses it arrived at, whatever its headers name: the user's own, an alias, any address of a catch-all. */
  readonly receivedFor: readonly string[]
  readonly subject: string | null
  readonly createdAt: number
  readonly attachments: readonly Attachment[]
  readonly onServer: boolean
}

/** An e-mail of an account-wide list that may have only its list entry. */
interface TextAvailability {
  /** The platform dropped it before its text was stored. */
  readonly isTextLost?: true
  /** User-facing reason why the platform withholds its text and files. */
  readonly withheld?: string
}

export interface ReceivedEmailDetail extends ReceivedEmail, Bodies, TextAvailability {
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
  /** Latest delivery event (platform facts 6): `delivered`, `bounced`, …, or one that the platform has added since. */
  readonly lastEvent: string | null
  /** Scheduled time, or null if it was sent at once. */
  readonly scheduledAt: number | null
  readonly onServer: boolean
}

export interface SentEmailDetail extends SentEmail, Bodies, TextAvailability {
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly messageId: string | null
}

/** Delivery of an e-mail that the account sent in a thread, as last reported by the platform. */
export interface Delivery {
  readonly emailId: string
  /** As in `SentEmail`. */
  readonly lastEvent: string | null
  readonly scheduledAt: number | null
  /** When this event was first seen, milliseconds since the epoch; null if that was before Linnet recorded it. */
  readonly learnedAt: number | null
  /** When the platform last confirmed it; null as above. */
  readonly confirmedAt: number | null
}

export interface Account {
  /** Random, and also the name of its folder; survives key changes. */
  readonly id: string
  readonly baseUrl: string
  readonly kind: 'platform' | 'demo'
  /** Name chosen by the user; null if the account goes by its inbox addresses. */
  readonly name: string | null
  /** `#RRGGBB`. */
  readonly color: string
}

/** Characters. */
export const LONGEST_ACCOUNT_NAME = 60

/** When the platform last confirmed each list, milliseconds since the epoch; null for never. */
export interface Confirmations {
  readonly inboxes: number | null
  readonly received: number | null
  readonly sent: number | null
  readonly contacts: number | null
  /** By inbox, for inboxes that the platform has. */
  readonly threads: Readonly<Record<string, number | null>>
}

/** Lists whose last check failed although the platform was reachable, with the reason. The others are omitted. */
export interface ListFailures {
  readonly inboxes?: Problem
  readonly received?: Problem
  readonly sent?: Problem
  readonly contacts?: Problem
  /** By inbox. */
  readonly threads: Readonly<Record<string, Problem>>
}

export interface SyncStatus {
  /** `offline`: platform unreachable. `refused`: it rejects this key. `needsKey`: there is no key. */
  readonly connection: 'online' | 'offline' | 'refused' | 'needsKey'
  /** Null while nothing is being fetched. `total` is the amount known so far. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly lastSyncAt: number | null
  /** Unconfirmed changes, unsent messages, and drafts that the platform lacks or has in another version. */
  readonly pendingChanges: number
  /** User-facing; set if sync can't continue. */
  readonly problem: string | null
  /** Sign-in page that the network demands first: http or https, and untrusted. */
  readonly signInPage?: string
  /** The proxy that demands another name and password. */
  readonly proxyNeedingLogin?: ProxyInUse
  readonly confirmedAt: Confirmations
  readonly failures?: ListFailures
  /** End of a pause that the platform has asked for, or null. Nothing is sent until then. */
  readonly waitingUntil: number | null
}

export interface ChangeProgress {
  readonly changeId: string
  /** Kind of items: `thread`, `contact`, or `contactImport`, which are parts of a table. */
  readonly kind: string
  readonly total: number
  /** Items already shown as changed; they wait to be sent unless `sent` counts them. */
  readonly taken: number
  /** Items that the platform has confirmed or doesn't need to know. */
  readonly sent: number
  /** The change that this one undoes, or null. */
  readonly undoes: string | null
  /** Its unsent part is being undone. */
  readonly isCancelled: boolean
  /** It undoes a cancelled change: the user did not request it and can't cancel it. */
  readonly isCancelling: boolean
}

/** A change of threads, with at least one field. Label IDs belong to the inbox. */
export interface ThreadChange {
  readonly read?: boolean | undefined
  readonly folder?: MoveTarget | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  /** These four stay local. Times are milliseconds since the epoch; null clears the current one. */
  readonly star?: boolean | undefined
  readonly mute?: boolean | undefined
  readonly snoozedUntil?: number | null | undefined
  readonly remindAt?: number | null | undefined
}
