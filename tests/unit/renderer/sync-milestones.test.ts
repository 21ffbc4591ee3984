import { describe, expect, it } from 'vitest'
import { SyncMilestones } from '../../../src/renderer/app/sync-milestones.ts'
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

/** What is said of a row of states, one second apart. */
const listen = (...states: readonly SyncStatus[]): readonly string[] => {
  const milestones = new SyncMilestones()
  return states.flatMap((state, second) => milestones.next(state, second * 1000) ?? [])
}

describe('what is announced of sync', () => {
  it('is its beginning and its end, not the hundred steps between', () => {
    const steps = Array.from({ length: 100 }, (_, step) => busy(step * 50, 5000))
    expect(listen(calm, ...steps, calm, calm)).toEqual(['Downloading 5,000 items.', 'All mail is here.'])
  })

  it('is nothing where a few e-mails arrive', () => {
    expect(listen(calm, busy(0, 3), busy(2, 3), calm)).toEqual([])
  })

  it('is its beginning once, though it is done and begins anew', () => {
    expect(listen(busy(0, 500), calm, busy(0, 500), calm, busy(0, 500))).toEqual([
      'Downloading 500 items.',
      'All mail is here.',
    ])
  })

  it('is that the connection is lost and back, and what went wrong, once each', () => {
    const offline: SyncStatus = { ...calm, connection: 'offline' }
    expect(listen(calm, offline, offline, calm)).toEqual(['You are offline.', 'Online again.'])
    const behind: SyncStatus = { ...offline, problem: 'This network wants you to sign in first.' }
    expect(listen(calm, behind, behind)).toEqual(['You are offline. This network wants you to sign in first.'])
    const failing: SyncStatus = { ...calm, problem: 'The platform reported an error.' }
    expect(listen(calm, failing, failing, calm)).toEqual(['The platform reported an error.'])
  })
})
