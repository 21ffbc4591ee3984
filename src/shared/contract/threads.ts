import { z } from 'zod'
import type { ArrivedMail } from '../arrived-mail.ts'
import {
  MAX_EXCERPTS,
  MAX_RETAINED_THREADS,
  MOVE_TARGETS,
  type ChangeProgress,
  type Delivery,
  type Email,
  type Freshness,
  type Thread,
  type ThreadExcerpt,
  type ThreadPage,
  type ThreadCountsByFolder,
} from '../model.ts'
import { LIST_ORDERS } from '../list-order.ts'
import { threadQuerySchema } from '../thread-query.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, idListSchema, emptyInputSchema, listWindowFields, type ChangeReceipt } from './inputs.ts'

/** A change to a thread, from the log of a webhook. Names and addresses are as the platform sent them. */
export type HistoryEntry = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `here` if Linnet on this computer made it, otherwise the platform's source; null if unknown. */
  readonly by: 'here' | 'api' | 'dashboard' | 'agent' | 'system' | null
} & (
  | { readonly kind: 'moved'; readonly to: string | null }
  /** Names of labels; null for an unknown one. */
  | {
      readonly kind: 'labelled'
      readonly added: readonly (string | null)[]
      readonly removed: readonly (string | null)[]
    }
  /** By the platform's own assignment. Addresses; null if unknown. */
  | { readonly kind: 'assigned'; readonly assignee: string | null; readonly assignedBy: string | null }
  | { readonly kind: 'unassigned'; readonly assignee: string | null }
  /** A draft that was last changed at this time and still exists, or a sent one. Not of the API. */
  | { readonly kind: 'drafted' | 'sent' }
)

export interface Conversation {
  readonly thread: Thread
  /** E-mails of the thread, oldest first. */
  readonly emails: readonly Email[]
  /** Changes to the thread, oldest first, as far as they are known; omitted if none are. */
  readonly history?: readonly HistoryEntry[]
  /** IDs of the newest e-mails sent by a colleague or from another computer; omitted if there are none. */
  readonly sentElsewhere?: readonly string[]
  readonly freshness: Freshness
}

export interface ThreadsReceipt extends ChangeReceipt {
  /** Number of threads changed, not counting threads that already had the requested state. */
  readonly threads: number
  /** True if these are all matches of a query; false if the platform may have more matches than are known locally. */
  readonly isWhole: boolean
}

/** Mail that exists only on this computer. */
export interface LocalMailCount {
  readonly threads: number
  readonly emails: number
  /** Number of chosen threads that the platform still has. */
  readonly others: number
}

/** The latest time that a `Date` can hold. */
const LATEST = 8.64e15

const threadChange = () =>
  z
    .object({
      read: z.boolean().optional(),
      folder: z.enum(MOVE_TARGETS).optional(),
      addLabels: z.array(idSchema).max(100).optional(),
      removeLabels: z.array(idSchema).max(100).optional(),
      /** Replaces all labels of the threads; can't be combined with `addLabels` and `removeLabels`. */
      setLabels: z.array(idSchema).max(100).optional(),
      /** These four fields stay local (`thread-marks.ts`). Muting archives threads that are in the inbox. */
      star: z.boolean().optional(),
      mute: z.boolean().optional(),
      snoozedUntil: z.int().min(0).max(LATEST).nullable().optional(),
      remindAt: z.int().min(0).max(LATEST).nullable().optional(),
    })
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      'A change must have at least one field.',
    )
    .refine(
      ({ setLabels, addLabels, removeLabels }) => setLabels === undefined || (addLabels ?? removeLabels) === undefined,
      'setLabels can’t be combined with addLabels or removeLabels.',
    )

/** Threads of an inbox: by ID, or all known threads of a list, as in `thread.change`. */
const chosenThreads = () =>
  z.union([
    z.object({ inboxId: idSchema, threadIds: idListSchema }).strict(),
    z
      .object({
        inboxId: idSchema,
        matching: z
          .object({ query: threadQuerySchema, upTo: z.number(), except: z.array(idSchema).max(10_000) })
          .strict(),
      })
      .strict(),
  ])

export const threadCommands = {
  /**
   * Latest activity first by default, over all `query.inboxIds`. Folders and labels come complete from the cache.
   * Searches return local rows, then the platform's rows page by page with later windows; `threads.changed` names the
   * search's key whenever there is more.
   */
  'thread.list': defineEngineCommand<ThreadPage>()('merged', () =>
    z
      .object({
        query: threadQuerySchema,
        ...listWindowFields,
        /** Newest first by default, and always in a search (`listPossibleOrders`). */
        order: z.enum(LIST_ORDERS).optional(),
        /** Search only locally while the user types; set `query.lastWordIsPrefix` if a word is unfinished. */
        localOnly: z.boolean().optional(),
        /**
         * Threads to keep in a search by read state although their state has changed, so no row vanishes while the user
         * opens it.
         */
        held: z.array(idSchema).max(MAX_RETAINED_THREADS).optional(),
        /** Number of leading rows to return with excerpts, if the excerpts can be read quickly. */
        excerpts: z.int().min(0).max(MAX_EXCERPTS).optional(),
      })
      .strict(),
  ),
  /** Excerpts for the first rows: as many as can be read quickly, but at least one. Call again for the rest. */
  'thread.excerpts': defineEngineCommand<readonly ThreadExcerpt[]>()('merged', () =>
    z
      .object({
        query: threadQuerySchema,
        found: z
          .array(z.object({ threadId: idSchema, emailId: idSchema }).strict())
          .min(1)
          .max(MAX_EXCERPTS),
      })
      .strict(),
  ),
  /** Repeats a search on the platform, also after a failure; `threads.changed` announces the result. */
  'thread.searchAgain': defineEngineCommand<null>()('merged', () => z.object({ query: threadQuerySchema }).strict()),
  /**
   * Counts known matches in every folder, ignoring the search's own folder. A later count for the same inbox cancels a
   * running one.
   */
  'thread.countByFolder': defineEngineCommand<ThreadCountsByFolder>()('merged', () =>
    z.object({ query: threadQuerySchema }).strict(),
  ),
  /** ID of the matching e-mail, as in `thread.open`; null if unknown. Call it once the thread's e-mails are loaded. */
  'thread.matchedEmail': defineEngineCommand<string | null>()('owner', () =>
    z.object({ query: threadQuerySchema, threadId: idSchema }).strict(),
  ),
  /** A thread with its e-mails, from the cache if complete there, else from the platform. */
  'thread.open': defineEngineCommand<Conversation>()('owner', () =>
    z.object({ inboxId: idSchema, threadId: idSchema }).strict(),
  ),
  /**
   * Applies a change at once and queues it: to threads by ID, or to all locally known threads of a list (`matching`),
   * even if no window has loaded them. The change is written to disk before it is applied: all of it or, after a crash,
   * nothing. `change.underWay` reports how much of a large change is sent. One `changeId` undoes it all.
   */
  'thread.change': defineEngineCommand<ThreadsReceipt>()('whole', () =>
    z.union([
      z.object({ inboxId: idSchema, threadIds: idListSchema, change: threadChange() }).strict(),
      z
        .object({
          inboxId: idSchema,
          matching: z
            .object({
              query: threadQuerySchema,
              /** Skip threads with later activity: milliseconds since the epoch. */
              upTo: z.number(),
              except: z.array(idSchema).max(10_000),
            })
            .strict(),
          change: threadChange(),
        })
        .strict(),
    ]),
  ),
  /** Amount of mail in the chosen threads that exists only locally, shown before `thread.deleteKept`. */
  'thread.countKept': defineEngineCommand<LocalMailCount>()('whole', chosenThreads),
  /**
   * Permanently deletes local-only threads, including their texts and files. Chosen threads that the platform still has
   * are kept.
   */
  'thread.deleteKept': defineEngineCommand<LocalMailCount>()('whole', chosenThreads),
  /**
   * Undoes a change: drops its unsent part and reverses the sent part, except where something has changed since. The
   * undo can be undone too.
   */
  'change.undo': defineEngineCommand<({ readonly undone: true } & ChangeReceipt) | { readonly undone: false }>()(
    'owner',
    () => z.object({ changeId: idSchema }).strict(),
  ),
  /**
   * Undoes the unsent part of a large change; the sent part can be undone as usual. `not_found` if the change is
   * finished.
   */
  'change.cancel': defineEngineCommand<{ readonly threads: number }>()('owner', () =>
    z.object({ changeId: idSchema }).strict(),
  ),
  /** Large changes that aren't completely sent, oldest first. */
  'change.underWay': defineEngineCommand<readonly ChangeProgress[]>()('merged', emptyInputSchema),
  /**
   * Delivery of a thread's sent e-mails, as known locally. With `mayAsk`, checks for new events in the background, at
   * growing intervals: a window calls again while the thread is open, and after each `sentEmails.changed`.
   */
  'delivery.ofThread': defineEngineCommand<readonly Delivery[]>()('owner', () =>
    z.object({ inboxId: idSchema, threadId: idSchema, mayAsk: z.boolean() }).strict(),
  ),
}

export interface ThreadEvents {
  /**
   * `folders` and `labelIds` name every list that lost, gained or reordered a row. `searches` holds the
   * `threadQueryKey` of every search that did, or that made progress; null means all searches.
   */
  'threads.changed': {
    readonly inboxId: string
    readonly folders: readonly string[]
    readonly labelIds: readonly string[]
    /** True if the list of local-only threads lost, gained or reordered a row; otherwise absent. */
    readonly localOnly?: boolean
    readonly threadIds: readonly string[]
    /**
     * IDs from `threadIds` that were moved to another folder by a local change or its undo; absent if there are none.
     */
    readonly movedLocally?: readonly string[]
    readonly searches: readonly string[] | null
  }
  'history.changed': { readonly inboxId: string; readonly threadId: string }
  'emails.changed': { readonly inboxId: string; readonly threadIds: readonly string[] }
  /** A change made outside the windows, which they can undo. */
  'change.commanded': ChangeReceipt & { readonly threads: number; readonly by: 'command line' | 'notification' }
  'changes.progressed': null
  /** New unread mail to notify the user of; announced only once, even across restarts. */
  'mail.arrived': ArrivedMail
}
