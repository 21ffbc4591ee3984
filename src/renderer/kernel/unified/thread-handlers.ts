import { countPerFolder } from '../../../shared/folder-counts.ts'
import type { WithThread, Label, ThreadPage } from '../../../shared/model.ts'
import { ok } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import { ALL_INBOXES, parseUnifiedThreadId, toUnifiedThreadId } from './unified-ids.ts'
import type { UnifiedChanges } from './unified-changes.ts'
import { toUnifiedLabel, type UnifiedLabels } from './unified-labels.ts'
import type { UnifiedHandlers, OpenAccounts } from './open-accounts.ts'
import type { OpenInboxes } from './open-inboxes.ts'
import { collectSuccesses, mapResult, sum } from './results.ts'

const NO_THREADS: ThreadPage = {
  items: [],
  offset: 0,
  total: 0,
  hasMore: false,
  freshness: { state: 'live', at: null },
  searched: null,
}

interface ThreadOfAccount {
  readonly id: string
  readonly inboxId: string
  readonly labels: readonly Label[]
}

export const toUnifiedThread = <Thread extends ThreadOfAccount>(accountId: string, thread: Thread): Thread => ({
  ...thread,
  id: toUnifiedThreadId({ accountId, inboxId: thread.inboxId, threadId: thread.id }),
  inboxId: ALL_INBOXES,
  // A new label may coincide with one of the same name that someone else created.
  labels: [...new Map(thread.labels.map((label) => [label.name, toUnifiedLabel(label)])).values()],
})

export const toUnifiedInThread = <Email>(accountId: string, email: WithThread<Email>): WithThread<Email> => {
  const { inThread } = email
  if (inThread === null || inThread === 'unknown') return email
  return { ...email, inThread: { ...inThread, thread: toUnifiedThread(accountId, inThread.thread) } }
}

interface Parts {
  readonly accounts: OpenAccounts
  readonly places: OpenInboxes
  readonly labels: UnifiedLabels
  readonly changes: UnifiedChanges
}

export const createThreadHandlers = (
  rootBackend: Backend,
  { accounts, places, labels, changes }: Parts,
): UnifiedHandlers<'thread'> & UnifiedHandlers<'change'> => ({
  'thread.list': async ({ query, held, excerpts: _excerpts, ...window }) => {
    const lists = (await labels.partsOf(query)).map(({ place: { accountId }, query: here }) => ({
      accountId,
      query: here,
    }))
    // Without inboxes nothing is known; if no inbox has the label, the list is empty.
    const none = { ...NO_THREADS, offset: window.offset }
    if ((await places.all()).length === 0) return ok({ ...none, freshness: { state: 'never', at: null } })
    if (lists.length === 0) return ok(none)
    const heldPlaces = held?.flatMap((id) => parseUnifiedThreadId(id) ?? [])
    const result = await rootBackend.call('thread.listAcross', {
      lists,
      ...window,
      ...(heldPlaces && { held: heldPlaces.map(({ accountId, threadId }) => ({ accountId, threadId })) }),
    })
    return mapResult(result, ({ failed: _failed, ...page }) => ({
      ...page,
      items: page.items.map(({ accountId, ...thread }) => toUnifiedThread(accountId, thread)),
    }))
  },
  'thread.excerpts': async ({ query, found }) => {
    const places = found.flatMap(({ threadId, emailId }) => {
      const at = parseUnifiedThreadId(threadId)
      return at === null ? [] : [{ ...at, emailId }]
    })
    // One account at a time, in row order: callers request the rest again.
    const [first] = places
    if (first === undefined) return ok([])
    const { accountId, inboxId } = first
    const here = places.filter((place) => place.accountId === accountId && place.inboxId === inboxId)
    const asked = await accounts.of(accountId).call('thread.excerpts', {
      query: { ...query, inboxIds: [inboxId], labelIds: [], assignedTo: null, notAssignedTo: [] },
      found: here.map(({ threadId, emailId }) => ({ threadId, emailId })),
    })
    return mapResult(asked, (excerpts) =>
      excerpts.map((excerpt) => ({
        ...excerpt,
        threadId: toUnifiedThreadId({ accountId, inboxId, threadId: excerpt.threadId }),
      })),
    )
  },
  'thread.searchAgain': async ({ query }) => {
    const asked = (await labels.partsOf(query)).map(({ place, query: here }) =>
      accounts.of(place.accountId).call('thread.searchAgain', { query: here }),
    )
    return mapResult(collectSuccesses(await Promise.all(asked)), () => null)
  },
  'thread.countByFolder': async ({ query }) => {
    const asked = (await labels.partsOf(query)).map(({ place, query: here }) =>
      accounts.of(place.accountId).call('thread.countByFolder', { query: here }),
    )
    if (asked.length === 0) return ok({ folders: countPerFolder(() => 0), isWhole: true })
    return mapResult(collectSuccesses(await Promise.all(asked)), (counts) => {
      return {
        folders: countPerFolder((folder) => sum(counts.map(({ folders }) => folders[folder]))),
        isWhole: counts.length === asked.length && counts.every(({ isWhole }) => isWhole),
      }
    })
  },
  'thread.matchedEmail': async ({ query, threadId }) => {
    const at = parseUnifiedThreadId(threadId)
    const place = (await places.all()).find(
      ({ accountId, inbox }) => accountId === at?.accountId && inbox.id === at.inboxId,
    )
    const here = place === undefined ? null : await labels.translateQuery(place, query)
    if (at === null || here === null) return ok(null)
    return accounts.of(at.accountId).call('thread.matchedEmail', { query: here, threadId: at.threadId })
  },
  'thread.open': (input) =>
    accounts.callOwner(input, async (account, localInput, accountId) => {
      accounts.open(accountId)
      return mapResult(await account.call('thread.open', localInput), ({ thread, emails, ...rest }) => ({
        ...rest,
        thread: toUnifiedThread(accountId, thread),
        emails: emails.map((email) => ({ ...email, threadId: input.threadId })),
      }))
    }),
  'thread.change': (input) => changes.change(input),
  'thread.countKept': (chosen) => changes.runLocalOnly('thread.countKept', chosen),
  'thread.deleteKept': (chosen) => changes.runLocalOnly('thread.deleteKept', chosen),
  'change.undo': ({ changeId }) => changes.undo(changeId),
  'change.cancel': ({ changeId }) => changes.cancel(changeId),
  'change.underWay': () => changes.running(),
})
