import { expect, it } from 'vitest'
import { isWithinBounds } from '../../../src/shared/input-bounds.ts'

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown
const round: Record<string, unknown> = {}
round.again = round

it.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'x'],
  ['the largest change', { threadIds: Array.from({ length: 1_000 }, () => 'x'.repeat(512)), change: { read: true } }],
  ['an object without a prototype', Object.assign(Object.create(null) as object, { id: 'x' })],
])('a command takes %s', (_case, input) => {
  expect(isWithinBounds(input)).toBe(true)
})

it.each([
  ['deep arrays', nested(100_000)],
  ['levels one too many', nested(18)],
  ['itself', round],
  ['too many values', Array.from({ length: 20_001 }, () => 1)],
  ['a list with nothing in it that is long', { ids: new Array(1e9) }],
  ['too long a text', 'x'.repeat(1024 * 1024 + 1)],
  ['too long a name', { ['x'.repeat(1024 * 1024 + 1)]: 1 }],
  ['a map', new Map([['a', 1]])],
  ['a date', { at: new Date() }],
  ['bytes', new Uint8Array(1)],
  ['a function', () => 1],
])('a command does not take %s', (_case, input) => {
  expect(isWithinBounds(input)).toBe(false)
})
