import { describe, expect, it, vi } from 'vitest'
import { formatAgo, formatFullDate, formatListDate, type DateStyle } from '../../../src/renderer/ui/format-date.ts'

const style: DateStyle = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
/** Friday, 20 November 2026, 00:30 in Berlin; still Thursday in UTC. */
const now = Date.UTC(2026, 10, 19, 23, 30)
const minutes = (count: number): number => count * 60_000

describe('a date in a list', () => {
  it('is the time for the day that it is here, whatever day UTC has', () => {
    expect(formatListDate(now - minutes(10), now, style)).toBe('0:20')
    expect(formatListDate(now - minutes(60), now, style)).toBe('Thu')
  })

  it('is the weekday for the six days before, then the day of this year, then the year as well', () => {
    expect(formatListDate(now - minutes(6 * 24 * 60), now, style)).toBe('Sat')
    expect(formatListDate(now - minutes(7 * 24 * 60), now, style)).toBe('13 Nov')
    expect(formatListDate(Date.UTC(2025, 10, 20, 12), now, style)).toBe('20 Nov 2025')
  })

  it('is never a weekday for what lies ahead: a wrong clock must not look like last week', () => {
    expect(formatListDate(now + minutes(2 * 24 * 60), now, style)).toBe('22 Nov')
  })

  it('follows the clock change: the day is the calendar’s, not 24 hours', () => {
    const morning = Date.UTC(2026, 9, 25, 6)
    const before = Date.UTC(2026, 9, 24, 21, 30)
    expect(formatListDate(before, morning, style)).toBe('Sat')
  })
})

describe('other dates', () => {
  it('leave nothing out in full', () => {
    expect(formatFullDate(now, style)).toMatch(/^Friday,? 20 November 2026 at 00:30$/)
  })

  it('say how long ago in words, and the date from a day on', () => {
    expect(formatAgo(now - 20_000, now, style)).toBe('just now')
    expect(formatAgo(now - minutes(1), now, style)).toBe('1 minute ago')
    expect(formatAgo(now - minutes(180), now, style)).toBe('3 hours ago')
    expect(formatAgo(now - minutes(2 * 24 * 60), now, style)).toMatch(/^on 18 Nov/)
  })
})

describe('the dates of a long list', () => {
  it('are written by the same few formatters, however many there are', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    const elsewhere: DateStyle = { locale: 'en-GB', timeZone: 'Pacific/Auckland' }
    for (let row = 0; row < 2000; row += 1) {
      formatListDate(now - minutes(row * 500), now, elsewhere)
      formatFullDate(now - minutes(row * 500), elsewhere)
    }
    expect(made.mock.calls.length).toBeLessThan(8)
    made.mockRestore()
  })
})
