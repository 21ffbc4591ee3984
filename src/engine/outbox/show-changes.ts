import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import type { Subject } from './change.ts'

/** Lay what waits over the cache, and tell windows: a thread's lists, an inbox's labels, a contact's topics, or the contacts. */
const showIn = (cache: Cache, hub: EventHub, subjects: readonly Subject[]): void => {
  const threads = subjects.filter(({ kind }) => kind === 'thread')
  for (const inboxId of new Set(threads.map(({ scope }) => scope))) {
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) continue
    const ids = threads.flatMap(({ scope, id }) => (scope === inboxId ? [id] : []))
    hub.threads(inboxId, cache.threads.project({ key: inbox.key, id: inboxId }, ids), true)
  }
  for (const inboxId of new Set(subjects.flatMap(({ kind, scope }) => (kind === 'label' ? [scope] : [])))) {
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) continue
    const before = cache.labels.all(inbox.key)
    cache.labels.project(inbox.key)
    hub.labels(
      inboxId,
      [...before, ...cache.labels.all(inbox.key)].map(({ id }) => id),
    )
  }
  for (const { kind, id } of subjects) if (kind === 'contact') hub.topics(id)
  if (subjects.some(({ kind }) => kind === 'person')) hub.contacts()
  hub.sync()
}

/**
 * A change that is kept does not fail because the cache does, as on a full disk: the next one shows it.
 * @param remember has the cache remember how far the outbox is
 * @returns a function that shows subjects, and says whether the cache took them
 */
export const createShowing = ({
  cache,
  hub,
  remember,
  report,
}: {
  readonly cache: Cache
  readonly hub: EventHub
  readonly remember: () => void
  readonly report: (thrown: unknown) => void
}): ((subjects: readonly Subject[]) => boolean) => {
  let unshown: readonly Subject[] = []
  return (subjects) => {
    const toShow = [...unshown, ...subjects]
    try {
      remember()
      showIn(cache, hub, toShow)
      unshown = []
      return true
    } catch (thrown) {
      unshown = toShow
      // A damaged cache is opened anew, with all that is pending.
      if (!isCorrupt(thrown)) report(thrown)
      return false
    }
  }
}
