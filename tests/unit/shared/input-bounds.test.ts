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
])('accepts %s as command input', (_case, input) => {
  expect(isWithinBounds(input)).toBe(true)
})

it.each([
  ['deep arrays', nested(100_000)],
  ['one level too many', nested(18)],
  ['a cycle', round],
  ['too many values', Array.from({ length: 20_001 }, () => 1)],
  ['a long empty list', { ids: new Array(1e9) }],
  ['a text that is too long', 'x'.repeat(1024 * 1024 + 1)],
  ['a name that is too long', { ['x'.repeat(1024 * 1024 + 1)]: 1 }],
  ['a map', new Map([['a', 1]])],
  ['a date', { at: new Date() }],
  ['bytes', new Uint8Array(1)],
  ['a function', () => 1],
])('rejects %s as command input', (_case, input) => {
  expect(isWithinBounds(input)).toBe(false)
})
