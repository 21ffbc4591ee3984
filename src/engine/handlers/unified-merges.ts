import type { CommandName, CommandOutput } from '../../shared/contract.ts'
import { KIND_TABS } from '../../shared/inbox-tabs.ts'
import {
  STORED_SEARCH_LIMITS,
  type Confirmations,
  type Inbox,
  type ListFailures,
  type SyncStatus,
} from '../../shared/model.ts'
import { ALL_INBOXES } from '../../shared/unified-ids.ts'
import { isFields, type Fields } from './unified-data.ts'

/** ID of a list's item; undefined for a suggestion, such as an address. */
const idOf = (item: unknown): unknown => (isFields(item) ? (item.id ?? item.changeId) : undefined)

/** Suggestions are the same if they say the same. */
const toSuggestionKey = (item: unknown): string =>
  String(isFields(item) ? ('contactId' in item ? item.address : JSON.stringify(item)) : item).toLowerCase()

/** Joins lists. Suggestions take turns, because the best of each list come first. */
const joinLists = (lists: readonly (readonly unknown[])[]): readonly unknown[] => {
  const all = lists.flat()
  if (all.every((item) => idOf(item) !== undefined)) return all
  return all.flatMap((_item, turn) => lists.flatMap((list) => list.slice(turn, turn + 1)))
}

/**
 * Merges the responses of several places: numbers are added, flags are true if all are, lists are joined, and items with
 * the same ID merged. Of other values, the first one that isn't null counts.
 */
export const mergeData = (all: readonly unknown[], field = ''): unknown => {
  const known = all.filter((each) => each !== null && each !== undefined)
  const value: unknown = known[0]
  if (Array.isArray(value)) {
    const groups = Map.groupBy(joinLists(known as unknown[][]), (item) => idOf(item) ?? toSuggestionKey(item))
    return [...groups.values()].map((group) => (idOf(group[0]) === undefined ? group[0] : mergeData(group)))
  }
  if (isFields(value)) {
    const alike = known.filter(isFields).filter(({ id }) => id === value.id)
    const names = [...new Set(alike.flatMap((each) => Object.keys(each)))]
    const merged = (name: string): unknown =>
      mergeData(
        alike.map((each) => each[name]),
        name,
      )
    return Object.fromEntries(names.map((name) => [name, merged(name)]))
  }
  if (typeof value === 'number') return known.reduce<number>((sum, each) => sum + Number(each), 0)
  if (typeof value === 'boolean') return known.every(Boolean)
  return field === 'changeId' ? [...new Set(known.map(String))].join(' ') : (value ?? null)
}

const mergeSome = (all: readonly unknown[], limit: number): readonly unknown[] =>
  (mergeData(all) as readonly unknown[]).slice(0, limit)

const toUnifiedInbox = (inboxes: readonly Inbox[]): Inbox => ({
  ...(mergeData(inboxes.map((inbox) => ({ ...inbox, id: ALL_INBOXES }))) as Inbox),
  ...{ id: ALL_INBOXES, name: 'All inboxes', emailAddress: '' },
  onServer: inboxes.length === 0 || inboxes.some(({ onServer }) => onServer),
})

const oldest = (times: readonly (number | null)[]): number | null =>
  times.length === 0 || times.includes(null) ? null : Math.min(...times.filter((time) => time !== null))

/** One stale list makes the combined list stale. */
const joinFailures = (failures: readonly ListFailures[]): ListFailures => {
  const [threads] = failures.flatMap((each) => Object.values(each.threads))
  const joined = failures.reduce((earlier, each) => ({ ...each, ...earlier }))
  return { ...joined, threads: threads === undefined ? {} : { [ALL_INBOXES]: threads } }
}

/**
 * Sync status of all accounts: as fresh as the stalest, online if any is. An account's own problems appear next to its
 * name.
 */
export const mergeSyncStatus = (all: readonly SyncStatus[]): SyncStatus => {
  const failures = all.flatMap((status) => status.failures ?? [])
  const waits = all.flatMap(({ waitingUntil }) => waitingUntil ?? [])
  const confirmed = (list: Exclude<keyof Confirmations, 'threads'>): number | null =>
    oldest(all.map(({ confirmedAt }) => confirmedAt[list]))
  return {
    ...(mergeData(all) as SyncStatus),
    ...(failures.length > 0 && { failures: joinFailures(failures) }),
    connection: (all.find(({ connection }) => connection === 'online') ?? all[0])?.connection ?? 'offline',
    lastSyncAt: oldest(all.map(({ lastSyncAt }) => lastSyncAt)),
    confirmedAt: {
      inboxes: confirmed('inboxes'),
      received: confirmed('received'),
      sent: confirmed('sent'),
      contacts: confirmed('contacts'),
      threads: { [ALL_INBOXES]: oldest(all.flatMap(({ confirmedAt }) => Object.values(confirmedAt.threads))) },
    },
    waitingUntil: waits.length === 0 ? null : Math.max(...waits),
  }
}

type Merges = { readonly [Name in CommandName]?: (all: readonly CommandOutput<Name>[], input: Fields) => unknown }

/** Commands whose responses need more than `mergeData`. */
const MERGES: Merges = {
  'inbox.list': (all) => ({
    inboxes: [toUnifiedInbox(all.flatMap(({ inboxes }) => inboxes))],
    freshness: { state: 'live', at: null },
  }),
  'sync.status': mergeSyncStatus,
  'recentSearch.list': (all) => mergeSome(all, STORED_SEARCH_LIMITS.recent),
  'person.suggest': (all, { limit }) => mergeSome(all, Number(limit)),
  'draft.list': (all) => all.flat().toSorted((a, b) => b.updatedAt - a.updatedAt),
  'problem.list': (all) => all.flat().toSorted((a, b) => a.at - b.at),
  // Tabs of saved searches belong to an inbox.
  'inboxTab.list': (all) =>
    mergeData(all.map((tabs) => tabs.filter((tab) => KIND_TABS.some(({ id }) => id === tab.id)))),
}

/** Merges the responses to a command. @param all at least one */
export const mergeResponses = (name: CommandName, all: readonly Fields[], input: Fields): Fields =>
  ((MERGES[name] ?? mergeData) as (all: readonly Fields[], input: Fields) => Fields)(all, input)
