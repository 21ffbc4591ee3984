import { describe, expect, it } from 'vitest'
import { describeSync } from '../../../src/renderer/app/describe-status.ts'
import type { SyncStatus } from '../../../src/shared/model.ts'

const style = { locale: 'en-GB', timeZone: 'UTC' }
const now = Date.UTC(2026, 10, 20, 12)
const calm: SyncStatus = {
  connection: 'online',
  progress: null,
  lastSyncAt: now,
  pendingChanges: 0,
  problem: null,
  waitingUntil: null,
  confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
}

describe('status line', () => {
  it('says that a check the user asked for is running, unless its progress or a key problem matters more', () => {
    const spoken = (status: SyncStatus) => describeSync(status, now, style, true).connection
    expect(spoken(calm)).toBe('Checking for new mail…')
    expect(spoken({ ...calm, connection: 'offline' })).toBe('Checking for new mail…')
    expect(spoken({ ...calm, progress: { done: 1, total: 2 } })).toBe('Syncing 1 of 2')
    expect(spoken({ ...calm, connection: 'refused' })).toBe('Sign-in refused')
  })

  it('shows Online, Offline or sync progress', () => {
    expect(describeSync(calm, now, style).connection).toBe('Online')
    expect(describeSync({ ...calm, connection: 'offline' }, now, style).connection).toBe('Offline')
    const busy = { ...calm, progress: { done: 1240, total: 5000 } }
    expect(describeSync(busy, now, style).connection).toBe('Syncing 1,240 of 5,000')
  })

  it('shows Offline even with sync progress', () => {
    const cut = { ...calm, connection: 'offline' as const, progress: { done: 1, total: 2 } }
    expect(describeSync(cut, now, style).connection).toBe('Offline')
  })

  it('counts changes waiting to be sent and shows the last sync', () => {
    const waiting = { ...calm, lastSyncAt: now - 300_000, pendingChanges: 1 }
    expect(describeSync(waiting, now, style).facts).toEqual(['Synced 5 minutes ago', '1 change waiting to be sent'])
    expect(describeSync({ ...calm, lastSyncAt: null }, now, style).facts).toEqual(['Not synced yet'])
  })

  it('shows until when the platform asked to wait', () => {
    const { facts } = describeSync({ ...calm, waitingUntil: now + 30_000 }, now, style)
    expect(facts).toContain('Waiting for the platform until 12:00:30')
  })

  it('hides the last sync during a sync, and reports a rejected key', () => {
    expect(describeSync({ ...calm, progress: { done: 1, total: 2 } }, now, style).facts).toEqual([])
    expect(describeSync({ ...calm, connection: 'refused' }, now, style).connection).toBe('Sign-in refused')
  })

  it('shows problems, except a missing or rejected key that has its own banner', () => {
    const wrong = { ...calm, problem: 'The platform reported an error.' }
    expect(describeSync(wrong, now, style).problem).toBe('The platform reported an error.')
    expect(describeSync({ ...wrong, connection: 'offline' }, now, style).problem).toBe(wrong.problem)
    expect(describeSync({ ...wrong, connection: 'refused' }, now, style).problem).toBeNull()
    expect(describeSync({ ...wrong, connection: 'needsKey' }, now, style).problem).toBeNull()
  })
})
