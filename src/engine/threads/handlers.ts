import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HandlersOf, KeptMailCount, ParsedInput } from '../../shared/contract.ts'
import { canMoveTo } from '../../shared/thread-moves.ts'
import { isChangedBy } from '../../shared/thread-state.ts'
import { scopeOf, type KeptThreadList, type ThreadQuery } from '../../shared/thread-query.ts'
import type { AccountAccess } from '../account-access.ts'
import { inTurns } from '../timing/turns.ts'
import type { SeenThread } from '../outbox/outbox.ts'
import { INBOX_GONE, problem, saying } from '../saying.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { ThreadStanding, ThreadStore } from '../store/threads.ts'
import { EmailsNotOffered } from '../sync/thread-sync.ts'
import { createThreadLists } from './open-list.ts'

/** So many threads are changed in one turn of the engine's thread; more are taken in part by part. */
const FEW = 20
/** Threads that are named in one turn. */
const NAMED_AT_ONCE = 100

interface NamedThreads {
  readonly pages: Iterable<readonly string[]>
  /** Those with later activity are left alone: milliseconds since the epoch. */
  readonly upTo: number
  /** Whether the platform cannot hold more of them. */
  readonly isWhole: boolean
}

const chunksOf = function* (ids: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < ids.length; at += NAMED_AT_ONCE) yield ids.slice(at, at + NAMED_AT_ONCE)
}

const byIds = (threadIds: readonly string[]): NamedThreads => ({
  pages: chunksOf([...new Set(threadIds)]),
  upTo: Number.POSITIVE_INFINITY,
  isWhole: true,
})

/** All threads of a list that the cache keeps, in its order. */
const idsOfList = function* (
  threads: Pick<ThreadStore, 'after'>,
  inbox: InboxRef,
  list: KeptThreadList,
): Iterable<readonly string[]> {
  for (let page = threads.after(inbox, list, null, NAMED_AT_ONCE); page.length > 0;) {
    yield page.map(({ id }) => id)
    page = threads.after(inbox, list, page.at(-1) ?? null, NAMED_AT_ONCE)
  }
}

export const threadHandlers = (access: AccountAccess): HandlersOf<'thread'> => {
  const { current, inboxFreshness, inboxOf } = access
  const { openList, inboxOfQuery, keptList } = createThreadLists(access)
  /** @throws ProblemError `not_found` for a thread that is not here */
  const changeable = (inbox: InboxRef, threadId: string): ThreadStanding => {
    const thread = current().cache.threads.standing(inbox, threadId)
    if (thread === undefined) throw problem('not_found', 'This thread no longer exists. Nothing was changed.')
    return thread
  }

  /** What a change is for each thread. @throws ProblemError `not_found` for a label that is not there */
  const wantedOf = (inbox: InboxRef, { setLabels, ...change }: ParsedInput<'thread.change'>['change']) => {
    const { cache, outbox } = current()
    const known = cache.labels.byId(inbox.key)
    const labelIdsNow = (ids: readonly string[] | undefined): readonly string[] | undefined =>
      ids?.map((id) => outbox.labelIdNow(inbox.id, id))
    const addLabels = labelIdsNow(setLabels ?? change.addLabels)
    if (addLabels?.some((id) => known.get(id) === null) === true) {
      throw problem('not_found', 'This label no longer exists. Nothing was changed.')
    }
    const removeLabels = labelIdsNow(change.removeLabels)
    return (threadId: string, seen: ThreadStanding): SeenThread => {
      // A thread may still go by the former ID of a label that is set: that is no other label.
      const others = labelIdsNow(seen.labelIds)?.filter((id) => addLabels?.includes(id) !== true)
      return {
        threadId,
        seen,
        change: { ...change, addLabels, removeLabels: setLabels === undefined ? removeLabels : others },
      }
    }
  }

  /** The threads that a query means, as far as they are known on this computer. */
  const matchingThreads = (
    inbox: InboxRef,
    { query, upTo, except }: { readonly query: ThreadQuery; readonly upTo: number; readonly except: readonly string[] },
  ): NamedThreads => {
    const { cache, searches, threads } = current()
    const list = keptList(inbox, query)
    const seen = new Set(except)
    const everything = list === null ? searches.everything(inbox, query) : idsOfList(cache.threads, inbox, list)
    const folders = scopeOf(query)
    return {
      upTo,
      isWhole: list === null ? searches.isWhole(query) : folders.every((folder) => threads.isListed(inbox, folder)),
      pages: (function* () {
        for (const ids of everything) {
          const fresh = ids.filter((id) => !seen.has(id))
          for (const id of fresh) seen.add(id)
          // Nothing new is a turn all the same.
          if (fresh.length === 0) yield []
          else yield* chunksOf(fresh)
        }
      })(),
    }
  }

  /** Those of the chosen threads that only this computer has, some in each turn. */
  const eachKept = async (
    chosen: ParsedInput<'thread.deleteKept'>,
    each: (inbox: InboxRef, threadId: string) => number,
  ): Promise<KeptMailCount> => {
    const inbox = inboxOf(chosen.inboxId)
    const { cache, signal } = current()
    const { pages, upTo } = 'threadIds' in chosen ? byIds(chosen.threadIds) : matchingThreads(inbox, chosen.matching)
    const count = { threads: 0, emails: 0, others: 0 }
    // All of them first: what is deleted meanwhile is no place to go on from in a list.
    const threadIds: string[] = []
    for (const page of pages) {
      threadIds.push(...page)
      await nextTurn()
      signal.throwIfAborted()
    }
    await inTurns(
      threadIds,
      (some) => {
        for (const threadId of some) {
          const standing = cache.threads.standing(inbox, threadId)
          if (standing === undefined || standing.receivedAt > upTo) continue
          const emails = standing.onServer ? 0 : each(inbox, threadId)
          if (standing.onServer) count.others += 1
          else count.threads += 1
          count.emails += emails
        }
      },
      signal,
    )
    signal.throwIfAborted()
    return count
  }

  return {
    'thread.countKept': (chosen) => eachKept(chosen, (inbox, id) => current().cache.emails.count(inbox, id)),
    'thread.deleteKept': async (chosen) => {
      const { deletion, hub } = current()
      const lists = new Set<string>()
      try {
        return await eachKept(chosen, (inbox, threadId) => {
          const deleted = deletion.thread(inbox, threadId)
          if (deleted === null) return 0
          hub.threads(inbox.id, deleted.touched)
          for (const list of deleted.lists) lists.add(list)
          return deleted.emails
        })
      } finally {
        if (lists.has('received')) hub.receivedEmails()
        if (lists.has('sent')) hub.sentEmails()
        hub.keeping()
      }
    },
    'thread.list': ({ query, offset, limit, onlyHere, held }) => {
      const list = openList(query, { onlyHere, held })
      list.ask(offset + limit)
      return {
        items: list.rows({ offset }, limit),
        offset,
        total: list.total(),
        hasMore: list.hasMore(),
        freshness: list.freshness(),
        searched: list.searched(),
      }
    },
    'thread.searchAgain': ({ query }) => {
      current().searches.askAgain(query)
      return null
    },
    'thread.countByFolder': ({ query }) => current().searches.countByFolder(inboxOfQuery(query), query),
    'thread.matchedEmail': ({ query, threadId }) =>
      current().searches.matchedEmail(inboxOfQuery(query), query, threadId),
    'thread.open': async ({ inboxId, threadId }) => {
      const { cache, threads } = current()
      const inbox = inboxOf(inboxId)
      const fromCache = () => {
        const thread = cache.threads.get(inbox, threadId)
        const emails = thread === undefined ? [] : cache.emails.ofThread(inbox, threadId, thread.read)
        return thread === undefined
          ? undefined
          : { thread, emails, freshness: inboxFreshness(inboxId, threads.lookedAt(inbox)) }
      }
      /** What the platform has dropped it cannot give: what is here is all that there will be. */
      const isOnlyHere = (): boolean => cache.threads.standing(inbox, threadId)?.onServer === false
      if (isOnlyHere() || cache.threads.emailsComplete(inbox, threadId)) {
        const conversation = fromCache()
        if (conversation !== undefined && (conversation.emails.length > 0 || isOnlyHere())) return conversation
      }
      const isThere = cache.threads.standing(inbox, threadId) !== undefined
      if (!isThere && cache.deleted.has({ list: 'threads', inboxId, id: threadId })) {
        throw problem('not_found', 'This thread was deleted from this computer.')
      }
      if (!threads.mayOfferEmails(inbox)) throw new EmailsNotOffered()
      try {
        await threads.emails(inbox, threadId, 'action')
      } catch (thrown) {
        const conversation = fromCache()
        if (conversation !== undefined && (conversation.emails.length > 0 || isOnlyHere())) return conversation
        throw saying(thrown, {
          unreachable:
            'You are offline, and this thread’s messages are not on this computer yet. Go online to read it.',
          not_found: 'This thread is no longer on the platform, and Linnet has no copy of its messages.',
        })
      }
      const conversation = fromCache()
      if (conversation === undefined) throw problem('not_found', 'This thread is no longer on the platform.')
      return { ...conversation, freshness: { state: 'live', at: current().clock.now() } }
    },
    'thread.change': async ({ inboxId, change, ...named }) => {
      const { cache, outbox } = current()
      const inbox = inboxOf(inboxId)
      if (cache.inboxes.get(inboxId)?.onServer !== true) throw problem('not_found', INBOX_GONE)
      const wanted = wantedOf(inbox, change)
      if ('threadIds' in named && named.threadIds.length <= FEW) {
        const { threadIds } = named
        const changes = [...new Set(threadIds)].map((threadId) => wanted(threadId, changeable(inbox, threadId)))
        const threads = changes.filter(({ seen, change: own }) => isChangedBy(seen, own)).length
        return { changeId: outbox.changeThreads(inboxId, changes), threads, isWhole: true }
      }
      const naming = 'threadIds' in named ? byIds(named.threadIds) : matchingThreads(inbox, named.matching)
      const pages = function* (): Iterable<readonly SeenThread[]> {
        for (const ids of naming.pages) {
          yield ids.flatMap((threadId) => {
            const thread = cache.threads.standing(inbox, threadId)
            const fits =
              thread !== undefined &&
              thread.receivedAt <= naming.upTo &&
              (change.folder === undefined || thread.folder === change.folder || canMoveTo(thread, change.folder))
            return fits ? [wanted(threadId, thread)] : []
          })
        }
      }
      const { changeId, changed } = await outbox.changeManyThreads(inboxId, pages())
      return { changeId, threads: changed, isWhole: naming.isWhole }
    },
  }
}
