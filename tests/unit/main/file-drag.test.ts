import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FileDrag } from '../../../src/main/file-drag.ts'
import type { RequestedFile } from '../../../src/shared/engine-api.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

afterEach(() => void vi.useRealTimers())

const fileOf = (filename: string, text = 'content'): RequestedFile => ({
  filename,
  content: new TextEncoder().encode(text),
})

/** Two windows, with a folder for dragged files. */
const open = (folder = join(temporaryDirectory(), 'dragged'), startDrag = (): void => undefined) => {
  const dragged: (readonly [window: string, file: string])[] = []
  const windows = new Set(['window 1', 'window 2'])
  const log = vi.fn()
  const drag = new FileDrag({
    folder,
    icon: () => ({}) as never,
    contentsOf: (caller) => {
      if (!windows.has(caller)) return null
      return {
        startDrag: ({ file }) => {
          startDrag()
          dragged.push([caller, file])
        },
      }
    },
    log,
  })
  const start = async (filename: string, text = 'content', caller = 'window 1') => {
    const isStarted = await drag.start(caller, () => Promise.resolve(fileOf(filename, text)))
    await new Promise((resolve) => setImmediate(resolve))
    return isStarted
  }
  const files = () => (existsSync(folder) ? readdirSync(folder) : [])
  return { folder, dragged, windows, log, drag, start, files }
}

describe('a file dragged out of a window', () => {
  it('is complete on disk, readable only by its owner, and dragged from the window that asked', async () => {
    const { folder, dragged, start } = open()
    expect(await start('plan.pdf', 'all of it', 'window 2')).toBe(true)
    const [[caller, file] = ['', '']] = dragged
    expect(caller).toBe('window 2')
    expect(relative(folder, file)).toMatch(/^[0-9a-f-]{36}.plan\.pdf$/)
    expect(readFileSync(file, 'utf8')).toBe('all of it')
    expect(statSync(dirname(file)).mode & 0o77).toBe(0)
    expect(statSync(file).mode & 0o177).toBe(0)
  })

  it.each([
    ['../../.bashrc', 'bashrc'],
    ['/etc/passwd', 'etc passwd'],
    [String.raw`..\..\Startup\run.txt`, 'Startup run.txt'],
    ['CON', 'CON_'],
    ['report\u202Efdp.txt', 'report fdp.txt'],
    ['\u0000', 'file'],
    ['..', 'file'],
    ['', 'file'],
    ['no extension', 'no extension'],
  ])('named %j is stored as %j in its folder', async (given, stored) => {
    const { folder, dragged, start } = open()
    expect(await start(given)).toBe(true)
    expect(
      relative(folder, dragged[0]?.[1] ?? '')
        .split('/')
        .slice(1),
    ).toEqual([stored])
  })

  it('keeps its extension if its name is too long, and may be empty or have another file’s name', async () => {
    const { dragged, start } = open()
    await start(`${'ж'.repeat(5_000)}.pdf`, '')
    await start('same.txt', 'one')
    await start('same.txt', 'two')
    const [long = '', one = '', two = ''] = dragged.map(([, file]) => file)
    expect(Buffer.byteLength(long.split('/').at(-1) ?? '')).toBeLessThanOrEqual(200)
    expect(long).toMatch(/\.pdf$/)
    expect([long, one, two].map((file) => readFileSync(file, 'utf8'))).toEqual(['', 'one', 'two'])
  })

  it('is not dragged and not kept if the window cancelled, closed or started another drag meanwhile', async () => {
    const { drag, dragged, windows, files } = open()
    const slow = (caller: string) => {
      const reading = Promise.withResolvers<RequestedFile>()
      const started = drag.start(caller, () => reading.promise)
      return { started, read: () => reading.resolve(fileOf('slow.txt')) }
    }
    const cancelled = slow('window 1')
    const other = slow('window 2')
    drag.cancel('window 1')
    cancelled.read()
    expect(await cancelled.started).toBe(false)
    const later = slow('window 2')
    other.read()
    expect(await other.started).toBe(false)
    windows.delete('window 2')
    later.read()
    expect(await later.started).toBe(false)
    expect(dragged).toEqual([])
    expect(files()).toEqual([])
  })

  it('fails with the engine’s reason if the message is gone, and leaves nothing', async () => {
    const { drag, files } = open()
    const gone = new Error('This message is no longer on this computer.')
    await expect(drag.start('window 1', () => Promise.reject(gone))).rejects.toBe(gone)
    expect(files()).toEqual([])
  })

  it('fails with a reason for the user if it can’t be written', async () => {
    const folder = join(temporaryDirectory(), 'dragged')
    writeFileSync(folder, 'a file in the way')
    await expect(open(folder).start('plan.pdf')).rejects.toThrow('another file or folder is in the way')
  })

  it('leaves a log entry if the system refuses to drag it', async () => {
    const { start, log } = open(undefined, () => {
      throw new Error('Must specify non-empty icon option')
    })
    expect(await start('plan.pdf')).toBe(true)
    expect(log).toHaveBeenCalledExactlyOnceWith('error', expect.stringContaining('file drag'))
  })

  it('is removed an hour later, and at the next start or the end in any case', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { folder, drag, start, files } = open()
    await start('first.txt')
    vi.advanceTimersByTime(59 * 60_000)
    await start('second.txt')
    expect(files()).toHaveLength(2)
    vi.advanceTimersByTime(2 * 60_000)
    await vi.waitFor(() => expect(files()).toHaveLength(1))
    mkdirSync(join(folder, 'of a crashed run'))
    await drag.clear()
    expect(existsSync(folder)).toBe(false)
  })
})
