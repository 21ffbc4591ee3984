import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { killIfStuck } from '../../../src/host/shutdown-watchdog.ts'

describe('a program told to exit', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('is killed if it hangs, with a log entry', () => {
    const lines: string[] = []
    const kill = vi.fn()
    killIfStuck((level, line) => lines.push(`${level} ${line}`), kill)
    vi.advanceTimersByTime(29_999)
    expect(kill).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(kill).toHaveBeenCalledOnce()
    expect(lines).toEqual(['error host: did not close within 30000 ms; exiting'])
  })

  it('is left alone once it may take its time', () => {
    const kill = vi.fn()
    killIfStuck(() => undefined, kill)()
    vi.advanceTimersByTime(60_000)
    expect(kill).not.toHaveBeenCalled()
  })
})
