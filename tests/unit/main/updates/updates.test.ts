import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUpdateChecker, type Updater } from '../../../../src/main/updates/updates.ts'
import { ProblemError } from '../../../../src/shared/result.ts'
import type { UpdateState } from '../../../../src/shared/updates.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

const start = (others: { readonly unable?: 'portable'; readonly kept?: Record<string, unknown> } = {}) => {
  const kept: Record<string, unknown> = { ...others.kept }
  const steps: string[] = []
  const choice = { isWanted: false }
  const look = vi.fn<Updater['look']>(() => Promise.resolve(null))
  const download = vi.fn<Updater['download']>(() => Promise.resolve())
  const install = vi.fn()
  const open = vi.fn(() => Promise.resolve({ look, download, install }))
  const leave = vi.fn((done: () => void) => {
    steps.push('closed')
    done()
    return Promise.resolve()
  })
  const updates = createUpdateChecker({
    version: '1.0.0',
    unable: others.unable ?? null,
    server: 'releases.linnet.example',
    isWanted: () => choice.isWanted,
    ...{ open, leave },
    settings: { get: (name) => kept[name], set: (values) => void Object.assign(kept, values) },
    changed: ({ step }: UpdateState) => steps.push(step.kind),
    log: () => undefined,
    random: () => 0.5,
  })
  return { updates, choice, open, look, download, install, steps, kept }
}

beforeEach(() => vi.useFakeTimers({ now: 100 * DAY }))
afterEach(() => vi.useRealTimers())

describe('updates without consent', () => {
  it('are never requested, and their code isn’t loaded', async () => {
    const { updates, open } = start()
    updates.follow(true)
    await vi.advanceTimersByTimeAsync(3 * DAY)
    await expect(updates.check()).rejects.toThrow('Update checks are off')
    await expect(updates.install()).rejects.toThrow('no update to install')
    expect(open).not.toHaveBeenCalled()
  })

  it('are no longer requested once the user declines', async () => {
    const { updates, choice, look } = start()
    choice.isWanted = true
    updates.follow(false)
    await vi.advanceTimersByTimeAsync(0)
    choice.isWanted = false
    updates.follow(false)
    await vi.advanceTimersByTimeAsync(3 * DAY)
    expect(look).toHaveBeenCalledTimes(1)
  })

  it('are unavailable if this Linnet can’t replace itself, and say so', async () => {
    const { updates, choice, open } = start({ unable: 'portable' })
    choice.isWanted = true
    updates.follow(true)
    updates.follow(false)
    await vi.advanceTimersByTimeAsync(3 * DAY)
    await expect(updates.check()).rejects.toThrow('portable')
    expect(open).not.toHaveBeenCalled()
  })
})

describe('updates with consent', () => {
  it('are checked at once, and then once a day', async () => {
    const { updates, choice, open, look, steps } = start()
    choice.isWanted = true
    updates.follow(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(steps).toEqual(['checking', 'idle'])
    expect(updates.state().checkedAt).toBe(Date.now())
    await vi.advanceTimersByTimeAsync(DAY)
    expect(look).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(look).toHaveBeenCalledTimes(2)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('aren’t checked during startup, nor sooner after many starts', async () => {
    const first = start()
    first.choice.isWanted = true
    first.updates.follow(true)
    await vi.advanceTimersByTimeAsync(4 * 60_000)
    expect(first.look).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2 * 60_000)
    expect(first.look).toHaveBeenCalledTimes(1)
    const second = start({ kept: first.kept })
    second.choice.isWanted = true
    second.updates.follow(true)
    await vi.advanceTimersByTimeAsync(DAY - 2 * HOUR)
    expect(second.look).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(4 * HOUR)
    expect(second.look).toHaveBeenCalledTimes(1)
  })

  it('are downloaded once, and installed after everything is closed', async () => {
    const { updates, choice, look, download, install, steps } = start()
    choice.isWanted = true
    look.mockResolvedValue('1.1.0')
    download.mockImplementation((progress) => {
      for (const share of [0.001, 0.5, 0.505, 1]) progress(share)
      return Promise.resolve()
    })
    await updates.check()
    expect(steps).toEqual(['checking', 'downloading', 'downloading', 'downloading', 'ready'])
    await updates.check()
    expect(look).toHaveBeenCalledTimes(1)
    install.mockImplementation(() => steps.push('installed'))
    await updates.install()
    expect(steps.slice(-2)).toEqual(['closed', 'installed'])
  })

  it('report errors in words, and are checked again', async () => {
    const { updates, choice, look } = start()
    choice.isWanted = true
    look.mockRejectedValueOnce(new ProblemError({ code: 'refused', message: 'Not signed.' }))
    await updates.check()
    expect(updates.state().step).toEqual({ kind: 'failed', message: 'Not signed.' })
    await expect(updates.install()).rejects.toThrow('no update to install')
    await updates.check()
    expect(updates.state().step).toEqual({ kind: 'idle' })
  })

  it('are requested once if two windows ask together', async () => {
    const { updates, choice, look } = start()
    choice.isWanted = true
    await Promise.all([updates.check(), updates.check()])
    expect(look).toHaveBeenCalledTimes(1)
  })

  it.each([-5, Number.NaN, 'yesterday', 200 * DAY])('are checked if the last time is nonsense (%s)', async (at) => {
    const { updates, choice, look } = start({ kept: { updatesCheckedAt: at } })
    choice.isWanted = true
    updates.follow(true)
    await vi.advanceTimersByTimeAsync(HOUR)
    expect(look).toHaveBeenCalledTimes(1)
  })
})
