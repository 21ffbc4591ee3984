import { expect, it } from 'vitest'
import { describeCrash } from '../../../src/renderer/app/describe-status.ts'

const END = { part: 'engine', count: 1, lastAt: 0, isOutOfMemory: false, isRestarted: true } as const

it.each([
  [END, 'The mail engine crashed and is running again. Nothing is lost.'],
  [
    { ...END, part: 'window', count: 2, isOutOfMemory: true } as const,
    'The window crashed twice (out of memory) and is running again. Nothing is lost.',
  ],
  [
    { ...END, count: 5, isRestarted: false },
    'The mail engine crashed 5 times and was not restarted because it keeps crashing. Nothing is lost.',
  ],
])('describes a crash with its count, cause and outcome', (end, words) => {
  expect(describeCrash(end)).toBe(words)
})
