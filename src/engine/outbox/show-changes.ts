import type { EventHub } from '../event-hub.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import type { Subject } from './change.ts'
import type { ChangeType } from './change-type.ts'

/**
 * A change that is kept does not fail because the cache does, as on a full disk: the next one shows it.
 * @param remember has the cache remember how far the outbox is
 * @returns a function that shows subjects, and says whether the cache took them
 */
export const createShowing = ({
  types,
  hub,
  remember,
  report,
}: {
  readonly types: readonly Pick<ChangeType, 'show'>[]
  readonly hub: Pick<EventHub, 'sync'>
  readonly remember: () => void
  readonly report: (thrown: unknown) => void
}): ((subjects: readonly Subject[]) => boolean) => {
  let unshown: readonly Subject[] = []
  return (subjects) => {
    const toShow = [...unshown, ...subjects]
    try {
      remember()
      for (const { show } of types) show?.(toShow)
      hub.sync()
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
