import { z } from 'zod'
import type { ArrivedMail } from '../arrived-mail.ts'
import {
  MAX_EXCERPTS,
  MAX_HELD,
  MAX_LISTS,
  MOVE_TARGETS,
  type ChangeProgress,
  type Delivery,
  type Email,
  type Freshness,
  type Thread,
  type ThreadExcerpt,
  type ThreadPage,
  type UnifiedThreadPage,
  type ThreadsByFolder,
} from '../model.ts'
import { threadQuerySchema } from '../thread-query.ts'
import { across, engine } from './command.ts'
import { accountId, id, ids, nothing, window, type ChangeReceipt } from './inputs.ts'

export interface Conversation {
  readonly thread: Thread
  /** Oldest first. */
  readonly emails: readonly Email[]
  /** IDs of the newest e-mails sent from elsewhere, by a colleague or another computer; omitted if there are none. */
  readonly sentElsewhere?: readonly string[]
  readonly freshness: Freshness
}

export interface ThreadsReceipt extends ChangeReceipt {
  /** Number of threads changed, not counting those that already matched. */
  readonly threads: number
  /** True if these are all matches of a query; false if the platform may hold more than is known here. */
  readonly isWhole: boolean
}

/** Mail that exists only on this computer. */
export interface LocalMailCount {
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
      /** Replaces all labels of the threads; cannot be combined with the other two. */
      setLabels: z.array(id).max(100).optional(),
      /** These four stay local (`thread-marks.ts`). Muting archives threads in the inbox. */
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
   * Latest activity first. Folders and labels come complete from the cache. Searches return local rows, then the
   * platform's, page by page with later windows; `threads.changed` names their key whenever there is more.
   */
  'thread.list': engine<ThreadPage>()('joined', () =>
    z
      .object({
        query: threadQuerySchema,
        ...window,
        /** Search only locally while the user types; set `query.lastWordIsPrefix` if a word is unfinished. */
        localOnly: z.boolean().optional(),
        /** Kept in a search by read state although that changed, so no row vanishes while the user opens it. */
        held: z.array(id).max(MAX_HELD).optional(),
        /** Number of leading rows to return with excerpts, as far as these can be read quickly. */
        excerpts: z.int().min(0).max(MAX_EXCERPTS).optional(),
      })
      .strict(),
  ),
  /**
   * Merged lists, latest activity first; ties keep the order of `lists`. Each list works like `thread.list`, with its
   * account's `threads.changed`. `failed` names lists that can't be read.
   */
  'thread.listAcross': across<UnifiedThreadPage>()(() =>
    z
      .object({
        /** One for each inbox. */
        lists: z
          .array(z.object({ accountId, query: threadQuerySchema }).strict())
          .min(1)
          .max(MAX_LISTS),
        ...window,
        localOnly: z.boolean().optional(),
        held: z
          .array(z.object({ accountId, threadId: id }).strict())
          .max(MAX_HELD)
          .optional(),
      })
      .strict(),
  ),
  /** Excerpts for the first rows, as many as can be read quickly and at least one; call again for the rest. */
  'thread.excerpts': engine<readonly ThreadExcerpt[]>()('joined', () =>
    z
      .object({
        query: threadQuerySchema,
        found: z
          .array(z.object({ threadId: id, emailId: id }).strict())
          .min(1)
          .max(MAX_EXCERPTS),
      })
      .strict(),
  ),
  /** Repeats a search on the platform, also after a failure; `threads.changed` announces the result. */
  'thread.searchAgain': engine<null>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /** Counts known matches, ignoring the search's folder. A later count for the same inbox cancels a running one. */
  'thread.countByFolder': engine<ThreadsByFolder>()('joined', () => z.object({ query: threadQuerySchema }).strict()),
  /** ID in `thread.open` of the matching e-mail; null if unknown. Call it once the thread's e-mails are loaded. */
  'thread.matchedEmail': engine<string | null>()('joined', () =>
    z.object({ query: threadQuerySchema, threadId: id }).strict(),
  ),
  /** A thread with its e-mails: from the cache if complete there, else from the platform. */
  'thread.open': engine<Conversation>()('joined', () => z.object({ inboxId: id, threadId: id }).strict()),
  /**
   * Applies a change at once and queues it: to threads by ID, or to all locally known threads of a list (`matching`),
   * even if no window has loaded them. It's on disk before it is applied, and resumed after a crash. A large one
   * resolves when it is applied completely; `change.underWay` reports progress. One `changeId` undoes it all.
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
  /** Amount of mail in the chosen threads that exists only on this computer, shown before `thread.deleteKept`. */
  'thread.countKept': engine<LocalMailCount>()('joined', chosenThreads),
  /** Permanently deletes local-only threads, including their texts and files. Others stay. */
  'thread.deleteKept': engine<LocalMailCount>()('joined', chosenThreads),
  /** Drops unsent changes and reverses sent ones, except where something changed since. The undo can be undone too. */
  'change.undo': engine<({ readonly undone: true } & ChangeReceipt) | { readonly undone: false }>()('joined', () =>
    z.object({ changeId: id }).strict(),
  ),
  /** Stops a large change and undoes its unsent part; the rest can be undone as usual. `not_found` if finished. */
  'change.cancel': engine<{ readonly threads: number }>()('joined', () => z.object({ changeId: id }).strict()),
  /** Unfinished large changes, oldest first. */
  'change.underWay': engine<readonly ChangeProgress[]>()('joined', nothing),
  /**
   * Delivery of a thread's sent e-mails, as known locally. With `mayAsk`, requests possible changes in the background,
   * at growing intervals: a window calls again while the thread is open, and after each `sentEmails.changed`.
   */
  'delivery.ofThread': engine<readonly Delivery[]>()('owner', () =>
    z.object({ inboxId: id, threadId: id, mayAsk: z.boolean() }).strict(),
  ),
}

export interface ThreadEvents {
  /**
   * `folders` and `labelIds` name every list that lost, gained or reordered a row; `searches` holds the
   * `threadQueryKey` of every search that did, or that made progress; null means all of them.
   */
  'threads.changed': {
    readonly inboxId: string
    readonly folders: readonly string[]
    readonly labelIds: readonly string[]
    /** True if the list of local-only threads lost, gained or reordered a row; absent if not. */
    readonly localOnly?: boolean
    readonly threadIds: readonly string[]
    /** IDs from `threadIds` that a local change, or its undo, moved to another folder; absent if none. */
    readonly movedLocally?: readonly string[]
    readonly searches: readonly string[] | null
  }
  'emails.changed': { readonly inboxId: string; readonly threadIds: readonly string[] }
  /** The command line has made a change, which a window can undo. */
  'change.commanded': ChangeReceipt & { readonly threads: number }
  'changes.progressed': null
  /** New unread mail to notify the user of; announced only once, even across restarts. */
  'mail.arrived': ArrivedMail
}
