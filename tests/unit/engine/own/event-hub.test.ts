import { describe, expect, it } from 'vitest'
import { EventHub } from '../../../../src/engine/own/event-hub.ts'
import type { LinnetEvent } from '../../../../src/shared/contract.ts'
import type { SyncStatus } from '../../../../src/shared/model.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'

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
  localOnly: false,
  unread,
  arrived: new Map<string, number>(),
  moved: new Set<string>(),
})

describe('the event hub', () => {
  const listen = () => {
    const events: LinnetEvent[] = []
    const clock = createSteppedClock()
    const hub = new EventHub(
      (event) => events.push(event),
      () => status,
      undefined,
      undefined,
      clock,
    )
    return { hub, events, advance: clock.advance }
  }

  it('sends the changes of a frame once, each item once', async () => {
    const { hub, events, advance } = listen()
    hub.threads('i1', touched(['a', 'b'], ['inbox']))
    hub.threads('i1', touched(['b', 'c'], ['inbox', 'archive']))
    hub.threads('i2', touched(['z']))
    hub.sync()
    hub.sync()
    expect(events).toEqual([])
    await advance(16)
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
    await advance(100)
    expect(events).toHaveLength(3)
  })

  it('reports local moves, but not moves reported by the platform', async () => {
    const { hub, events, advance } = listen()
    const moved = (id: string) => ({ ...touched([id], ['inbox']), moved: new Set([id]) })
    hub.threads('i1', moved('here'), true)
    hub.threads('i1', moved('elsewhere'))
    hub.threads('i2', moved('elsewhere'))
    await advance(16)
    const payloads = events.map(({ payload }) => payload)
    expect(payloads).toMatchObject([{ threadIds: ['here', 'elsewhere'], movedLocally: ['here'] }, { inboxId: 'i2' }])
    expect(payloads[1]).not.toHaveProperty('movedLocally')
  })

  it('names inboxes only if their unread count changed', async () => {
    const { hub, events, advance } = listen()
    hub.threads('i1', touched(['a'], ['inbox'], true))
    await advance(16)
    expect(events[0]).toEqual({ name: 'inboxes.changed', payload: null })
  })

  it('sends nothing if nothing changed', async () => {
    const { hub, events, advance } = listen()
    hub.threads('i1', touched([]))
    await advance(100)
    expect(events).toEqual([])
  })

  it('sends its queue when it ends, and nothing after that', async () => {
    const { hub, events, advance } = listen()
    hub.contacts()
    hub.close()
    expect(events).toHaveLength(1)
    hub.contacts()
    await advance(100)
    expect(events).toHaveLength(1)
  })
})
