import type { Host } from '../host/host.ts'
import type { AccountsState, CommandOutput } from '../shared/contract.ts'

/** Of whom the engine is asked here: no window. */
const CALLER = 'tray'

/** The unread threads of all inboxes that are open, as a window counts them (`account-manager.svelte.ts`). */
const countUnread = async (host: Pick<Host, 'call' | 'preferences'>): Promise<number | null> => {
  const state = await host.call('account.state', {}, { accountId: null, caller: CALLER })
  if (!state.ok) return null
  const open = (state.data as AccountsState).accounts.filter(({ isOpen }) => isOpen)
  const lists = await Promise.all(open.map(({ id }) => host.call('inbox.list', {}, { accountId: id, caller: CALLER })))
  const isApart = host.preferences().keptInLists === 'only-here'
  return lists
    .flatMap((list) => (list.ok ? (list.data as CommandOutput<'inbox.list'>).inboxes : []))
    .reduce((sum, { unread, unreadOnlyHere }) => sum + unread - (isApart ? (unreadOnlyHere ?? 0) : 0), 0)
}

/** While there is no window that counts, the count is followed here. */
export const followUnread = (
  host: Pick<Host, 'call' | 'preferences' | 'subscribe'>,
  hasWindow: () => boolean,
  show: (count: number) => void,
): void => {
  let latest = 0
  const count = async (): Promise<void> => {
    if (hasWindow()) return
    latest += 1
    const own = latest
    const unread = await countUnread(host)
    if (unread !== null && own === latest && !hasWindow()) show(Math.max(0, unread))
  }
  host.subscribe(({ name }) => {
    if (name === 'inboxes.changed' || name === 'account.changed') void count()
  })
}
