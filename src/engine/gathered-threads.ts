import type { Events } from '../shared/contract.ts'
import { FOLDERS } from '../shared/model.ts'
import type { TouchedThreads } from './store/touched-threads.ts'

interface Gathered {
  readonly threadIds: Set<string>
  readonly folders: Set<string>
  readonly labelIds: Set<string>
  onlyHere: boolean
  readonly movedHere: Set<string>
  /** Every search may be another. */
  areAllSearches: boolean
}

const addAll = <Value>(to: Set<Value>, values: Iterable<Value>): void => {
  for (const value of values) to.add(value)
}

/** What changed of the threads of each inbox since it was last taken. */
export class GatheredThreads {
  #of = new Map<string, Gathered>()

  /** The inbox has an event where one of its searches is another. */
  askSearches(inboxId: string): void {
    this.#in(inboxId)
  }

  /** @param isOwn whether a change that was made on this computer did it, or taking one back */
  add(inboxId: string, touched: TouchedThreads, isOwn: boolean): void {
    const gathered = this.#in(inboxId)
    gathered.onlyHere ||= touched.onlyHere
    if (isOwn) addAll(gathered.movedHere, touched.moved)
    addAll(gathered.threadIds, touched.threadIds)
    addAll(gathered.folders, touched.folders)
    addAll(gathered.labelIds, touched.labelIds)
  }

  /** Every list of the inbox may have other rows. */
  addEverything(inboxId: string, labelIds: readonly string[]): void {
    const gathered = this.#in(inboxId)
    addAll(gathered.folders, FOLDERS)
    addAll(gathered.labelIds, labelIds)
    gathered.onlyHere = true
    gathered.areAllSearches = true
  }

  /** @param searchesOf the keys of an inbox's searches that are others than before */
  take(searchesOf: (inboxId: string) => readonly string[]): readonly Events['threads.changed'][] {
    const all = this.#of
    this.#of = new Map()
    return [...all].flatMap(
      ([
        inboxId,
        { threadIds, folders, labelIds, onlyHere, movedHere, areAllSearches },
      ]): Events['threads.changed'][] => {
        const searches = searchesOf(inboxId)
        // What was touched lies in no search, nor did a list change.
        if (threadIds.size + folders.size + labelIds.size + searches.length === 0 && !areAllSearches) return []
        return [
          {
            inboxId,
            folders: [...folders],
            labelIds: [...labelIds],
            ...(onlyHere && { onlyHere }),
            ...(movedHere.size > 0 && { movedHere: [...movedHere] }),
            threadIds: [...threadIds],
            searches: areAllSearches ? null : searches,
          },
        ]
      },
    )
  }

  #in(inboxId: string): Gathered {
    const known = this.#of.get(inboxId)
    if (known !== undefined) return known
    const fresh: Gathered = {
      ...{ threadIds: new Set(), folders: new Set(), labelIds: new Set(), movedHere: new Set() },
      ...{ onlyHere: false, areAllSearches: false },
    }
    this.#of.set(inboxId, fresh)
    return fresh
  }
}
