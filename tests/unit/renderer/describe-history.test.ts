import { describe, expect, it } from 'vitest'
import { describeHistory } from '../../../src/renderer/features/reader/describe-history.ts'
import type { HistoryEntry } from '../../../src/shared/contract.ts'

const MINUTE = 60_000
const NOW = 1_000 * MINUTE

type Details = HistoryEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, 'at' | 'by'> : never) : never

const entry = (by: HistoryEntry['by'], details: Details, at = NOW): HistoryEntry => ({ at, by, ...details })
const moved = (to: string | null): Details => ({ kind: 'moved', to })
const labelled = (added: readonly (string | null)[], removed: readonly (string | null)[] = []): Details => ({
  ...{ kind: 'labelled', added, removed },
})

const describeAll = (...entries: readonly HistoryEntry[]): readonly string[] =>
  describeHistory(entries, [], NOW).flatMap((lines) => lines.map(({ text }) => text))

describe('a line of the history', () => {
  it.each<readonly [HistoryEntry['by'], Details, string]>([
    ['agent', moved('archive'), 'Archived by the agent'],
    ['dashboard', moved('inbox'), 'Moved to Inbox in the dashboard'],
    ['here', moved('trash'), 'Moved to Trash on this computer'],
    ['api', moved('spam'), 'Marked as spam through the API'],
    ['system', moved('inbox'), 'Moved to Inbox automatically'],
    ['dashboard', labelled(['Billing']), 'Label “Billing” added in the dashboard'],
    ['agent', labelled([], ['Billing', 'Urgent']), 'Labels “Billing” and “Urgent” removed by the agent'],
    ['api', labelled(['@Ada']), 'Assigned to Ada through the API'],
    ['here', labelled(['@Ada'], ['@Bo']), 'Unassigned from Bo, assigned to Ada on this computer'],
    [
      'dashboard',
      { kind: 'assigned', assignee: 'ada@x.example', assignedBy: 'bo@x.example' },
      'Assigned to ada@x.example by bo@x.example in the dashboard',
    ],
    ['agent', { kind: 'unassigned', assignee: 'ada@x.example' }, 'Unassigned from ada@x.example by the agent'],
    ['dashboard', { kind: 'drafted' }, 'A draft is being written in the dashboard'],
    ['agent', { kind: 'sent' }, 'Message sent by the agent'],
  ])('by %s, %j', (by, details, text) => {
    expect(describeAll(entry(by, details))).toEqual([text])
  })

  it.each<readonly [Details, string]>([
    [moved(null), 'Moved'],
    [labelled([null]), 'A deleted label added'],
    [labelled([], []), 'Labels changed'],
    [{ kind: 'assigned', assignee: null, assignedBy: null }, 'Assigned'],
    [{ kind: 'assigned', assignee: null, assignedBy: 'bo@x.example' }, 'Assigned by bo@x.example'],
    [{ kind: 'assigned', assignee: 'ada@x.example', assignedBy: null }, 'Assigned to ada@x.example'],
    [{ kind: 'unassigned', assignee: null }, 'Unassigned'],
    [{ kind: 'sent' }, 'Message sent'],
  ])('claims nothing that the platform left out: %j', (details, text) => {
    expect(describeAll(entry(null, details))).toEqual([text])
  })

  it.each([
    ['constructor', 'Moved to constructor by the agent'],
    ['shelf\u202e\u0000\nnine', 'Moved to shelf\ufffd\ufffd nine by the agent'],
    ['x'.repeat(5_000), `Moved to ${'x'.repeat(58)}… by the agent`],
  ])('shows a hostile folder name safely: %j', (to, text) => {
    expect(describeAll(entry('agent', moved(to)))).toEqual([text])
  })

  it('shows hostile names of labels and people safely', () => {
    const long = '\u{1f426}'.repeat(80)
    expect(describeAll(entry('api', labelled([`a\u202eb`, `@\u202eAda`, `@x${long}`, long])))).toEqual([
      `Assigned to \ufffdAda and x${'\u{1f426}'.repeat(57)}…, labels “a\ufffdb” and “${'\u{1f426}'.repeat(58)}…” added through the API`,
    ])
    expect(
      describeAll(entry(null, { kind: 'assigned', assignee: 'ada\u0007@x.example', assignedBy: `${long}@x.example` })),
    ).toEqual([`Assigned to ada\ufffd@x.example by ${'\u{1f426}'.repeat(58)}…`])
  })

  it('counts labels beyond the sixth', () => {
    const names = Array.from({ length: 1_000 }, (_, number) => `L${number}`)
    expect(describeAll(entry('agent', labelled(names)))).toEqual([
      'Labels “L0”, “L1”, “L2”, “L3”, “L4”, “L5”, and 994 more added by the agent',
    ])
  })
})

describe('lines of the history', () => {
  it('combine changes from one source within two minutes of each other', () => {
    const lines = describeHistory(
      [
        entry('agent', labelled(['Billing']), NOW - 9 * MINUTE),
        entry('agent', labelled(['Urgent']), NOW - 8 * MINUTE),
        entry('agent', moved('archive'), NOW - 6 * MINUTE),
        entry('dashboard', moved('inbox'), NOW - 6 * MINUTE),
        entry('dashboard', moved('trash'), NOW - 3 * MINUTE),
      ],
      [],
      NOW,
    )
    expect(lines).toEqual([
      [
        { text: 'Archived, labels “Billing” and “Urgent” added by the agent', at: NOW - 6 * MINUTE, count: 3 },
        { text: 'Moved to Inbox in the dashboard', at: NOW - 6 * MINUTE, count: 1 },
        { text: 'Moved to Trash in the dashboard', at: NOW - 3 * MINUTE, count: 1 },
      ],
    ])
  })

  it('combine at most four changes, and repeat no words', () => {
    const all = Array.from({ length: 6 }, (_, number) => entry('api', moved(number % 2 === 0 ? 'archive' : 'inbox')))
    const text = 'Archived, moved to Inbox through the API'
    expect(describeHistory(all, [], NOW)).toMatchObject([
      [
        { text, count: 4 },
        { text, count: 2 },
      ],
    ])
  })

  it('are placed between the messages, by time', () => {
    const at = (time: number) => entry('agent', moved('archive'), time)
    const gaps = describeHistory([at(5), at(10), at(15), at(25)], [10, 20, 30], NOW)
    expect(gaps.map((lines) => lines.map((line) => line.at))).toEqual([[5], [15], [25], []])
  })

  it('tell of a draft only for five minutes, apart from other changes', () => {
    const drafted = (age: number) => entry('agent', { kind: 'drafted' }, NOW - age)
    expect(describeAll(drafted(5 * MINUTE))).toEqual([])
    expect(describeAll(entry('agent', moved('archive')), drafted(0))).toEqual([
      'Archived by the agent',
      'A draft is being written by the agent',
    ])
  })
})
