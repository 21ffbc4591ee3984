import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { markLabelId } from '../../shared/thread-marks.ts'
import { bareInbox } from '../api/inboxes.ts'
import { saying } from '../saying.ts'

export const inboxHandlers = ({ current, freshness, asked }: AccountAccess): HandlersOf<'inbox'> => ({
  'inbox.list': () => {
    const { cache, lists, threads } = current()
    return {
      inboxes: cache.inboxes.all().map(({ key, inbox }) => {
        const ref = { key, id: inbox.id }
        // Counted here, the number agrees with the list beside it, pending changes included.
        const onlyHere = cache.threads.countOnlyHere(ref)
        const unreadOnlyHere = cache.threads.countUnreadOnlyHere(ref)
        const starred = cache.threads.count(ref, { labelId: markLabelId('starred') })
        const snoozed = cache.threads.count(ref, { labelId: markLabelId('snoozed') })
        return {
          ...inbox,
          ...(threads.isListed(ref, 'inbox') && { unread: cache.threads.countUnread(ref) }),
          ...(onlyHere > 0 && { onlyHere }),
          ...(unreadOnlyHere > 0 && { unreadOnlyHere }),
          ...(starred > 0 && { starred }),
          ...(snoozed > 0 && { snoozed }),
        }
      }),
      freshness: freshness(lists.lookedAt('inboxes')),
    }
  },
  'inbox.add': async ({ inboxId }) => {
    const { cache, platform, hub, sync, presence } = current()
    try {
      await platform.searchThreads(inboxId, {}, { ...asked(), limit: 1 })
    } catch (thrown) {
      throw saying(thrown, {
        unreachable: 'You are offline. Go online to add an inbox.',
        not_found: 'The platform has no inbox with this ID. Check it; an e-mail address does not work here.',
      })
    }
    cache.inboxes.add(inboxId)
    presence.isBack(inboxId)
    hub.inboxes()
    sync.nudge()
    return { ...bareInbox(inboxId), onServer: true }
  },
})
