import { ok } from '../../../shared/result.ts'
import type { DraftSummary } from '../../../shared/writing.ts'
import { ACROSS, inboxIdAcross, joinIds, placeOfInbox, placeOfThread, threadIdAcross } from './across-ids.ts'
import { ONE_ACCOUNT, type HandlerAcross, type HandlersAcross, type OpenAccounts } from './open-accounts.ts'
import { mapResult } from './results.ts'

/** The draft says which inbox is From, and of which account. */
const draftAcross = <Each extends DraftSummary>(accountId: string, draft: Each): Each => ({
  ...draft,
  id: joinIds([{ accountId, id: draft.id }]),
  inboxId: inboxIdAcross(accountId, draft.inboxId),
  target: draft.target && {
    ...draft.target,
    threadId: threadIdAcross({ accountId, inboxId: draft.inboxId, threadId: draft.target.threadId }),
  },
})

export const draftHandlers = (accounts: OpenAccounts): HandlersAcross<'draft'> => {
  const ofWhole =
    <Name extends 'draft.open' | 'draft.settle' | 'draft.cancelSending'>(name: Name): HandlerAcross<Name> =>
    (input) =>
      accounts.ofOwner(input, async (account, there, accountId) =>
        mapResult(await account.call(name, there), (draft) => draftAcross(accountId, draft)),
      )
  return {
    'draft.list': async ({ inboxId, ...how }) => {
      const at = inboxId === undefined || inboxId === ACROSS ? null : placeOfInbox(inboxId)
      const any = await accounts.gather(async (account, accountId) => {
        if (at !== null && at.accountId !== accountId) return ok([])
        const result = await account.call('draft.list', at === null ? how : { ...how, inboxId: at.inboxId })
        return mapResult(result, (drafts) => drafts.map((draft) => draftAcross(accountId, draft)))
      })
      return mapResult(any, (lists) => lists.flat().toSorted((a, b) => b.updatedAt - a.updatedAt))
    },
    'draft.create': async ({ inboxId, target, ...rest }) => {
      const thread = target === null ? null : placeOfThread(target.threadId)
      // A new message goes from the inbox that it names; an answer from that of its conversation.
      const at = thread ?? placeOfInbox(inboxId)
      if (at === null || !accounts.ids().includes(at.accountId)) return ONE_ACCOUNT
      const { accountId } = at
      const there = target === null || thread === null ? target : { ...target, threadId: thread.threadId }
      return mapResult(
        await accounts.of(accountId).call('draft.create', { ...rest, inboxId: at.inboxId, target: there }),
        (created) => ({ ...created, draftId: joinIds([{ accountId, id: created.draftId }]) }),
      )
    },
    'draft.open': ofWhole('draft.open'),
    'draft.settle': ofWhole('draft.settle'),
    'draft.cancelSending': ofWhole('draft.cancelSending'),
  }
}
