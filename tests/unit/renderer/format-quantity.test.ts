import { expect, it } from 'vitest'
import { formatCount, formatBytes, formatNumber } from '../../../src/renderer/ui/format-quantity.ts'

it('groups thousands and forms plurals', () => {
  expect(formatNumber(1240)).toBe('1,240')
  expect(formatCount(1, 'message')).toBe('1 message')
  expect(formatCount(0, 'thread')).toBe('0 threads')
})

it('formats sizes as file managers do, never as "1000 KB"', () => {
  expect(formatBytes(1)).toBe('1 byte')
  expect(formatBytes(999)).toBe('999 bytes')
  expect(formatBytes(14_320)).toBe('14 KB')
  expect(formatBytes(999_499)).toBe('999 KB')
  expect(formatBytes(999_501)).toBe('1.0 MB')
  expect(formatBytes(24_400_000)).toBe('24 MB')
  expect(formatBytes(999_499_999)).toBe('999 MB')
  expect(formatBytes(1_240_000_000)).toBe('1.2 GB')
})
