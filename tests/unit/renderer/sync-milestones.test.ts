import { describe, expect, it } from 'vitest'
import { SyncAnnouncer } from '../../../src/renderer/app/describe-status.ts'
import type { SyncStatus } from '../../../src/shared/model.ts'

const calm: SyncStatus = {
  connection: 'online',
  progress: null,
  lastSyncAt: 0,
  pendingChanges: 0,
  problem: null,
  waitingUntil: null,
  confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
}
const busy = (done: number, total: number): SyncStatus => ({ ...calm, progress: { done, total } })

/** Announcements for these states, one second apart. */
const listen = (...states: readonly SyncStatus[]): readonly string[] => {
  const milestones = new SyncAnnouncer()
  return states.flatMap((state, second) => milestones.next(state, second * 1000) ?? [])
}

describe('sync announcements', () => {
  it('announce the start and the end, but not the steps between', () => {
    const steps = Array.from({ length: 100 }, (_, step) => busy(step * 50, 5000))
    expect(listen(calm, ...steps, calm, calm)).toEqual(['Downloading 5,000 items.', 'All mail has been downloaded.'])
  })

  it('skip a few arriving e-mails', () => {
    expect(listen(calm, busy(0, 3), busy(2, 3), calm)).toEqual([])
  })

  it('announce a start once if syncs repeat', () => {
    expect(listen(busy(0, 500), calm, busy(0, 500), calm, busy(0, 500))).toEqual([
      'Downloading 500 items.',
      'All mail has been downloaded.',
    ])
  })

  it('announce lost and restored connections and problems once each', () => {
    const offline: SyncStatus = { ...calm, connection: 'offline' }
    expect(listen(calm, offline, offline, calm)).toEqual(['You are offline.', 'Online again.'])
    const behind: SyncStatus = { ...offline, problem: 'This network wants you to sign in first.' }
    expect(listen(calm, behind, behind)).toEqual(['You are offline. This network wants you to sign in first.'])
    const failing: SyncStatus = { ...calm, problem: 'The platform reported an error.' }
    expect(listen(calm, failing, failing, calm)).toEqual(['The platform reported an error.'])
  })
})
