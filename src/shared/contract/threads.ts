/** Threads: their lists, what is in one, and what changes them. */
import { z } from 'zod'
import type { ArrivedMail } from '../arrived-mail.ts'
import {
  MOST_HELD,
  MOST_LISTS,
  MOVE_TARGETS,
  type ChangeProgress,
  type Delivery,
  type Email,
  type Freshness,
  type Thread,
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
  readonly freshness: Freshness
}

/** A change of threads that was made here. */
export interface ThreadsReceipt extends ChangeReceipt {
  /** How many threads it has changed: those that were so already are not counted. */
  readonly threads: number
  /** Whether these are all that a query means: false where the platform may hold more of them than are known here. */
  readonly isWhole: boolean
}

/** Mail that is only on this computer. */
export interface KeptMailCount {
  readonly threads: number
  readonly emails: number
  /** Threads that were chosen as well, and that the platform has. */
  readonly others: number
}

const threadChange = () =>
  z
    .object({
      read: z.boolean().optional(),
      folder: z.enum(MOVE_TARGETS).optional(),
      addLabels: z.array(id).max(100).optional(),
      removeLabels: z.array(id).max(100).optional(),
      /** All that the threads are to carry; not beside the other two. */
      setLabels: z.array(id).max(100).optional(),
    })
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      'A change names at least one field.',
    )
    .refine(
      ({ setLabels, addLabels, removeLabels }) => setLabels === undefined || (addLabels ?? removeLabels) === undefined,
      'Labels are set, or added and taken off.',
    )

/** Threads of an inbox: by their IDs, or all of a list that are known on this computer, as of `thread.change`. */
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
   * Any list of threads, latest activity first. A folder's and a label's are answered whole from the cache. A search is
   * answered at once with what is known of it, and `threads.changed` names its key whenever more is known: rows of this
   * computer first, the platform's as they come, a page at a time as windows further down are asked for.
   */
  'thread.list': engine<ThreadPage>()('joined', () =>
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
  'thread.searchAgain': engine<null>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /**
   * How many threads a search finds in each folder, wherever it looks itself: counted on this computer, with what the platform has
   * found so far. A later count for the same inbox ends one that is under way.
   */
  'thread.countByFolder': engine<ThreadsByFolder>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /**
   * The e-mail for which a search found a thread, by the ID that it has in `thread.open`; null where that is not known.
   * Called when the thread is open: its e-mails are here then.
   */
  'thread.matchedEmail': engine<string | null>()('joined', () =>
    z.object({ query: threadQuerySchema, threadId: id }).strict(),
  ),
  /** One thread with its e-mails: from the cache where they are complete there, else from the platform. */
  'thread.open': engine<Conversation>()('joined', () => z.object({ inboxId: id, threadId: id }).strict()),
  /**
   * Applies a change at once and queues it for the platform: to threads by their IDs, or to all of a list (`matching`) that
   * are known on this computer, also those that no window has read. It is on the disk as a whole before anything of it is
   * done, and what was begun is finished after an end; with more than some threads it takes a while, which
   * `change.underWay` tells of, until all of it is seen and this is answered. One `changeId` undoes all of it.
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
              /** Threads with later activity are left alone: milliseconds since the epoch. */
              upTo: z.number(),
              except: z.array(id).max(10_000),
            })
            .strict(),
          change: threadChange(),
        })
        .strict(),
    ]),
  ),
  /** How much of the chosen threads is only on this computer, to be said before it is deleted: see `thread.deleteKept`. */
  'thread.countKept': engine<KeptMailCount>()('joined', chosenThreads),
  /**
   * Deletes those of the chosen threads for good that the platform has dropped, with their texts and files. Nobody else has
   * them, and nothing brings them back. Threads that the platform has stay as they are. Each thread is deleted as a whole.
   */
  'thread.deleteKept': engine<KeptMailCount>()('joined', chosenThreads),
  /**
   * Takes a change back, where nothing has changed it since: unsent ones are dropped, sent ones reversed. Undoing is a change
   * like others: its own `changeId` undoes the undoing.
   */
  'change.undo': engine<({ readonly undone: true } & ChangeReceipt) | { readonly undone: false }>()('joined', () =>
    z.object({ changeId: id }).strict(),
  ),
  /**
   * Takes back what of a change of many threads was not sent yet, and sends no more of it. What is left of it can be undone
   * as before. `not_found` for one that is over. `threads`: how many it has changed.
   */
  'change.cancel': engine<{ readonly threads: number }>()('joined', () => z.object({ changeId: id }).strict()),
  /** Changes of many threads that are not over, oldest first. */
  'change.underWay': engine<readonly ChangeProgress[]>()('joined', nothing),
  /**
   * What became of the e-mails of a thread that the account has sent, of those of which anything is known on this computer.
   * With `mayAsk` the platform is asked behind it for what may be another by now, by growing pauses: a window asks again while
   * the thread is open, and where `sentEmails.changed` tells that something else may have become of one.
   */
  'delivery.ofThread': engine<readonly Delivery[]>()('owner', () =>
    z.object({ inboxId: id, threadId: id, mayAsk: z.boolean() }).strict(),
  ),
}

export interface ThreadEvents {
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
  /** There is unread mail in the inbox that nobody was told of; each is told once, also over a restart. */
  'mail.arrived': ArrivedMail
}
