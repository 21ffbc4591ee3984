import type { Events } from '../../shared/contract.ts'
import { FOLDERS } from '../../shared/model.ts'
import type { ThreadListChanges } from '../store/thread-list-changes.ts'

interface Gathered {
  readonly threadIds: Set<string>
  readonly folders: Set<string>
  readonly labelIds: Set<string>
  localOnly: boolean
  readonly movedLocally: Set<string>
  /** True if all searches may have changed. */
  affectsAllSearches: boolean
}

const addAll = <Value>(to: Set<Value>, values: Iterable<Value>): void => {
  for (const value of values) to.add(value)
}

/** Thread changes per inbox since the last `take`. */
export class ThreadChangeCollector {
  #byInbox = new Map<string, Gathered>()

  /** Makes `take` return an event for the inbox if one of its searches has changed. */
  markSearches(inboxId: string): void {
    this.#changesIn(inboxId)
  }

  /** @param isOwn true for a local change or its undo */
  add(inboxId: string, touched: ThreadListChanges, isOwn: boolean): void {
    const gathered = this.#changesIn(inboxId)
    gathered.localOnly ||= touched.localOnly
    if (isOwn) addAll(gathered.movedLocally, touched.moved)
    addAll(gathered.threadIds, touched.threadIds)
    addAll(gathered.folders, touched.folders)
    addAll(gathered.labelIds, touched.labelIds)
  }

  /** Call when all lists of the inbox may have changed. */
  addEverything(inboxId: string, labelIds: readonly string[]): void {
    const gathered = this.#changesIn(inboxId)
    addAll(gathered.folders, FOLDERS)
    addAll(gathered.labelIds, labelIds)
    gathered.localOnly = true
    gathered.affectsAllSearches = true
  }

  /** @param searchesOf keys of an inbox's changed searches */
  take(searchesOf: (inboxId: string) => readonly string[]): readonly Events['threads.changed'][] {
    const all = this.#byInbox
    this.#byInbox = new Map()
    return [...all].flatMap(
      ([
        inboxId,
        { threadIds, folders, labelIds, localOnly, movedLocally, affectsAllSearches },
      ]): Events['threads.changed'][] => {
        const searches = searchesOf(inboxId)
        // Nothing has changed in this inbox or in its searches.
        if (threadIds.size + folders.size + labelIds.size + searches.length === 0 && !affectsAllSearches) return []
        return [
          {
            inboxId,
            folders: [...folders],
            labelIds: [...labelIds],
            ...(localOnly && { localOnly }),
            ...(movedLocally.size > 0 && { movedLocally: [...movedLocally] }),
            threadIds: [...threadIds],
            searches: affectsAllSearches ? null : searches,
          },
        ]
      },
    )
  }

  #changesIn(inboxId: string): Gathered {
    const known = this.#byInbox.get(inboxId)
    if (known !== undefined) return known
    const fresh: Gathered = {
      ...{ threadIds: new Set(), folders: new Set(), labelIds: new Set(), movedLocally: new Set() },
      ...{ localOnly: false, affectsAllSearches: false },
    }
    this.#byInbox.set(inboxId, fresh)
    return fresh
  }
}
