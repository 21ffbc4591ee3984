// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { SnapshotCursor } from '../../../src/renderer/early-keys.ts'

const ROW = 40
const boxAt = (bottom: number): DOMRect => ({ bottom }) as DOMRect

/** A startup snapshot of a list with three of four rows visible. */
const openStill = (chosen: Readonly<Record<string, readonly string[]>> = {}) => {
  const still = document.createElement('div')
  still.innerHTML = `<main><div class="viewport">${'<div class="option"></div>'.repeat(4)}</div></main>`
  const rows = [...still.getElementsByClassName('option')]
  rows[0]?.classList.add('active')
  for (const [index, row] of rows.entries()) row.getBoundingClientRect = () => boxAt((index + 1) * ROW)
  const [list] = still.getElementsByClassName('viewport')
  if (list !== undefined) list.getBoundingClientRect = () => boxAt(3.5 * ROW)
  const cursor = new SnapshotCursor(still, chosen)
  return {
    press: (key: string, held: KeyboardEventInit = {}): void =>
      cursor.follow(new KeyboardEvent('keydown', { key, ...held })),
    /** Indexes of the rows drawn as active. */
    active: () => rows.flatMap((row, index) => (row.classList.contains('active') ? [index] : [])),
  }
}

describe('startup snapshot cursor', () => {
  it('moves to the next or previous row, but not above the first', () => {
    const { press, active } = openStill()
    press('j')
    expect(active()).toEqual([1])
    press('ArrowDown')
    expect(active()).toEqual([2])
    press('k')
    press('ArrowUp')
    press('k')
    expect(active()).toEqual([0])
    press('j')
    expect(active()).toEqual([1])
  })

  it('follows customised keys', () => {
    const { press, active } = openStill({ 'list.next': ['n', 'Mod+j'], 'list.previous': [] })
    press('n')
    expect(active()).toEqual([1])
    press('j', { ctrlKey: true })
    expect(active()).toEqual([2])
    // `k` may be unbound now, or belong to another command.
    press('k')
    expect(active()).toEqual([2])
  })

  it.each([['/'], ['g'], ['Enter'], ['x']])('stops after %s, since later keys may mean something else', (key) => {
    const { press, active } = openStill()
    press('j')
    press(key)
    press('j')
    expect(active()).toEqual([1])
  })

  it('ignores keys with modifiers', () => {
    const { press, active } = openStill()
    press('j', { ctrlKey: true })
    expect(active()).toEqual([0])
  })

  it('stops at the last visible row, where the list would have to scroll', () => {
    const { press, active } = openStill()
    for (const key of ['j', 'j', 'j', 'k']) press(key)
    expect(active()).toEqual([2])
  })

  it('does nothing in an empty list', () => {
    const cursor = new SnapshotCursor(document.createElement('div'), {})
    expect(() => cursor.follow(new KeyboardEvent('keydown', { key: 'j' }))).not.toThrow()
  })
})
