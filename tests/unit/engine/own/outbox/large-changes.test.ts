import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type {
  Change,
  UndoableChange,
  ChangeSubject,
  SubjectState,
} from '../../../../../src/engine/own/outbox/change.ts'
import type { ChangeType } from '../../../../../src/engine/own/outbox/change-type.ts'
import { threadLabelRules } from '../../../../../src/engine/own/outbox/changes/thread-labels.ts'
import { threadStateRules } from '../../../../../src/engine/own/outbox/changes/thread-state.ts'
import { openOutboxFile, type OutboxFile } from '../../../../../src/engine/own/outbox/outbox-file.ts'
import { ChangeQueue } from '../../../../../src/engine/own/outbox/change-queue.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

/** Milliseconds a busy machine may take. */
const PATIENCE = 60_000

const subject = (at: number | string): ChangeSubject => ({ kind: 'thread', scope: 'inbox-1', id: `thread-${at}` })
const to = (wanted: string, at: number | string): Change => ({ ...subject(at), field: 'folder', wanted })
const named = (wanted: string, at: number): UndoableChange => ({
  ...subject(at),
  field: 'folder',
  before: 'inbox',
  after: wanted,
})
const from = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)
/** Changes for these threads, in pages of 100. */
const pagesOf = (wanted: string, numbers: readonly number[]): (readonly (readonly UndoableChange[])[])[] =>
  Array.from({ length: Math.ceil(numbers.length / 100) }, (_, page) =>
    numbers.slice(page * 100, page * 100 + 100).map((at) => [named(wanted, at)]),
  )

/** An in-memory platform: every thread is in the inbox until it is moved. */
const createPlatform = () => {
  const folders = new Map<string, string>()
  const sent: string[] = []
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => undefined
  return {
    folders,
    sent,
    /** Holds all responses until `open()`. */
    shut: () => {
      gate = new Promise((resolve) => (open = resolve))
    },
    open: (): void => open(),
    serverState: ({ id }: ChangeSubject): SubjectState => new Map([['folder', folders.get(id) ?? 'inbox']]),
    deliver: async ({ id }: ChangeSubject, changes: readonly { readonly wanted: string }[]) => {
      sent.push(id)
      await gate
      const [change] = changes
      return { store: () => void folders.set(id, change?.wanted ?? '') }
    },
  }
}

type Platform = ReturnType<typeof createPlatform>

const openQueue = (file: OutboxFile, platform: Pick<Platform, 'serverState' | 'deliver'>) => {
  const shown: number[] = []
  const types = [threadStateRules, threadLabelRules].map((rules): ChangeType => ({
    ...rules,
    ...(rules === threadStateRules && {
      show: (subjects: readonly ChangeSubject[]) => void shown.push(subjects.length),
    }),
    serverState: (of) => platform.serverState(of),
    deliver: (of, changes) => platform.deliver(of, changes),
    look: () => Promise.resolve(null),
    findMissing: () => Promise.resolve('nothing'),
    describe: () => 'change',
    describeMissing: () => null,
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
  const folderOf = (at: number): string | undefined => queue.waiting.shown({ ...subject(at), field: 'folder' })
  return {
    queue,
    shown,
    close,
    start: () => queue.start(ending.signal),
    seen: (numbers: readonly number[]) =>
      Object.fromEntries(
        [...Map.groupBy(numbers, folderOf)].map(([folder, those]) => [String(folder), those.length] as const),
      ),
  }
}

/** Waits, checking after every turn: the state may last only a few turns. */
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

describe('a change to many threads', () => {
  it('is recorded in parts, sent, undone and redone as one', async () => {
    const { platform, start } = open()
    const { queue, shown, seen } = start()
    const numbers = from(0, 450)
    const { changeId, changed } = await queue.large.changeMany(pagesOf('archive', numbers))
    expect(changed).toBe(450)
    expect(seen(numbers)).toEqual({ archive: 450 })
    // The changes are shown over many turns.
    expect(Math.max(...shown)).toBeLessThanOrEqual(100)
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    expect(new Set(platform.folders.values())).toEqual(new Set(['archive']))
    const undone = await queue.undo(changeId)
    if (undone === null || undone === 'nothing') throw new Error('it was undone')
    expect(seen(numbers)).toEqual({ inbox: 450 })
    await queue.undo(undone.changeId)
    expect(seen(numbers)).toEqual({ archive: 450 })
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    await vi.waitFor(() => expect(queue.large.unfinished()).toEqual([]), PATIENCE)
    expect(platform.folders.size).toBe(450)
  })

  it('leaves newer changes alone on undo, and says when nothing is left to undo', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 60)
    const { changeId } = await queue.large.changeMany(pagesOf('archive', numbers))
    queue.change([to('trash', 3)])
    const undone = await queue.undo(changeId)
    expect(seen(numbers)).toEqual({ inbox: 59, trash: 1 })
    expect(undone).not.toBe('nothing')
    queue.change(numbers.map((at) => to('spam', at)))
    expect(await queue.undo(changeId)).toBe('nothing')
  })

  it('lets single changes go first', async () => {
    const { platform, start } = open()
    const { queue } = start()
    platform.shut()
    await queue.large.changeMany(pagesOf('archive', from(0, 300)))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    queue.change([to('trash', 'own')])
    await new Promise(setImmediate)
    expect(platform.sent.indexOf('thread-own')).toBe(platform.sent.length - 1)
    expect(platform.sent.length).toBeLessThanOrEqual(4)
    platform.open()
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
  })

  it('comes before later changes to its threads while it is being recorded', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const all = queue.large.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => queue.large.unfinished().length === 1)
    queue.change([to('trash', 399)])
    await all
    expect(seen(numbers)).toEqual({ archive: 399, trash: 1 })
  })

  it('comes after earlier ones, even for threads recorded early', async () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const first = queue.large.changeMany(pagesOf('archive', numbers))
    // The second change is grouped differently, so that its parts contain other threads.
    const second = queue.large.changeMany(
      pagesOf(
        'spam',
        numbers.toSorted((a, b) => (a % 20) - (b % 20) || a - b),
      ),
    )
    await turnsUntil(() => queue.large.unfinished().length === 2)
    expect(queue.large.unfinished()[0]?.taken).toBeLessThan(380)
    queue.change([to('trash', 399)])
    await Promise.all([first, second])
    expect(seen(numbers)).toEqual({ spam: 399, trash: 1 })
    const undone = await queue.undo((await second).changeId)
    expect(undone).not.toBe('nothing')
    expect(seen(numbers)).toEqual({ archive: 399, trash: 1 })
  })

  it('is shown after a restart, even past an unreadable part', async () => {
    const { platform, start } = open()
    platform.shut()
    const first = start()
    await first.queue.large.changeMany(pagesOf('archive', from(0, 60)))
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
    // Part 1 is also read for the type of the complete change.
    await vi.waitFor(() => expect([...new Set(read)]).toEqual([1, 2, 3]), PATIENCE)
  })

  it('keeps what was sent when cancelled, and can be undone', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 300)
    platform.shut()
    const { changeId } = await queue.large.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    const kept = platform.sent.length
    expect(await queue.large.cancel(changeId)).toBe(kept)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - kept })
    platform.open()
    await vi.waitFor(() => expect(queue.large.unfinished()).toEqual([]), PATIENCE)
    expect(platform.sent).toHaveLength(kept)
    expect(await queue.large.cancel(changeId)).toBeNull()
    await queue.undo(changeId)
    expect(seen(numbers)).toEqual({ inbox: 300 })
  })

  it('leaves nothing behind when cancelled while it is being recorded', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 600)
    platform.shut()
    const all = queue.large.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => platform.sent.length > 0)
    expect(queue.large.unfinished()[0]?.taken).toBeLessThan(600)
    const [progress] = queue.large.unfinished()
    const cancelled = queue.large.cancel(progress?.changeId ?? '')
    expect(queue.large.unfinished()).toMatchObject([
      { isCancelled: true, isCancelling: false },
      { isCancelled: false, isCancelling: true },
    ])
    const kept = await cancelled
    await all
    expect(kept).toBe(platform.sent.length)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 600 - (kept ?? 0) })
    platform.open()
    await vi.waitFor(() => expect(queue.large.unfinished()).toEqual([]), PATIENCE)
  })

  it('continues if a full disk prevents cancelling, and is cancelled later', async () => {
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
    const { changeId } = await queue.large.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    isFull = true
    await expect(queue.large.cancel(changeId)).rejects.toThrow('full')
    expect(queue.large.unfinished()).toMatchObject([{ changeId, isCancelled: false }])
    isFull = false
    const kept = await queue.large.cancel(changeId)
    expect(kept).toBe(platform.sent.length)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - (kept ?? 0) })
    platform.open()
    await vi.waitFor(() => expect(queue.large.unfinished()).toEqual([]), PATIENCE)
  })

  it('loses nothing if its end can’t be stored, and ends later', async () => {
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
    await queue.large.changeMany(pagesOf('archive', numbers))
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    expect(queue.large.unfinished()).toHaveLength(1)
    isFull = false
    await queue.large.changeMany(pagesOf('archive', from(60, 30)))
    await vi.waitFor(() => expect(queue.large.unfinished()).toEqual([]), PATIENCE)
    expect(seen(from(0, 90))).toEqual({ archive: 90 })
  })

  it('loses no thread if the cache is cleared half-way, even when undone', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const all = queue.large.changeMany(pagesOf('archive', numbers))
    await turnsUntil(() => queue.large.unfinished().length === 1)
    expect(queue.large.unfinished()[0]?.taken).toBeLessThan(400)
    const { serverState } = platform
    platform.serverState = () => new Map()
    const { changeId, changed } = await all
    expect(changed).toBe(400)
    await vi.waitFor(() => expect(platform.folders.size).toBe(400), PATIENCE)
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    await queue.undo(changeId)
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    platform.serverState = serverState
    expect(seen(numbers)).toEqual({ inbox: 400 })
  })

  it('resumes after a restart, unless its threads were still being listed', async () => {
    const { platform, start } = open()
    platform.shut()
    const first = start()
    const numbers = from(0, 500)
    const all = first.queue.large.changeMany(pagesOf('archive', numbers))
    all.catch(() => undefined)
    await turnsUntil(() => (first.queue.large.unfinished()[0]?.taken ?? 0) > 0)
    const naming = first.queue.large.changeMany(
      (function* () {
        yield from(1000, 50).map((at) => [named('archive', at)])
        for (;;) yield []
      })(),
    )
    naming.catch(() => undefined)
    expect(first.queue.large.unfinished()[0]?.taken).toBeLessThan(500)
    platform.open()
    await first.close()
    const second = start()
    await vi.waitFor(() => expect(second.seen(numbers)).toEqual({ archive: 500 }), PATIENCE)
    expect(second.seen(from(1000, 50))).toEqual({ inbox: 50 })
    await vi.waitFor(() => expect(second.queue.large.unfinished()).toEqual([]), PATIENCE)
    expect(platform.folders.size).toBe(500)
  })
})
