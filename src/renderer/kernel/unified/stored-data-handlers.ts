import { KIND_TABS } from '../../../shared/inbox-tabs.ts'
import { ok } from '../../../shared/result.ts'
import { toUnifiedInboxId, joinIds } from './unified-ids.ts'
import { SINGLE_ACCOUNT_ERROR, type UnifiedHandlers, type OpenAccounts } from './open-accounts.ts'
import type { OpenInboxes } from './open-inboxes.ts'
import { interleave, mapResult, sum } from './results.ts'

/** Handlers for per-account data such as searches, rules, snippets and exports, and for account problems. */
export const createStoredDataHandlers = (
  accounts: OpenAccounts,
  places: OpenInboxes,
): UnifiedHandlers<'recentSearch'> &
  UnifiedHandlers<'savedSearch'> &
  UnifiedHandlers<'inboxTab'> &
  UnifiedHandlers<'rule'> &
  UnifiedHandlers<'export'> &
  UnifiedHandlers<'snippet'> &
  UnifiedHandlers<'cannedReply'> &
  UnifiedHandlers<'template'> &
  UnifiedHandlers<'assistant'> &
  UnifiedHandlers<'problem'> => ({
  'recentSearch.list': async () =>
    mapResult(await accounts.gather((account) => account.call('recentSearch.list', {})), (lists) =>
      interleave(lists, ({ text }) => text).slice(0, 20),
    ),
  // Saved searches belong to an inbox, rules and exports to an account. The combined view requests none of them.
  'savedSearch.list': () => Promise.resolve(ok([])),
  // Tabs of saved searches belong to an inbox too, so the combined inbox only has the tabs for kinds of mail.
  'inboxTab.list': async () => {
    const answers = await places.gather((account, inboxId) => account.call('inboxTab.list', { inboxId }))
    const lists = answers.ok ? answers.data : []
    return ok(
      KIND_TABS.map((tab) => {
        const counts = lists.map((tabs) => tabs.find(({ id }) => id === tab.id)?.unread ?? null)
        return {
          ...tab,
          unread: counts.some((count) => count === null) ? null : sum(counts.map((count) => count ?? 0)),
        }
      }),
    )
  },
  'rule.list': () => Promise.resolve(ok([])),
  'rule.log': () => Promise.resolve(ok([])),
  'export.list': () => Promise.resolve(ok([])),
  'assistant.proposals': async () => {
    const all = await accounts.gather(async (account, accountId) =>
      mapResult(await account.call('assistant.proposals', {}), (proposals) =>
        proposals.map((proposal) => ({
          ...proposal,
          id: joinIds([{ accountId, id: proposal.id }]),
          inboxId: toUnifiedInboxId(accountId, proposal.inboxId),
        })),
      ),
    )
    return mapResult(all, (lists) => lists.flat())
  },
  'snippet.list': async () => {
    const any = await accounts.gather(async (account, accountId) =>
      mapResult(await account.call('snippet.list', {}), ({ signatures, cannedReplies }) => ({
        signatures: signatures.map((each) => ({ ...each, inboxId: toUnifiedInboxId(accountId, each.inboxId) })),
        cannedReplies: cannedReplies.map((each) => ({ ...each, id: joinIds([{ accountId, id: each.id }]) })),
      })),
    )
    return mapResult(any, (all) => ({
      signatures: all.flatMap(({ signatures }) => signatures),
      cannedReplies: all.flatMap(({ cannedReplies }) => cannedReplies),
    }))
  },
  'cannedReply.save': async ({ id, ...reply }) => {
    if (id === null) return SINGLE_ACCOUNT_ERROR
    const saved = await accounts.callOwner({ ...reply, id }, (account, localInput) =>
      account.call('cannedReply.save', localInput),
    )
    return mapResult(saved, (localInput) => ({ ...localInput, id }))
  },
  'template.list': () => accounts.join((account) => account.call('template.list', {})),
  'problem.list': async () =>
    mapResult(await accounts.join((account) => account.call('problem.list', {})), (problems) =>
      problems.toSorted((a, b) => a.at - b.at),
    ),
})
