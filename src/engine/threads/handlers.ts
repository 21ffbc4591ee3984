import type { HandlersOf } from '../../shared/contract.ts'
import { keptListOf, type KeptThreadList, type ThreadQuery } from '../../shared/thread-query.ts'
import type { AccountAccess } from '../account-access.ts'
import { INBOX_GONE, problem, saying } from '../saying.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { EmailsNotOffered } from '../sync/thread-sync.ts'

export const threadHandlers = ({ current, inboxFreshness, inboxOf }: AccountAccess): HandlersOf<'thread'> => {
  const inboxOfQuery = ({ inboxIds }: ThreadQuery): InboxRef => inboxOf(inboxIds[0] ?? '')
  /** A window may still name a label by the ID that it had before the platform gave it one. */
  const keptList = (inbox: InboxRef, query: ThreadQuery): KeptThreadList | null => {
    const list = keptListOf(query)
    return list !== null && 'labelId' in list ? { labelId: current().outbox.labelIdNow(inbox.id, list.labelId) } : list
  }
  return {
    'thread.list': ({ query, offset, limit, onlyHere = false, held = [] }) => {
      const { cache, threads, searches } = current()
      const inbox = inboxOfQuery(query)
      const list = keptList(inbox, query)
      if (list !== null && 'labelId' in list && cache.labels.byId(inbox.key).get(list.labelId) === null) {
        return {
          items: [],
          offset,
          total: 0,
          hasMore: false,
          freshness: inboxFreshness(inbox.id, threads.lookedAt(inbox)),
          searched: null,
        }
      }
      if (list !== null) {
        return {
          items: cache.threads.list(inbox, list, { offset, limit }).map((thread) => ({ ...thread, match: null })),
          offset,
          total: cache.threads.count(inbox, list),
          hasMore: false,
          freshness: inboxFreshness(inbox.id, threads.lookedAt(inbox)),
          searched: null,
        }
      }
      const { rows, total, hasMore, searched } = searches.read(inbox, query, { offset, limit }, onlyHere, held)
      const { platform } = searched
      const excerpts = searches.excerpts(inbox, query, rows)
      return {
        items: rows.flatMap(({ id, match }) => {
          const thread = cache.threads.get(inbox, id)
          return thread === undefined ? [] : [{ ...thread, match, excerpt: excerpts.get(id) ?? null }]
        }),
        offset,
        total,
        hasMore,
        freshness: inboxFreshness(inbox.id, platform.state === 'not asked' ? null : platform.at),
        searched,
      }
    },
    'thread.searchAgain': ({ query }) => {
      current().searches.askAgain(query)
      return null
    },
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
      if (cache.threads.emailsComplete(inbox, threadId)) {
        const conversation = fromCache()
        if (conversation !== undefined && conversation.emails.length > 0) return conversation
      }
      if (!threads.mayOfferEmails(inbox)) throw new EmailsNotOffered()
      try {
        await threads.emails(inbox, threadId, 'action')
      } catch (thrown) {
        const conversation = fromCache()
        if (conversation !== undefined && conversation.emails.length > 0) return conversation
        throw saying(thrown, {
          unreachable:
            'You are offline, and the e-mails of this thread are not on this computer yet. Go online to read it.',
          not_found: 'This thread is no longer on the platform, and Linnet has no copy of its e-mails.',
        })
      }
      const conversation = fromCache()
      if (conversation === undefined) throw problem('not_found', 'This thread is no longer on the platform.')
      return { ...conversation, freshness: { state: 'live', at: Date.now() } }
    },
    'thread.change': ({ inboxId, threadIds, change }) => {
      const { cache, outbox } = current()
      const inbox = inboxOf(inboxId)
      if (cache.inboxes.get(inboxId)?.onServer !== true) throw problem('not_found', INBOX_GONE)
      for (const id of threadIds) {
        const thread = cache.threads.get(inbox, id)
        if (thread === undefined) throw problem('not_found', 'This thread is not here any more. Nothing was changed.')
        if (!thread.onServer) {
          throw problem(
            'not_found',
            'This thread is no longer on the platform. You can read it here, but not change it.',
          )
        }
      }
      const { setLabels, ...wanted } = change
      const known = cache.labels.byId(inbox.key)
      const labelIdsNow = (ids: readonly string[] | undefined): readonly string[] | undefined =>
        ids?.map((id) => outbox.labelIdNow(inboxId, id))
      const added = labelIdsNow(setLabels ?? change.addLabels)
      if (added?.some((id) => known.get(id) === null) === true) {
        throw problem('not_found', 'This label is not here any more. Nothing was changed.')
      }
      const changes = threadIds.map((threadId) => {
        const labels = cache.threads.get(inbox, threadId)?.labels ?? []
        const others = labels.flatMap(({ id }) => (added?.includes(id) === true ? [] : [id]))
        const removeLabels = setLabels === undefined ? labelIdsNow(change.removeLabels) : others
        return { threadId, change: { ...wanted, addLabels: added, removeLabels } }
      })
      return { changeId: outbox.changeThreads(inboxId, changes) }
    },
  }
}
