/**
 * The one contract between the screens and what serves them: every command with its input and output, and every event.
 * Both hosts' bindings, the engine's dispatcher and the renderer's client are derived from these two tables, so a
 * command without a handler does not compile.
 */
import type { AboutLinnet } from './about-linnet.ts'
import type { AppLink } from './app-link.ts'
import type { ArrivedMail } from './arrived-mail.ts'
import { z } from 'zod'
import { BACKUP_SCHEDULES, type BackupSettings, type BackupState, type LastBackup } from './backups.ts'
import { contactQuerySchema } from './contact-query.ts'
import { EMAIL_LISTS, emailQuerySchema } from './email-query.ts'
import { exportWish, type ExportState } from './export.ts'
import { LOG_LEVELS, type LogLevel } from './log.ts'
import type { DesktopState } from './desktop-state.ts'
import type { UpdateState } from './updates.ts'
import { menuCommandSchema } from './menu-command.ts'
import {
  BODY_PIECE,
  MOST_HELD,
  MOST_LISTS,
  LONGEST_ACCOUNT_NAME,
  MOVE_TARGETS,
  SENDER_CHOICES,
  type Account,
  type AttachmentList,
  type Authentication,
  type ChangeProgress,
  type Contact,
  type Delivery,
  type Email,
  type EmailPage,
  type Freshness,
  type Inbox,
  type InThread,
  type KeepingState,
  type Label,
  type OpenedAttachment,
  type OriginalSource,
  type Page,
  type Person,
  type Picture,
  type ReceivedEmail,
  type ReceivedEmailDetail,
  type RecentSearch,
  type SavedSearch,
  type SenderChoice,
  type SenderPolicy,
  type SentEmail,
  type SentEmailDetail,
  type SyncStatus,
  type Thread,
  type ThreadOfEmail,
  type ThreadPage,
  type ThreadsAcrossPage,
  type ThreadsByFolder,
} from './model.ts'
import { preferencesChangeSchema, type Preferences } from './preferences.ts'
import type { Problem, StandingProblem } from './result.ts'
import { portableSnippets, SNIPPET_LIMITS, type CannedReply, type Snippets, type SnippetsImported } from './snippets.ts'
import type { Reading } from './reading.ts'
import type { RunState } from './run-state.ts'
import { SPELLING_LIMITS, type SpellingState } from './spelling.ts'
import { LONGEST_SEARCH, threadQuerySchema } from './thread-query.ts'
import {
  draftContent,
  WRITING_KINDS,
  writingTarget,
  type Draft,
  type DraftFile,
  type LeftOutFile,
  type DraftState,
  type DraftSummary,
} from './writing.ts'

/**
 * Who answers: the host, which holds the key and the desktop, or the engine, which holds the mail: of one account, or
 * `across` several of them, which are named in the input.
 */
export type Room = 'host' | 'engine' | 'across'

interface Command<Where extends Room, Input extends z.ZodType, Output> {
  readonly room: Where
  readonly input: Input
  /** Exists for the type alone. */
  readonly output?: Output
}

/** What a command takes, made when it is asked for: a start asks for a few of them, in three processes. */
type Making<Input extends z.ZodType> = Input | (() => Input)

const command = <Where extends Room, Input extends z.ZodType, Output>(
  room: Where,
  making: Making<Input>,
): Command<Where, Input, Output> => {
  let made: Input | null = null
  return {
    room,
    get input() {
      return (made ??= typeof making === 'function' ? making() : making)
    },
  }
}

const host =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'host', Input, Output>('host', making)
const engine =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'engine', Input, Output>('engine', making)
const across =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'across', Input, Output>('across', making)

const nothing = z.object({}).strict()
const id = z.string().min(1).max(512)
const apiKey = z.string().trim().min(1).max(1024)
const accountId = z.string().min(1).max(64)
const ids = z.array(id).min(1).max(10_000)
/** An address alone, without a name. RFC 5321 allows 320 characters; what is longer is nobody's and can be asked about. */
const address = z.string().trim().min(1).max(512)
/** A folder of this computer, as a person types it. */
const folderPath = z.string().trim().min(1).max(4_096)
const personName = z.string().trim().max(200).nullable()
/** Whatever was typed: how much of it can be kept is told in words. */
const searchText = z.string().max(LONGEST_SEARCH)
/** A window of a list: at most 200 rows, as one transaction and one screen need no more. */
const window = { offset: z.int().min(0), limit: z.int().min(1).max(200) }
const typedPerson = { typed: z.string().max(256), limit: z.int().min(1).max(20) }
/** Pieces of a document to be printed: more text than anybody prints. */
const MOST_PIECES = 200
/** Clean HTML, as the window makes it. */
const snippetHtml = z.string().max(SNIPPET_LIMITS.html)
/** How long a name may be is told in words. */
const labelName = z.string().max(1_000)
const labelColor = z
  .string()
  .regex(/^#[\da-f]{6}$/i)
  .transform((color) => color.toUpperCase())
const threadChange = z
  .object({
    read: z.boolean().optional(),
    folder: z.enum(MOVE_TARGETS).optional(),
    addLabels: z.array(id).max(100).optional(),
    removeLabels: z.array(id).max(100).optional(),
    /** All that the threads are to carry; not beside the other two. */
    setLabels: z.array(id).max(100).optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'A change names at least one field.')
  .refine(
    ({ setLabels, addLabels, removeLabels }) => setLabels === undefined || (addLabels ?? removeLabels) === undefined,
    'Labels are set, or added and taken off.',
  )

/** Threads of an inbox: by their IDs, or all of a list that are known on this computer, as of `thread.change`. */
const chosenThreads = z.union([
  z.object({ inboxId: id, threadIds: ids }).strict(),
  z
    .object({
      inboxId: id,
      matching: z.object({ query: threadQuerySchema, upTo: z.number(), except: z.array(id).max(10_000) }).strict(),
    })
    .strict(),
])

/** A window of one of the account's own lists, or of what a search finds in it. */
const emailWindow = z.object({ ...window, query: emailQuerySchema.optional() }).strict()

/** The e-mail that a body is of, or a share link: one of a thread, or of one of the account's own lists. */
export const bodyOwner = z.discriminatedUnion('list', [
  z.object({ list: z.literal('threads'), inboxId: id, threadId: id, emailId: id }).strict(),
  z.object({ list: z.enum(EMAIL_LISTS), emailId: id }).strict(),
])
export type BodyOwner = z.infer<typeof bodyOwner>

const attachmentName = z.object({ of: bodyOwner, attachmentId: id }).strict()

/** Mail of an account on this computer. */
export interface AccountName {
  readonly id: string
  /** Null for a folder of which nothing else is known. */
  readonly baseUrl: string | null
  /** Of its inboxes. */
  readonly addresses: readonly string[]
}

/** A key that works, and that a person has to say something about before it is used. */
export interface KeyQuestion {
  readonly baseUrl: string
  /** Of the inboxes that the key opens. */
  readonly addresses: readonly string[]
  /**
   * Whether the key is known to be another key of the one candidate, as its inboxes are that account's: then it can take the
   * place of the key before it, or be left. Otherwise Linnet cannot tell whether it belongs to mail that is here.
   */
  readonly isNewKey: boolean
  readonly candidates: readonly AccountName[]
}

/** An account that is connected: open, or not for the reason that it names. */
export interface ConnectedAccount extends Account {
  /** Of its inboxes, as they were last seen. */
  readonly addresses: readonly string[]
  /** Whether its mail can be read. */
  readonly isOpen: boolean
  /** False while its key waits to be tried, as the platform cannot be reached. */
  readonly isKeyTried: boolean
  /** Whether its key comes from the environment, for this run alone. */
  readonly isGiven: boolean
  /** Why it could not be opened, or its key not be read; null where all is well. */
  readonly problem: Problem | null
}

/** The accounts of this computer. */
export interface AccountsState {
  /** Those that are connected, in the person's order. */
  readonly accounts: readonly ConnectedAccount[]
  /** Where keys are kept: said on the screen before a person types one. */
  readonly keyStorage: 'keychain' | 'memory'
  /** What is wrong beside single accounts, with the settings perhaps; null where all is well. */
  readonly problem: Problem | null
  /** The platforms' accounts that are not connected, though their mail is on this computer. */
  readonly known: readonly AccountName[]
  /** Null where there is nothing to decide. */
  readonly question: KeyQuestion | null
  /** Messages of the demo that are made, while it starts for the first time; null at all other times. */
  readonly demoProgress: { readonly done: number; readonly total: number } | null
}

/** An account that was made of a backup. */
export interface RestoredAccount extends Account {
  /** Changes that had not been sent when the backup was made: they are sent once the account has a key. */
  readonly unsent: number
}

/** What goes with an account that is removed. */
export interface AccountUsage {
  /** Of all its files on this computer. */
  readonly bytes: number
  /** Changes that were made here and that the platform has not got. */
  readonly unsentChanges: number
  /** Drafts that are not on the platform, or not as they are here, or are about to be sent. */
  readonly drafts: number
  /** Threads that are nowhere else, as the platform does not have them any more. */
  readonly goneThreads: number
}

/** What became of a file that a person asked to save. In a browser it is fetched from `url`, once. */
export type SavedFile =
  | { readonly kind: 'saved'; readonly path: string }
  | { readonly kind: 'download'; readonly url: string }
  | { readonly kind: 'cancelled' }

/** A change that was made here: `changeId` undoes it. */
export interface ChangeReceipt {
  readonly changeId: string
}

/** A change of threads that was made here. */
export interface ThreadsReceipt extends ChangeReceipt {
  /** How many threads it has changed: those that were so already are not counted. */
  readonly threads: number
  /** Whether these are all that a query means: false where the platform may hold more of them than are known here. */
  readonly isWhole: boolean
}

/** A label that the platform has given another ID than it had here. */
export interface ReplacedLabel {
  readonly was: string
  readonly id: string
}

/** What is kept of an account on this computer. */
export interface CacheState {
  /** The folder. */
  readonly directory: string
  /** Of all files in it, and of those that can be fetched again. */
  readonly bytes: number
  readonly cacheBytes: number
  /** Threads that are nowhere else, as the platform does not have them any more. */
  readonly goneThreads: number
}

/** Mail that is only on this computer. */
export interface KeptMailCount {
  readonly threads: number
  readonly emails: number
  /** Threads that were chosen as well, and that the platform has. */
  readonly others: number
}

export interface Conversation {
  readonly thread: Thread
  /** Oldest first. */
  readonly emails: readonly Email[]
  readonly freshness: Freshness
}

/** A share link that was made on this computer. Whoever has its address can read the e-mail: it is a secret. */
export interface MadeShareLink {
  readonly id: string
  readonly url: string
  /** The shared e-mail. */
  readonly of: BodyOwner
  readonly subject: string | null
  readonly from: string
  readonly to: readonly string[]
  /** Milliseconds since the epoch, as is `expiresAt`: it works until then. */
  readonly madeAt: number
  readonly expiresAt: number
  /** Whether the e-mail is on this computer, to be opened. */
  readonly isHere: boolean
  /** Its thread, where it is here. */
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

export const contract = {
  /** The accounts, and whether there are any. */
  'account.state': host<AccountsState>()(nothing),
  /**
   * Tests the base URL and the key, keeps them where the test passes, and opens the account beside those that are open: the
   * one that is here where the key is its own. Offline, an account that is here opens with a key that is tried and kept later.
   * Null where the person has a question to answer first: `account.state` holds it.
   */
  'account.connect': host<Account | null>()(() =>
    z.object({ baseUrl: z.string().trim().min(1).max(2048), apiKey }).strict(),
  ),
  /** Gives an account another key; what is cached and unsent stays. `isTried`: false where the platform was not reached. */
  'account.setKey': host<{ readonly isTried: boolean }>()(() => z.object({ accountId, apiKey }).strict()),
  /** Ends the test of a base URL and a key that is under way: what asked for it answers `cancelled`, and nothing is kept. */
  'account.cancelTest': host<null>()(nothing),
  /**
   * Answers the question of `account.state`: `keep` opens the mail that is here with the key, `separate` new mail. What
   * belongs to an account that is here (`isNewKey`) cannot be kept apart from it: `invalid_input`.
   */
  'account.decide': host<Account | null>()(() =>
    z.object({ decision: z.enum(['keep', 'separate', 'cancel']), accountId: accountId.optional() }).strict(),
  ),
  /** Connects an account whose mail is on this computer, with its key or without, or opens one that could not be opened. */
  'account.open': host<Account>()(() => z.object({ accountId }).strict()),
  /** Starts the local mail platform with the demo mailbox and opens it as an account. */
  'account.startDemo': host<Account>()(nothing),
  /** Names an account, or gives it another colour. A name of nothing takes the name away. */
  'account.change': host<null>()(() =>
    z
      .object({ accountId, name: z.string().trim().max(LONGEST_ACCOUNT_NAME).optional(), color: labelColor.optional() })
      .strict(),
  ),
  /** Puts an account before another one; at the end where that is null or not there any more. */
  'account.move': host<null>()(() => z.object({ accountId, before: accountId.nullable() }).strict()),
  /** What would go with an account. */
  'account.usage': host<AccountUsage>()(() => z.object({ accountId }).strict()),
  /** Forgets the key and closes the account. Its mail stays, and what is unsent; the demo's is removed. */
  'account.disconnect': host<null>()(() => z.object({ accountId }).strict()),
  /** Closes the account and removes it from this computer, with its mail and what is unsent. The platform keeps what it has. */
  'account.remove': host<null>()(() => z.object({ accountId }).strict()),
  /**
   * Makes an account of a backup, without a key, and opens it. `not_found` where there is none in the folder, `storage_failed`
   * where a file of it is not as it was written, `refused` where the account is here already.
   */
  'backup.restore': host<RestoredAccount>()(() => z.object({ folder: folderPath }).strict()),
  /**
   * Has a person choose a folder with the desktop's own dialog, for backups to be in or of one to be restored; null where they
   * thought better of it. `not_found` in a browser, where its path is typed.
   */
  'folder.choose': host<{ readonly path: string } | null>()(() =>
    z.object({ of: z.enum(['backups', 'backup']), at: folderPath.optional() }).strict(),
  ),
  /** What someone who helps has to know, for a person to read and to copy; nothing of the mail is in it. */
  'app.diagnostics': host<{ readonly text: string; readonly logLevel: LogLevel }>()(
    // What a browser calls itself, which its own host cannot know.
    () => z.object({ browser: z.string().max(512).nullable() }).strict(),
  ),
  /** Which Linnet this is, and what it runs on. */
  'app.about': host<AboutLinnet>()(nothing),
  /**
   * Opens the licences of Electron and Chromium, which are too long for a window, in the person's browser. `not_found` where
   * the host has none, or they are missing from this copy.
   */
  'app.openLicences': host<null>()(nothing),
  /** The licences of the work of others that ships with Linnet. */
  'app.notices': host<{ readonly text: string }>()(nothing),
  /** The oldest link that was opened and no window has followed; null where none waits. Whoever takes it follows it. */
  'link.take': host<AppLink | null>()(nothing),
  /** Shows how many threads are unread beside Linnet's sign on the desktop; a host without one has no use for it. */
  'app.showUnread': host<null>()(() => z.object({ count: z.int().min(0) }).strict()),
  /** Has the log say more, or less, from now on. */
  'app.setLogLevel': host<null>()(() => z.object({ level: z.enum(LOG_LEVELS) }).strict()),
  /** What this run of Linnet is. Answered at once, also while a person is asked how to start. */
  'run.state': host<RunState>()(nothing),
  /** Goes on as usual, or with as little as possible: what is open is opened anew in that way. */
  'run.choose': host<null>()(() => z.object({ mode: z.enum(['usual', 'safe']) }).strict()),
  /** What ended without being asked to was read. */
  'run.dismissEnds': host<null>()(nothing),
  /** What a person has chosen of the windows, and what is wrong with the file that keeps it; null where all is well. */
  'preferences.get': host<{ readonly preferences: Preferences; readonly problem: Problem | null }>()(nothing),
  /** Keeps what is given of it; `preferences.changed` tells every window. `storage_failed` where it cannot be kept. */
  'preferences.set': host<null>()(preferencesChangeSchema),
  /** Who checks the spelling of what is written, and in which languages. */
  'spelling.state': host<SpellingState>()(nothing),
  /** Which of these words are in none of the languages that are checked; null where nobody can say now. */
  'spelling.check': host<{ readonly misspelt: readonly string[] | null }>()(() =>
    z
      .object({
        words: z.array(z.string().min(1).max(SPELLING_LIMITS.wordLength)).min(1).max(SPELLING_LIMITS.words).readonly(),
      })
      .strict(),
  ),
  /** Opens another window of the desktop, with what an address leads to (its URL behind `#`); empty for what a start shows. */
  'window.open': host<null>()(() => z.object({ address: z.string().max(4_000) }).strict()),
  /** What the desktop's system has been told about Linnet; null in a browser. */
  'desktop.state': host<DesktopState | null>()(nothing),
  /** Has Linnet start when the person signs in, or not. `storage_failed` where the system does not take it. */
  'desktop.startAtLogin': host<DesktopState>()(() => z.object({ isWanted: z.boolean() }).strict()),
  /** Has the system open `mailto:` links with Linnet. `refused` where it does not take it. */
  'desktop.openMailLinks': host<DesktopState>()(nothing),
  /**
   * The document as it would be on paper: a PDF, in base64. It is used up by it. `not_found` as `print.run` has it.
   */
  'print.preview': host<{ readonly base64: string }>()(() =>
    z.object({ job: id, pieces: z.int().min(1).max(MOST_PIECES) }).strict(),
  ),
  /** How this Linnet becomes the next one; null in a browser. */
  'update.state': host<UpdateState | null>()(nothing),
  /** Asks now. `refused` where nobody has agreed to it, or where this Linnet does not replace itself. */
  'update.check': host<UpdateState>()(nothing),
  /** Closes everything and goes on as the next version. `refused` with the reason where something is unsent. */
  'update.install': host<null>()(nothing),
  /** The window's commands as they are now, for the desktop's menu bar; a host without one has no use for them. */
  'menu.show': host<null>()(() => z.object({ commands: z.array(menuCommandSchema).max(500).readonly() }).strict()),
  /**
   * A piece of a document that is to be printed, counted from 0: HTML that the window has made safe, which comes in pieces as
   * no input is larger than one. Another `job` takes the place of the one before.
   */
  'print.add': host<null>()(() =>
    z.object({ job: id, place: z.int().min(0).max(MOST_PIECES), html: z.string().max(BODY_PIECE) }).strict(),
  ),
  /**
   * Prints the document, or saves it as a PDF, with the desktop's own dialogs. `not_found` where it is not whole, or in a
   * browser, which prints by itself. Null where it was printed.
   */
  'print.run': host<SavedFile | null>()(() =>
    z
      .object({
        job: id,
        pieces: z.int().min(1).max(MOST_PIECES),
        as: z.enum(['paper', 'pdf']),
        name: z.string().max(4_000),
      })
      .strict(),
  ),
  /** Saves the original file of an e-mail (contract, 6: `raw`), as `original.open` finds it. */
  'original.save': host<SavedFile>()(() => z.object({ of: bodyOwner }).strict()),
  /** Saves an attachment under a safe name; it is fetched where it is not here. */
  'attachment.save': host<SavedFile>()(attachmentName),
  /**
   * Saves all attachments of an e-mail: on the desktop into a folder, where nothing is overwritten, in a browser as one zip
   * file.
   */
  'attachment.saveAll': host<SavedFile>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * Begins an export: on the desktop into a file that the person chooses, in a browser into the data folder. Null where they
   * thought better of it.
   */
  'export.start': host<ExportState | null>()(exportWish),
  /** Brings the file of an export that is done to the person, who has it already on the desktop. */
  'export.save': host<SavedFile>()(() => z.object({ id }).strict()),
  /** Saves all contacts that are on this computer as a table (CSV). */
  'contact.export': host<SavedFile>()(nothing),
  /** Saves the signatures and canned replies of the account as a file that `readSnippets` reads. */
  'snippet.export': host<SavedFile>()(nothing),

  'inbox.list': engine<{ readonly inboxes: readonly Inbox[]; readonly freshness: Freshness }>()(nothing),
  /** Adds an inbox by its ID, where the platform knows inboxes but does not list them. */
  'inbox.add': engine<Inbox>()(() => z.object({ inboxId: id }).strict()),
  'label.list': engine<readonly Label[]>()(() => z.object({ inboxId: id }).strict()),
  /**
   * Makes a label, at once and offline as well: threads can carry it under `labelId` from now on. `invalid_input` for a name
   * that is taken, or beyond `LABEL_LIMITS`.
   */
  'label.create': engine<ChangeReceipt & { readonly labelId: string }>()(() =>
    z.object({ inboxId: id, name: labelName, color: labelColor }).strict(),
  ),
  /** Renames or recolours a label. */
  'label.update': engine<ChangeReceipt>()(() =>
    z
      .object({ inboxId: id, labelId: id, name: labelName.optional(), color: labelColor.optional() })
      .strict()
      .refine(({ name, color }) => name !== undefined || color !== undefined, 'A change names at least one field.'),
  ),
  /**
   * On how many threads a label is, as far as they are on this computer: said before it is deleted. `labelId`: its ID of
   * today, also where it was asked for by one that it had.
   */
  'label.usage': engine<{ readonly labelId: string; readonly threads: number }>()(() =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
  /** Deletes a label, and takes it off all threads with it. */
  'label.delete': engine<ChangeReceipt & { readonly threads: number }>()(() =>
    z.object({ inboxId: id, labelId: id }).strict(),
  ),
  /**
   * Any list of threads, latest activity first. A folder's and a label's are answered whole from the cache. A search is
   * answered at once with what is known of it, and `threads.changed` names its key whenever more is known: rows of this
   * computer first, the platform's as they come, a page at a time as windows further down are asked for.
   */
  'thread.list': engine<ThreadPage>()(() =>
    z
      .object({
        query: threadQuerySchema,
        ...window,
        /** The platform is not asked for a search: while a person types, with `query.lastWordIsPrefix` where a word is open. */
        onlyHere: z.boolean().optional(),
        /**
         * Threads that stay in a search for read or unread ones while a window shows it, though they have been read, or
         * marked as unread, since: no row goes from under the hands of a person who opens it.
         */
        held: z.array(id).max(MOST_HELD).optional(),
      })
      .strict(),
  ),
  /**
   * Lists of threads of several inboxes and accounts as one, latest activity first; threads of one time stand in the order of
   * `lists`. Each list is answered as by `thread.list`, and each account's `threads.changed` tells of its own. What cannot be
   * read is told (`failed`) beside the others.
   */
  'thread.listAcross': across<ThreadsAcrossPage>()(() =>
    z
      .object({
        /** One for each inbox. */
        lists: z
          .array(z.object({ accountId, query: threadQuerySchema }).strict())
          .min(1)
          .max(MOST_LISTS),
        ...window,
        onlyHere: z.boolean().optional(),
        held: z
          .array(z.object({ accountId, threadId: id }).strict())
          .max(MOST_HELD)
          .optional(),
      })
      .strict(),
  ),
  /** Asks the platform anew for a search, also after it failed; the answer is told by `threads.changed`. */
  'thread.searchAgain': engine<null>()(() => z.object({ query: threadQuerySchema }).strict()),
  /**
   * How many threads a search finds in each folder, wherever it looks itself: counted on this computer, with what the platform has
   * found so far. A later count for the same inbox ends one that is under way.
   */
  'thread.countByFolder': engine<ThreadsByFolder>()(() => z.object({ query: threadQuerySchema }).strict()),
  /** The last searches of the account, newest first, 20 at most. */
  'recentSearch.list': engine<readonly RecentSearch[]>()(nothing),
  /** Puts a search at the top of the last ones; `storage_failed` where it cannot be kept. */
  'recentSearch.add': engine<null>()(() => z.object({ text: searchText }).strict()),
  'recentSearch.clear': engine<null>()(nothing),
  /** In the person's order, of all inboxes. From the first call on their unread threads are counted. */
  'savedSearch.list': engine<readonly SavedSearch[]>()(nothing),
  /**
   * Saves a search before another one, or at the end. One of the same text in the same inbox is renamed instead.
   * `invalid_input` beyond the bounds of `SEARCH_KEEPING`, `storage_failed` where it cannot be kept.
   */
  'savedSearch.save': engine<SavedSearch>()(() =>
    z.object({ inboxId: id, name: searchText, text: searchText, before: id.nullable().optional() }).strict(),
  ),
  'savedSearch.rename': engine<null>()(() => z.object({ id, name: searchText }).strict()),
  /** Puts a saved search before another one; at the end where that is null or not there any more. */
  'savedSearch.move': engine<null>()(() => z.object({ id, before: id.nullable() }).strict()),
  /** Removing one that is not there any more is no error. */
  'savedSearch.remove': engine<null>()(() => z.object({ id }).strict()),
  /** The signatures and canned replies of the account. */
  'snippet.list': engine<Snippets>()(nothing),
  /**
   * Takes over what was exported; nothing that is here is changed by it, and a name that is taken gets a number.
   * `invalid_input` beyond the bounds of `SNIPPET_LIMITS`, `storage_failed` where it cannot be kept.
   */
  'snippet.import': engine<SnippetsImported>()(portableSnippets.strict()),
  /** Keeps the signature of an inbox as clean HTML; '' for none. `storage_failed` where it cannot be kept. */
  'signature.set': engine<null>()(() => z.object({ inboxId: id, html: snippetHtml }).strict()),
  /**
   * Keeps a canned reply as clean HTML in the place of what it was; one that is not there is made, under its ID where it had
   * one. `invalid_input` for a name that is taken, and beyond the bounds of `SNIPPET_LIMITS`; `storage_failed` where it cannot
   * be kept.
   */
  'cannedReply.save': engine<CannedReply>()(() =>
    z.object({ id: id.nullable(), name: z.string().max(1_000), html: snippetHtml }).strict(),
  ),
  /** Removing one that is not there any more is no error. */
  'cannedReply.remove': engine<null>()(() => z.object({ id }).strict()),
  /**
   * The e-mail for which a search found a thread, by the ID that it has in `thread.open`; null where that is not known.
   * Called when the thread is open: its e-mails are here then.
   */
  'thread.matchedEmail': engine<string | null>()(() => z.object({ query: threadQuerySchema, threadId: id }).strict()),
  /** One thread with its e-mails: from the cache where they are complete there, else from the platform. */
  'thread.open': engine<Conversation>()(() => z.object({ inboxId: id, threadId: id }).strict()),
  /**
   * A piece of a body that is apart from its e-mail (`Bodies.apart`), counted from 0; from the cache. `not_found` where
   * the e-mail has other bodies by now: `emails.changed` tells of those.
   */
  'body.read': engine<string>()(() =>
    z
      .object({ of: bodyOwner, body: z.enum(['html', 'text']), version: z.string().max(200), place: z.int().min(0) })
      .strict(),
  ),
  /**
   * What was chosen for the sender of an e-mail. Where something was, the platform is asked whether the e-mail is the
   * sender's, as far as that is not known. `not_found` where the e-mail is not on this computer.
   */
  'senderChoice.of': engine<SenderPolicy>()(() => z.object({ of: bodyOwner }).strict()),
  /** All that was chosen for senders and domains, by their names. */
  'senderChoice.list': engine<readonly SenderChoice[]>()(nothing),
  /** Keeps a choice, or takes it back. `invalid_input` for what is neither an address nor a domain. */
  'senderChoice.set': engine<null>()(() =>
    z
      .object({
        about: z.enum(SENDER_CHOICES.about),
        who: z.enum(SENDER_CHOICES.who),
        name: z.string().min(1).max(1_000),
        isOn: z.boolean(),
      })
      .strict(),
  ),
  /**
   * A picture that an e-mail names: what was fetched before, else out of the e-mail itself (`cid:`, a name alone, or the
   * address that one of its parts has; `not_found` where it is not in it), else from the public Internet, without cookies or a word about who asks; that is `refused` in spam. `refused`
   * for what the e-mail does not name, is not to be asked for, too large, too much for one
   * e-mail, or no picture. What was refused, or what its server does not have, is asked for once, and then for `isAgain`,
   * which a person wants.
   */
  'picture.read': engine<Picture>()(() =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192), isAgain: z.boolean() }).strict(),
  ),
  /** Of the addresses of the web in an e-mail those at which its own parts say to be. May fetch its original. */
  'picture.located': engine<readonly string[]>()(() => z.object({ of: bodyOwner }).strict()),
  /** The attachments of an e-mail; those of a sent one are asked for where they are not known yet. */
  'attachment.list': engine<AttachmentList>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * What an e-mail's attachments say beside its text: invitations, messages within signatures, reports, and what of them
   * cannot be read. Has those here that are read; each is `unreadable` by itself where it cannot be.
   */
  'attachment.readings': engine<readonly Reading[]>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * Has an attachment here: from this computer, else from the platform, else out of the e-mail's original.
   * `attachments.changed` tells how far it has come. `unreachable` offline where it is not here, `not_found` where nobody
   * has it, `refused` for one that is too large, `cancelled`.
   */
  'attachment.open': engine<OpenedAttachment>()(attachmentName),
  /** A piece of an attachment that is here, in base64, counted from 0. `not_found` where it is not here any more. */
  'attachment.read': engine<string>()(attachmentName.extend({ version: z.string().max(200), place: z.int().min(0) })),
  /** Ends the fetching of an attachment; one that is not being fetched is no error. */
  'attachment.cancel': engine<null>()(attachmentName),
  /**
   * The original of an e-mail, as it came in: read on this computer where it is here, else from the platform. `not_found`
   * where that offers none, `unreachable` where it is not here and cannot be fetched.
   */
  'original.open': engine<OriginalSource>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * A piece of an original as text, counted from 0, in which every byte can be seen: what is no text stands as a sign of
   * its own. `not_found` where the original is another one by now: it is opened anew.
   */
  'original.read': engine<string>()(() =>
    z.object({ of: bodyOwner, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /**
   * Applies a change at once and queues it for the platform: to threads by their IDs, or to all of a list (`matching`) that
   * are known on this computer, also those that no window has read. It is on the disk as a whole before anything of it is
   * done, and what was begun is finished after an end; with more than some threads it takes a while, which
   * `change.underWay` tells of, until all of it is seen and this is answered. One `changeId` undoes all of it.
   */
  'thread.change': engine<ThreadsReceipt>()(() =>
    z.union([
      z.object({ inboxId: id, threadIds: ids, change: threadChange }).strict(),
      z
        .object({
          inboxId: id,
          matching: z
            .object({
              query: threadQuerySchema,
              /** Threads with later activity are left alone: milliseconds since the epoch. */
              upTo: z.number(),
              except: z.array(id).max(10_000),
            })
            .strict(),
          change: threadChange,
        })
        .strict(),
    ]),
  ),
  /** How much of the chosen threads is only on this computer, to be said before it is deleted: see `thread.deleteKept`. */
  'thread.countKept': engine<KeptMailCount>()(chosenThreads),
  /**
   * Deletes those of the chosen threads for good that the platform has dropped, with their texts and files. Nobody else has
   * them, and nothing brings them back. Threads that the platform has stay as they are. Each thread is deleted as a whole.
   */
  'thread.deleteKept': engine<KeptMailCount>()(chosenThreads),
  /**
   * Takes a change back, where nothing has changed it since: unsent ones are dropped, sent ones reversed. Undoing is a change
   * like others: its own `changeId` undoes the undoing.
   */
  'change.undo': engine<({ readonly undone: true } & ChangeReceipt) | { readonly undone: false }>()(() =>
    z.object({ changeId: id }).strict(),
  ),
  /**
   * Takes back what of a change of many threads was not sent yet, and sends no more of it. What is left of it can be undone
   * as before. `not_found` for one that is over. `threads`: how many it has changed.
   */
  'change.cancel': engine<{ readonly threads: number }>()(() => z.object({ changeId: id }).strict()),
  /** Changes of many threads that are not over, oldest first. */
  'change.underWay': engine<readonly ChangeProgress[]>()(nothing),
  /**
   * Creates a link at which anyone can view the e-mail (contract, 1). `expiresIn` such as `10m` or `1h 30m`, 48 hours where
   * it is left out; `invalid_input` for what is no such duration. The link is on the disk before this is answered;
   * `isKept`: false where the disk did not take it, so that it is lost with the end of the program.
   */
  'shareLink.create': engine<{ readonly link: MadeShareLink; readonly isKept: boolean }>()(() =>
    z.object({ of: bodyOwner, expiresIn: z.string().max(64).optional() }).strict(),
  ),
  /** Those that were made on this computer, newest first; with `typed` those whose subject or people have each part of it. */
  'shareLink.list': engine<readonly MadeShareLink[]>()(() => z.object({ typed: z.string().max(256) }).strict()),
  /** Takes a link out of the list; it works on until it expires. Forgetting what is not there is no error. */
  'shareLink.forget': engine<null>()(() => z.object({ id }).strict()),
  /** Takes back what was forgotten since the account was opened; `not_found` for any other. */
  'shareLink.restore': engine<null>()(() => z.object({ id }).strict()),
  /**
   * Drafts of an inbox, or of all of the account: those of this computer and those of the platform, last changed first. The
   * platform's are as they were last read, and read anew in the background unless `isAsKnown`; `drafts.changed` tells of them.
   */
  'draft.list': engine<readonly DraftSummary[]>()(() =>
    z.object({ inboxId: id.optional(), isAsKnown: z.boolean().optional() }).strict(),
  ),
  /** A draft whole. `not_found` where it is gone; one of the platform's is fetched where its text is not here. */
  'draft.open': engine<Draft>()(() => z.object({ draftId: id }).strict()),
  /** Begins a draft; it is on the disk when this is answered. */
  'draft.create': engine<{ readonly draftId: string; readonly revision: number }>()(() =>
    z
      .object({
        inboxId: id,
        kind: z.enum(WRITING_KINDS),
        target: writingTarget.nullable(),
        content: draftContent,
        /** Nobody has written in it: until it is saved it is no draft, but what an open composer holds. */
        isUntouched: z.boolean().optional(),
      })
      .strict(),
  ),
  /**
   * Keeps what is written now; on the disk when this is answered, and on the platform soon after. `inboxId` changes From.
   * @param revision the one that was changed: `conflict` where another window has changed it since
   */
  'draft.save': engine<{ readonly revision: number }>()(() =>
    z.object({ draftId: id, revision: z.int().min(0), content: draftContent, inboxId: id.optional() }).strict(),
  ),
  /** Throws a draft away, here and on the platform; `draft.restore` takes that back for as long as this Linnet runs. */
  'draft.discard': engine<null>()(() => z.object({ draftId: id }).strict()),
  'draft.restore': engine<null>()(() => z.object({ draftId: id }).strict()),
  /** Decides where it was changed elsewhere as well: `ours` or `theirs` becomes the draft, `both` keeps theirs as a draft of its own. */
  'draft.settle': engine<Draft>()(() => z.object({ draftId: id, keep: z.enum(['ours', 'theirs', 'both']) }).strict()),
  /**
   * Adds a file piece by piece, each base64 of at most BODY_PIECE characters; the last one answers with the file. The
   * composer adds it to the content itself.
   */
  'draft.addFile': engine<DraftFile | null>()(() =>
    z
      .object({
        draftId: id,
        upload: id,
        place: z.int().min(0),
        base64: z.string().max(BODY_PIECE),
        isLast: z.boolean(),
        filename: z.string().max(1_000),
        contentType: z.string().max(255),
        /** Whether it stands in the text. */
        isInline: z.boolean(),
      })
      .strict(),
  ),
  /** Adds the attachments of an e-mail, fetched where they are not here; those that the platform does not take are left out. */
  'draft.addFrom': engine<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }>()(() =>
    z.object({ draftId: id, of: bodyOwner }).strict(),
  ),
  /** A piece of a file of a draft, in base64: of a picture in its text. Null past its end. */
  'draft.readFile': engine<string | null>()(() =>
    z.object({ draftId: id, fileId: id, place: z.int().min(0) }).strict(),
  ),
  /**
   * Sends a draft: after `holdSeconds`, in which it can be taken back, or by the platform at `scheduledAt`. On the disk when
   * this is answered. `refused` with the field in its details where it cannot be sent as it is.
   * @param archive whether its thread is archived with it
   */
  'draft.send': engine<{ readonly state: DraftState }>()(() =>
    z
      .object({
        draftId: id,
        revision: z.int().min(0),
        holdSeconds: z.int().min(0).max(120),
        archive: z.boolean(),
        scheduledAt: z.number().nullable(),
      })
      .strict(),
  ),
  /**
   * Takes a message back that was not sent yet, was refused, or is scheduled: it is an open draft again. `conflict` where
   * it is sent, or may be.
   */
  'draft.cancelSending': engine<Draft>()(() => z.object({ draftId: id }).strict()),
  /** Has the platform send a scheduled message at another time. */
  'draft.reschedule': engine<null>()(() => z.object({ draftId: id, scheduledAt: z.number() }).strict()),
  /**
   * What became of the e-mails of a thread that the account has sent, of those of which anything is known on this computer.
   * With `mayAsk` the platform is asked behind it for what may be another by now, by growing pauses: a window asks again while
   * the thread is open, and where `sentEmails.changed` tells that something else may have become of one.
   */
  'delivery.ofThread': engine<readonly Delivery[]>()(() =>
    z.object({ inboxId: id, threadId: id, mayAsk: z.boolean() }).strict(),
  ),
  /**
   * All of them, newest first; with a query those that it means, in its order, of all that are on this computer. Before them
   * stand those who were added here and whom the platform does not know yet (`createdAt`: null).
   */
  'contact.list': engine<Page<Contact>>()(() => z.object({ ...window, query: contactQuerySchema.optional() }).strict()),
  /** By its ID or its address, from the cache, else from the platform: without walking the list. */
  'contact.get': engine<Contact>()(() => z.object({ contactId: id }).strict()),
  /** What is known on this computer of the contact who has an address; null for one who is no contact, or is not here. */
  'contact.ofAddress': engine<Contact | null>()(() => z.object({ address }).strict()),
  /**
   * Adds somebody to the contacts, at once here and by the outbox there. Undone it takes them off again, unless the platform
   * turned out to have them before. `invalid_input` for what is not an address, and for somebody who is a contact.
   */
  'contact.add': engine<ChangeReceipt>()(() =>
    z.object({ address, firstName: personName, lastName: personName }).strict(),
  ),
  /**
   * Subscribes a contact to a topic or takes it off, at once here and by the outbox there. `contactId`: the address where the ID
   * is not known.
   */
  'contact.setTopic': engine<ChangeReceipt>()(() =>
    z.object({ contactId: id, topicId: id, subscription: z.enum(['opt_in', 'opt_out']) }).strict(),
  ),
  /**
   * What the platform found when it checked the sender of an e-mail: from what is here, else asked for once. Null where
   * that is not known, as for every e-mail that was sent from here.
   */
  'sender.authentication': engine<Authentication | null>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * Whether no mail on this computer is earlier than an e-mail and from its sender, or was sent to them before it. Null
   * where that cannot be told, and for mail from one of the account's own inboxes.
   */
  'sender.isNew': engine<boolean | null>()(() => z.object({ of: bodyOwner }).strict()),
  /**
   * Whom a typed part of a name or an address may mean: contacts, and everyone whom the e-mails of the inbox, or of one of
   * the account's own lists, name on this computer, the likeliest first, each address once. `contactId`: null for one who is
   * no contact.
   */
  'person.suggest': engine<
    readonly { readonly name: string | null; readonly address: string; readonly contactId: string | null }[]
  >()(() =>
    z.union([
      z.object({ inboxId: id, ...typedPerson }).strict(),
      z.object({ list: z.enum(EMAIL_LISTS), ...typedPerson }).strict(),
    ]),
  ),
  /**
   * What is known of the person with an address, however it is written (capitals, the domain in either form of IDNA): from
   * this computer alone, at once. `contacts.changed`, `topics.changed` of its `contactId`, `threads.changed`, `emails.changed`,
   * `receivedEmails.changed` and `sentEmails.changed` tell that it may be another.
   */
  'person.get': engine<Person>()(() => z.object({ address }).strict()),
  /**
   * Asks the platform for the topics of the person (contract, 5: by the contact's ID, or by the address where there is none)
   * and for their segments, unless both were asked for a moment ago. For somebody on whom a person rests. `unreachable` where
   * they are not here and the platform is out of reach; somebody who is no contact has none, and that is no error.
   * @param again what the platform said a moment ago that it does not have is asked for all the same
   */
  'person.refresh': engine<Person>()(() => z.object({ address, again: z.boolean().optional() }).strict()),
  /**
   * The account's received e-mails, newest first. With a query those that match on this computer, as the platform cannot
   * search them: whole, a page at a time as windows further down are asked for. `receivedEmails.changed` tells of both.
   */
  'receivedEmail.list': engine<EmailPage<ReceivedEmail>>()(emailWindow),
  'receivedEmail.get': engine<InThread<ReceivedEmailDetail>>()(() => z.object({ id }).strict()),
  /**
   * Deletes an e-mail for good that the platform has dropped. `refused` for one that the platform has, or that is part of a
   * conversation here: that is deleted as a whole.
   */
  'receivedEmail.deleteKept': engine<null>()(() => z.object({ id }).strict()),
  /** The account's sent e-mails, newest first; searched as those that were received. */
  'sentEmail.list': engine<EmailPage<SentEmail>>()(emailWindow),
  'sentEmail.get': engine<InThread<SentEmailDetail>>()(() => z.object({ id }).strict()),
  /** The same of one that was sent. */
  'sentEmail.deleteKept': engine<null>()(() => z.object({ id }).strict()),
  /** Exports that are under way, paused, or done and not put away, oldest first. */
  'export.list': engine<readonly ExportState[]>()(nothing),
  /** Stops an export for now: what was written is kept. `not_found` as of all three where it is not there any more. */
  'export.pause': engine<null>()(() => z.object({ id }).strict()),
  /** Goes on with an export where it was, also after an end of Linnet. */
  'export.resume': engine<null>()(() => z.object({ id }).strict()),
  /** Ends an export and removes what was written; one that is done is put away, and its file stays. */
  'export.cancel': engine<null>()(() => z.object({ id }).strict()),
  'sync.status': engine<SyncStatus>()(nothing),
  /** Looks for news now, whatever the pace of polling. */
  'sync.now': engine<null>()(nothing),
  /** What is kept of the mail before the platform drops it, how much that is, and how far it has come. */
  'keeping.state': engine<KeepingState>()(nothing),
  /**
   * How many days back mail is fetched without being asked for, null for all, and the most bytes of files, null for no
   * bound and 0 to keep only what is opened. What is left out stays. Nothing is deleted by any choice. `storage_failed`
   * where the disk does not take it.
   */
  'keeping.set': engine<KeepingState>()(() =>
    z
      .object({
        days: z.int().min(1).max(36_500).nullable().optional(),
        bytes: z.int().min(0).nullable().optional(),
      })
      .strict(),
  ),
  /** What is kept of the account on this computer. */
  'cache.state': engine<CacheState>()(nothing),
  /**
   * Removes the mail that is kept here and fetches it anew. Changes that were not sent yet, searches that were saved and all
   * settings stay; threads that the platform does not have any more are lost.
   */
  'cache.clear': engine<null>()(nothing),
  /** When backups are made, the last one, and how far the one that is being made has come. */
  'backup.state': engine<BackupState>()(nothing),
  /**
   * Makes a backup in the folder that was chosen, or in another one; answered when it is whole. `invalid_input` for a folder
   * that cannot be, `storage_failed` where the disk does not take it. Earlier ones go only then.
   */
  'backup.now': engine<LastBackup>()(() => z.object({ folder: folderPath.optional() }).strict()),
  /** Ends the one that is being made; none is no error. */
  'backup.cancel': engine<null>()(nothing),
  'backup.setSchedule': engine<null>()(
    () =>
      z
        .object({
          schedule: z.enum(BACKUP_SCHEDULES),
          keep: z.union([z.literal(3), z.literal(7)]),
          folder: folderPath.nullable(),
        })
        .strict() satisfies z.ZodType<BackupSettings>,
  ),
  /** What a person should know until they dismiss it, oldest first. */
  'problem.list': engine<readonly StandingProblem[]>()(nothing),
  /** Puts a standing problem away for good; one that is not there any more is no error. */
  'problem.dismiss': engine<null>()(() => z.object({ id }).strict()),
  /** Whether a person can see the window: sync polls faster when it is in use and rests when it is hidden. */
  'window.activity': engine<null>()(() => z.object({ activity: z.enum(['focused', 'visible', 'hidden']) }).strict()),
} as const

export type CommandName = keyof typeof contract
export type CommandInput<Name extends CommandName> = z.input<(typeof contract)[Name]['input']>
export type ParsedInput<Name extends CommandName> = z.output<(typeof contract)[Name]['input']>
export type CommandOutput<Name extends CommandName> = Exclude<(typeof contract)[Name]['output'], undefined>

export type CommandsOf<Where extends Room> = {
  [Name in CommandName]: (typeof contract)[Name]['room'] extends Where ? Name : never
}[CommandName]
export type HostCommand = CommandsOf<'host'>

/** The envelope of a call: about whose mail it is, and who asks. */
export interface Asking {
  readonly accountId: string | null
  /** One of the windows or tabs, or the host itself: what one of them does is never taken for another's doing. */
  readonly caller: string
}

export type EngineCommand = CommandsOf<'engine'>
/** Those about several accounts. */
export type AcrossCommand = CommandsOf<'across'>

/** One function a command. A handler throws `ProblemError` for what a person can act on. */
export type Handlers<Name extends CommandName> = {
  readonly [Each in Name]: (
    input: ParsedInput<Each>,
    asking: Asking,
  ) => Promise<CommandOutput<Each>> | CommandOutput<Each>
}

/** The engine's handlers of one domain: of the commands whose names begin with it. */
export type HandlersOf<Domain extends string> = Handlers<Extract<EngineCommand, `${Domain}.${string}`>>

/** What the screens are told without asking. Each says what to read again, not what it is now. */
export interface Events {
  'account.changed': AccountsState
  /** A link to Linnet was opened: whoever can follow it takes it (`link.take`). */
  'link.waiting': null
  /** A command was chosen in the desktop's menu bar. */
  'menu.chosen': { readonly commandId: string }
  /** As they are now, in every window. */
  'preferences.changed': Preferences
  /** As it is now, in every window. */
  'run.changed': RunState
  /** As it is now, in every window. */
  'update.changed': UpdateState
  /** A word was added to the person's own dictionary. */
  'spelling.changed': null
  'inboxes.changed': null
  /**
   * Labels are new, gone, or look different, also on every thread that carries them. `replaced` names those that were made
   * here and have the platform's ID from now on; for a while the former ID is understood as well.
   */
  'labels.changed': { readonly inboxId: string; readonly replaced: readonly ReplacedLabel[] }
  /**
   * `folders` and `labelIds` name every list that lost, gained or reordered a row, `searches` every search of which that
   * is known, or which was searched further, by its `threadQueryKey`; null stands for all of them.
   */
  'threads.changed': {
    readonly inboxId: string
    readonly folders: readonly string[]
    readonly labelIds: readonly string[]
    /** Whether the list of what only this computer has lost, gained or reordered a row; left out where it has not. */
    readonly onlyHere?: boolean
    readonly threadIds: readonly string[]
    /** Those of them that a change of this computer's, or taking one back, has put into another folder; left out where none. */
    readonly movedHere?: readonly string[]
    readonly searches: readonly string[] | null
  }
  /** The e-mails of these threads are new or different. */
  'emails.changed': { readonly inboxId: string; readonly threadIds: readonly string[] }
  /** Changes of many threads have gone on, begun, or are over. */
  'changes.progressed': null
  'shareLinks.changed': null
  /** Drafts of these inboxes are new, gone, or others than before, or stand elsewhere on their way to be sent. */
  'drafts.changed': { readonly inboxIds: readonly string[] }
  /** There is unread mail in the inbox that nobody was told of; each is told once, also over a restart. */
  'mail.arrived': ArrivedMail
  /** The platform has taken a message; its draft is gone. `threadId` is null where its thread is not known (yet). */
  'draft.sent': {
    readonly draftId: string
    readonly inboxId: string
    readonly threadId: string | null
    readonly emailId: string
  }
  /** Contacts, or who waits to become one, and their segments. */
  'contacts.changed': null
  /** The attachments of an e-mail are being fetched, or are here. */
  'attachments.changed': { readonly emailId: string }
  /** `contactId`: the address where the ID is not known (`Person`). */
  'topics.changed': { readonly contactId: string }
  'receivedEmails.changed': null
  'sentEmails.changed': null
  /** Exports have gone on, begun, stopped, or are over. */
  'exports.changed': null
  'sync.changed': SyncStatus
  'problems.changed': null
  'recentSearches.changed': null
  /** One is new, gone, renamed, elsewhere in the order, or finds another number of unread threads. */
  'savedSearches.changed': null
  'senderChoices.changed': null
  /** Signatures or canned replies are others. */
  'snippets.changed': null
  /** More mail is kept, or other choices hold; at most once a second. */
  'keeping.changed': null
  /** A backup is being made, or the schedule is another. */
  'backup.changed': null
}
export type EventName = keyof Events
export type LinnetEvent = {
  readonly [Name in EventName]: { readonly name: Name; readonly payload: Events[Name] }
}[EventName]
/** An event with the account that it is about; null where it is about none, or about all. */
export type AddressedEvent = LinnetEvent & { readonly accountId: string | null }

/** All that a host supplies to the screens. */
export interface Transport {
  /** @param accountId the account whose mail is meant; null for what is about none, or about all */
  readonly call: (name: string, input: unknown, accountId: string | null) => Promise<unknown>
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
}
