// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { StillCursor } from '../../../src/renderer/still-cursor.ts'

const ROW = 40
const boxAt = (bottom: number): DOMRect => ({ bottom }) as DOMRect

/** A still of a list in which three of four rows are in sight; struck keys lead its cursor. */
const openStill = (chosen: Readonly<Record<string, readonly string[]>> = {}) => {
  const still = document.createElement('div')
  still.innerHTML = `<main><div class="viewport">${'<div class="option"></div>'.repeat(4)}</div></main>`
  const rows = [...still.getElementsByClassName('option')]
  rows[0]?.classList.add('active')
  for (const [index, row] of rows.entries()) row.getBoundingClientRect = () => boxAt((index + 1) * ROW)
  const [list] = still.getElementsByClassName('viewport')
  if (list !== undefined) list.getBoundingClientRect = () => boxAt(3.5 * ROW)
  const cursor = new StillCursor(still, chosen)
  return {
    strike: (key: string, held: KeyboardEventInit = {}): void =>
      cursor.follow(new KeyboardEvent('keydown', { key, ...held })),
    /** Places of the rows that look as if keys acted on them. */
    active: () => rows.flatMap((row, index) => (row.classList.contains('active') ? [index] : [])),
  }
}

describe('the cursor of a still', () => {
  it('goes by each key to the next row and back, and not above the first', () => {
    const { strike, active } = openStill()
    strike('j')
    expect(active()).toEqual([1])
    strike('ArrowDown')
    expect(active()).toEqual([2])
    strike('k')
    strike('ArrowUp')
    strike('k')
    expect(active()).toEqual([0])
    strike('j')
    expect(active()).toEqual([1])
  })

  it('goes by the keys that a person has chosen', () => {
    const { strike, active } = openStill({ 'list.next': ['n', 'Mod+j'], 'list.previous': [] })
    strike('n')
    expect(active()).toEqual([1])
    strike('j', { ctrlKey: true })
    expect(active()).toEqual([2])
    // It is nobody's key any more, or another command's.
    strike('k')
    expect(active()).toEqual([2])
  })

  it.each([['/'], ['g'], ['Enter'], ['x']])('stays after %s, upon which keys may mean something else', (key) => {
    const { strike, active } = openStill()
    strike('j')
    strike(key)
    strike('j')
    expect(active()).toEqual([1])
  })

  it('stays with keys that are held beside others', () => {
    const { strike, active } = openStill()
    strike('j', { ctrlKey: true })
    expect(active()).toEqual([0])
  })

  it('stays at the last row in sight, as the list has to scroll then', () => {
    const { strike, active } = openStill()
    for (const key of ['j', 'j', 'j', 'k']) strike(key)
    expect(active()).toEqual([2])
  })

  it('has nothing to do in a list without rows', () => {
    const cursor = new StillCursor(document.createElement('div'), {})
    expect(() => cursor.follow(new KeyboardEvent('keydown', { key: 'j' }))).not.toThrow()
  })
})
