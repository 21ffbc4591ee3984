import {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type CommandsRoutedAs,
  contract,
  type EventName,
  type Events,
} from '../../../shared/contract.ts'
import { ok, type Result, toProblem } from '../../../shared/result.ts'
import type { Backend } from '../backend.ts'
import {
  ALL_INBOXES,
  toUnifiedInboxId,
  joinIds,
  toUnifiedLabelId,
  parseUnifiedInboxId,
  parseUnifiedThreadId,
  toUnifiedThreadId,
} from './unified-ids.ts'
import { UnifiedChanges } from './unified-changes.ts'
import { createInboxHandlers } from './inbox-handlers.ts'
import { createStoredDataHandlers } from './stored-data-handlers.ts'
import { UnifiedLabels } from './unified-labels.ts'
import {
  type UnifiedHandler,
  type UnifiedHandlers,
  type OwnerFields,
  SINGLE_ACCOUNT_ERROR,
  OpenAccounts,
} from './open-accounts.ts'
import { OpenInboxes } from './open-inboxes.ts'
import { interleave, mapResult, sum } from './results.ts'
import { UnifiedSync } from './unified-sync.ts'
import { toUnifiedInThread, toUnifiedThread, createThreadHandlers } from './thread-handlers.ts'
import { type AssignedQuery, toAssigneeKey } from '../../../shared/assignees.ts'
import { isMarkLabel } from '../../../shared/thread-marks.ts'
import type { DraftSummary } from '../../../shared/drafts.ts'

type Joined = { readonly [Name in CommandsRoutedAs<'joined'>]: UnifiedHandler<Name> }

type Listener = (payload: never, accountId: string | null) => void

/** Assignees of all inboxes. A user's name may differ by account, so `me` has all of them. */
const assigneeHandlers = (places: OpenInboxes): UnifiedHandlers<'assignee'> => ({
  'assignee.list': async () => {
    const found = await places.gather((account, inboxId) => account.call('assignee.list', { inboxId }))
    return mapResult(found, (all) => ({
      me: interleave(
        all.map(({ me }) => me),
        toAssigneeKey,
      ),
      suggested: all.find(({ suggested }) => suggested !== null)?.suggested ?? null,
      writers: interleave(
        all.map(({ writers }) => writers),
        toAssigneeKey,
      ),
    }))
  },
  'assignee.unread': async () => {
    const found = await places.gather((account, inboxId) => account.call('assignee.unread', { inboxId }))
    return mapResult(found, (all) => {
      const sumOf = (query: AssignedQuery): number | null =>
        all.every((each) => each[query] === null) ? null : sum(all.map((each) => each[query] ?? 0))
      return { mine: sumOf('mine'), nobodys: sumOf('nobodys') }
    })
  },
})

/** The inbox ID includes the account. */
const unifiedDraft = <Each extends DraftSummary>(accountId: string, draft: Each): Each => ({
  ...draft,
  id: joinIds([{ accountId, id: draft.id }]),
  inboxId: toUnifiedInboxId(accountId, draft.inboxId),
  target: draft.target && {
    ...draft.target,
    threadId: toUnifiedThreadId({ accountId, inboxId: draft.inboxId, threadId: draft.target.threadId }),
  },
})

const draftHandlers = (accounts: OpenAccounts): UnifiedHandlers<'draft'> => {
  const wholeDraftHandler =
    <Name extends 'draft.open' | 'draft.settle' | 'draft.cancelSending'>(name: Name): UnifiedHandler<Name> =>
    (input) =>
      accounts.callOwner(input, async (account, localInput, accountId) =>
        mapResult(await account.call(name, localInput), (draft) => unifiedDraft(accountId, draft)),
      )
  return {
    'draft.list': async ({ inboxId, ...how }) => {
      const at = inboxId === undefined || inboxId === ALL_INBOXES ? null : parseUnifiedInboxId(inboxId)
      const any = await accounts.gather(async (account, accountId) => {
        if (at !== null && at.accountId !== accountId) return ok([])
        const result = await account.call('draft.list', at === null ? how : { ...how, inboxId: at.inboxId })
        return mapResult(result, (drafts) => drafts.map((draft) => unifiedDraft(accountId, draft)))
      })
      return mapResult(any, (lists) => lists.flat().toSorted((a, b) => b.updatedAt - a.updatedAt))
    },
    'draft.create': async ({ inboxId, target, ...rest }) => {
      const thread = target === null ? null : parseUnifiedThreadId(target.threadId)
      // A new message names its inbox; a reply uses that of its conversation.
      const at = thread ?? parseUnifiedInboxId(inboxId)
      if (at === null || !accounts.ids().includes(at.accountId)) return SINGLE_ACCOUNT_ERROR
      const { accountId } = at
      const localInput = target === null || thread === null ? target : { ...target, threadId: thread.threadId }
      return mapResult(
        await accounts.of(accountId).call('draft.create', { ...rest, inboxId: at.inboxId, target: localInput }),
        (created) => ({ ...created, draftId: joinIds([{ accountId, id: created.draftId }]) }),
      )
    },
    'draft.open': wholeDraftHandler('draft.open'),
    'draft.settle': wholeDraftHandler('draft.settle'),
    'draft.cancelSending': wholeDraftHandler('draft.cancelSending'),
  }
}

/** Translates an account's events for the combined view; events without an entry pass unchanged. */
type UnifiedEvents = {
  readonly [Name in EventName]?: (accountId: string, payload: Events[Name]) => Promise<Events[Name]> | Events[Name]
}

const unifiedEvents = (places: OpenInboxes, labels: UnifiedLabels, sync: UnifiedSync): UnifiedEvents => ({
  'threads.changed': async (accountId, { inboxId, threadIds, movedLocally, labelIds, searches, ...rest }) => {
    const before = places.lastLabels(accountId, inboxId)
    // `labels.changed` comes first, so this includes new and renamed labels.
    const after = labelIds.every(isMarkLabel) ? [] : await places.labels({ accountId, inbox: { id: inboxId } })
    const names = [...before, ...after].flatMap(({ id, name }) => (labelIds.includes(id) ? [name] : []))
    return {
      ...rest,
      inboxId: ALL_INBOXES,
      threadIds: threadIds.map((threadId) => toUnifiedThreadId({ accountId, inboxId, threadId })),
      ...(movedLocally && {
        movedLocally: movedLocally.map((threadId) => toUnifiedThreadId({ accountId, inboxId, threadId })),
      }),
      labelIds: [
        // Marks have the same ID in every inbox.
        ...labelIds.filter(isMarkLabel),
        ...new Set(names.map(toUnifiedLabelId)),
      ],
      // A combined search has a different key than its parts.
      searches: searches?.length === 0 ? [] : null,
    }
  },
  'change.commanded': (accountId, { changeId, threads }) => ({
    changeId: joinIds([{ accountId, id: changeId }]),
    threads,
  }),
  'emails.changed': (accountId, { inboxId, threadIds }) => ({
    inboxId: ALL_INBOXES,
    threadIds: threadIds.map((threadId) => toUnifiedThreadId({ accountId, inboxId, threadId })),
  }),
  // A draft is listed both under its inbox and in the combined list.
  'drafts.changed': (accountId, { inboxIds }) => ({
    inboxIds: [ALL_INBOXES, ...inboxIds.map((inboxId) => toUnifiedInboxId(accountId, inboxId))],
  }),
  'draft.sent': (accountId, { draftId, inboxId, threadId, emailId }) => ({
    draftId: joinIds([{ accountId, id: draftId }]),
    inboxId: ALL_INBOXES,
    threadId: threadId === null ? null : toUnifiedThreadId({ accountId, inboxId, threadId }),
    emailId,
  }),
  'labels.changed': async (accountId, { inboxId }) => {
    const renamed = await places.rereadLabels(accountId, inboxId)
    const left = await labels.all()
    // If another inbox still uses the old name, that label remains.
    const gone = renamed.filter(({ was }) => left.every(({ name }) => name !== was))
    const replaced = gone.map(({ was, name }) => ({ was: toUnifiedLabelId(was), id: toUnifiedLabelId(name) }))
    return { inboxId: ALL_INBOXES, replaced }
  },
  'sync.changed': (accountId, status) => sync.changed(accountId, status),
})

const peopleHandlers = (
  accounts: OpenAccounts,
  places: OpenInboxes,
): UnifiedHandlers<'person'> &
  UnifiedHandlers<'contact'> &
  UnifiedHandlers<'contactTable'> &
  UnifiedHandlers<'topic'> &
  UnifiedHandlers<'suppression'> => {
  const person =
    <Name extends 'person.get' | 'person.refresh'>(name: Name): UnifiedHandler<Name> =>
    (input) =>
      accounts.callActive(async (account, accountId) =>
        mapResult(await account.call(name, input), (found) => ({
          ...found,
          threads: found.threads.map((thread) => toUnifiedThread(accountId, thread)),
          sent: found.sent.map((email) => toUnifiedInThread(accountId, email)),
        })),
      )
  const undoable = <Output extends { readonly changeId: string }>(
    ask: (account: Backend) => Promise<Result<Output>>,
  ): Promise<Result<Output>> =>
    accounts.callActive(async (account, accountId) =>
      mapResult(await ask(account), (receipt) => ({
        ...receipt,
        changeId: joinIds([{ accountId, id: receipt.changeId }]),
      })),
    )
  return {
    'person.get': person('person.get'),
    'person.refresh': person('person.refresh'),
    'person.suggest': async (input) => {
      if (!('inboxId' in input)) return accounts.callActive((account) => account.call('person.suggest', input))
      const found = await places.gather((account, inboxId) => account.call('person.suggest', { ...input, inboxId }))
      return mapResult(found, (people) =>
        interleave(people, ({ address }) => address.toLowerCase()).slice(0, input.limit),
      )
    },
    'contact.ofAddress': async (input) =>
      mapResult(
        await accounts.gather((account) => account.call('contact.ofAddress', input)),
        (found) => found.find((contact) => contact !== null) ?? null,
      ),
    'contact.add': (input) => undoable((account) => account.call('contact.add', input)),
    'contact.update': (input) => undoable((account) => account.call('contact.update', input)),
    'contact.delete': (input) => undoable((account) => account.call('contact.delete', input)),
    'contact.setSegments': (input) => undoable((account) => account.call('contact.setSegments', input)),
    'suppression.remove': (input) =>
      accounts.callOwner(input, async (account, localInput, accountId) =>
        mapResult(await account.call('suppression.remove', localInput), ({ changeId }) => ({
          changeId: joinIds([{ accountId, id: changeId }]),
        })),
      ),
    'contactTable.import': (input) => undoable((account) => account.call('contactTable.import', input)),
    'topic.setForMany': (input) => undoable((account) => account.call('topic.setForMany', input)),
    'topic.create': (input) => undoable((account) => account.call('topic.create', input)),
    'topic.update': (input) => undoable((account) => account.call('topic.update', input)),
    'topic.delete': (input) => undoable((account) => account.call('topic.delete', input)),
    'contact.setTopic': (input) => undoable((account) => account.call('contact.setTopic', input)),
  }
}

/**
 * Backend for all open accounts as if they were one, with a single inbox (`ALL_INBOXES`) containing all threads, so
 * lists, search, selection, keys and undo work unchanged. Labels of the same name are combined. IDs of threads, labels
 * and changes include the account (`unified-ids`). The contract defines how each command is routed; `joined` commands
 * have a handler here.
 * @param rootBackend backend without an account
 * @param accountIds IDs of the currently open accounts, in the user's order
 */
export const createUnifiedBackend = (rootBackend: Backend, accountIds: () => readonly string[]): Backend => {
  const ownListeners = new Map<EventName, readonly Listener[]>()
  const emit = <Name extends EventName>(name: Name, payload: Events[Name]): void => {
    for (const handler of ownListeners.get(name) ?? []) handler(payload as never, null)
  }
  const accounts = new OpenAccounts(rootBackend, accountIds)
  const places = new OpenInboxes(accounts)
  const labels = new UnifiedLabels(accounts, places, () =>
    emit('labels.changed', { inboxId: ALL_INBOXES, replaced: [] }),
  )
  const changes = new UnifiedChanges(accounts, places, labels)
  const sync = new UnifiedSync(accounts)
  const parts = { accounts, places, labels, changes }
  const joined: Joined = {
    ...createInboxHandlers(parts, (payload) => emit('threads.changed', payload)),
    ...createThreadHandlers(rootBackend, parts),
    ...draftHandlers(accounts),
    ...peopleHandlers(accounts, places),
    ...assigneeHandlers(places),
    ...createStoredDataHandlers(accounts, places),
    'sync.status': () => sync.read(),
    // Not passed on: the window reports its activity to each account separately.
    'window.activity': () => Promise.resolve(ok(null)),
  }
  const translate = unifiedEvents(places, labels, sync)

  const call = async <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ): Promise<Result<CommandOutput<Name>>> => {
    switch (contract[name].across) {
      case 'window':
        return rootBackend.call(name, input)
      case 'owner':
        return accounts.callOwner(input as CommandInput<Name> & OwnerFields, (account, localInput) =>
          account.call(name, localInput),
        )
      case 'open':
        return accounts.callActive((account) => account.call(name, input))
      case 'each':
        return mapResult(
          await accounts.gather((account) => account.call(name, input)),
          // Broadcast commands return null.
          () => null as CommandOutput<Name>,
        )
      case 'refused':
        return SINGLE_ACCOUNT_ERROR
      case 'joined': {
        // The contract ties this name to this handler; TypeScript can't follow such a union of functions.
        const handler = joined[name as CommandsRoutedAs<'joined'>] as unknown as UnifiedHandler<Name>
        return handler(input)
      }
    }
  }

  const createScope = (on: Backend, ending: AbortSignal | null): Backend => ({
    call: (name, input) => call(name, input).catch((thrown: unknown) => ({ ok: false, error: toProblem(thrown) })),
    on: <Name extends EventName>(name: Name, handler: (payload: Events[Name], accountId: string | null) => void) => {
      let isEnded = false
      const own: Listener = handler
      ownListeners.set(name, [...(ownListeners.get(name) ?? []), own])
      const removeFromHost = on.on(name, (payload, accountId) => {
        // Host events concern no account.
        if (accountId === null) handler(payload, accountId)
        else if (accountIds().includes(accountId)) {
          const translated = translate[name]?.(accountId, payload) ?? payload
          if (translated instanceof Promise)
            void translated.then((here) => (isEnded ? undefined : handler(here, accountId)))
          else handler(translated, accountId)
        }
      })
      const remove = (): void => {
        isEnded = true
        removeFromHost()
        ownListeners.set(
          name,
          (ownListeners.get(name) ?? []).filter((listener) => listener !== own),
        )
      }
      ending?.addEventListener('abort', remove)
      return remove
    },
    until: (signal) => createScope(on.until(signal), signal),
    of: (accountId) => rootBackend.of(accountId),
  })

  // When an account opens or closes, every list changes.
  let known = accountIds().join(' ')
  rootBackend.on('account.changed', () => {
    const now = accountIds().join(' ')
    if (now === known) return
    known = now
    emit('inboxes.changed', null)
  })
  return createScope(rootBackend, null)
}
