import { describe, expect, it } from 'vitest'
import { moveBefore } from '../../../../../src/shared/move-before.ts'
import { SearchStore } from '../../../../../src/engine/own/saved-searches/search-store.ts'
import type { Problem } from '../../../../../src/shared/result.ts'
import { ownLists } from '../../support/local-lists.ts'

const INBOX = 'inbox-1'

const searchesOf = () => {
  const lists = ownLists()
  const changes: string[] = []
  return { ...lists, changes, open: () => new SearchStore(lists.own, (list) => changes.push(list)) }
}

const save = (names: readonly string[], { open } = searchesOf()) => {
  const searches = open()
  for (const name of names) searches.save({ name, inboxId: INBOX, text: `is:unread ${name}` }, null)
  return searches
}
const namesOf = (searches: SearchStore): readonly string[] => searches.entries.map(({ name }) => name)
const problemOf = (work: () => void): Problem => {
  try {
    work()
  } catch (thrown) {
    return (thrown as { problem: Problem }).problem
  }
  throw new Error('It did not fail.')
}

describe('saved searches', () => {
  it('keep their order and names across restarts', () => {
    const files = searchesOf()
    const searches = save(['a', 'b', 'c'], files)
    const [a, , c] = searches.entries
    searches.move(c?.id ?? '', a?.id ?? '')
    searches.rename(a?.id ?? '', '  Letters\nto   Ann ')
    const again = files.open()
    expect(again.entries).toMatchObject([
      { name: 'c', inboxId: INBOX, text: 'is:unread c' },
      { name: 'Letters to Ann', text: 'is:unread a' },
      { name: 'b' },
    ])
    again.remove(c?.id ?? '')
    again.remove(c?.id ?? '')
    expect(namesOf(files.open())).toEqual(['Letters to Ann', 'b'])
  })

  it('merge duplicates under the new name, in the old place', () => {
    const files = searchesOf()
    const searches = save(['a', 'b'], files)
    const [a] = searches.entries
    expect(searches.save({ name: 'Again', inboxId: INBOX, text: ' is:unread a ' }, null).id).toBe(a?.id)
    searches.save({ name: 'Elsewhere', inboxId: 'inbox-2', text: 'is:unread a' }, null)
    expect(namesOf(files.open())).toEqual(['Again', 'b', 'Elsewhere'])
  })

  it('move before another one or to the end, even if that one is gone', () => {
    const searches = ['a', 'b', 'c'].map((id) => ({ id, name: id, inboxId: INBOX, text: id }))
    const [a, b, c] = searches
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.')
    const ids = (before: string | null, moved = b): string =>
      moveBefore(searches, moved, before)
        .map(({ id }) => id)
        .join('')
    expect(ids('a')).toBe('bac')
    expect(ids('c')).toBe('abc')
    expect(ids(null)).toBe('acb')
    expect(ids('b')).toBe('abc')
    expect(ids('gone')).toBe('acb')
    expect(ids('a', { ...c, id: 'new' })).toBe('newabc')
  })

  it('reject invalid entries with a message', () => {
    const files = searchesOf()
    const all = Array.from({ length: 200 }, (_, index) => ({
      kind: 'saved',
      id: `${index}`,
      name: 's',
      inboxId: INBOX,
      text: `${index}`,
    }))
    files.put('saved-searches', all)
    const searches = files.open()
    const trying = (name: string, text: string) => () => void searches.save({ name, inboxId: INBOX, text }, null)
    const words = [
      [trying(' ', 'x'), /Type a name/],
      [trying('n'.repeat(101), 'x'), /at most 100 characters/],
      [trying('n', ' '), /nothing to search for/],
      [trying('n', 'x'.repeat(4001)), /too long/],
      [trying('n', 'one more'), /200 saved searches.*Delete one/],
      [() => searches.rename('gone', 'n'), /no longer exists/],
      [() => searches.move('gone', null), /no longer exists/],
      [() => searches.addRecent(' '), /nothing to search for/],
    ] as const
    for (const [work, message] of words) expect(problemOf(work).message).toMatch(message)
    // Counts characters, not UTF-16 units.
    searches.rename(searches.entries[0]?.id ?? '', '🐦'.repeat(100))
    expect(files.open().entries).toHaveLength(200)
  })

  it('are neither stored nor shown if the disk is full, and older ones stay', () => {
    const files = searchesOf()
    const searches = save(['a'], files)
    files.fill(true)
    expect(() => searches.save({ name: 'b', inboxId: INBOX, text: 'b' }, null)).toThrow()
    expect(() => searches.addRecent('b')).toThrow()
    expect(searches.entries).toHaveLength(1)
    expect(searches.recent()).toEqual([])
    files.fill(false)
    expect(namesOf(files.open())).toEqual(['a'])
  })
})

describe('recent searches', () => {
  it('are the newest twenty, each once, until they are cleared', () => {
    const files = searchesOf()
    const searches = save(['a'], files)
    for (let count = 0; count < 25; count += 1) searches.addRecent(`search ${count}`)
    searches.addRecent(' search 20 ')
    const texts = searches.recent().map(({ text }) => text)
    expect(texts.slice(0, 3)).toEqual(['search 20', 'search 24', 'search 23'])
    expect(texts).toHaveLength(20)
    expect(files.open().recent()).toEqual(searches.recent())
    searches.clearRecent()
    expect(files.open().recent()).toEqual([])
    expect(namesOf(files.open())).toEqual(['a'])
  })

  it('notify on change, but not for a repeated search', () => {
    const files = searchesOf()
    const searches = files.open()
    searches.addRecent('a')
    searches.addRecent('a')
    searches.clearRecent()
    searches.clearRecent()
    expect(files.changes).toEqual(['recent', 'recent'])
  })
})
