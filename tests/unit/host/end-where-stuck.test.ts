import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endWhereStuck } from '../../../src/host/end-where-stuck.ts'

describe('a program that is told to end', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('is ended where it hangs, and the log says so', () => {
    const lines: string[] = []
    const kill = vi.fn()
    endWhereStuck((level, line) => lines.push(`${level} ${line}`), kill)
    vi.advanceTimersByTime(29_999)
    expect(kill).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(kill).toHaveBeenCalledOnce()
    expect(lines).toEqual(['error host: not closed within 30000 ms; ended'])
  })

  it('is left to what may take its time', () => {
    const kill = vi.fn()
    endWhereStuck(() => undefined, kill)()
    vi.advanceTimersByTime(60_000)
    expect(kill).not.toHaveBeenCalled()
  })
})
