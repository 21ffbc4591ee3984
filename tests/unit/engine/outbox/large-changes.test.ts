import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Change, MadeChange, Subject, SubjectState } from '../../../../src/engine/outbox/change.ts'
import type { ChangeType } from '../../../../src/engine/outbox/change-type.ts'
import { threadLabelRules } from '../../../../src/engine/outbox/changes/thread-labels.ts'
import { threadStateRules } from '../../../../src/engine/outbox/changes/thread-state.ts'
import { openOutboxFile, type OutboxFile } from '../../../../src/engine/outbox/outbox-file.ts'
import { ChangeQueue } from '../../../../src/engine/outbox/queue.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

/** Milliseconds that a busy machine may take. */
const PATIENCE = 60_000

const subject = (at: number | string): Subject => ({ kind: 'thread', scope: 'inbox-1', id: `thread-${at}` })
const to = (wanted: string, at: number | string): Change => ({ ...subject(at), field: 'folder', wanted })
const named = (wanted: string, at: number): MadeChange => ({
  ...subject(at),
  field: 'folder',
  before: 'inbox',
  after: wanted,
})
const from = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)
/** What is wanted of so many threads, 100 at a time. */
const pagesOf = (wanted: string, numbers: readonly number[]): (readonly (readonly MadeChange[])[])[] =>
  Array.from({ length: Math.ceil(numbers.length / 100) }, (_, page) =>
    numbers.slice(page * 100, page * 100 + 100).map((at) => [named(wanted, at)]),
  )

/** A platform in memory: every thread is in the inbox until it is moved. */
const createPlatform = () => {
  const folders = new Map<string, string>()
  const sent: string[] = []
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => undefined
  return {
    folders,
    sent,
    /** Nothing is answered until it is opened. */
    shut: () => {
      gate = new Promise((resolve) => (open = resolve))
    },
    open: (): void => open(),
    serverState: ({ id }: Subject): SubjectState => new Map([['folder', folders.get(id) ?? 'inbox']]),
    deliver: async ({ id }: Subject, changes: readonly { readonly wanted: string }[]) => {
      sent.push(id)
      await gate
      const [change] = changes
      return { keep: () => void folders.set(id, change?.wanted ?? '') }
    },
  }
}

type Platform = ReturnType<typeof createPlatform>

const openQueue = (file: OutboxFile, platform: Pick<Platform, 'serverState' | 'deliver'>) => {
  const shown: number[] = []
  const types = [threadStateRules, threadLabelRules].map((rules): ChangeType => ({
    ...rules,
    ...(rules === threadStateRules && { show: (subjects: readonly Subject[]) => void shown.push(subjects.length) }),
    serverState: (of) => platform.serverState(of),
    deliver: (of, changes) => platform.deliver(of, changes),
    look: () => Promise.resolve(null),
    inquire: () => Promise.resolve('nothing'),
    words: () => 'change',
    goneWords: () => null,
    isGone: () => undefined,
  }))
  const queue = new ChangeQueue(file, types, {
    remember: () => undefined,
    shown: () => undefined,
    refused: () => undefined,
    replaced: () => undefined,
    progressed: () => undefined,
    failed: () => undefined,
  })
  const ending = new AbortController()
  const close = async (): Promise<void> => {
    if (ending.signal.aborted) return
    ending.abort()
    await queue.close()
  }
  onTestFinished(close)
  const folderOf = (at: number): string | undefined => queue.shown({ ...subject(at), field: 'folder' })
  return {
    queue,
    shown,
    close,
    start: () => queue.start(ending.signal),
    /** In which folders so many threads are seen, each with how many. */
    seen: (numbers: readonly number[]) =>
      Object.fromEntries(
        [...Map.groupBy(numbers, folderOf)].map(([folder, those]) => [String(folder), those.length] as const),
      ),
  }
}

/** Looks after each turn of the thread: what is meant to be seen may last for some turns alone. */
const turnsUntil = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await new Promise(setImmediate)
}

const open = () => {
  const path = join(temporaryDirectory(), 'outbox.sqlite')
  const platform = createPlatform()
  onTestFinished(platform.open)
  const start = (fileOf = (outbox: OutboxFile): OutboxFile => outbox) => {
    const opened = openQueue(fileOf(openOutboxFile(path).outbox), platform)
    opened.start()
    return opened
  }
  return { platform, path, start }
}

describe('a change of many threads', () => {
  it('is taken in part by part, sent, and undone and made again as one', async () => {
    const { platform, start } = open()
    const { queue, shown, seen } = start()
    const numbers = from(0, 450)
    const { changeId, changed } = await queue.changeMany(pagesOf('archive', numbers))
    expect(changed).toBe(450)
    expect(seen(numbers)).toEqual({ archive: 450 })
    // Many turns, none of all.
    expect(Math.max(...shown)).toBeLessThanOrEqual(100)
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
    expect(new Set(platform.folders.values())).toEqual(new Set(['archive']))
    const undone = await queue.undo(changeId)
    if (undone === null || undone === 'nothing') throw new Error('it was undone')
    expect(seen(numbers)).toEqual({ inbox: 450 })
    await queue.undo(undone.changeId)
    expect(seen(numbers)).toEqual({ archive: 450 })
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
    await vi.waitFor(() => expect(queue.underWay()).toEqual([]), PATIENCE)
    expect(platform.folders.size).toBe(450)
  })

  it('leaves alone, where it is undone, what was changed since, and says when nothing is left to undo', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 60)
    const { changeId } = await queue.changeMany(pagesOf('archive', numbers))
    queue.change([to('trash', 3)])
    const undone = await queue.undo(changeId)
    expect(seen(numbers)).toEqual({ inbox: 59, trash: 1 })
    expect(undone).not.toBe('nothing')
    queue.change(numbers.map((at) => to('spam', at)))
    expect(await queue.undo(changeId)).toBe('nothing')
  })

  it('is passed by what a person changes by itself', async () => {
    const { platform, start } = open()
    const { queue } = start()
    platform.shut()
    await queue.changeMany(pagesOf('archive', from(0, 300)))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    queue.change([to('trash', 'own')])
    await new Promise(setImmediate)
    expect(platform.sent.indexOf('thread-own')).toBe(platform.sent.length - 1)
    expect(platform.sent.length).toBeLessThanOrEqual(4)
    platform.open()
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
  })

  it('comes before what a person changes of the same thread while it is being taken in', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const all = queue.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => queue.underWay().length === 1)
    queue.change([to('trash', 399)])
    await all
    expect(seen(numbers)).toEqual({ archive: 399, trash: 1 })
  })

  it('comes after those before it, also for threads whose part is taken in early for one of them', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const first = queue.changeMany(pagesOf('archive', numbers))
    // Other threads are in a part together.
    const second = queue.changeMany(
      pagesOf(
        'spam',
        numbers.toSorted((a, b) => (a % 20) - (b % 20) || a - b),
      ),
    )
    await turnsUntil(() => queue.underWay().length === 2)
    expect(queue.underWay()[0]?.taken).toBeLessThan(380)
    queue.change([to('trash', 399)])
    await Promise.all([first, second])
    expect(seen(numbers)).toEqual({ spam: 399, trash: 1 })
    const undone = await queue.undo((await second).changeId)
    expect(undone).not.toBe('nothing')
    expect(seen(numbers)).toEqual({ archive: 399, trash: 1 })
  })

  it('is shown after an end, also beyond a part that cannot be read', async () => {
    const { platform, start } = open()
    platform.shut()
    const first = start()
    await first.queue.changeMany(pagesOf('archive', from(0, 60)))
    const closing = first.close()
    platform.open()
    await closing
    const read: number[] = []
    start((outbox) => ({
      ...outbox,
      part: (id, part) => {
        read.push(part)
        return part === 2 ? undefined : outbox.part(id, part)
      },
    }))
    // The first says of what kind they all are as well.
    await vi.waitFor(() => expect([...new Set(read)]).toEqual([1, 2, 3]), PATIENCE)
  })

  it('that is cancelled keeps what was sent, takes back the rest, and can be undone', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 300)
    platform.shut()
    const { changeId } = await queue.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    const kept = platform.sent.length
    expect(await queue.cancel(changeId)).toBe(kept)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - kept })
    platform.open()
    await vi.waitFor(() => expect(queue.underWay()).toEqual([]), PATIENCE)
    expect(platform.sent).toHaveLength(kept)
    expect(await queue.cancel(changeId)).toBeNull()
    await queue.undo(changeId)
    expect(seen(numbers)).toEqual({ inbox: 300 })
  })

  it('that is cancelled while it is being taken in leaves no part behind', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 600)
    platform.shut()
    const all = queue.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => platform.sent.length > 0)
    expect(queue.underWay()[0]?.taken).toBeLessThan(600)
    const [progress] = queue.underWay()
    const cancelled = queue.cancel(progress?.changeId ?? '')
    expect(queue.underWay()).toMatchObject([
      { isCancelled: true, isCancelling: false },
      { isCancelled: false, isCancelling: true },
    ])
    const kept = await cancelled
    await all
    expect(kept).toBe(platform.sent.length)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 600 - (kept ?? 0) })
    platform.open()
    await vi.waitFor(() => expect(queue.underWay()).toEqual([]), PATIENCE)
  })

  it('that cannot be cancelled, as the disk is full, is not held, and is cancelled later', async () => {
    const { platform, start } = open()
    let isFull = false
    const { queue, seen } = start((outbox) => ({
      ...outbox,
      writeLarge: (write) => {
        if (isFull && write.kind === 'begin') throw new Error('database or disk is full')
        outbox.writeLarge(write)
      },
    }))
    const numbers = from(0, 300)
    platform.shut()
    const { changeId } = await queue.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    isFull = true
    await expect(queue.cancel(changeId)).rejects.toThrow('full')
    expect(queue.underWay()).toMatchObject([{ changeId, isCancelled: false }])
    isFull = false
    const kept = await queue.cancel(changeId)
    expect(kept).toBe(platform.sent.length)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - (kept ?? 0) })
    platform.open()
    await vi.waitFor(() => expect(queue.underWay()).toEqual([]), PATIENCE)
  })

  it('whose end cannot be kept stays to be ended later, and nothing of it is lost', async () => {
    const { start } = open()
    let isFull = true
    const { queue, seen } = start((outbox) => ({
      ...outbox,
      writeLarge: (write) => {
        if (isFull && write.kind === 'end') throw new Error('database or disk is full')
        outbox.writeLarge(write)
      },
    }))
    const numbers = from(0, 60)
    await queue.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
    expect(queue.underWay()).toHaveLength(1)
    isFull = false
    await queue.changeMany(pagesOf('archive', from(60, 30)))
    await vi.waitFor(() => expect(queue.underWay()).toEqual([]), PATIENCE)
    expect(seen(from(0, 90))).toEqual({ archive: 90 })
  })

  it('loses none of its threads where the cache is emptied while it is being taken in, nor where it is undone after that', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const all = queue.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => queue.underWay().length === 1)
    expect(queue.underWay()[0]?.taken).toBeLessThan(400)
    const { serverState } = platform
    platform.serverState = () => new Map()
    const { changeId, changed } = await all
    expect(changed).toBe(400)
    await vi.waitFor(() => expect(platform.folders.size).toBe(400), PATIENCE)
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
    await queue.undo(changeId)
    await vi.waitFor(() => expect(queue.pendingCount()).toBe(0), PATIENCE)
    platform.serverState = serverState
    expect(seen(numbers)).toEqual({ inbox: 400 })
  })

  it('is finished after an end, and one that was only being named is not begun', async () => {
    const { platform, start } = open()
    platform.shut()
    const first = start()
    const numbers = from(0, 500)
    const all = first.queue.changeMany(pagesOf('archive', numbers))
    all.catch(() => undefined)
    await turnsUntil(() => (first.queue.underWay()[0]?.taken ?? 0) > 0)
    const naming = first.queue.changeMany(
      (function* () {
        yield from(1000, 50).map((at) => [named('archive', at)])
        for (;;) yield []
      })(),
    )
    naming.catch(() => undefined)
    expect(first.queue.underWay()[0]?.taken).toBeLessThan(500)
    platform.open()
    await first.close()
    const second = start()
    await vi.waitFor(() => expect(second.seen(numbers)).toEqual({ archive: 500 }), PATIENCE)
    expect(second.seen(from(1000, 50))).toEqual({ inbox: 50 })
    await vi.waitFor(() => expect(second.queue.underWay()).toEqual([]), PATIENCE)
    expect(platform.folders.size).toBe(500)
  })
})
