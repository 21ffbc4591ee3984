import { expect, it } from 'vitest'
import { describeEnd } from '../../../src/renderer/app/describe-end.ts'

const END = { part: 'engine', count: 1, lastAt: 0, isOutOfMemory: false, isBack: true } as const

it.each([
  [END, 'The mail engine crashed, and is running again. Nothing is lost.'],
  [
    { ...END, part: 'window', count: 2, isOutOfMemory: true } as const,
    'The window crashed twice (out of memory), and is running again. Nothing is lost.',
  ],
  [
    { ...END, count: 5, isBack: false },
    'The mail engine crashed 5 times, and stays off because it keeps crashing. Nothing is lost.',
  ],
])('an end is told with how often and why, and what became of it', (end, words) => {
  expect(describeEnd(end)).toBe(words)
})
