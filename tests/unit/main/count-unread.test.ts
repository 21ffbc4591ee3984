import { expect, it } from 'vitest'
import { trackUnreadCount } from '../../../src/main/open-tray.ts'
import type { Host } from '../../../src/host/host.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { ok } from '../../../src/shared/result.ts'

const openHost = (keptInLists: 'always' | 'only-here' = 'always') => {
  let tell: (event: AddressedEvent) => void = () => undefined
  const asked: string[] = []
  const host: Pick<Host, 'call' | 'preferences' | 'subscribe'> = {
    call: (name, _input, { accountId }) => {
      asked.push(`${name} ${accountId ?? ''}`)
      const accounts = ['a', 'b', 'shut'].map((id) => ({ id, isOpen: id !== 'shut' }))
      const inboxes = [{ unread: 2, unreadLocalOnly: 1 }, { unread: 3 }]
      return Promise.resolve(ok(name === 'account.state' ? { accounts } : { inboxes }))
    },
    preferences: () => ({ ...DEFAULT_PREFERENCES, keptInLists }),
    subscribe: (listener) => {
      tell = listener
      return () => undefined
    },
  }
  return { host, asked, change: () => tell({ name: 'inboxes.changed', payload: null, accountId: 'a' }) }
}

it('counts unread threads of all open accounts when an inbox changes without a window', async () => {
  const { host, asked, change } = openHost()
  const shown = new Promise<number>((resolve) => trackUnreadCount(host, () => false, resolve))
  change()
  expect(await shown).toBe(10)
  expect(asked).toEqual(['account.state ', 'inbox.list a', 'inbox.list b'])
})

it('counts local-only threads as the window does', async () => {
  const { host, change } = openHost('only-here')
  const shown = new Promise<number>((resolve) => trackUnreadCount(host, () => false, resolve))
  change()
  expect(await shown).toBe(8)
})

it('leaves counting to an open window', () => {
  const { host, asked, change } = openHost()
  trackUnreadCount(
    host,
    () => true,
    () => undefined,
  )
  change()
  expect(asked).toEqual([])
})
