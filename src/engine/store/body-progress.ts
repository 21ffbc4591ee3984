import { isInSent } from '../../shared/thread-state.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import type { Backlog } from './backlog.ts'
import type { InboxRef } from './inboxes.ts'
import type { ThreadLists } from './thread-lists.ts'
import { toSearchableThread } from './thread-projection.ts'
import { toCompleteness, toListedThreadState, type DerivedThreadDetails, type ThreadRows } from './thread-rows.ts'
import type { ListChangeCollector } from './thread-list-changes.ts'

/** An impossible activity time, which marks that the thread's e-mails have to be fetched again. */
const NO_ACTIVITY = -1

interface BodyProgressParts {
  readonly rows: Pick<ThreadRows, 'find' | 'read' | 'updateReading' | 'gatherWriters'>
  readonly lists: Pick<ThreadLists, 'move'>
  readonly backlog: Pick<Backlog, 'note'>
  readonly search: Pick<SearchIndex, 'indexThread'>
}

/** Tracks how many of each thread's e-mails are stored. All writes run in a list index transaction. */
export class BodyProgress {
  readonly #parts: BodyProgressParts

  constructor(parts: BodyProgressParts) {
    this.#parts = parts
  }

  advance(touch: ListChangeCollector, inbox: InboxRef, threadId: string, reading: DerivedThreadDetails): void {
    const row = this.#parts.rows.find(inbox, threadId)
    if (row === undefined) return
    const { emailsAt, snippet, hasOutbound } = reading
    const before = toListedThreadState(row)
    const after = { ...before, inSent: isInSent(row.folder, hasOutbound) }
    const writers = this.#parts.rows.gatherWriters(row.key)
    this.#parts.rows.updateReading(row, reading, writers)
    this.#parts.backlog.note(inbox.key, toCompleteness(row), { ...toCompleteness(row), emailsAt })
    this.#parts.lists.move(inbox, row.key, before, after)
    if (before.inSent !== after.inSent) {
      this.#parts.search.indexThread(toSearchableThread(inbox, row.key, after, this.#parts.rows.read(inbox, row)))
    }
    const isOtherwise = row.snippet !== snippet || row.writers !== writers || before.inSent !== after.inSent
    if (isOtherwise) touch.add(threadId, before, after)
  }

  /** Records that the thread's e-mails have to be fetched again because one was damaged. */
  fallBack(inbox: InboxRef, threadId: string): void {
    const row = this.#parts.rows.find(inbox, threadId)
    if (row === undefined) return
    const { snippet, writers, has_outbound: hasOutbound } = row
    this.#parts.rows.updateReading(row, { emailsAt: NO_ACTIVITY, snippet, hasOutbound: hasOutbound === 1 }, writers)
    this.#parts.backlog.note(inbox.key, toCompleteness(row), { ...toCompleteness(row), emailsAt: NO_ACTIVITY })
  }
}
