import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { toFetchedLabel } from '../../../../../src/engine/platform/resources/labels.ts'
import type { MailPlatform } from '../../../../../src/engine/platform/mail-platform.ts'
import { systemClock } from '../../../../../src/engine/timing/clock.ts'
import type { UndoResult } from '../../../../../src/engine/own/outbox/change.ts'
import { openOutbox } from '../../../../support/own-file.ts'
import { labelCreation, labelDeletion } from '../../../../../src/engine/own/outbox/changes/label.ts'
import { createChangeTypes, Outbox } from '../../../../../src/engine/own/outbox/outbox.ts'
import { openCache } from '../../../../../src/engine/store/cache.ts'
import { inboxOf, summaryOf } from '../../../../support/raw-payloads.ts'
import { listedThread } from '../../support/open-test-cache.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'
import { createProblem } from '../../../../../src/shared/result.ts'

/** Milliseconds a busy machine may take. */
const PATIENCE = 60_000
const INBOX = 'inbox-1'
const MANY = 300
/** More threads than can get a label's new ID at once. */
const SOME = 40
const OLD = { id: 'old', name: 'Old', color: '#112233' }

const createPlatform = () => {
  const labels = new Map([[OLD.id, { ...OLD }]])
  const carried = new Map<string, Set<string>>()
  const requests: string[] = []
  let made = 0
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => undefined
  const ask = async (request: string): Promise<void> => {
    requests.push(request)
    await gate
  }
  const stateOf = (id: string, folder = 'inbox') =>
    summaryOf({ id, folder, labels: [...(carried.get(id) ?? [])].map((labelId) => labels.get(labelId) ?? OLD) })
  const platform = {
    listLabels: async () => {
      await ask('list')
      return [...labels.values()].map(toFetchedLabel)
    },
    createLabel: async (_inbox: string, look: { readonly name: string; readonly color: string }) => {
      await ask('create')
      if ([...labels.values()].some(({ name }) => name === look.name))
        throw createProblem('refused', 'The name is taken.')
      made += 1
      labels.set(`made-${made}`, { id: `made-${made}`, ...look })
      return `made-${made}`
    },
    deleteLabel: async (_inbox: string, id: string) => {
      await ask('delete')
      labels.delete(id)
      for (const each of carried.values()) each.delete(id)
    },
    addThreadLabels: async (_inbox: string, id: string, ids: readonly string[]) => {
      await ask(`add ${id}`)
      const now = carried.get(id) ?? new Set()
      carried.set(id, now)
      for (const each of ids) now.add(each)
      return stateOf(id)
    },
    updateThread: async (_inbox: string, id: string, { folder }: { readonly folder?: string }) => {
      await ask(`move ${id}`)
      return stateOf(id, folder)
    },
  }
  return {
    platform: platform as unknown as MailPlatform,
    labels,
    carried,
    requests,
    /** Holds all responses until `open()`. */
    shut: () => {
      gate = new Promise((resolve) => (open = resolve))
    },
    open: (): void => open(),
  }
}

/** An outbox and a cache in real files, with one label on many threads. */
const openMailbox = (many = MANY) => {
  const directory = temporaryDirectory()
  const world = createPlatform()
  onTestFinished(world.open)
  const threadIds = Array.from({ length: many }, (_, at) => `thread-${String(at).padStart(5, '0')}`)
  for (const id of threadIds) world.carried.set(id, new Set([OLD.id]))

  const start = () => {
    const doubled = new Set<string>()
    const file = openOutbox(directory)
    const { cache } = openCache(join(directory, 'cache.sqlite'), {
      threads: {
        marks: () => undefined,
        overlay: (inboxId, threadId): ReturnType<Outbox['threadOverlay']> => outbox.threadOverlay(inboxId, threadId),
        confirmedSince: () => false,
      },
      topics: () => new Map(),
      labels: (inboxId): ReturnType<Outbox['labelOverlay']> => outbox.labelOverlay(inboxId),
    })
    cache.inboxes.storeListed([inboxOf({ id: INBOX, email_address: 'me@example.com' })])
    const inbox = { key: cache.inboxes.get(INBOX)?.key ?? -1, id: INBOX }
    const types = createChangeTypes(
      {
        platform: world.platform,
        cache,
        hub: {
          labels: () => undefined,
          threads: () => undefined,
          contacts: () => undefined,
          topics: () => undefined,
          suppressions: () => undefined,
        },
        notFound: { ofThread: () => Promise.reject(new Error()), inboxExists: () => Promise.reject(new Error()) },
        findSuppression: () => Promise.reject(new Error()),
      },
      systemClock,
    )
    const outbox = new Outbox(file, types, {
      shown: () => {
        for (const id of threadIds.slice(0, SOME)) {
          const labelIds = cache.threads.get(inbox, id)?.labels.map((label) => label.id) ?? []
          if (new Set(labelIds).size < labelIds.length) doubled.add(id)
        }
      },
      refused: () => expect.unreachable(),
      replaced: () => undefined,
      progressed: () => undefined,
      failed: (thrown) => expect.unreachable(String(thrown)),
    })
    const ending = new AbortController()
    const close = async (): Promise<void> => {
      if (ending.signal.aborted) return
      ending.abort()
      await outbox.ended()
      cache.close()
    }
    onTestFinished(close)
    outbox.start(ending.signal)
    return {
      outbox,
      cache,
      inbox,
      /** Threads that had one label twice when a window was notified. */
      doubled,
      close,
      /** Number of local threads with a label of that name. */
      carriers: (): number =>
        threadIds.filter((id) => cache.threads.get(inbox, id)?.labels.some(({ name }) => name === OLD.name)).length,
    }
  }
  const first = start()
  first.cache.labels.put(first.inbox.key, OLD)
  first.cache.threads.storePage(
    first.inbox,
    threadIds.map((id, minute) => listedThread(id, minute, { labels: [OLD] })),
    { askedAt: 0, inSent: false },
  )
  const settled = async ({ outbox }: Pick<typeof first, 'outbox'>): Promise<void> => {
    await vi.waitFor(() => expect(outbox.waiting.count()).toBe(0), PATIENCE)
    await vi.waitFor(() => expect(outbox.unfinished()).toEqual([]), PATIENCE)
  }
  return { ...world, threadIds, first, start, settled }
}

const idOf = (undone: UndoResult): string => {
  if (undone === null || undone === 'nothing') throw new Error('there was nothing to undo')
  return undone.changeId
}
const carriersThere = (carried: ReadonlyMap<string, ReadonlySet<string>>): number =>
  [...carried.values()].filter((labels) => labels.size === 1).length

describe('deleting a label on many threads', () => {
  it('is undone under the label’s new ID, after the user’s single changes', async () => {
    const { first, carried, requests, shut, open, settled, threadIds } = openMailbox()
    const { outbox, carriers } = first
    const deletion = outbox.change([labelDeletion(INBOX, OLD.id)])
    await settled(first)
    expect([carriers(), carriersThere(carried)]).toEqual([0, 0])
    const undone = idOf(outbox.undo(deletion))
    await vi.waitFor(() => expect(carriers()).toBe(MANY), PATIENCE)
    expect(outbox.unfinished()).toMatchObject([{ changeId: undone, total: MANY, undoes: deletion }])
    await vi.waitFor(() => expect(requests.filter((request) => request.startsWith('add')).length).toBeGreaterThan(0))
    shut()
    outbox.changeThreads(INBOX, [{ threadId: threadIds[MANY / 2] ?? '', change: { folder: 'archive' } }])
    const before = requests.length
    open()
    await settled(first)
    expect(requests.slice(before - 2, before + 4)).toContain(`move ${threadIds[MANY / 2] ?? ''}`)
    expect([carriers(), carriersThere(carried)]).toEqual([MANY, MANY])
    expect(first.cache.labels.all(first.inbox.key).map(({ id }) => id)).toEqual(['made-1'])
    expect(requests.filter((request) => request === 'create')).toHaveLength(1)
  })

  it('is undone completely when repeated before the first undo has finished', async () => {
    const { first, carried, settled } = openMailbox()
    const { outbox, carriers } = first
    const deletion = outbox.change([labelDeletion(INBOX, OLD.id)])
    await settled(first)
    const undone = idOf(outbox.undo(deletion))
    const again = idOf(outbox.undo(undone))
    expect(first.cache.labels.all(first.inbox.key)).toEqual([])
    outbox.undo(again)
    await settled(first)
    expect([carriers(), carriersThere(carried)]).toEqual([MANY, MANY])
  })

  it('is undone completely after a restart at any moment', async () => {
    const { first, start, carried, settled, requests } = openMailbox()
    const deletion = first.outbox.change([labelDeletion(INBOX, OLD.id)])
    await settled(first)
    first.outbox.undo(deletion)
    await first.close()
    const second = start()
    // The platform has given the label an ID that not every thread has yet.
    await vi.waitFor(() => expect(requests).toContain('create'), { ...{ timeout: PATIENCE }, interval: 1 })
    await second.close()
    const third = start()
    await settled(third)
    expect([third.carriers(), carriersThere(carried)]).toEqual([MANY, MANY])
  })

  it('is undone completely when in flight', async () => {
    const { first, carried, shut, open, settled, requests } = openMailbox()
    const { outbox, carriers } = first
    shut()
    const deletion = outbox.change([labelDeletion(INBOX, OLD.id)])
    await vi.waitFor(() => expect(requests).toEqual(['delete']))
    outbox.undo(deletion)
    expect(first.cache.labels.all(first.inbox.key)).toHaveLength(1)
    open()
    await settled(first)
    expect([carriers(), carriersThere(carried)]).toEqual([MANY, MANY])
  })

  it('cancels assignments in progress, and undo restores them with the label', async () => {
    const { first, carried, shut, open, settled, requests, threadIds } = openMailbox()
    const { outbox, carriers } = first
    shut()
    const labelId = 'new-label'
    outbox.change([labelCreation(INBOX, labelId, { name: 'Newest', color: '#445566' })])
    outbox.changeManyThreads(
      INBOX,
      threadIds.map((threadId) => ({ threadId, change: { addLabels: [labelId] } })),
    )
    expect(outbox.unfinished()).toHaveLength(1)
    const deletion = outbox.change([labelDeletion(INBOX, labelId)])
    open()
    await settled(first)
    expect([requests.filter((request) => request.startsWith('add')), carriers()]).toEqual([[], MANY])
    outbox.undo(deletion)
    await settled(first)
    expect([...carried.values()].filter((labels) => labels.size === 2)).toHaveLength(MANY)
  })
})

describe('a label that gets a new ID', () => {
  it.each([1, SOME])('is on each of %i threads only once while it is restored', async (many) => {
    const { first, carried, requests, shut, open, settled, threadIds } = openMailbox(many)
    const { outbox, cache, inbox, doubled } = first
    const deletion = outbox.change([labelDeletion(INBOX, OLD.id)])
    await settled(first)
    shut()
    outbox.undo(deletion)
    await vi.waitFor(() => expect(requests).toContain('create'), PATIENCE)
    // The thread's server state is still the one before the deletion.
    expect(cache.threads.serverState(inbox, threadIds[0] ?? '')?.labelIds).toEqual([OLD.id])
    open()
    await settled(first)
    expect([...doubled]).toEqual([])
    expect(carriersThere(carried)).toBe(many)
  })

  it('is on each thread only once if someone else created and assigned it too', async () => {
    const { first, labels, carried, requests, shut, open, settled, threadIds } = openMailbox(SOME)
    const { outbox, cache, inbox, doubled } = first
    const theirs = { id: 'theirs', name: 'Shared', color: '#445566' }
    shut()
    const labelId = 'new-label'
    outbox.change([labelCreation(INBOX, labelId, { name: theirs.name, color: theirs.color })])
    outbox.changeThreads(
      INBOX,
      threadIds.map((threadId) => ({ threadId, change: { addLabels: [labelId] } })),
    )
    labels.set(theirs.id, theirs)
    for (const id of threadIds) carried.get(id)?.add(theirs.id)
    cache.threads.storePage(
      inbox,
      threadIds.map((id, minute) => listedThread(id, minute, { labels: [OLD, theirs] })),
      { askedAt: 1, inSent: false },
    )
    await vi.waitFor(() => expect(requests).toContain('create'), PATIENCE)
    open()
    await settled(first)
    expect([...doubled]).toEqual([])
    for (const id of threadIds) {
      expect(cache.threads.get(inbox, id)?.labels.map((label) => label.id)).toEqual([OLD.id, theirs.id])
    }
  })

  it('leaves a thread at once if removed before the thread has its ID', async () => {
    const { first, requests, shut, open, settled, threadIds } = openMailbox(1)
    const { outbox, cache, inbox } = first
    const [threadId = ''] = threadIds
    const labelsShown = () => cache.threads.get(inbox, threadId)?.labels.map(({ id }) => id)
    const deletion = outbox.change([labelDeletion(INBOX, OLD.id)])
    await settled(first)
    shut()
    outbox.undo(deletion)
    await vi.waitFor(() => expect(requests).toContain('create'), PATIENCE)
    open()
    shut()
    await vi.waitFor(() => expect(requests).toContain(`add ${threadId}`), PATIENCE)
    expect(labelsShown()).toEqual(['made-1'])
    outbox.changeThreads(INBOX, [{ threadId, change: { removeLabels: ['made-1'] } }])
    expect(labelsShown()).toEqual([])
    open()
  })
})
