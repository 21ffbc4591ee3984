import type { ListedThread } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ListOrder } from '../../../shared/list-order.ts'
import { createFolderQuery, type ThreadQuery } from '../../../shared/thread-query.ts'
import { isWaiting } from '../threads/waiting.ts'
import { parseTypedSearch, type SearchNames } from '../threads/thread-list-manager.svelte.ts'

/** Threads of an inbox that ask for attention, and what was done today. */
export interface Today {
  /** Written by a person and not answered since, oldest first. */
  readonly waiting: readonly ListedThread[]
  /** Returned from a snooze or reminder. */
  readonly back: readonly ListedThread[]
  readonly mine: readonly ListedThread[]
  /** Threads with a message sent from the inbox today. */
  readonly answered: number
}

const MAX_ROWS = 4
const NOTHING = { items: [], total: 0 }

/** By inbox, so that the pane isn't blank whenever a thread is closed. */
const lastRead = new Map<string, Today>()

export const findLastRead = (inboxId: string): Today | null => lastRead.get(inboxId) ?? null

/** Reads from local mail only. */
export const readToday = async (backend: Backend, inboxId: string, names: SearchNames): Promise<Today> => {
  const list = async (query: ThreadQuery, limit: number, order: ListOrder = 'newest') => {
    const result = await backend.call('thread.list', { query, order, offset: 0, limit, localOnly: true })
    return result.ok ? result.data : NOTHING
  }
  const find = async (text: string, limit: number) => {
    const parsed = parseTypedSearch(inboxId, text, names)
    return 'query' in parsed ? list(parsed.query, limit) : NOTHING
  }
  const [inbox, back, mine, sent] = await Promise.all([
    list(createFolderQuery(inboxId, 'inbox'), MAX_ROWS, 'waiting'),
    find('in:inbox is:back', MAX_ROWS),
    names.me?.length === 0 ? NOTHING : find('in:inbox assigned:me', MAX_ROWS),
    find('in:sent on:today', 1),
  ])
  const today = {
    waiting: inbox.items.filter((thread) => isWaiting(thread, Date.now())),
    back: back.items,
    mine: mine.items,
    answered: sent.total,
  }
  lastRead.set(inboxId, today)
  return today
}
