import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Change, ChangeSubject, SubjectState, UndoResult } from '../../../../../src/engine/own/outbox/change.ts'
import type { ChangeType } from '../../../../../src/engine/own/outbox/change-type.ts'
import { threadLabelRules } from '../../../../../src/engine/own/outbox/changes/thread-labels.ts'
import { threadStateRules } from '../../../../../src/engine/own/outbox/changes/thread-state.ts'
import type { OutboxFile } from '../../../../../src/engine/own/outbox/outbox-file.ts'
import { openOutbox } from '../../../../support/own-file.ts'
import { ChangeQueue } from '../../../../../src/engine/own/outbox/change-queue.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

/** Milliseconds a busy machine may take. */
const PATIENCE = 60_000

const subject = (at: number | string): ChangeSubject => ({ kind: 'thread', scope: 'inbox-1', id: `thread-${at}` })
const to = (wanted: string, at: number | string): Change => ({ ...subject(at), field: 'folder', wanted })
const from = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)
const allTo = (wanted: string, numbers: readonly number[]): readonly Change[] => numbers.map((at) => to(wanted, at))

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
  }))
  const queue = new ChangeQueue(file, types, {
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
    await queue.ended()
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

const open = () => {
  const path = temporaryDirectory()
  const platform = createPlatform()
  onTestFinished(platform.open)
  const start = (replaced: (outbox: Pick<OutboxFile, 'write'>) => Partial<OutboxFile> = () => ({})) => {
    const outbox = openOutbox(path)
    const originals = { write: outbox.write.bind(outbox) }
    const opened = openQueue(Object.assign(outbox, replaced(originals)), platform)
    opened.start()
    return opened
  }
  return { platform, path, start }
}

const idOf = (undone: UndoResult): string => {
  if (undone === null || undone === 'nothing') throw new Error('there was nothing to undo')
  return undone.changeId
}

describe('a change to many threads', () => {
  it('is shown at once, and sent, undone and redone as one', async () => {
    const { platform, start } = open()
    const { queue, shown, seen } = start()
    const numbers = from(0, 450)
    const settled = () => vi.waitFor(() => expect(queue.unfinished()).toEqual([]), PATIENCE)
    const { changeId, changed } = queue.changeMany(allTo('archive', numbers))
    expect(changed).toBe(450)
    expect(seen(numbers)).toEqual({ archive: 450 })
    expect(shown).toEqual([450])
    expect(queue.unfinished()).toEqual([{ changeId, kind: 'thread', total: 450, sent: 0, undoes: null }])
    await settled()
    expect(queue.waiting.count()).toBe(0)
    expect(new Set(platform.folders.values())).toEqual(new Set(['archive']))
    const undone = idOf(queue.undo(changeId))
    expect(seen(numbers)).toEqual({ inbox: 450 })
    expect(queue.unfinished()).toMatchObject([{ changeId: undone, total: 450, undoes: changeId }])
    queue.undo(undone)
    expect(seen(numbers)).toEqual({ archive: 450 })
    await settled()
    expect(platform.folders.size).toBe(450)
  })

  it('is shown again when the cache was replaced', async () => {
    const { platform, start } = open()
    platform.shut()
    const { queue, shown } = start()
    queue.changeMany(allTo('archive', from(0, 60)))
    shown.splice(0)
    queue.showAll()
    await vi.waitFor(() => expect(shown.reduce((sum, some) => sum + some, 0)).toBe(60), PATIENCE)
    platform.open()
  })

  it('leaves newer changes alone on undo, and says when nothing is left to undo', () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 60)
    const { changeId } = queue.changeMany(allTo('archive', numbers))
    queue.change([to('trash', 3)])
    expect(queue.undo(changeId)).not.toBe('nothing')
    expect(seen(numbers)).toEqual({ inbox: 59, trash: 1 })
    queue.change(allTo('spam', numbers))
    expect(queue.undo(changeId)).toBe('nothing')
  })

  it('lets single changes go first', async () => {
    const { platform, start } = open()
    const { queue } = start()
    platform.shut()
    queue.changeMany(allTo('archive', from(0, 300)))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    queue.change([to('trash', 'own')])
    await vi.waitFor(() => expect(platform.sent.at(-1)).toBe('thread-own'), PATIENCE)
    expect(platform.sent.length).toBeLessThanOrEqual(4)
    platform.open()
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
  })

  it('replaces earlier ones, and undo restores them', () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    queue.changeMany(allTo('archive', numbers))
    const second = queue.changeMany(allTo('spam', numbers))
    queue.change([to('trash', 399)])
    expect(queue.unfinished()).toMatchObject([{ changeId: second.changeId, total: 400, sent: 1 }])
    expect(seen(numbers)).toEqual({ spam: 399, trash: 1 })
    expect(queue.undo(second.changeId)).not.toBe('nothing')
    expect(seen(numbers)).toEqual({ archive: 399, trash: 1 })
  })

  it('changes nothing if a full disk prevents storing it', async () => {
    const { platform, start } = open()
    const disk = { isFull: true }
    const { queue, shown, seen } = start((outbox) => ({
      write: (...given) => {
        if (disk.isFull) throw new Error('database or disk is full')
        outbox.write(...given)
      },
    }))
    const numbers = from(0, 60)
    expect(() => queue.changeMany(allTo('archive', numbers))).toThrow('full')
    expect({ seen: seen(numbers), unfinished: queue.unfinished(), shown }).toEqual({
      ...{ seen: { inbox: 60 }, unfinished: [], shown: [] },
    })
    disk.isFull = false
    queue.changeMany(allTo('archive', numbers))
    await vi.waitFor(() => expect(platform.folders.size).toBe(60), PATIENCE)
  })

  it('keeps what was sent when cancelled, and can be undone', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 300)
    platform.shut()
    const { changeId } = queue.changeMany(allTo('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    const kept = platform.sent.length
    expect(queue.cancel(changeId)).toBe(kept)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - kept })
    platform.open()
    await vi.waitFor(() => expect(queue.unfinished()).toEqual([]), PATIENCE)
    expect(platform.sent).toHaveLength(kept)
    expect(queue.cancel(changeId)).toBeNull()
    queue.undo(changeId)
    expect(seen(numbers)).toEqual({ inbox: 300 })
  })

  it('returns to an earlier unsent change when cancelled', () => {
    const { start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 60)
    queue.change(allTo('trash', numbers))
    const { changeId } = queue.changeMany(allTo('archive', numbers))
    expect(queue.cancel(changeId)).toBe(0)
    expect(seen(numbers)).toEqual({ trash: 60 })
  })

  it('continues if a full disk prevents cancelling, and is cancelled later', async () => {
    const { platform, start } = open()
    const disk = { isFull: false }
    const { queue, seen } = start((outbox) => ({
      write: (...given) => {
        if (disk.isFull) throw new Error('database or disk is full')
        outbox.write(...given)
      },
    }))
    const numbers = from(0, 300)
    platform.shut()
    const { changeId } = queue.changeMany(allTo('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    disk.isFull = true
    expect(() => queue.cancel(changeId)).toThrow('full')
    expect(seen(numbers)).toEqual({ archive: 300 })
    disk.isFull = false
    const kept = queue.cancel(changeId)
    expect(kept).toBe(platform.sent.length)
    expect(seen(numbers)).toEqual({ archive: kept, inbox: 300 - (kept ?? 0) })
    platform.open()
    await vi.waitFor(() => expect(queue.unfinished()).toEqual([]), PATIENCE)
  })

  it('loses no thread if the cache is cleared half-way, even when undone', async () => {
    const { platform, start } = open()
    const { queue, seen } = start()
    const numbers = from(0, 400)
    const { changeId } = queue.changeMany(allTo('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    const { serverState } = platform
    platform.serverState = () => new Map()
    await vi.waitFor(() => expect(platform.folders.size).toBe(400), PATIENCE)
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    queue.undo(changeId)
    await vi.waitFor(() => expect(queue.waiting.count()).toBe(0), PATIENCE)
    platform.serverState = serverState
    expect(seen(numbers)).toEqual({ inbox: 400 })
  })

  it('is shown, sent and undone after a restart', async () => {
    const { platform, start } = open()
    platform.shut()
    const first = start()
    const numbers = from(0, 500)
    const { changeId } = first.queue.changeMany(allTo('archive', numbers))
    await vi.waitFor(() => expect(platform.sent.length).toBeGreaterThan(0), PATIENCE)
    platform.open()
    await first.close()
    const sent = platform.folders.size
    expect(sent).toBeLessThan(500)
    platform.shut()
    const second = start()
    expect(second.seen(numbers)).toEqual({ archive: 500 })
    expect(second.queue.unfinished()).toEqual([{ changeId, kind: 'thread', total: 500, sent, undoes: null }])
    await vi.waitFor(() => expect(second.shown.reduce((sum, some) => sum + some, 0)).toBe(500 - sent), PATIENCE)
    platform.open()
    await vi.waitFor(() => expect(second.queue.unfinished()).toEqual([]), PATIENCE)
    expect(platform.folders.size).toBe(500)
    await second.close()
    const third = start()
    third.queue.undo(changeId)
    expect(third.seen(numbers)).toEqual({ inbox: 500 })
  })
})
