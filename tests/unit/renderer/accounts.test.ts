import { describe, expect, it } from 'vitest'
import { describeAccountStatus, listStoredAccounts } from '../../../src/renderer/features/accounts/describe-account.ts'
import { findInboxNumber } from '../../../src/renderer/features/accounts/numbered-inboxes.ts'
import type { AccountInbox } from '../../../src/renderer/kernel/account-manager.svelte.ts'
import type { ConnectedAccount } from '../../../src/shared/contract.ts'
import type { Inbox, SyncStatus } from '../../../src/shared/model.ts'
import type { Problem } from '../../../src/shared/result.ts'

const account = (id: string, given: Partial<ConnectedAccount> = {}): ConnectedAccount => ({
  id,
  baseUrl: 'https://mail.example',
  kind: 'platform',
  name: null,
  color: '#5B5BD6',
  addresses: [],
  isOpen: true,
  isKeyTested: true,
  isSignedIn: false,
  isFromEnvironment: false,
  problem: null,
  ...given,
})

const inbox = (id: string): Inbox => ({ id, name: null, emailAddress: `${id}@mail.example`, unread: 0 }) as Inbox

const inboxes = (accountId: string, ids: readonly string[]): readonly AccountInbox[] =>
  ids.map((id) => ({ account: account(accountId), inbox: inbox(id) }))

it('gives nine inboxes a key, and treats one ID in two accounts as two inboxes', () => {
  const many = Array.from({ length: 8 }, (_none, index) => `inbox-${index}`)
  const found = [...inboxes('first', many), ...inboxes('second', ['inbox-0', 'last'])]
  expect(findInboxNumber(found, 'first', 'inbox-0')).toBe(1)
  expect(findInboxNumber(found, 'second', 'inbox-0')).toBe(9)
  expect(findInboxNumber(found, 'second', 'last')).toBeNull()
  expect(findInboxNumber(found, 'third', 'inbox-0')).toBeNull()
})

describe('the state of an account', () => {
  const online = { connection: 'online', progress: null, problem: null } as const
  const problem: Problem = { code: 'internal', message: 'Its file is damaged.' }

  it.each<readonly [string, Partial<ConnectedAccount>, Pick<SyncStatus, 'connection' | 'progress' | 'problem'> | null]>(
    [
      ['online Online', {}, online],
      ['syncing Connecting', {}, null],
      ['syncing Syncing 24%', {}, { ...online, progress: { done: 1240, total: 5000 } }],
      ['syncing Syncing 99%', {}, { ...online, progress: { done: 5000, total: 5000 } }],
      ['syncing Syncing', {}, { ...online, progress: { done: 0, total: 0 } }],
      ['offline Offline', {}, { ...online, connection: 'offline', progress: { done: 1, total: 2 } }],
      ['offline Offline: Sign in first.', {}, { ...online, connection: 'offline', problem: 'Sign in first.' }],
      ['offline Offline: API key not verified yet.', { isKeyTested: false }, { ...online, connection: 'offline' }],
      ['offline Offline: Not trusted.', {}, { ...online, connection: 'offline', problem: 'Not trusted.' }],
      ['key Not signed in', {}, { ...online, connection: 'needsKey' }],
      ['key Not signed in: Its file is damaged.', { problem }, { ...online, connection: 'needsKey' }],
      ['key Sign-in refused: It was revoked.', {}, { ...online, connection: 'refused', problem: 'It was revoked.' }],
      ['problem Problem: It answers a web page.', {}, { ...online, problem: 'It answers a web page.' }],
      ['problem Could not be opened: Its file is damaged.', { isOpen: false, problem }, online],
      ['problem Could not be opened', { isOpen: false }, null],
    ],
  )('is shown as "%s"', (told, given, sync) => {
    const { sign, words, detail } = describeAccountStatus(account('a', given), sync)
    expect(`${sign} ${words}${detail === null ? '' : `: ${detail}`}`).toBe(told)
  })
})

it('lists mail without an account, but not that of an account that failed to open', () => {
  const name = (id: string) => ({ id, baseUrl: 'https://mail.example', addresses: [] })
  const state = {
    accounts: [account('open'), account('closed', { isOpen: false })],
    known: [name('closed'), name('left')],
  }
  expect(listStoredAccounts(state).map(({ id }) => id)).toEqual(['left'])
  expect(listStoredAccounts(null)).toEqual([])
})
