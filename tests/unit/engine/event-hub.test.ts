import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEventHub } from '../../../src/engine/event-hub.ts'
import type { LinnetEvent } from '../../../src/shared/contract.ts'
import type { SyncStatus } from '../../../src/shared/model.ts'

const status: SyncStatus = {
  connection: 'online',
  progress: null,
  lastSyncAt: null,
  pendingChanges: 0,
  problem: null,
  waitingUntil: null,
  confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
}
const touched = (threadIds: string[], folders: string[] = [], unread = false) => ({
  threadIds: new Set(threadIds),
  folders: new Set(folders),
  labelIds: new Set<string>(),
  onlyHere: false,
  unread,
  arrived: new Set<string>(),
})

describe('the event hub', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const listen = () => {
    const events: LinnetEvent[] = []
    const hub = createEventHub(
      (event) => events.push(event),
      () => status,
    )
    return { hub, events }
  }

  it('tells what happened within a frame once, everything named once', () => {
    const { hub, events } = listen()
    hub.threads('i1', touched(['a', 'b'], ['inbox']))
    hub.threads('i1', touched(['b', 'c'], ['inbox', 'archive']))
    hub.threads('i2', touched(['z']))
    hub.sync()
    hub.sync()
    expect(events).toEqual([])
    vi.advanceTimersByTime(16)
    expect(events).toEqual([
      {
        name: 'threads.changed',
        payload: {
          inboxId: 'i1',
          folders: ['inbox', 'archive'],
          labelIds: [],
          threadIds: ['a', 'b', 'c'],
          searches: [],
        },
      },
      {
        name: 'threads.changed',
        payload: { inboxId: 'i2', folders: [], labelIds: [], threadIds: ['z'], searches: [] },
      },
      { name: 'sync.changed', payload: status },
    ])
    vi.advanceTimersByTime(100)
    expect(events).toHaveLength(3)
  })

  it('names the inboxes only where the number of unread threads is another', () => {
    const { hub, events } = listen()
    hub.threads('i1', touched(['a'], ['inbox'], true))
    vi.advanceTimersByTime(16)
    expect(events[0]).toEqual({ name: 'inboxes.changed', payload: null })
  })

  it('says nothing where nothing changed', () => {
    const { hub, events } = listen()
    hub.threads('i1', touched([]))
    vi.advanceTimersByTime(100)
    expect(events).toEqual([])
  })

  it('tells what it has gathered when it ends, and nothing after that', () => {
    const { hub, events } = listen()
    hub.contacts()
    hub.close()
    expect(events).toHaveLength(1)
    hub.contacts()
    vi.advanceTimersByTime(100)
    expect(events).toHaveLength(1)
  })
})
