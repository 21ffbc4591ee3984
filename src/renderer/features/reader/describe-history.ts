import { parseAssigneeName } from '../../../shared/assignees.ts'
import type { HistoryEntry } from '../../../shared/contract.ts'
import { FOLDERS } from '../../../shared/model.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatNumber } from '../../ui/format-quantity.ts'
import { folderName } from '../mailboxes/mailbox-names.ts'
import { shorten } from '../threads/describe-threads.ts'

/** Milliseconds since the last change to a draft after which nobody seems to be writing it any more. */
const WRITING_MS = 5 * 60_000
/** Changes from one source share a line if each follows the one before within this many milliseconds. */
const MERGE_MS = 2 * 60_000
const MAX_MERGED = 4
const MAX_NAMES = 6

export interface HistoryLine {
  /** Time of the last change, milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  /** Number of changes. */
  readonly count: number
}

const BY: Readonly<Record<NonNullable<HistoryEntry['by']>, string>> = {
  here: ' on this computer',
  api: ' through the API',
  dashboard: ' in the dashboard',
  agent: ' by the agent',
  system: ' automatically',
}

const clean = (text: string): string => shorten(toVisibleText(text))

const describeMove = (to: string | null): string => {
  if (to === null) return 'moved'
  if (to === 'archive') return 'archived'
  if (to === 'spam') return 'marked as spam'
  return `moved to ${FOLDERS.some((folder) => folder === to) ? folderName(to) : clean(to)}`
}

const describeNames = (names: readonly string[]): string =>
  formatList([
    ...names.slice(0, MAX_NAMES),
    ...(names.length > MAX_NAMES ? [`${formatNumber(names.length - MAX_NAMES)} more`] : []),
  ])

/** @param names of labels, null for an unknown one @param assigned for labels that represent people */
const describeLabels = (names: readonly (string | null)[], assigned: string, labelled: string): readonly string[] => {
  const known = names.filter((name) => name !== null)
  const people = known.flatMap((name) => parseAssigneeName(name) ?? []).map(clean)
  const others = known.filter((name) => parseAssigneeName(name) === null).map((name) => `“${clean(name)}”`)
  return [
    ...(people.length === 0 ? [] : [`${assigned} ${describeNames(people)}`]),
    ...(others.length === 0
      ? []
      : [`${others.length === 1 ? 'label' : 'labels'} ${describeNames(others)} ${labelled}`]),
    ...(names.includes(null) ? [`a deleted label ${labelled}`] : []),
  ]
}

/** @returns null for labels, which are described together */
const describeEntry = (entry: HistoryEntry): string | null => {
  switch (entry.kind) {
    case 'moved':
      return describeMove(entry.to)
    case 'assigned': {
      const assigned = entry.assignee === null ? 'assigned' : `assigned to ${clean(entry.assignee)}`
      return entry.assignedBy === null ? assigned : `${assigned} by ${clean(entry.assignedBy)}`
    }
    case 'unassigned':
      return entry.assignee === null ? 'unassigned' : `unassigned from ${clean(entry.assignee)}`
    case 'sent':
      return 'message sent'
    case 'drafted':
      return 'a draft is being written'
    case 'labelled':
      return entry.added.length + entry.removed.length === 0 ? 'labels changed' : null
  }
}

const describeGroup = (group: readonly [HistoryEntry, ...HistoryEntry[]]): string => {
  const [{ by }] = group
  const labelled = group.filter((entry) => entry.kind === 'labelled')
  const removed = labelled.flatMap((entry) => entry.removed)
  const added = labelled.flatMap((entry) => entry.added)
  const phrases = new Set([
    ...group.flatMap((entry) => describeEntry(entry) ?? []),
    ...describeLabels(removed, 'unassigned from', 'removed'),
    ...describeLabels(added, 'assigned to', 'added'),
  ])
  const text = `${[...phrases].join(', ')}${by === null ? '' : BY[by]}`
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const areAlike = (one: HistoryEntry, other: HistoryEntry): boolean =>
  one.by === other.by && (one.kind === 'drafted') === (other.kind === 'drafted') && other.at - one.at <= MERGE_MS

const toLines = (entries: readonly HistoryEntry[]): readonly HistoryLine[] => {
  const groups: [HistoryEntry, ...HistoryEntry[]][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group !== undefined && last !== undefined && areAlike(last, entry) && group.length < MAX_MERGED)
      group.push(entry)
    else groups.push([entry])
  }
  return groups.map((group) => ({ at: group.at(-1)?.at ?? 0, text: describeGroup(group), count: group.length }))
}

/**
 * Lines for a thread's changes, in each gap: before the first message, between the others, and after the last.
 * @param history oldest first
 * @param times of the messages, ascending
 * @param now current time; all times are in milliseconds since the epoch
 */
export const describeHistory = (
  history: readonly HistoryEntry[],
  times: readonly number[],
  now: number,
): readonly (readonly HistoryLine[])[] => {
  const gaps = Map.groupBy(
    history.filter(({ kind, at }) => kind !== 'drafted' || now - at < WRITING_MS),
    ({ at }) => times.findLastIndex((time) => time <= at) + 1,
  )
  return [...times, Infinity].map((_, gap) => toLines(gaps.get(gap) ?? []))
}
