import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toUnreadFilter } from '../../../../../src/engine/own/saved-searches/account-searches.ts'
import type { StoredSearch } from '../../../../../src/engine/own/saved-searches/search-store.ts'
import {
  UnreadCounts,
  type UnreadCountDependencies,
} from '../../../../../src/engine/own/saved-searches/unread-counts.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'

const CONTEXT = { now: Date.parse('2026-05-10T12:00:00Z'), timeZone: 'UTC', labels: [{ id: 'l1', name: 'Billing' }] }
const filterOf = ({ text }: { readonly text: string }) => toUnreadFilter(text, CONTEXT)

const counting = (
  searches: StoredSearch[],
  unread: Record<string, number>,
  costMs: number | ((threads: number) => number) = 0,
) => {
  const steps: number[] = []
  const asked: string[] = []
  const clock = createSteppedClock()
  let changes = 0
  let spent = 0
  const ending = new AbortController()
  const ports: UnreadCountDependencies = {
    counted: () => searches,
    filterOf,
    countSome: (inboxId, _filter, from, threads) => {
      asked.push(inboxId)
      steps.push(threads)
      spent += typeof costMs === 'number' ? costMs : costMs(threads)
      const done = from ?? 0
      const count = Math.min(threads, (unread[inboxId] ?? 0) - done)
      const isEnd = done + count >= (unread[inboxId] ?? 0)
      return { count, next: isEnd ? null : done + count }
    },
    changed: () => (changes += 1),
    failed: (thrown) => {
      throw thrown
    },
    clock: { ...clock, elapsed: () => clock.elapsed() + spent },
    signal: ending.signal,
  }
  const counts = new UnreadCounts(ports)
  return {
    counts,
    asked,
    steps,
    ending,
    changes: () => changes,
    turn: async (milliseconds: number) => {
      await clock.advance(milliseconds)
      // Each step of a count takes a turn.
      for (let turn = 0; turn < 100; turn += 1) await nextTurn()
    },
  }
}
const search = (id: string, text = 'word', inboxId = id): StoredSearch => ({ id, name: id, inboxId, text })

describe('unread counts of saved searches', () => {
  it('start on request, then follow changes in their inbox with a throttle', async () => {
    const unread = { a: 3, b: 1500 }
    const { counts, asked, turn, changes } = counting([search('a'), search('b')], unread)
    counts.mailChanged('a')
    await turn(10_000)
    expect(asked).toEqual([])
    expect(counts.of('a')).toBeNull()
    await turn(10_000)
    expect(counts.of('a')).toBe(3)
    // One more than the display limit means "more".
    expect(counts.of('b')).toBe(1000)
    expect(changes()).toBe(2)
    const before = asked.length
    unread.a = 4
    for (let count = 0; count < 50; count += 1) counts.mailChanged('a')
    expect(asked).toHaveLength(before)
    await turn(10_000)
    expect(asked.slice(before)).toEqual(['a'])
    expect(counts.of('a')).toBe(4)
    expect(changes()).toBe(3)
    counts.mailChanged('a')
    await turn(10_000)
    expect(changes()).toBe(3)
  })

  it('take at most a twentieth of the time, however much changes', async () => {
    const { counts, turn, asked } = counting([search('a')], { a: 1 }, 40)
    counts.of('a')
    await turn(250)
    expect(asked).toHaveLength(1)
    for (let spent = 0; spent < 19 * 40 - 100; spent += 100) {
      counts.mailChanged('a')
      await turn(100)
      expect(asked).toHaveLength(1)
    }
    await turn(10_000)
    expect(asked).toHaveLength(2)
  })

  it('run in turns as long as the thread can spare, whatever a search costs', async () => {
    const slow = counting([search('a')], { a: 500 }, (threads) => threads / 10)
    slow.counts.of('a')
    await slow.turn(1_000)
    // The first turn's size is a guess; it takes 20 ms here.
    expect(slow.steps[0]).toBe(200)
    expect(Math.max(...slow.steps.slice(1))).toBeLessThan(200)
    expect(slow.counts.of('a')).toBe(500)
    const quick = counting([search('a')], { a: 990 })
    quick.counts.of('a')
    await quick.turn(1_000)
    expect(Math.max(...quick.steps)).toBeGreaterThan(200)
    expect(quick.counts.of('a')).toBe(990)
  })

  it('are unknown for costly searches until their dates have moved on', async () => {
    const { counts, turn, asked } = counting([search('a')], { a: 900 }, 150)
    counts.of('a')
    await turn(10_000)
    expect(counts.of('a')).toBeNull()
    // The second step exceeds the limit.
    const given = asked.length
    expect(given).toBe(2)
    counts.mailChanged('a')
    await turn(10_000)
    expect(asked).toHaveLength(given)
    await turn(600_000)
    await turn(10_000)
    expect(asked.length).toBeGreaterThan(given)
  })

  it('are renewed daily for searches with dates; others wait for a change', async () => {
    const { counts, turn, asked } = counting([search('a', 'newer_than:7d'), search('b')], { a: 1, b: 1 })
    counts.of('a')
    await turn(1_000)
    expect(asked).toEqual(['a', 'b'])
    await turn(600_000)
    await turn(1_000)
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  it('start for a new search, and are forgotten for a removed one', async () => {
    const searches = [search('a')]
    const { counts, turn } = counting(searches, { a: 1, b: 2 })
    counts.of('a')
    await turn(1_000)
    searches.push(search('b'))
    counts.searchesChanged()
    await turn(10_000)
    expect(counts.of('b')).toBe(2)
    searches.shift()
    counts.searchesChanged()
    expect(counts.of('a')).toBeNull()
  })

  it('stop when the account closes', async () => {
    const { counts, turn, asked, ending } = counting([search('a')], { a: 1 })
    counts.of('a')
    ending.abort()
    await turn(700_000)
    expect(asked).toEqual([])
  })

  it('follow the search text, and are absent for read or invalid searches', () => {
    expect(toUnreadFilter('label:billing invoice', CONTEXT)).toMatchObject({
      read: false,
      labelIds: ['l1'],
      text: [{ text: 'invoice' }],
    })
    expect(toUnreadFilter('is:unread', CONTEXT)).toMatchObject({ read: false })
    expect(toUnreadFilter('is:read', CONTEXT)).toBeNull()
    expect(toUnreadFilter('label:gone', CONTEXT)).toBeNull()
    expect(toUnreadFilter('form:x', CONTEXT)).toBeNull()
  })
})
