import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWindowReloader } from '../../../src/main/window-crashes.ts'
import { WINDOW_URL } from '../../../src/main/window-origin.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A window whose process the test can end, with scripted answers to its dialogs. @param answers one per dialog */
const open = (...answers: readonly number[]) => {
  const done: string[] = []
  const contents = Object.assign(new EventEmitter(), {
    url: `${WINDOW_URL}#/settings`,
    getURL: () => contents.url,
    reload: () => done.push('reloaded'),
  })
  const window = {
    isGone: false,
    isDestroyed: () => window.isGone,
    loadURL: (url: string) => Promise.resolve(void done.push(`loaded ${url}`)),
    webContents: contents,
  }
  const left = [...answers]
  createWindowReloader(
    {
      log: (level, line) => done.push(`${level} ${line}`),
      recordCrash: ({ reason, isOutOfMemory, isRestarted }) =>
        done.push(`ended by ${reason} ${isOutOfMemory} ${isRestarted}`),
      choose: (mode) => done.push(mode),
      ask: ({ buttons }) => {
        done.push(`asked: ${buttons?.join(', ') ?? ''}`)
        return Promise.resolve({ response: left.shift() ?? 2 })
      },
      quit: () => done.push('quit'),
    },
    () => performance.now(),
  )(window as never)
  const end = async (reason: string, lived = 0): Promise<readonly string[]> => {
    await vi.advanceTimersByTimeAsync(lived)
    contents.emit('render-process-gone', {}, { reason, exitCode: 9 })
    await vi.advanceTimersByTimeAsync(0)
    return done.splice(0)
  }
  return { window, contents, done, end }
}

describe('a window whose process crashed', () => {
  it('reloads its page at once, where it was', async () => {
    const { end } = open()
    expect(await end('killed', 60_000)).toEqual(['ended by killed, code 9 false true', 'reloaded'])
    expect(await end('oom', 60_000)).toEqual(['ended by oom, code 9 true true', 'reloaded'])
  })

  it('loads its page if it had none yet', async () => {
    const { contents, end } = open()
    contents.url = ''
    expect(await end('launch-failed', 60_000)).toContain(`loaded ${WINDOW_URL}`)
  })

  it('is ignored if it was closed', async () => {
    const { window, end } = open()
    expect(await end('clean-exit')).toEqual([])
    window.isGone = true
    expect(await end('killed')).toEqual([])
  })

  it('is left to the user after crashing five times in a row at once', async () => {
    const { end, done } = open(0, 1, 2)
    const endFive = async (): Promise<readonly string[]> => {
      const all: string[] = []
      for (const pause of [0, 0, 250, 500, 1_000]) {
        await vi.advanceTimersByTimeAsync(pause)
        all.push(...done.splice(0), ...(await end('crashed')))
      }
      return all
    }
    const asked = 'asked: Start in safe mode, Try again, Quit'
    const first = await endFive()
    expect(first.filter((each) => each === 'reloaded')).toHaveLength(5)
    expect(first.slice(-4)).toEqual(['ended by crashed, code 9 false false', asked, 'safe', 'reloaded'])
    expect((await endFive()).slice(-2)).toEqual([asked, 'reloaded'])
    expect((await endFive()).slice(-2)).toEqual([asked, 'quit'])
  })

  it('is logged if it only hangs', () => {
    const { contents, done } = open()
    contents.emit('unresponsive')
    expect(done).toEqual(['warn host: the window does not respond'])
  })
})
