import { FOLDERS, type Inbox } from '../../../shared/model.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { Events } from '../../../shared/contract.ts'
import type { Backend } from '../backend.ts'
import { ALL_INBOXES, joinIds, type AccountScopedId } from './unified-ids.ts'
import type { UnifiedChanges } from './unified-changes.ts'
import type { UnifiedLabels } from './unified-labels.ts'
import type { UnifiedHandlers, OpenAccounts } from './open-accounts.ts'
import type { OpenInbox, OpenInboxes } from './open-inboxes.ts'
import { combineResults, mapResult, sum } from './results.ts'

const unifiedInbox = (places: readonly OpenInbox[]): Inbox => ({
  id: ALL_INBOXES,
  name: 'All inboxes',
  emailAddress: '',
  unread: sum(places.map(({ inbox }) => inbox.unread)),
  localOnly: sum(places.map(({ inbox }) => inbox.localOnly)),
  unreadLocalOnly: sum(places.map(({ inbox }) => inbox.unreadLocalOnly)),
  starred: sum(places.map(({ inbox }) => inbox.starred)),
  snoozed: sum(places.map(({ inbox }) => inbox.snoozed)),
  onServer: places.length === 0 || places.some(({ inbox }) => inbox.onServer),
})

interface Parts {
  readonly accounts: OpenAccounts
  readonly places: OpenInboxes
  readonly labels: UnifiedLabels
  readonly changes: UnifiedChanges
}

/** @param onThreadsChanged called when the set of inboxes, and with it every list, has changed */
export const createInboxHandlers = (
  { accounts, places, labels, changes }: Parts,
  onThreadsChanged: (payload: Events['threads.changed']) => void,
): UnifiedHandlers<'inbox'> & UnifiedHandlers<'label'> => {
  /** Inboxes at the last read. */
  let listed: string | null = null
  const notifyAll = async (): Promise<void> => {
    const labelIds = (await labels.all()).map(({ id }) => id)
    onThreadsChanged({
      inboxId: ALL_INBOXES,
      folders: FOLDERS,
      labelIds,
      localOnly: true,
      threadIds: [],
      searches: null,
    })
  }
  /** Changes a label in every inbox that has a label of that name: in all of them or in none. */
  const changeLabel = async <Output extends { readonly changeId: string }>(
    labelId: string,
    change: (
      account: Backend,
      localInput: { readonly inboxId: string; readonly labelId: string },
    ) => Promise<Result<Output>>,
  ): Promise<Result<{ readonly changeId: string; readonly outputs: readonly Output[] }>> => {
    const done: AccountScopedId[] = []
    const results: Result<Output>[] = []
    for (const { place, labelId: here } of await labels.holders(labelId)) {
      const { accountId, inbox } = place
      const result = await change(accounts.of(accountId), { inboxId: inbox.id, labelId: here })
      results.push(result)
      if (!result.ok) break
      done.push({ accountId, id: result.data.changeId })
    }
    places.forgetLabels()
    const all = combineResults(results)
    if (all.ok) return ok({ changeId: changes.join(done), outputs: all.data })
    await changes.undo(joinIds(done))
    return all
  }

  return {
    'inbox.list': async () => {
      places.forget()
      const all = await places.all()
      const now = JSON.stringify(all.map(({ accountId, inbox }) => [accountId, inbox.id]))
      if (listed !== null && listed !== now) void notifyAll()
      listed = now
      return ok({ inboxes: [unifiedInbox(all)], freshness: { state: 'live', at: Date.now() } })
    },
    'label.list': async () => ok(await labels.all()),
    'label.create': ({ name, color }) => labels.create(name, color),
    'label.update': async ({ labelId, name, color }) =>
      mapResult(
        await changeLabel(labelId, (account, localInput) =>
          account.call('label.update', { ...localInput, name, color }),
        ),
        ({ changeId }) => ({ changeId }),
      ),
    'label.usage': async ({ labelId }) => {
      const asked = (await labels.holders(labelId)).map(({ place: { accountId, inbox }, labelId: here }) =>
        accounts.of(accountId).call('label.usage', { inboxId: inbox.id, labelId: here }),
      )
      return mapResult(combineResults(await Promise.all(asked)), (usages) => ({
        labelId,
        threads: sum(usages.map(({ threads }) => threads)),
      }))
    },
    'label.delete': async ({ labelId }) =>
      mapResult(
        await changeLabel(labelId, (account, localInput) => account.call('label.delete', localInput)),
        ({ changeId, outputs }) => ({ changeId, threads: sum(outputs.map(({ threads }) => threads)) }),
      ),
  }
}
