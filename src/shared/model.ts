/**
 * What the screens speak of, in the platform's words (contract). Every time is in milliseconds since the epoch, UTC.
 */
import type { Attachment } from './attachments.ts'
import type { Authentication } from './authentication.ts'
import type { FolderCounts } from './folder-counts.ts'
import type { ProxyInUse } from './proxy.ts'
import type { Problem } from './result.ts'
import type { ThreadMarks } from './thread-marks.ts'

/** The folders that the platform knows today (contract, "Thread folders"). `sent` is assigned by the platform alone. */
export const FOLDERS = ['inbox', 'archive', 'spam', 'sent', 'trash'] as const
export type Folder = (typeof FOLDERS)[number]

/** The folders that a person can move a thread to (contract, "Thread folders"). */
export const MOVE_TARGETS = ['inbox', 'archive', 'spam', 'trash'] as const satisfies readonly Folder[]
export type MoveTarget = (typeof MOVE_TARGETS)[number]

/** How a list came to be: `live` was confirmed by the platform just now, `cached` at that time, `never` not at all. */
export interface Freshness {
  readonly state: 'live' | 'cached' | 'never'
  readonly at: number | null
  /** Why the last look at the list failed; left out where it did not. Such a list is not live. */
  readonly failure?: Problem
}

/** A window of a list. `total` counts the whole list as far as the cache knows it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly offset: number
  readonly total: number
  readonly freshness: Freshness
  /** Whether the list may go on beyond `total`: what follows is found as it is scrolled to. */
  readonly hasMore?: boolean
}

export interface Label {
  readonly id: string
  readonly name: string
  /** `#RRGGBB`; a token such as `crimson` is kept as it came (platform facts 0.1). */
  readonly color: string
}

/** What the platform allows of labels (platform facts 3.8): in an inbox, and UTF-16 units of a name. */
export const LABEL_LIMITS = { count: 100, name: 64 } as const

export interface Inbox {
  readonly id: string
  readonly name: string | null
  readonly emailAddress: string
  /** The sender's name on mail from it; null for none, left out where it is not of use. */
  readonly fromName?: string | null
  /** Threads in the folder `inbox` with at least one unread e-mail. */
  readonly unread: number
  /** Threads that the platform has dropped and that are kept here, without those in spam and trash; left out for none. */
  readonly onlyHere?: number
  /** Those of `unread` that the platform has dropped; left out for none. */
  readonly unreadOnlyHere?: number
  /** Threads with a star, and snoozed ones; each left out for none. */
  readonly starred?: number
  readonly snoozed?: number
  /** False once the platform no longer has the inbox; the mail of it that is here stays readable. */
  readonly onServer: boolean
}

export interface ThreadWriter {
  /** The address, perhaps with a display name, of their newest e-mail. */
  readonly from: string
  /** Sent from the inbox, or from another address of the account where others wrote as well. */
  readonly isMe: boolean
  /** Whether something of theirs was not read. */
  readonly isUnread: boolean
}

export interface Thread {
  readonly id: string
  readonly inboxId: string
  readonly subject: string | null
  /** Address, perhaps with a display name, of the newest e-mail's sender. */
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
  /** The beginning of the newest e-mail's text, where its body is in the cache. */
  readonly snippet: string | null
  /** Who wrote, each person once, newest first: of the e-mails in the cache, and `from` where those lag behind. */
  readonly writers: readonly ThreadWriter[]
  /** Whether one of its e-mails was sent from the inbox, as far as is known. */
  readonly hasOutbound: boolean
  /** False once the platform no longer holds the thread; the cache keeps it. */
  readonly onServer: boolean
  /** In the trash: when it was first seen there, milliseconds since the epoch. Left out elsewhere. */
  readonly trashedAt?: number
  /** What a person keeps of it on this computer; left out for nothing. */
  readonly marks?: ThreadMarks
  /** By what lists of folders and labels have it, where that is not `receivedAt`: it came back by itself. Milliseconds. */
  readonly listedAt?: number
}

/** The e-mail for which a search found a thread. */
export interface ThreadMatch {
  /**
   * `computer`: the e-mail's own ID. `platform`: an ID that the platform takes and that no e-mail here has (contract,
   * Thread, `matched_email_id`): the e-mail is found by its time and place in the thread.
   */
  readonly by: 'computer' | 'platform'
  readonly emailId: string
}

/** A thread of a list: in a search, with the e-mail that matched where that is known. */
export interface ListedThread extends Thread {
  readonly match: ThreadMatch | null
}

/** An e-mail of this computer for which a search found a thread. */
export interface FoundHere {
  readonly threadId: string
  readonly emailId: string
}

/** What stands around the words that were found; null where they are not in the body of that e-mail, or its subject has them. */
export interface ThreadExcerpt extends FoundHere {
  readonly text: string | null
}

/** Excerpts that are asked for at once at most. */
export const MOST_EXCERPTS = 100

/** What was searched on this computer. */
export interface LocalExtent {
  /** E-mails of the inbox that were looked through, and how many its threads have. */
  readonly emails: number
  readonly of: number
  /** Other spellings of its words that were looked for as well: the platform tells them apart. Left out where there are none. */
  readonly spellings?: readonly string[]
}

/** Whether, and when, the platform answered a search. `at` is its newest answer, milliseconds since the epoch. */
export type PlatformAnswer =
  /** Only this computer is asked, while a person types. */
  | { readonly state: 'not asked' }
  /** `at`: when it answered before, and the rows of then are shown. */
  | { readonly state: 'waiting'; readonly at: number | null }
  | { readonly state: 'answered'; readonly at: number }
  /** Also where it was not asked, and the search is known to be one that it refuses. */
  | { readonly state: 'failed'; readonly at: number | null; readonly problem: Problem }

export interface Searched {
  /** Null where the mail of this computer cannot be searched. */
  readonly computer: LocalExtent | null
  readonly platform: PlatformAnswer
  /** The platform covers the newest 10,000 threads that match (contract, Search threads, rule 6), and there were as many. */
  readonly isCapped: boolean
  /** Mail has come in of which the platform may not know yet, as its search lags by up to a minute (contract, Limits). */
  readonly mayLag: boolean
}

/** How many threads a search finds in each folder, by what is known on this computer. */
export interface ThreadsByFolder {
  /** A thread with a sent e-mail that matches counts in `sent` as well. */
  readonly folders: FolderCounts
  /** Whether there are no more, as far as mail is on this computer: else these are the least. */
  readonly isWhole: boolean
}

/** A window of a list of threads. In a search `total` counts what was found so far, and `hasMore` whether that is all. */
export interface ThreadPage extends Page<ListedThread> {
  readonly hasMore: boolean
  /** Null for the list of a folder or a label. */
  readonly searched: Searched | null
  /** Excerpts of the first rows, as many as were asked for and quickly read; `thread.excerpts` has the others. */
  readonly excerpts?: readonly ThreadExcerpt[]
}

/** A thread in a list over several accounts. Its ID tells it from others of its account alone. */
export interface ThreadAcross extends ListedThread {
  readonly accountId: string
}

/** A window of a list over several accounts. `total`, `freshness` and `searched` are of all that could be read. */
export interface ThreadsAcrossPage extends Page<ThreadAcross> {
  readonly hasMore: boolean
  /** Null where no list is a search. */
  readonly searched: Searched | null
  /** Accounts of which a list could not be read, each once, with the reason. */
  readonly failed: readonly { readonly accountId: string; readonly problem: Problem }[]
}

/** Lists that are shown as one at most. */
export const MOST_LISTS = 500

/** Threads that a window holds in a list of read or unread ones at most, though they have been read since. */
export const MOST_HELD = 1_000

/** What a search of one of the account's own lists went through: this computer alone, as the platform cannot search them. */
export interface SearchedEmails {
  /** E-mails that were looked through, and how many of the list are here. */
  readonly emails: number
  readonly of: number
  /** Whether the list was read from the platform to its end: if not, older e-mails are still to come. */
  readonly isWhole: boolean
}

/** The thread that an e-mail of the account's own lists belongs to. */
export interface ThreadOfEmail {
  readonly thread: Thread
  /** The e-mail's ID within the thread, which may be another one. */
  readonly emailId: string
}

/** An e-mail of the account's own lists, and its thread. */
export type InThread<Email> = Email & {
  /** Null where no inbox has it; `unknown` while mail of the inboxes is still to come that may hold it. */
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

/** An e-mail as a search found it. */
export type FoundEmail<Email> = Email & {
  /** What stands around the words of a search in the text, where the subject does not have them. */
  readonly excerpt?: string | null
}

/** An e-mail of one of the account's own lists, as a list shows it. */
export type ListedEmail<Email> = InThread<FoundEmail<Email>>

/** A window of one of the account's own lists. In a search `total` counts what was found so far. */
export interface EmailPage<Email> extends Page<ListedEmail<Email>> {
  /** Null where nothing was searched for. */
  readonly searched: SearchedEmails | null
}

/** What of a person's own searches is kept at most. */
export const SEARCH_KEEPING = {
  recent: 20,
  saved: 200,
  /** Characters of a saved search's name. */
  name: 100,
  /** UTF-16 units of a search's text. */
  text: 4_000,
  /** Unread threads of a saved search that are counted; one more says that there are more than these. */
  unread: 999,
} as const

export interface RecentSearch {
  readonly text: string
}

/** A search that a person gave a name. */
export interface SavedSearch {
  readonly id: string
  readonly name: string
  readonly inboxId: string
  /** In the language of search, so that `newer_than:7d` moves with the clock. */
  readonly text: string
  /** Whether it is a tab over its inbox as well, where that is split. */
  readonly isTab?: true | undefined
  /**
   * Unread threads that it finds on this computer, up to one more than `SEARCH_KEEPING.unread`; null where that is not
   * known (yet), its text has a fault, or it asks for read ones.
   */
  readonly unread: number | null
}

/** Characters (UTF-16 units) of a body that come in one answer at most, so that none holds a window up. */
export const BODY_PIECE = 512 * 1024

/** Bytes of a file whose base64 is one piece: a whole number of its groups of three. */
export const FILE_PIECE = Math.floor(BODY_PIECE / 4) * 3

/** Bodies that are too large to come with their e-mail: they are read piece by piece (`body.read`). */
export interface ApartBodies {
  /** In how many pieces each is; 0 where there is none. */
  readonly html: number
  readonly text: number
  /** Another one for other bodies: pieces of one belong together. */
  readonly version: string
  /** The first words of the text; empty where there is none. */
  readonly beginning: string
}

/** What an e-mail says. */
export interface Bodies {
  /** As it was sent: hostile until the reader has made it safe. */
  readonly html: string | null
  readonly text: string | null
  /** Null where both came along; else both are null. */
  readonly apart: ApartBodies | null
}

/** One e-mail of a thread. */
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

/** An e-mail of the account's own list of received mail, which has neither threads nor a read state. */
export interface ReceivedEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  /** The addresses that it came in at, whatever its headers name: one's own, an alias, any address of a catch-all. */
  readonly receivedFor: readonly string[]
  readonly subject: string | null
  readonly createdAt: number
  readonly attachments: readonly Attachment[]
  readonly onServer: boolean
}

/** An e-mail of the account's own lists of which what the list told is all there is. */
interface MaybeLost {
  /** The platform dropped it before its text was here. */
  readonly isTextLost?: true
  /** Why the platform does not give its text and files, in a person's words. */
  readonly withheld?: string
}

export interface ReceivedEmailDetail extends ReceivedEmail, Bodies, MaybeLost {
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly messageId: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Null where the platform says nothing of it. */
  readonly authentication: Authentication | null
  /** Whether the platform offers the original file. */
  readonly hasRaw: boolean
}

/** An e-mail of the account's own list of sent mail, whatever inbox or program sent it. */
export interface SentEmail {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string | null
  readonly createdAt: number
  /** What became of it last (platform facts 6): `delivered`, `bounced`, …, or a word that the platform has added since. */
  readonly lastEvent: string | null
  /** When it is to be sent; null for one that was sent at once. */
  readonly scheduledAt: number | null
  readonly onServer: boolean
}

export interface SentEmailDetail extends SentEmail, Bodies, MaybeLost {
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
  readonly messageId: string | null
}

/** What became of an e-mail of a thread that the account has sent, as far as the platform has said. */
export interface Delivery {
  readonly emailId: string
  /** As `SentEmail` has them. */
  readonly lastEvent: string | null
  readonly scheduledAt: number | null
  /** When this was first heard of it, milliseconds since the epoch; null where that was before Linnet noted it. */
  readonly learnedAt: number | null
  /** When the platform last said so; null as above. */
  readonly confirmedAt: number | null
}

export interface Account {
  /** Random, and the name of its folder: it outlives every key. */
  readonly id: string
  readonly baseUrl: string
  readonly kind: 'platform' | 'demo'
  /** As the person calls it; null where it goes by the addresses of its inboxes. */
  readonly name: string | null
  /** `#RRGGBB`. */
  readonly color: string
}

/** Characters of an account's name. */
export const LONGEST_ACCOUNT_NAME = 60

/** When the platform last confirmed each list, milliseconds since the epoch; null for never. */
export interface Confirmations {
  readonly inboxes: number | null
  readonly received: number | null
  readonly sent: number | null
  readonly contacts: number | null
  /** By inbox, of those that the platform has. */
  readonly threads: Readonly<Record<string, number | null>>
}

/** Lists whose last look failed while the platform could be reached, and why. Each is left out where it did not. */
export interface ListFailures {
  readonly inboxes?: Problem
  readonly received?: Problem
  readonly sent?: Problem
  readonly contacts?: Problem
  /** By inbox. */
  readonly threads: Readonly<Record<string, Problem>>
}

export interface SyncStatus {
  /**
   * `offline`: the platform cannot be reached. `refused`: it answers, but not to this key. `needsKey`: there is no key
   * to ask it with.
   */
  readonly connection: 'online' | 'offline' | 'refused' | 'needsKey'
  /** Null while nothing is being fetched. `total` is what is known so far. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly lastSyncAt: number | null
  /**
   * What the platform has not confirmed yet: changes, messages that are to be sent, and drafts that it does not have as they
   * are here.
   */
  readonly pendingChanges: number
  /** A sentence for the person where sync cannot go on; null otherwise. */
  readonly problem: string | null
  /** Where the network wants a person to sign in first: http or https, and nobody to be trusted. Left out where it does not. */
  readonly signInPage?: string
  /** The proxy that lets nothing through without another name and password. Left out where none does. */
  readonly askingProxy?: ProxyInUse
  readonly confirmedAt: Confirmations
  /** Left out for none. */
  readonly failures?: ListFailures
  /** Until when nothing is sent, as the platform has asked for a pause; null where it has not. */
  readonly waitingUntil: number | null
}

/** How far a change of many threads has come. */
export interface ChangeProgress {
  readonly changeId: string
  /** What it is of: `thread`, `contact`, or `contactImport`, which are parts of a table. */
  readonly kind: string
  /** How many of them. */
  readonly total: number
  /** Those of them that are seen as changed, and that wait to be sent where they are not. */
  readonly taken: number
  /** Those of them that the platform has confirmed, or did not have to be told of. */
  readonly sent: number
  /** The change that this one takes back; null for one that takes back none. */
  readonly undoes: string | null
  /** What of it was not sent is being taken back. */
  readonly isCancelled: boolean
  /** It is what takes a cancelled one back: no change that a person asked for, and none that could be cancelled. */
  readonly isCancelling: boolean
}

/** A change of threads: at least one field. Label ids are the inbox's. */
export interface ThreadChange {
  readonly read?: boolean | undefined
  readonly folder?: MoveTarget | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly addLabels?: readonly string[] | undefined
  /** These stay on this computer. Times are milliseconds since the epoch; null ends what there is. */
  readonly star?: boolean | undefined
  readonly mute?: boolean | undefined
  readonly snoozedUntil?: number | null | undefined
  readonly remindAt?: number | null | undefined
}
