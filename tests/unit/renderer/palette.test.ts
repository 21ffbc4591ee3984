import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/renderer/app/commands.ts'
import { CommandUse } from '../../../src/renderer/features/commands/command-use.ts'
import {
  commandEntry,
  offerEntry,
  rankEntries,
  type PaletteEntry,
} from '../../../src/renderer/features/commands/rank-entries.ts'
import type { Offer } from '../../../src/renderer/kernel/offers.ts'
import { createPreferences } from './support/preferences.ts'

const NOTHING_POSSIBLE: ReadonlySet<string> = new Set(['thread.inbox', 'search.widen'])

const place = (id: string, name: string, detail: string): Offer => ({
  id,
  name,
  detail,
  icon: (() => undefined) as never,
  go: () => undefined,
})

const entries: readonly PaletteEntry[] = [
  ...COMMANDS.map((command) =>
    commandEntry(command, { isPossible: !NOTHING_POSSIBLE.has(command.id), caps: undefined }),
  ),
  offerEntry(place('label 1', 'Archive of the harbour', 'Label')),
  offerEntry(place('saved 1', 'Unread from Ada', 'Saved search')),
]

const rank = (typed: string, uses: Readonly<Record<string, number>> = {}): readonly string[] =>
  rankEntries(entries, typed, (id) => uses[id] ?? 0).map(({ id }) => id)

describe('the palette', () => {
  it('lists everything without a word: what can be done with the mail first, then places, then what cannot be done', () => {
    const ids = rank('')
    expect(ids).toHaveLength(entries.length)
    expect(ids.indexOf('thread.archive')).toBeLessThan(ids.indexOf('list.next'))
    expect(ids.indexOf('go.inbox')).toBeLessThan(ids.indexOf('label 1'))
    expect(ids.slice(-2).toSorted()).toEqual([...NOTHING_POSSIBLE].toSorted())
  })

  it('lists first what a person uses most', () => {
    expect(rank('', { 'go.settings': 3, 'saved 1': 5 }).slice(0, 2)).toEqual(['saved 1', 'go.settings'])
  })

  it('finds by beginnings, by letters in their order, by a letter that was left out, and by other words', () => {
    expect(rank('arch')[0]).toBe('thread.archive')
    expect(rank('mtt')[0]).toBe('thread.trash')
    expect(rank('bin')[0]).toBe('thread.trash')
    expect(rank('GO TO SET')[0]).toBe('go.settings')
    expect(rank('harbour')[0]).toBe('label 1')
    expect(rank('mark unred')[0]).toBe('thread.unread')
    expect(rank('zzqx')).toEqual([])
  })

  it('lets a habit decide between entries that fit alike, and never one that does not fit', () => {
    expect(rank('go to s', { 'go.sent': 9 })[0]).toBe('go.sent')
    expect(rank('go to s', { 'go.spam': 9 })[0]).toBe('go.spam')
    expect(rank('archive', { 'go.settings': 20 })).not.toContain('go.settings')
  })

  it('looks through what hostile mail names in no time', () => {
    const subject = 'a'.repeat(100_000)
    const hostile = Array.from({ length: 20 }, (_, index) => offerEntry(place(`thread ${index}`, subject, subject)))
    const before = performance.now()
    expect(rankEntries(hostile, 'a'.repeat(60), () => 0)).toHaveLength(20)
    expect(rankEntries(hostile, 'a'.repeat(100_000), () => 0)).toEqual([])
    expect(performance.now() - before).toBeLessThan(30_000)
  })
})

describe('signs', () => {
  it('of places and of what is done with mail differ (W, Look)', () => {
    const places = COMMANDS.filter(({ id }) => /^go\.(?!inbox\.\d)|^thread\.(?:un)?read$/.test(id))
    const bySign = Map.groupBy(places, ({ icon }) => icon)
    const shared = [...bySign.values()].filter((each) => each.length > 1)
    expect(shared.map((each) => each.map(({ id }) => id))).toEqual([])
    expect(places.length).toBeGreaterThan(12)
  })
})

describe('the use of commands', () => {
  it('is kept on this computer', () => {
    const { preferences, open } = createPreferences()
    new CommandUse(preferences).count('thread.archive')
    new CommandUse(preferences).count('thread.archive')
    const restarted = new CommandUse(open(preferences.values))
    expect(restarted.of('thread.archive')).toBe(2)
    expect(restarted.of('thread.trash')).toBe(0)
  })

  it('goes with an entry to another ID, as a label that was made here gets one, in each window that hears of it', () => {
    const { preferences, open } = createPreferences()
    const use = new CommandUse(preferences)
    for (const id of ['label new-1', 'label new-1', 'label p1', 'thread.archive']) use.count(id)
    use.rename('label new-1', 'label p1')
    use.rename('label never', 'label p1')
    new CommandUse(open(preferences.values)).rename('label new-1', 'label p1')
    expect(preferences.values.commandUse).toEqual({ 'label p1': 3, 'thread.archive': 1 })
  })

  it('lets habits of long ago give way, and does not grow without end', () => {
    const { preferences } = createPreferences()
    const use = new CommandUse(preferences)
    for (let time = 0; time < 80; time += 1) use.count('old')
    for (let time = 0; time < 60; time += 1) use.count('new')
    expect(use.of('new')).toBeGreaterThan(use.of('old'))
    for (let label = 0; label < 400; label += 1) use.count(`label ${label}`)
    expect(Object.keys(preferences.values.commandUse)).toHaveLength(200)
    expect(use.of('new')).toBeGreaterThan(0)
  })
})
