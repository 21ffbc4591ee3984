import type { ListedThread } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
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
/** Oldest threads of the last month that are searched for unanswered ones. */
const MAX_SEARCHED = 60

/** By inbox, so that the pane isn't blank whenever a thread is closed. */
const lastRead = new Map<string, Today>()

export const findLastRead = (inboxId: string): Today | null => lastRead.get(inboxId) ?? null

/** Reads from local mail only. */
export const readToday = async (backend: Backend, inboxId: string, names: SearchNames): Promise<Today> => {
  const read = async (text: string, offset: number, limit: number) => {
    const parsed = parseTypedSearch(inboxId, text, names)
    if (!('query' in parsed)) return { items: [], total: 0 }
    const result = await backend.call('thread.list', { query: parsed.query, offset, limit, localOnly: true })
    return result.ok ? result.data : { items: [], total: 0 }
  }
  const fromPeople = 'in:inbox is:person newer_than:30d'
  const readWaiting = async (): Promise<readonly ListedThread[]> => {
    const { total } = await read(fromPeople, 0, 1)
    const { items } = await read(fromPeople, Math.max(0, total - MAX_SEARCHED), MAX_SEARCHED)
    return items.filter(({ writers }) => writers[0]?.isMe === false).toReversed()
  }
  const [waiting, back, mine, sent] = await Promise.all([
    readWaiting(),
    read('in:inbox is:back', 0, MAX_ROWS),
    names.me?.length === 0 ? { items: [] } : read('in:inbox assigned:me', 0, MAX_ROWS),
    read('in:sent on:today', 0, 1),
  ])
  const today = {
    waiting: waiting.slice(0, MAX_ROWS),
    back: back.items,
    mine: mine.items,
    answered: sent.total,
  }
  lastRead.set(inboxId, today)
  return today
}
