import { describe, expect, it, vi } from 'vitest'
import { formatAgo, formatFullDate, formatListDate, type DateStyle } from '../../../src/renderer/ui/format-date.ts'

const style: DateStyle = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
/** Friday, 20 November 2026, 00:30 in Berlin; still Thursday in UTC. */
const now = Date.UTC(2026, 10, 19, 23, 30)
const minutes = (count: number): number => count * 60_000

describe('date in a list', () => {
  it('shows the time if it is today in the local time zone', () => {
    expect(formatListDate(now - minutes(10), now, style)).toBe('0:20')
    expect(formatListDate(now - minutes(60), now, style)).toBe('Thu')
  })

  it('shows the weekday for six days, then the day, then the year too', () => {
    expect(formatListDate(now - minutes(6 * 24 * 60), now, style)).toBe('Sat')
    expect(formatListDate(now - minutes(7 * 24 * 60), now, style)).toBe('13 Nov')
    expect(formatListDate(Date.UTC(2025, 10, 20, 12), now, style)).toBe('20 Nov 2025')
  })

  it('never shows a weekday for the future, which would look like last week', () => {
    expect(formatListDate(now + minutes(2 * 24 * 60), now, style)).toBe('22 Nov')
  })

  it('counts calendar days, not 24 hours, across a clock change', () => {
    const morning = Date.UTC(2026, 9, 25, 6)
    const before = Date.UTC(2026, 9, 24, 21, 30)
    expect(formatListDate(before, morning, style)).toBe('Sat')
  })
})

describe('other dates', () => {
  it('show everything in the full form', () => {
    expect(formatFullDate(now, style)).toMatch(/^Friday,? 20 November 2026 at 00:30$/)
  })

  it('show elapsed time, and the date after a day', () => {
    expect(formatAgo(now - 20_000, now, style)).toBe('just now')
    expect(formatAgo(now - minutes(1), now, style)).toBe('1 minute ago')
    expect(formatAgo(now - minutes(180), now, style)).toBe('3 hours ago')
    expect(formatAgo(now - minutes(2 * 24 * 60), now, style)).toMatch(/^on 18 Nov/)
  })
})

describe('dates of a long list', () => {
  it('reuse a few formatters', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat')
    const remote: DateStyle = { locale: 'en-GB', timeZone: 'Pacific/Auckland' }
    for (let row = 0; row < 2000; row += 1) {
      formatListDate(now - minutes(row * 500), now, remote)
      formatFullDate(now - minutes(row * 500), remote)
    }
    expect(made.mock.calls.length).toBeLessThan(8)
    made.mockRestore()
  })
})
