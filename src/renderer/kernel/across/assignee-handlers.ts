import { assigneeKey, type AssignedQuery } from '../../../shared/assignees.ts'
import type { HandlersAcross, OpenAccounts } from './open-accounts.ts'
import type { Places } from './places.ts'
import { anyOf, interleave, mapResult, sum } from './results.ts'

/** The people of all inboxes. Who somebody is may differ by account: each of their names is theirs. */
export const assigneeHandlers = (accounts: OpenAccounts, places: Places): HandlersAcross<'assignee'> => ({
  'assignee.list': async () => {
    const asked = (await places.all()).map(({ accountId, inbox }) =>
      accounts.of(accountId).call('assignee.list', { inboxId: inbox.id }),
    )
    return mapResult(anyOf(await Promise.all(asked)), (all) => ({
      me: interleave(
        all.map(({ me }) => me),
        assigneeKey,
      ),
      suggested: all.find(({ suggested }) => suggested !== null)?.suggested ?? null,
      writers: interleave(
        all.map(({ writers }) => writers),
        assigneeKey,
      ),
    }))
  },
  'assignee.unread': async () => {
    const asked = (await places.all()).map(({ accountId, inbox }) =>
      accounts.of(accountId).call('assignee.unread', { inboxId: inbox.id }),
    )
    return mapResult(anyOf(await Promise.all(asked)), (all) => {
      const sumOf = (query: AssignedQuery): number | null =>
        all.every((each) => each[query] === null) ? null : sum(all.map((each) => each[query] ?? 0))
      return { mine: sumOf('mine'), nobodys: sumOf('nobodys') }
    })
  },
})
