// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import type { LocalMatch, ThreadExcerpt, ThreadPage } from '../../../src/shared/model.ts'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ThreadListManager } from '../../../src/renderer/features/threads/thread-list-manager.svelte.ts'
import { ThreadRows } from '../../../src/renderer/features/threads/thread-rows.svelte.ts'
import { fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const openInbox = async (threads = 300) => {
  const transport = createFixtureTransport({ threads })
  const list = new ThreadListManager(createBackend(transport))
  list.show({ view: 'folder', inboxId: INBOX.id, folder: 'inbox' })
  await until(() => list.rows?.phase === 'ready')
  const ids = (count: number): readonly (string | undefined)[] =>
    Array.from({ length: count }, (_, index) => list.rows?.at(index)?.id)
  const reads = (): number => transport.calls.filter(({ name }) => name === 'thread.list').length
  const archive = (threadId: string) =>
    transport.call('thread.change', { inboxId: INBOX.id, threadIds: [threadId], change: { folder: 'archive' } }, null)
  return { transport, list, ids, reads, archive }
}

describe('search result list', () => {
  type ReadExcerpts = (found: readonly LocalMatch[]) => Promise<Result<readonly ThreadExcerpt[]>>

  const openSearch = (excerpts: ReadExcerpts, comesAlong = false) => {
    const { filter } = parseSearch('fog', { labels: [], now: 0, timeZone: 'UTC' })
    const items = fixtureThreads(3).map((thread) => ({
      ...thread,
      match: { by: 'computer' as const, emailId: `mail of ${thread.id}` },
    }))
    const page: ThreadPage = {
      ...{ items, offset: 0, total: items.length, hasMore: false, freshness: { state: 'live', at: null } },
      searched: null,
    }
    const came = items.map(({ id: threadId, match: { emailId } }) => ({ threadId, emailId, text: 'It came along.' }))
    const backend = createBackend({
      call: (name, input) => {
        const { found = [], excerpts: asked = 0 } = input as { found?: readonly LocalMatch[]; excerpts?: number }
        if (name === 'thread.excerpts') return excerpts(found)
        return Promise.resolve(ok({ ...page, ...(comesAlong && { excerpts: came.slice(0, asked) }) }))
      },
      subscribe: () => () => undefined,
    })
    const rows = new ThreadRows(
      backend,
      { ...filter, inboxIds: [INBOX.id] },
      {
        order: 'newest',
        before: null,
        isTyped: true,
        isFaulty: false,
        onRead: () => undefined,
        onProblem: () => undefined,
      },
    )
    const texts = (): readonly (string | null)[] => items.map((row) => rows.excerptOf(row))
    return { rows, texts }
  }

  it('opens with excerpts that arrive a moment later', async () => {
    const { rows, texts } = openSearch(async (found) => {
      await new Promise((resolve) => setTimeout(resolve))
      return ok(found.map((each) => ({ ...each, text: 'The fog came in.' })))
    })
    await rows.open()
    expect(texts()).toEqual(Array(3).fill('The fog came in.'))
  })

  it('requests the first excerpts with the rows', async () => {
    const { rows, texts } = openSearch(() => Promise.reject(new Error('They came along.')), true)
    await rows.open()
    expect(texts()).toEqual(Array(3).fill('It came along.'))
  })

  it('opens without excerpts if they are slow or fail', async () => {
    for (const excerpts of [
      () => new Promise<never>(() => undefined),
      () => Promise.resolve(fail('storage_failed', 'The disk does not answer.')),
    ]) {
      const { rows, texts } = openSearch(excerpts)
      await rows.open()
      expect([rows.total, texts()]).toEqual([3, [null, null, null]])
    }
  })
})

describe('pending change', () => {
  it('removes a moved thread at once and closes the gap', async () => {
    const { list, ids } = await openInbox()
    const before = list.rows?.total ?? 0
    expect(ids(4)).toEqual(['thread-0', 'thread-1', 'thread-2', 'thread-7'])
    list.draw(['thread-1'], { folder: 'archive' }, LABELS)
    list.draw(['thread-2'], { folder: 'trash' }, LABELS)
    expect(ids(3)).toEqual(['thread-0', 'thread-7', 'thread-8'])
    expect(list.rows?.total).toBe(before - 2)
    expect(list.rows?.indexOf('thread-7')).toBe(1)
    expect(list.rows?.indexOf('thread-1')).toBe(-1)
    expect(list.successorOf('thread-0', new Set(['thread-0']))).toBe('thread-7')
  })

  it('is shown in its row if the row stays', async () => {
    const { list } = await openInbox()
    list.draw(['thread-0'], { read: true, removeLabels: ['label-1'] }, LABELS)
    expect(list.thread('thread-0')).toMatchObject({ read: true, labels: [] })
  })

  it('removes a thread from the list of a label it loses', async () => {
    const { list } = await openInbox()
    list.show({ view: 'label', inboxId: INBOX.id, labelId: 'label-1' })
    await until(() => list.rows?.phase === 'ready')
    list.draw(['thread-0'], { removeLabels: ['label-1'] }, LABELS)
    expect(list.rows?.indexOf('thread-0')).toBe(-1)
  })

  it('restores the row when rejected', async () => {
    const { list, ids } = await openInbox()
    const before = ids(20)
    list.draw(['thread-1'], { folder: 'archive' }, LABELS).revert()
    expect(ids(20)).toEqual(before)
  })

  it('never flickers while the engine responds, and yields to later events', async () => {
    const { list, reads, archive, transport } = await openInbox()
    const total = list.rows?.total ?? 0
    const seen: (number | undefined)[] = []
    const look = (): number => seen.push(list.rows?.indexOf('thread-1'))
    const drawn = list.draw(['thread-1'], { folder: 'archive' }, LABELS)
    // A read that started before the change must not show the row.
    list.refresh()
    look()
    await archive('thread-1')
    look()
    drawn.accept()
    const before = reads()
    await until(() => (look(), reads() > before && list.rows?.total === total - 1))
    expect(new Set(seen)).toEqual(new Set([-1]))
    await transport.call(
      'thread.change',
      { inboxId: INBOX.id, threadIds: ['thread-1'], change: { folder: 'inbox' } },
      null,
    )
    await until(() => list.rows?.indexOf('thread-1') === 1)
  })
})

describe('change undone during a reload', () => {
  it('never removes the row again', async () => {
    const { list, ids, reads, archive, transport } = await openInbox(20)
    const before = ids(list.rows?.total ?? 0)
    const archived = list.draw(['thread-1'], { folder: 'archive' }, LABELS)
    await archive('thread-1')
    archived.accept()
    list.refresh()
    const sofar = reads()
    archived.revert()
    const undone = list.draw(['thread-1'], { folder: 'inbox' }, LABELS)
    expect(ids(before.length)).toEqual(before)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(ids(before.length)).toEqual(before)
    await transport.call(
      'thread.change',
      { inboxId: INBOX.id, threadIds: ['thread-1'], change: { folder: 'inbox' } },
      null,
    )
    undone.accept()
    await until(() => reads() > sofar)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(ids(before.length)).toEqual(before)
  })
})

describe('change of a whole list, applied in parts', () => {
  const all = { query: createFolderQuery(INBOX.id, 'inbox'), upTo: Number.MAX_SAFE_INTEGER, except: [] }

  it('restores all rows and the cursor when undone halfway', async () => {
    const { list, ids, archive } = await openInbox(50)
    const { rows, cursor } = list
    if (rows === null) throw new Error('The list is shown.')
    const before = ids(rows.total)
    // This read starts before the change and returns after the change's first part.
    list.refresh()
    const drawn = list.draw(all, { folder: 'trash' }, LABELS)
    cursor.settle(rows)
    expect([rows.total, cursor.id]).toEqual([0, null])
    for (const id of before.slice(0, -3)) await archive(id ?? '')
    await new Promise((resolve) => setTimeout(resolve, 60))
    drawn.revert()
    const undone = list.draw(
      before.map((id) => id ?? ''),
      { folder: 'inbox' },
      LABELS,
    )
    drawn.accept()
    cursor.settle(rows)
    expect([ids(rows.total), cursor.id]).toEqual([before, 'thread-0'])
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(ids(rows.total)).toEqual(before)
    undone.accept()
    await until(() => rows.total === 3)
  })

  it('reloads the actual list when rejected', async () => {
    const { list, archive } = await openInbox(50)
    const total = list.rows?.total ?? 0
    const drawn = list.draw(all, { folder: 'trash' }, LABELS)
    await archive('thread-1')
    await new Promise((resolve) => setTimeout(resolve, 60))
    drawn.revert()
    expect(list.rows?.total).toBe(total)
    await until(() => list.rows?.total === total - 1)
  })

  it('reappears part by part if no rows are left here', async () => {
    const { list, transport } = await openInbox(50)
    const change = (folder: 'inbox' | 'trash', threadIds: readonly string[]) =>
      transport.call('thread.change', { inboxId: INBOX.id, threadIds: [...threadIds], change: { folder } }, null)
    const inbox = list.rows?.loaded().map(({ id }) => id) ?? []
    await change('trash', inbox)
    await until(() => list.rows?.total === 0)
    list.draw(inbox, { folder: 'inbox' }, LABELS)
    await change('inbox', inbox.slice(0, 2))
    await until(() => list.rows?.total === 2)
  })
})

describe('several events of one engine write', () => {
  it('cause one reload', async () => {
    const { transport, reads } = await openInbox(20)
    const before = reads()
    const names = { inboxId: INBOX.id, threadIds: ['thread-0'] }
    transport.emit({ name: 'threads.changed', payload: { ...names, folders: ['inbox'], labelIds: [], searches: [] } })
    transport.emit({ name: 'emails.changed', payload: names })
    await until(() => reads() > before)
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(reads()).toBe(before + 1)
  })
})
