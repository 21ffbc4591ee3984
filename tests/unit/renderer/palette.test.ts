import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../../src/renderer/app/commands.ts'
import {
  toCommandEntry,
  groupEntries,
  matchEntry,
  toItemEntry,
  rankEntries,
  type PaletteEntry,
  CommandUsage,
} from '../../../src/renderer/features/commands/rank-entries.ts'
import { signInToProxy } from '../../../src/renderer/features/proxy/commands.ts'
import { buildShortcutGroups } from '../../../src/renderer/features/commands/shortcut-rows.ts'
import type { Command, PaletteItem } from '../../../src/renderer/kernel/commands.ts'
import { createPreferences } from './support/preferences.ts'

const NOTHING_POSSIBLE: ReadonlySet<string> = new Set(['thread.inbox', 'search.widen'])

const place = (id: string, name: string, detail: string): PaletteItem => ({
  id,
  name,
  detail,
  icon: (() => undefined) as never,
  go: () => undefined,
})

const entries: readonly PaletteEntry[] = [
  ...COMMANDS.map((command) =>
    toCommandEntry(command, { isPossible: !NOTHING_POSSIBLE.has(command.id), caps: undefined }),
  ),
  toItemEntry(place('label 1', 'Archive of the harbour', 'Label')),
  toItemEntry(place('saved 1', 'Unread from Ada', 'Saved search')),
]

const group = (recent: readonly string[] = []): readonly (readonly [string | null, string])[] =>
  groupEntries(entries, recent).map(({ heading, id }) => [heading, id])

const rank = (typed: string, uses: Readonly<Record<string, number>> = {}): readonly string[] =>
  rankEntries(entries, typed, (id) => uses[id] ?? 0).map(({ id }) => id)

describe('command palette', () => {
  it('groups the available commands, recent ones first', () => {
    const listed = group(['saved 1', 'thread.inbox', 'go.settings'])
    expect(listed.slice(0, 2)).toEqual([
      ['Recent', 'saved 1'],
      ['Recent', 'go.settings'],
    ])
    const headings = listed.map(([heading]) => heading)
    const runs = headings.filter((heading, index) => heading !== headings[index - 1])
    expect(runs).toEqual([
      'Recent',
      'Actions',
      'Writing',
      'Search',
      'Go to',
      'Threads',
      'Selection',
      'Reading',
      'View',
      'Linnet',
      'Help',
    ])
    const ids = listed.map(([, id]) => id)
    expect(new Set(ids).size).toBe(entries.length - NOTHING_POSSIBLE.size)
    for (const id of NOTHING_POSSIBLE) expect(ids).not.toContain(id)
    expect(group()[0]?.[0]).toBe('Actions')
    const setting = toItemEntry({ ...place('settings 1', 'Quiet hours', 'Settings'), isOnlyFound: true })
    expect(groupEntries([setting], [])).toEqual([])
    expect(groupEntries([setting], ['settings 1'])).toHaveLength(1)
  })

  it('matches word starts in any order, initials and synonyms, but not scattered letters', () => {
    expect(rank('arc')[0]).toBe('thread.archive')
    expect(rank('mau')[0]).toBe('thread.unread')
    expect(rank('junk')[0]).toBe('thread.spam')
    expect(rank('GO TO SET')[0]).toBe('go.settings')
    expect(rank('set go')[0]).toBe('go.settings')
    expect(rank('harbour')[0]).toBe('label 1')
    expect(rank('unread mark')[0]).toBe('thread.unread')
    expect(rank('dark').slice(0, 4)).toContain('view.theme.dark')
    for (const id of rank('dark')) expect(id).toMatch(/dark/i)
    expect(rank('export')[0]).toBe('export.open')
    expect(rank('rchive')).toEqual([])
    // Names from the mail must match as a whole: the phrase is more likely a search.
    expect(rank('harbour zzqx')).toEqual([])
    expect(rank('archive zzqx')[0]).toBe('thread.archive')
    const subject = toItemEntry(place('thread 1', 'To me', 'Ada Quill'))
    expect(matchEntry(subject, 'quill')?.score).toBeCloseTo(0.5)
    expect(rank('zzqx')).toEqual([])
    expect(rank('--')).toEqual([])
  })

  it('uses habits to break ties, but never to add a non-match', () => {
    expect(rank('go to s', { 'go.sent': 9 })[0]).toBe('go.sent')
    expect(rank('go to s', { 'go.spam': 9 })[0]).toBe('go.spam')
    expect(rank('archive', { 'go.settings': 20 })).not.toContain('go.settings')
  })

  it('searches hostile names quickly', () => {
    const subject = 'a'.repeat(100_000)
    const hostile = Array.from({ length: 20 }, (_, index) => toItemEntry(place(`thread ${index}`, subject, subject)))
    const before = performance.now()
    expect(rankEntries(hostile, 'a'.repeat(60), () => 0)).toHaveLength(20)
    expect(rankEntries(hostile, 'a'.repeat(100_000), () => 0)).toEqual([])
    expect(performance.now() - before).toBeLessThan(30_000)
  })
})

describe('shortcut sheet', () => {
  const sheet = (typed: string, keysOf = ({ keys = [] }: Command): readonly string[] => keys) =>
    buildShortcutGroups(COMMANDS, keysOf, typed)
  const names = (groups: ReturnType<typeof sheet>) => groups.flatMap(({ rows }) => rows.map(({ name }) => name))

  it('merges numbered commands into one line while their keys match', () => {
    const inboxes = sheet('').flatMap(({ rows }) => rows.filter(({ name }) => name.startsWith('Go to inbox ')))
    expect(inboxes).toMatchObject([{ name: 'Go to inbox 1–9', keys: ['g 1–9', 'Mod+1–9'] }])
    const changed = sheet('inbox', ({ id, keys = [] }) => (id === 'go.inbox.3' ? ['g x'] : keys))
    expect(names(changed)).toEqual(expect.arrayContaining(['Go to inbox 1–9', 'Go to inbox 3']))
  })

  it('filters by word starts, including group names', () => {
    expect(names(sheet('arch'))).toContain('Archive')
    expect(names(sheet('arch'))).not.toContain('Search mail')
    expect(sheet('selection').map(({ group: each }) => each)).toContain('Selection')
    expect(sheet('zzqx')).toEqual([])
  })
})

describe('command icons', () => {
  it('differ between places and actions', () => {
    const places = COMMANDS.filter(({ id }) => /^go\.(?!inbox\.\d)|^thread\.(?:un)?read$/.test(id))
    const bySign = Map.groupBy(places, ({ icon }) => icon)
    const shared = [...bySign.values()].filter((each) => each.length > 1)
    expect(shared.map((each) => each.map(({ id }) => id))).toEqual([])
    expect(places.length).toBeGreaterThan(12)
  })
})

describe('command usage', () => {
  it('is stored on this computer', () => {
    const { preferences, open } = createPreferences()
    new CommandUsage(preferences).count('thread.archive')
    new CommandUsage(preferences).count('thread.archive')
    const restarted = new CommandUsage(open(preferences.values))
    expect(restarted.of('thread.archive')).toBe(2)
    expect(restarted.of('thread.trash')).toBe(0)
  })

  it('moves to an entry’s new ID, once across all windows', () => {
    const { preferences, open } = createPreferences()
    const use = new CommandUsage(preferences)
    for (const id of ['label new-1', 'label new-1', 'label p1', 'thread.archive']) use.count(id)
    use.rename('label new-1', 'label p1')
    use.rename('label never', 'label p1')
    new CommandUsage(open(preferences.values)).rename('label new-1', 'label p1')
    expect(preferences.values.commandUse).toEqual({ 'label p1': 3, 'thread.archive': 1 })
  })

  it('lists the most recent first', () => {
    const { preferences, open } = createPreferences()
    const use = new CommandUsage(preferences)
    for (const id of ['thread.archive', 'go.settings', 'thread.archive', 'label.pick']) use.count(id)
    expect(new CommandUsage(open(preferences.values)).recent).toEqual(['label.pick', 'thread.archive', 'go.settings'])
  })

  it('forgets old habits and stays bounded', () => {
    const { preferences } = createPreferences()
    const use = new CommandUsage(preferences)
    for (let time = 0; time < 80; time += 1) use.count('old')
    for (let time = 0; time < 60; time += 1) use.count('new')
    expect(use.of('new')).toBeGreaterThan(use.of('old'))
    for (let label = 0; label < 400; label += 1) use.count(`label ${label}`)
    expect(Object.keys(preferences.values.commandUse)).toHaveLength(200)
    expect(use.of('new')).toBeGreaterThan(0)
  })
})

it('lists an action that is needed now before a setting of the same name', () => {
  const setting = toItemEntry({ ...place('setting', 'Proxy', 'Settings'), words: '' })
  const signIn = toCommandEntry(signInToProxy, { isPossible: true, caps: undefined })
  const uses = (id: string): number => (id === 'setting' ? 100 : 0)
  expect(rankEntries([setting, signIn], 'proxy', uses).map(({ id }) => id)).toEqual(['proxy.signIn', 'setting'])
  const impossible = { ...signIn, isPossible: false }
  expect(rankEntries([setting, impossible], 'proxy', uses).map(({ id }) => id)).toEqual(['setting', 'proxy.signIn'])
})
