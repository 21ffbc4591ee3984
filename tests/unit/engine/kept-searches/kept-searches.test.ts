import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openKeptSearches, placeSearch } from '../../../../src/engine/kept-searches/kept-searches.ts'
import { createListFile } from '../../../../src/engine/store/list-file.ts'
import type { Problem } from '../../../../src/shared/result.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const INBOX = 'inbox-1'

/** The searches of a folder, opened as often as a test likes, with what the cache would remember of them. */
const folder = () => {
  const directory = temporaryDirectory()
  const [first, second] = [join(directory, 'searches.json'), join(directory, 'searches-second.json')]
  const failures: unknown[] = []
  const changes: string[] = []
  let stands = false
  return {
    directory,
    first,
    second,
    failures,
    changes,
    forget: () => (stands = false),
    open: () =>
      openKeptSearches(
        directory,
        (list) => changes.push(list),
        (thrown) => failures.push(thrown),
        { stands: () => stands, remember: (next) => (stands = next) },
      ),
    asides: () => readdirSync(directory).filter((name) => name.includes('set-aside')),
  }
}

const save = (names: readonly string[], { open } = folder()) => {
  const { searches } = open()
  for (const name of names) searches.save({ name, inboxId: INBOX, text: `is:unread ${name}` }, null)
  return searches
}
const namesOf = ({ searches }: ReturnType<typeof openKeptSearches>): readonly string[] =>
  searches.saved().map(({ name }) => name)
const problemOf = (work: () => void): Problem => {
  try {
    work()
  } catch (thrown) {
    return (thrown as { problem: Problem }).problem
  }
  throw new Error('It did not fail.')
}

describe('saved searches', () => {
  it('are kept from one start to the next in the order, and by the names, that a person gave them', () => {
    const files = folder()
    const searches = save(['a', 'b', 'c'], files)
    const [a, , c] = searches.saved()
    searches.move(c?.id ?? '', a?.id ?? '')
    searches.rename(a?.id ?? '', '  Letters\nto   Ann ')
    const again = files.open()
    expect(again.searches.saved()).toMatchObject([
      { name: 'c', inboxId: INBOX, text: 'is:unread c' },
      { name: 'Letters to Ann', text: 'is:unread a' },
      { name: 'b' },
    ])
    again.searches.remove(c?.id ?? '')
    again.searches.remove(c?.id ?? '')
    expect(namesOf(files.open())).toEqual(['Letters to Ann', 'b'])
    expect(files.failures).toEqual([])
  })

  it('of the same text in the same inbox are one, which takes the new name and keeps its place', () => {
    const files = folder()
    const searches = save(['a', 'b'], files)
    const [a] = searches.saved()
    expect(searches.save({ name: 'Again', inboxId: INBOX, text: ' is:unread a ' }, null).id).toBe(a?.id)
    searches.save({ name: 'Elsewhere', inboxId: 'inbox-2', text: 'is:unread a' }, null)
    expect(namesOf(files.open())).toEqual(['Again', 'b', 'Elsewhere'])
  })

  it('go before another one or to the end, and nothing is lost where that one is not there', () => {
    const searches = ['a', 'b', 'c'].map((id) => ({ id, name: id, inboxId: INBOX, text: id }))
    const [a, b, c] = searches
    if (a === undefined || b === undefined || c === undefined) throw new Error('There are three.')
    const ids = (before: string | null, moved = b): string =>
      placeSearch(searches, moved, before)
        .map(({ id }) => id)
        .join('')
    expect(ids('a')).toBe('bac')
    expect(ids('c')).toBe('abc')
    expect(ids(null)).toBe('acb')
    expect(ids('b')).toBe('abc')
    expect(ids('gone')).toBe('acb')
    expect(ids('a', { ...c, id: 'new' })).toBe('newabc')
  })

  it('say in words what cannot be kept: no name, a long one, no text, a very long one, too many, one that is gone', () => {
    const files = folder()
    const all = Array.from({ length: 200 }, (_, index) => ({
      kind: 'saved',
      id: `${index}`,
      name: 's',
      inboxId: INBOX,
      text: `${index}`,
    }))
    for (const path of [files.first, files.second]) createListFile(path, 'searches', z.unknown()).write(all)
    const { searches } = files.open()
    const trying = (name: string, text: string) => () => void searches.save({ name, inboxId: INBOX, text }, null)
    const words = [
      [trying(' ', 'x'), /Type a name/],
      [trying('n'.repeat(101), 'x'), /at most 100 characters/],
      [trying('n', ' '), /nothing to search for/],
      [trying('n', 'x'.repeat(4001)), /too long/],
      [trying('n', 'one more'), /200 searches.*Delete one/],
      [() => searches.rename('gone', 'n'), /no longer exists/],
      [() => searches.move('gone', null), /no longer exists/],
      [() => searches.addRecent(' '), /nothing to search for/],
    ] as const
    for (const [work, message] of words) expect(problemOf(work).message).toMatch(message)
    // Characters, not UTF-16 units.
    searches.rename(searches.saved()[0]?.id ?? '', '🐦'.repeat(100))
    expect(files.open().searches.saved()).toHaveLength(200)
  })

  it('are neither kept nor shown where the disk takes no more, and those before it stay', () => {
    const files = folder()
    const searches = save(['a'], files)
    mkdirSync(`${files.first}.next`)
    expect(() => searches.save({ name: 'b', inboxId: INBOX, text: 'b' }, null)).toThrow()
    expect(() => searches.addRecent('b')).toThrow()
    expect(searches.saved()).toHaveLength(1)
    expect(searches.recent()).toEqual([])
    rmSync(`${files.first}.next`, { recursive: true })
    expect(namesOf(files.open())).toEqual(['a'])
  })

  it('are kept where only the second file cannot be written, which catches up', () => {
    const files = folder()
    const searches = save(['a'], files)
    mkdirSync(`${files.second}.next`)
    searches.save({ name: 'b', inboxId: INBOX, text: 'b' }, null)
    expect(files.failures).toHaveLength(1)
    rmSync(`${files.second}.next`, { recursive: true })
    searches.addRecent('c')
    expect(readFileSync(files.second, 'utf8')).toBe(readFileSync(files.first, 'utf8'))
  })
})

describe('the last searches', () => {
  it('are twenty, the newest first, each once, until they are cleared; saved ones are left alone', () => {
    const files = folder()
    const searches = save(['a'], files)
    for (let count = 0; count < 25; count += 1) searches.addRecent(`search ${count}`)
    searches.addRecent(' search 20 ')
    const texts = searches.recent().map(({ text }) => text)
    expect(texts.slice(0, 3)).toEqual(['search 20', 'search 24', 'search 23'])
    expect(texts).toHaveLength(20)
    expect(files.open().searches.recent()).toEqual(searches.recent())
    searches.clearRecent()
    expect(files.open().searches.recent()).toEqual([])
    expect(namesOf(files.open())).toEqual(['a'])
  })

  it('are told of when they change, and not when the same one is made twice', () => {
    const files = folder()
    const { searches } = files.open()
    searches.addRecent('a')
    searches.addRecent('a')
    searches.clearRecent()
    searches.clearRecent()
    expect(files.changes).toEqual(['recent', 'recent'])
  })
})

describe('the files of the searches', () => {
  it('make up for each other: one that is damaged or gone takes nothing with it, and that is told once', () => {
    for (const which of ['first', 'second'] as const) {
      for (const text of ['', '{"digest"', 'no JSON at all', '[7]', '{"digest":"x","searches":[]}']) {
        const files = folder()
        save(['a', 'b'], files)
        writeFileSync(files[which], text)
        const { harm } = files.open()
        expect(harm?.message).toMatch(/nothing is lost/)
        const again = files.open()
        expect(again.harm).toBeNull()
        expect(namesOf(again)).toEqual(['a', 'b'])
        expect(files.asides()).toHaveLength(1)
      }
    }
    const files = folder()
    save(['a'], files)
    rmSync(files.first)
    const mended = files.open()
    expect(mended.harm?.message).toMatch(/nothing is lost/)
    expect(namesOf(mended)).toEqual(['a'])
    expect(existsSync(files.first)).toBe(true)
  })

  it('whatever byte of both is another, keep what can be read, are put aside, and are told to be damaged', () => {
    const sound = folder()
    save(['a', 'b'], sound)
    const bytes = readFileSync(sound.first)
    const before = sound.open().searches.saved()
    for (let at = 0; at < bytes.length; at += 13) {
      const files = folder()
      const broken = Buffer.from(bytes)
      broken[at] = (bytes[at] ?? 0) ^ (1 + (at % 255))
      writeFileSync(files.first, broken)
      cpSync(files.first, files.second)
      const opened = files.open()
      if (opened.harm === null) expect(opened.searches.saved()).toEqual(before)
      else {
        expect(opened.harm.message).toMatch(/damaged and set aside/)
        expect(files.asides()).toHaveLength(2)
      }
      expect(files.open().harm).toBeNull()
      expect(files.open().searches.saved()).toEqual(opened.searches.saved())
    }
  })

  it('are told to be missing where both are gone and the cache knows of them, and only then', () => {
    const files = folder()
    expect(files.open().harm).toBeNull()
    const searches = save(['a'], files)
    const remove = (): void => [files.first, files.second].forEach((path) => rmSync(path, { force: true }))
    remove()
    expect(files.open().harm?.message).toMatch(/were missing/)
    expect(files.open().harm).toBeNull()
    searches.remove(searches.saved()[0]?.id ?? '')
    remove()
    expect(files.open().harm).toBeNull()
    save(['a'], files)
    files.forget()
    remove()
    expect(files.open().harm).toBeNull()
  })
})
