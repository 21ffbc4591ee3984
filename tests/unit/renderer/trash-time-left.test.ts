import { describe, expect, it } from 'vitest'
import { describeTrashTimeLeft } from '../../../src/renderer/features/threads/describe-threads.ts'

const DAY = 24 * 60 * 60 * 1000

describe('time left in the trash', () => {
  it('is given in days, down to the last', () => {
    const words = (days: number) => describeTrashTimeLeft({ folder: 'trash', trashedAt: 0, onServer: true }, days * DAY)
    expect(words(0)).toBe('deleted within 30 days')
    expect(words(1.5)).toBe('deleted within 29 days')
    expect(words(28)).toBe('deleted within 2 days')
    expect(words(29.5)).toBe('deleted within a day')
    expect(words(45)).toBe('deleted within a day')
  })

  it('is absent elsewhere or if unknown', () => {
    expect(describeTrashTimeLeft({ folder: 'inbox', trashedAt: 0, onServer: true }, DAY)).toBeNull()
    expect(describeTrashTimeLeft({ folder: 'trash', onServer: true }, DAY)).toBeNull()
    // Only the user deletes local-only mail.
    expect(describeTrashTimeLeft({ folder: 'trash', trashedAt: 0, onServer: false }, DAY)).toBeNull()
  })
})
