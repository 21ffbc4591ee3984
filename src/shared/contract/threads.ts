/** Threads: their lists, their content, and changes of them. */
import { z } from 'zod'
import type { ArrivedMail } from '../arrived-mail.ts'
import {
  MOST_EXCERPTS,
  MOST_HELD,
  MOST_LISTS,
  MOVE_TARGETS,
  type ChangeProgress,
  type Delivery,
  type Email,
  type Freshness,
  type Thread,
  type ThreadExcerpt,
  type ThreadPage,
  type ThreadsAcrossPage,
  type ThreadsByFolder,
} from '../model.ts'
import { threadQuerySchema } from '../thread-query.ts'
import { across, engine } from './command.ts'
import { accountId, id, ids, nothing, window, type ChangeReceipt } from './inputs.ts'

export interface Conversation {
  readonly thread: Thread
  /** Oldest first. */
  readonly emails: readonly Email[]
  /** IDs of the newest that were sent from elsewhere, by a colleague or another computer; left out where there are none. */
  readonly sentElsewhere?: readonly string[]
  readonly freshness: Freshness
}

/** A change of threads, made here. */
export interface ThreadsReceipt extends ChangeReceipt {
  /** How many threads it changed, without those that were so already. */
  readonly threads: number
  /** Whether these are all that a query matches: false if the platform may hold more than is known here. */
  readonly isWhole: boolean
}

/** Mail that exists only on this computer. */
export interface KeptMailCount {
  readonly threads: number
  readonly emails: number
  /** Chosen threads that the platform still has. */
  readonly others: number
}

/** The last moment that a `Date` can hold. */
const LATEST = 8.64e15

const threadChange = () =>
  z
    .object({
      read: z.boolean().optional(),
      folder: z.enum(MOVE_TARGETS).optional(),
      addLabels: z.array(id).max(100).optional(),
      removeLabels: z.array(id).max(100).optional(),
      /** Replaces all labels of the threads; not allowed beside the other two. */
      setLabels: z.array(id).max(100).optional(),
      /** These four stay on this computer (`thread-marks.ts`). Muting archives what lies in the inbox. */
      star: z.boolean().optional(),
      mute: z.boolean().optional(),
      snoozedUntil: z.int().min(0).max(LATEST).nullable().optional(),
      remindAt: z.int().min(0).max(LATEST).nullable().optional(),
    })
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      'A change names at least one field.',
    )
    .refine(
      ({ setLabels, addLabels, removeLabels }) => setLabels === undefined || (addLabels ?? removeLabels) === undefined,
      'Labels are set, or added and taken off.',
    )

/** Threads of an inbox: by their IDs, or all known threads of a list, as in `thread.change`. */
const chosenThreads = () =>
  z.union([
    z.object({ inboxId: id, threadIds: ids }).strict(),
    z
      .object({
        inboxId: id,
        matching: z.object({ query: threadQuerySchema, upTo: z.number(), except: z.array(id).max(10_000) }).strict(),
      })
      .strict(),
  ])

export const threadCommands = {
  /**
   * Any list of threads, latest activity first. Folders and labels are answered whole from the cache. A search answers
   * at once with what is known, and `threads.changed` names its key whenever there is more: first the rows of this
   * computer, then the platform's, a page at a time as later windows are asked for.
   */
  'thread.list': engine<ThreadPage>()('joined', () =>
    z
      .object({
        query: threadQuerySchema,
        ...window,
        /**
         * Do not ask the platform for a search: while a person types, with `query.lastWordIsPrefix` if a word is
         * unfinished.
         */
        onlyHere: z.boolean().optional(),
        /**
         * Threads to keep in a search for read or unread ones although they were read, or marked as unread, while a
         * window shows it: no row disappears under the person who opens it.
         */
        held: z.array(id).max(MOST_HELD).optional(),
        /** How many of the first rows are to bring their excerpts, as far as those are quickly read. */
        excerpts: z.int().min(0).max(MOST_EXCERPTS).optional(),
      })
      .strict(),
  ),
  /**
   * Lists of several inboxes and accounts as one, latest activity first; threads of the same time in the order of
   * `lists`. Each list is answered as by `thread.list`, with `threads.changed` of its own account. Lists that cannot be
   * read are named in `failed`.
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
  /**
   * What stands around the words of a search in e-mails that were found: of the first ones, as many as are read in a moment and
   * one at least. Whoever wants the others asks again.
   */
  'thread.excerpts': engine<readonly ThreadExcerpt[]>()('joined', () =>
    z
      .object({
        query: threadQuerySchema,
        found: z
          .array(z.object({ threadId: id, emailId: id }).strict())
          .min(1)
          .max(MOST_EXCERPTS),
      })
      .strict(),
  ),
  /** Asks the platform again for a search, also after a failure; `threads.changed` announces the answer. */
  'thread.searchAgain': engine<null>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /**
   * How many threads a search finds in each folder, whichever folder it names: counted on this computer, with what the
   * platform has found so far. A later count for the same inbox cancels a running one.
   */
  'thread.countByFolder': engine<ThreadsByFolder>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /**
   * The e-mail that made a search find a thread, by its ID in `thread.open`; null if unknown. Called once the thread is
   * open, when its e-mails are here.
   */
  'thread.matchedEmail': engine<string | null>()('joined', () =>
    z.object({ query: threadQuerySchema, threadId: id }).strict(),
  ),
  /** One thread with its e-mails: from the cache if they are complete there, else from the platform. */
  'thread.open': engine<Conversation>()('joined', () => z.object({ inboxId: id, threadId: id }).strict()),
  /**
   * Applies a change at once and queues it for the platform: to threads by ID, or to all threads of a list (`matching`)
   * that are known on this computer, whether or not a window has read them. It is on the disk as a whole before it is
   * applied, and resumed after a crash. A large one takes a while, which `change.underWay` reports, and is answered
   * when all of it is applied. One `changeId` undoes all of it.
   */
  'thread.change': engine<ThreadsReceipt>()('joined', () =>
    z.union([
      z.object({ inboxId: id, threadIds: ids, change: threadChange() }).strict(),
      z
        .object({
          inboxId: id,
          matching: z
            .object({
              query: threadQuerySchema,
              /** Skip threads with later activity: milliseconds since the epoch. */
              upTo: z.number(),
              except: z.array(id).max(10_000),
            })
            .strict(),
          change: threadChange(),
        })
        .strict(),
    ]),
  ),
  /** How much of the chosen threads exists only on this computer: shown before `thread.deleteKept`. */
  'thread.countKept': engine<KeptMailCount>()('joined', chosenThreads),
  /**
   * Deletes those of the chosen threads that the platform has dropped, with their texts and files, for good: there is
   * no other copy. Threads that the platform has stay. Each thread is deleted as a whole.
   */
  'thread.deleteKept': engine<KeptMailCount>()('joined', chosenThreads),
  /**
   * Undoes a change, except where something else has changed since: unsent changes are dropped, sent ones reversed. The
   * undo is a change too: its own `changeId` undoes it.
   */
  'change.undo': engine<({ readonly undone: true } & ChangeReceipt) | { readonly undone: false }>()('joined', () =>
    z.object({ changeId: id }).strict(),
  ),
  /**
   * Undoes what of a large change is unsent, and sends no more of it. The rest can be undone as before. `not_found` if
   * it is over. `threads`: how many it has changed.
   */
  'change.cancel': engine<{ readonly threads: number }>()('joined', () => z.object({ changeId: id }).strict()),
  /** Large changes that are not over, oldest first. */
  'change.underWay': engine<readonly ChangeProgress[]>()('joined', nothing),
  /**
   * The delivery of a thread's sent e-mails, as far as it is known here. With `mayAsk` the platform is asked in the
   * background, at growing intervals, for what may have changed: a window asks again while the thread is open, and when
   * `sentEmails.changed` says that there may be news.
   */
  'delivery.ofThread': engine<readonly Delivery[]>()('owner', () =>
    z.object({ inboxId: id, threadId: id, mayAsk: z.boolean() }).strict(),
  ),
}

export interface ThreadEvents {
  /**
   * `folders` and `labelIds` name every list that lost, gained or reordered a row, `searches` the `threadQueryKey` of
   * every search that did, or was searched further; null means all of them.
   */
  'threads.changed': {
    readonly inboxId: string
    readonly folders: readonly string[]
    readonly labelIds: readonly string[]
    /** Whether the list of threads that only this computer has lost, gained or reordered a row; absent if not. */
    readonly onlyHere?: boolean
    readonly threadIds: readonly string[]
    /** Those of them that a change made here, or its undo, moved to another folder; absent if none. */
    readonly movedHere?: readonly string[]
    readonly searches: readonly string[] | null
  }
  /** The e-mails of these threads are new or different. */
  'emails.changed': { readonly inboxId: string; readonly threadIds: readonly string[] }
  /** The command line has made a change, which a window can undo. */
  'change.commanded': ChangeReceipt & { readonly threads: number }
  /** Large changes have begun, progressed, or are over. */
  'changes.progressed': null
  /** Unread mail that nobody was notified of; each is announced once, even across restarts. */
  'mail.arrived': ArrivedMail
}
