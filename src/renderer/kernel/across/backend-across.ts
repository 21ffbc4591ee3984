import type {
  BodyOwner,
  CommandInput,
  CommandName,
  CommandOutput,
  EventName,
  Events,
} from '../../../shared/contract.ts'
import {
  FOLDERS,
  type Folder,
  type Inbox,
  type InThread,
  type Label,
  type SyncStatus,
  type ThreadPage,
} from '../../../shared/model.ts'
import { fail, ok, toProblem, type Result } from '../../../shared/result.ts'
import type { Draft, DraftSummary } from '../../../shared/writing.ts'
import type { Backend } from '../backend.ts'
import {
  ACROSS,
  inboxIdAcross,
  joinIds,
  labelIdAcross,
  placeOfInbox,
  placeOfThread,
  splitIds,
  threadIdAcross,
} from './across-ids.ts'
import { ChangesAcross } from './changes-across.ts'
import { labelAcross, LabelsAcross } from './labels-across.ts'
import { Places, type Place } from './places.ts'
import { allOf, anyOf } from './results.ts'
import { joinStatus } from './sync-across.ts'

type Handler<Name extends CommandName> = (input: CommandInput<Name>) => Promise<Result<CommandOutput<Name>>>

/**
 * Where a command goes that has no answer of its own here. `window`: it is about no account. `owner`: to the account of the
 * e-mail that it names. `open`: to the account of the conversation that is open, as it is asked from beside it and
 * names nothing that says whose it is. `each`: to every account, and none of them answers more than that it was done.
 */
type Way = 'window' | 'owner' | 'open' | 'each'

type Listener = (payload: never, accountId: string | null) => void

/** Every command has a way: a new one does not compile until it is said which. */
type Ways = { readonly [Name in CommandName]: Way | Handler<Name> }

/** Events about no account. */
const OF_THE_WINDOW: readonly EventName[] = [
  'account.changed',
  'link.waiting',
  'menu.chosen',
  'preferences.changed',
  'spelling.changed',
  'update.changed',
]

const NOT_HERE = fail('not_found', 'This thread is in none of your open inboxes.')
const NO_DRAFT = fail('not_found', 'This draft is in none of your open accounts.')
const ONE_ACCOUNT = fail('invalid_input', 'This belongs to one account. Choose an inbox first.')

const NO_COUNTS: Readonly<Record<Folder, number>> = { inbox: 0, archive: 0, spam: 0, sent: 0, trash: 0 }

const NO_THREADS: ThreadPage = {
  items: [],
  offset: 0,
  total: 0,
  hasMore: false,
  freshness: { state: 'live', at: null },
  searched: null,
}

interface AcrossThread {
  readonly id: string
  readonly inboxId: string
}

const threadAcross = <Thread extends AcrossThread>(accountId: string, thread: Thread): Thread => ({
  ...thread,
  id: threadIdAcross({ accountId, inboxId: thread.inboxId, threadId: thread.id }),
  inboxId: ACROSS,
})

const withLabels = <Thread extends AcrossThread & { readonly labels: readonly Label[] }>(
  accountId: string,
  thread: Thread,
): Thread => ({
  ...threadAcross(accountId, thread),
  // One that is made here can be on a thread beside one of the same name that somebody else has made.
  labels: [...new Map(thread.labels.map((label) => [label.name, labelAcross(label)])).values()],
})

const inThreadAcross = <Email>(accountId: string, email: InThread<Email>): InThread<Email> => {
  const { inThread } = email
  if (inThread === null || inThread === 'unknown') return email
  return { ...email, inThread: { ...inThread, thread: withLabels(accountId, inThread.thread) } }
}

/** Commands about one draft that answer alike wherever it is. */
type DraftCommand =
  | 'draft.send'
  | 'draft.reschedule'
  | 'draft.discard'
  | 'draft.restore'
  | 'draft.addFile'
  | 'draft.readFile'

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

const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0)

/** The one inbox that the screens see. */
const inboxAcross = (places: readonly Place[]): Inbox => ({
  id: ACROSS,
  name: 'All inboxes',
  emailAddress: '',
  unread: sum(places.map(({ inbox }) => inbox.unread)),
  onlyHere: sum(places.map(({ inbox }) => inbox.onlyHere)),
  unreadOnlyHere: sum(places.map(({ inbox }) => inbox.unreadOnlyHere)),
  onServer: places.length === 0 || places.some(({ inbox }) => inbox.onServer),
})

/** Turn by turn one of each, each key once. */
const interleave = <Item>(lists: readonly (readonly Item[])[], keyOf: (item: Item) => string): readonly Item[] => {
  const found = new Map<string, Item>()
  for (let turn = 0; turn < Math.max(0, ...lists.map(({ length }) => length)); turn += 1) {
    for (const list of lists) {
      const item = list[turn]
      if (item !== undefined && !found.has(keyOf(item))) found.set(keyOf(item), item)
    }
  }
  return [...found.values()]
}

/**
 * The door to all open accounts as if they were one account with one inbox (`ACROSS`), in which the threads of all their
 * inboxes lie: what shows an account's mail shows theirs, with the same lists, search, selection, keys and undo. Labels of
 * one name are one label. Threads, labels and changes have IDs that say whose they are (`across-ids`).
 * @param door of no account
 * @param accountIds of the accounts that are open, as they are now, in the person's order
 */
export const createBackendAcross = (door: Backend, accountIds: () => readonly string[]): Backend => {
  const places = new Places(door, accountIds)
  const ownListeners = new Map<EventName, readonly Listener[]>()
  const tell = <Name extends EventName>(name: Name, payload: Events[Name]): void => {
    for (const handler of ownListeners.get(name) ?? []) handler(payload as never, null)
  }
  const labels = new LabelsAcross(door, places, () => tell('labels.changed', { inboxId: ACROSS, replaced: [] }))
  const changes = new ChangesAcross(door, places, labels)
  /** What each account has said last of its sync. */
  const statuses = new Map<string, SyncStatus>()
  /** Whose conversation is open, or was last. */
  let openAccount: string | null = null

  const accountOfOpen = (): string | undefined => {
    const all = accountIds()
    return openAccount !== null && all.includes(openAccount) ? openAccount : all[0]
  }
  const each = <Output>(ask: (account: Backend, accountId: string) => Promise<Result<Output>>) =>
    Promise.all(accountIds().map((accountId) => ask(door.of(accountId), accountId)))
  /** Asks the account of the conversation that is open. */
  const ofOpen = async <Output>(
    ask: (account: Backend, accountId: string) => Promise<Result<Output>>,
  ): Promise<Result<Output>> => {
    const accountId = accountOfOpen()
    return accountId === undefined ? ONE_ACCOUNT : ask(door.of(accountId), accountId)
  }
  /** A thing of an account that a person takes back by its ID. */
  const undoable = <Output extends { readonly changeId: string }>(
    ask: (account: Backend) => Promise<Result<Output>>,
  ): Promise<Result<Output>> =>
    ofOpen(async (account, accountId) => {
      const result = await ask(account)
      return result.ok ? ok({ ...result.data, changeId: joinIds([{ accountId, id: result.data.changeId }]) }) : result
    })
  const person =
    <Name extends 'person.get' | 'person.refresh'>(name: Name): Handler<Name> =>
    (input) =>
      ofOpen(async (account, accountId) => {
        const result = await account.call(name, input)
        if (!result.ok) return result
        const { threads, sent } = result.data
        return ok({
          ...result.data,
          threads: threads.map((thread) => withLabels(accountId, thread)),
          sent: sent.map((email) => inThreadAcross(accountId, email)),
        })
      })
  /** What is asked of the account of a draft, by its ID there. */
  const atDraft = <Output>(
    draftId: string,
    ask: (account: Backend, id: string, accountId: string) => Promise<Result<Output>>,
  ): Promise<Result<Output>> => {
    const [part] = splitIds(draftId)
    return part === undefined || !accountIds().includes(part.accountId)
      ? Promise.resolve(NO_DRAFT)
      : ask(door.of(part.accountId), part.id, part.accountId)
  }
  const ofDraft =
    <Name extends DraftCommand>(name: Name): Handler<Name> =>
    (input) =>
      atDraft(input.draftId, (account, id) => account.call(name, { ...input, draftId: id }))
  const wholeDraft = (
    draftId: string,
    ask: (account: Backend, id: string) => Promise<Result<Draft>>,
  ): Promise<Result<Draft>> =>
    atDraft(draftId, async (account, id, accountId) => {
      const result = await ask(account, id)
      return result.ok ? ok(draftAcross(accountId, result.data)) : result
    })
  /** A change of a label in every inbox that has one of its name: all of them, or none. */
  const ofLabel = async <Output extends { readonly changeId: string }>(
    labelId: string,
    change: (
      account: Backend,
      there: { readonly inboxId: string; readonly labelId: string },
    ) => Promise<Result<Output>>,
  ): Promise<Result<{ readonly changeId: string; readonly outputs: readonly Output[] }>> => {
    const holders = await labels.holders(labelId)
    const done: { accountId: string; id: string }[] = []
    const results: Result<Output>[] = []
    for (const { place, labelId: here } of holders) {
      const { accountId, inbox } = place
      const result = await change(door.of(accountId), { inboxId: inbox.id, labelId: here })
      results.push(result)
      if (!result.ok) break
      done.push({ accountId, id: result.data.changeId })
    }
    places.forgetLabels()
    const all = allOf(results)
    if (all.ok) return ok({ changeId: changes.join(done), outputs: all.data })
    await changes.undo(joinIds(done))
    return all
  }

  /** Every list has other rows than before. */
  const tellEverything = async (): Promise<void> => {
    const labelIds = (await labels.all()).map(({ id }) => id)
    tell('threads.changed', {
      inboxId: ACROSS,
      folders: FOLDERS,
      labelIds,
      onlyHere: true,
      threadIds: [],
      searches: null,
    })
  }
  /** Which inboxes there are, when they were read last. */
  let listed: string | null = null
  const readPlaces = async (): Promise<readonly Place[]> => {
    places.forget()
    const all = await places.all()
    const now = JSON.stringify(all.map(({ accountId, inbox }) => [accountId, inbox.id]))
    if (listed !== null && listed !== now) void tellEverything()
    listed = now
    return all
  }

  const ways: Ways = {
    'account.state': 'window',
    'account.connect': 'window',
    'account.cancelTest': 'window',
    'account.setKey': 'window',
    'account.decide': 'window',
    'account.open': 'window',
    'account.startDemo': 'window',
    'account.change': 'window',
    'account.move': 'window',
    'account.usage': 'window',
    'account.disconnect': 'window',
    'account.remove': 'window',
    'app.diagnostics': 'window',
    'app.about': 'window',
    'app.openLicences': 'window',
    'app.notices': 'window',
    'link.take': 'window',
    'app.showUnread': 'window',
    'app.setLogLevel': 'window',
    'preferences.get': 'window',
    'preferences.set': 'window',
    'run.state': 'window',
    'run.choose': 'window',
    'run.dismissEnds': 'window',
    'menu.show': 'window',
    'window.open': 'window',
    'print.add': 'window',
    'print.preview': 'window',
    'print.run': 'window',
    'desktop.state': 'window',
    'desktop.startAtLogin': 'window',
    'desktop.openMailLinks': 'window',
    'update.state': 'window',
    'update.check': 'window',
    'update.install': 'window',
    'spelling.state': 'window',
    'spelling.check': 'window',
    'backup.restore': 'window',
    'folder.choose': 'window',

    'original.save': 'owner',
    'original.open': 'owner',
    'original.read': 'owner',
    'attachment.save': 'owner',
    'attachment.saveAll': 'owner',
    'attachment.list': 'owner',
    'attachment.readings': 'owner',
    'attachment.open': 'owner',
    'attachment.read': 'owner',
    'attachment.cancel': 'owner',
    'body.read': 'owner',
    'senderChoice.of': 'owner',
    'picture.read': 'owner',
    'picture.located': 'owner',
    'shareLink.create': 'owner',
    'sender.authentication': 'owner',
    'sender.isNew': 'owner',

    'senderChoice.list': 'open',
    'senderChoice.set': 'open',
    'shareLink.list': 'open',
    'shareLink.forget': 'open',
    'shareLink.restore': 'open',
    'contact.export': 'open',
    'snippet.export': 'open',
    'snippet.import': 'open',
    'contact.list': 'open',
    'contact.get': 'open',
    'receivedEmail.list': 'open',
    'receivedEmail.get': 'open',
    'receivedEmail.deleteKept': 'open',
    'sentEmail.list': 'open',
    'sentEmail.get': 'open',
    'sentEmail.deleteKept': 'open',
    'export.start': 'open',
    'export.save': 'open',
    'export.pause': 'open',
    'export.resume': 'open',
    'export.cancel': 'open',
    'keeping.state': 'open',
    'keeping.set': 'open',
    'cache.state': 'open',
    'cache.clear': 'open',
    'backup.state': 'open',
    'backup.now': 'open',
    'backup.cancel': 'open',
    'backup.setSchedule': 'open',
    'inbox.add': 'open',

    'sync.now': 'each',
    'recentSearch.add': 'each',
    'recentSearch.clear': 'each',

    'inbox.list': async () => {
      const all = await readPlaces()
      return ok({ inboxes: [inboxAcross(all)], freshness: { state: 'live', at: Date.now() } })
    },
    'label.list': async () => ok(await labels.all()),
    'label.create': ({ name, color }) => labels.create(name, color),
    'label.update': async ({ labelId, name, color }) => {
      const result = await ofLabel(labelId, (account, there) => account.call('label.update', { ...there, name, color }))
      return result.ok ? ok({ changeId: result.data.changeId }) : result
    },
    'label.usage': async ({ labelId }) => {
      const holders = await labels.holders(labelId)
      const results = await Promise.all(
        holders.map(({ place: { accountId, inbox }, labelId: here }) =>
          door.of(accountId).call('label.usage', { inboxId: inbox.id, labelId: here }),
        ),
      )
      const all = allOf(results)
      return all.ok ? ok({ labelId, threads: sum(all.data.map(({ threads }) => threads)) }) : all
    },
    'label.delete': async ({ labelId }) => {
      const result = await ofLabel(labelId, (account, there) => account.call('label.delete', there))
      if (!result.ok) return result
      return ok({ changeId: result.data.changeId, threads: sum(result.data.outputs.map(({ threads }) => threads)) })
    },
    'thread.listAcross': (input) => door.call('thread.listAcross', input),
    'thread.list': async ({ query, held, ...window }) => {
      const all = await places.all()
      const lists = await Promise.all(
        all.map(async (place) => {
          const here = await labels.queryAt(place, query)
          return here === null ? [] : [{ accountId: place.accountId, query: here }]
        }),
      )
      // Without an inbox nobody knows of threads; where none of them has the label, there are none.
      const none = { ...NO_THREADS, offset: window.offset }
      if (all.length === 0) return ok({ ...none, freshness: { state: 'never', at: null } })
      if (lists.every(({ length }) => length === 0)) return ok(none)
      const heldThere = held?.flatMap((id) => placeOfThread(id) ?? [])
      const result = await door.call('thread.listAcross', {
        lists: lists.flat(),
        ...window,
        ...(heldThere === undefined
          ? {}
          : { held: heldThere.map(({ accountId, threadId }) => ({ accountId, threadId })) }),
      })
      if (!result.ok) return result
      const { failed: _failed, ...page } = result.data
      return ok({
        ...page,
        items: page.items.map(({ accountId, ...thread }) => withLabels(accountId, thread)),
      })
    },
    'thread.searchAgain': async ({ query }) => {
      const asked = (await places.all()).map(async (place) => {
        const here = await labels.queryAt(place, query)
        return here === null ? ok(null) : door.of(place.accountId).call('thread.searchAgain', { query: here })
      })
      const any = anyOf(await Promise.all(asked))
      return any.ok ? ok(null) : any
    },
    'thread.countByFolder': async ({ query }) => {
      const all = await places.all()
      const results = await Promise.all(
        all.map(async (place) => {
          const here = await labels.queryAt(place, query)
          return here === null ? null : door.of(place.accountId).call('thread.countByFolder', { query: here })
        }),
      )
      const asked = results.filter((result) => result !== null)
      if (asked.length === 0) return ok({ folders: NO_COUNTS, isWhole: true })
      const any = anyOf(asked)
      if (!any.ok) return any
      const counts = any.data
      const of = (folder: Folder): number => sum(counts.map(({ folders }) => folders[folder]))
      return ok({
        folders: { inbox: of('inbox'), archive: of('archive'), spam: of('spam'), sent: of('sent'), trash: of('trash') },
        isWhole: counts.length === asked.length && counts.every(({ isWhole }) => isWhole),
      })
    },
    'thread.matchedEmail': async ({ query, threadId }) => {
      const at = placeOfThread(threadId)
      const place = (await places.all()).find(
        ({ accountId, inbox }) => accountId === at?.accountId && inbox.id === at.inboxId,
      )
      const here = place === undefined ? null : await labels.queryAt(place, query)
      if (at === null || here === null) return ok(null)
      return door.of(at.accountId).call('thread.matchedEmail', { query: here, threadId: at.threadId })
    },
    'thread.open': async ({ threadId }) => {
      const at = placeOfThread(threadId)
      if (at === null || !accountIds().includes(at.accountId)) return NOT_HERE
      openAccount = at.accountId
      const { inboxId, threadId: id } = at
      const result = await door.of(at.accountId).call('thread.open', { inboxId, threadId: id })
      if (!result.ok) return result
      const { thread, emails, freshness } = result.data
      return ok({
        thread: withLabels(at.accountId, thread),
        emails: emails.map((email) => ({ ...email, threadId })),
        freshness,
      })
    },
    'delivery.ofThread': async ({ threadId, mayAsk }) => {
      const at = placeOfThread(threadId)
      if (at === null || !accountIds().includes(at.accountId)) return NOT_HERE
      return door.of(at.accountId).call('delivery.ofThread', { inboxId: at.inboxId, threadId: at.threadId, mayAsk })
    },
    'thread.change': (input) => changes.change(input),
    'thread.countKept': (chosen) => changes.ofKept('thread.countKept', chosen),
    'thread.deleteKept': (chosen) => changes.ofKept('thread.deleteKept', chosen),
    'change.undo': ({ changeId }) => changes.undo(changeId),
    'change.cancel': ({ changeId }) => changes.cancel(changeId),
    'change.underWay': () => changes.underWay(accountIds()),

    'person.get': person('person.get'),
    'person.refresh': person('person.refresh'),
    'person.suggest': async (input) => {
      if (!('inboxId' in input)) return ofOpen((account) => account.call('person.suggest', input))
      const asked = (await places.all()).map(({ accountId, inbox }) =>
        door.of(accountId).call('person.suggest', { ...input, inboxId: inbox.id }),
      )
      const any = anyOf(await Promise.all(asked))
      if (!any.ok) return any
      return ok(interleave(any.data, ({ address }) => address.toLowerCase()).slice(0, input.limit))
    },
    'draft.list': async ({ inboxId, ...how }) => {
      const any = anyOf(
        await each(async (account, accountId) => {
          const at = inboxId === undefined || inboxId === ACROSS ? null : placeOfInbox(inboxId)
          if (at !== null && at.accountId !== accountId) return ok([])
          const result = await account.call('draft.list', at === null ? how : { ...how, inboxId: at.inboxId })
          return result.ok ? ok(result.data.map((draft) => draftAcross(accountId, draft))) : result
        }),
      )
      return any.ok ? ok(any.data.flat().toSorted((a, b) => b.updatedAt - a.updatedAt)) : any
    },
    'draft.create': async ({ inboxId, target, ...rest }) => {
      const thread = target === null ? null : placeOfThread(target.threadId)
      // A new message goes from the inbox that it names; an answer from that of its conversation.
      const at = thread ?? placeOfInbox(inboxId)
      if (at === null || !accountIds().includes(at.accountId)) return ONE_ACCOUNT
      const { accountId } = at
      const there = target === null || thread === null ? target : { ...target, threadId: thread.threadId }
      const result = await door.of(accountId).call('draft.create', { ...rest, inboxId: at.inboxId, target: there })
      return result.ok ? ok({ ...result.data, draftId: joinIds([{ accountId, id: result.data.draftId }]) }) : result
    },
    'draft.open': ({ draftId }) => wholeDraft(draftId, (account, id) => account.call('draft.open', { draftId: id })),
    'draft.settle': ({ draftId, keep }) =>
      wholeDraft(draftId, (account, id) => account.call('draft.settle', { draftId: id, keep })),
    'draft.cancelSending': ({ draftId }) =>
      wholeDraft(draftId, (account, id) => account.call('draft.cancelSending', { draftId: id })),
    'draft.send': ofDraft('draft.send'),
    'draft.reschedule': ofDraft('draft.reschedule'),
    'draft.save': ({ draftId, inboxId, ...rest }) =>
      atDraft(draftId, async (account, id, accountId) => {
        if (inboxId === undefined) return account.call('draft.save', { ...rest, draftId: id })
        // It is written anew in another account, and not given from one to the other.
        const at = placeOfInbox(inboxId)
        if (at?.accountId !== accountId) return ONE_ACCOUNT
        return account.call('draft.save', { ...rest, draftId: id, inboxId: at.inboxId })
      }),
    'draft.discard': ofDraft('draft.discard'),
    'draft.restore': ofDraft('draft.restore'),
    'draft.addFile': ofDraft('draft.addFile'),
    'draft.readFile': ofDraft('draft.readFile'),
    'draft.addFrom': ({ draftId, of }) =>
      atDraft(draftId, (account, id) => {
        const at = of.list === 'threads' ? placeOfThread(of.threadId) : null
        const there = at === null || of.list !== 'threads' ? of : { ...of, inboxId: at.inboxId, threadId: at.threadId }
        return account.call('draft.addFrom', { draftId: id, of: there })
      }),
    'contact.add': (input) => undoable((account) => account.call('contact.add', input)),
    'contact.setTopic': (input) => undoable((account) => account.call('contact.setTopic', input)),

    'recentSearch.list': async () => {
      const any = anyOf(await each((account) => account.call('recentSearch.list', {})))
      return any.ok ? ok(interleave(any.data, ({ text }) => text).slice(0, 20)) : any
    },
    // They are an inbox's own, as are exports an account's: nothing asks for them here.
    'contact.ofAddress': async (input) => {
      const any = anyOf(await each((account) => account.call('contact.ofAddress', input)))
      return any.ok ? ok(any.data.find((contact) => contact !== null) ?? null) : any
    },
    'snippet.list': async () => {
      const any = anyOf(
        await each(async (account, accountId) => {
          const result = await account.call('snippet.list', {})
          if (!result.ok) return result
          const { signatures, cannedReplies } = result.data
          return ok({
            signatures: signatures.map((signature) => ({
              ...signature,
              inboxId: inboxIdAcross(accountId, signature.inboxId),
            })),
            cannedReplies: cannedReplies.map((reply) => ({ ...reply, id: joinIds([{ accountId, id: reply.id }]) })),
          })
        }),
      )
      if (!any.ok) return any
      return ok({
        signatures: any.data.flatMap(({ signatures }) => signatures),
        cannedReplies: any.data.flatMap(({ cannedReplies }) => cannedReplies),
      })
    },
    'signature.set': async ({ inboxId, html }) => {
      const at = placeOfInbox(inboxId)
      if (at === null || !accountIds().includes(at.accountId)) return ONE_ACCOUNT
      return door.of(at.accountId).call('signature.set', { inboxId: at.inboxId, html })
    },
    'cannedReply.save': async ({ id, ...reply }) => {
      const [at] = id === null ? [] : splitIds(id)
      if (id === null || at === undefined) return ONE_ACCOUNT
      const result = await door.of(at.accountId).call('cannedReply.save', { id: at.id, ...reply })
      return result.ok ? ok({ ...result.data, id }) : result
    },
    'cannedReply.remove': ({ id }) => {
      const [at] = splitIds(id)
      return at === undefined
        ? Promise.resolve(ONE_ACCOUNT)
        : door.of(at.accountId).call('cannedReply.remove', { id: at.id })
    },
    'savedSearch.list': () => Promise.resolve(ok([])),
    'savedSearch.save': () => Promise.resolve(ONE_ACCOUNT),
    'savedSearch.rename': () => Promise.resolve(ONE_ACCOUNT),
    'savedSearch.move': () => Promise.resolve(ONE_ACCOUNT),
    'savedSearch.remove': () => Promise.resolve(ONE_ACCOUNT),
    'export.list': () => Promise.resolve(ok([])),

    'sync.status': async () => {
      const any = anyOf(
        await each(async (account, accountId) => {
          const result = await account.call('sync.status', {})
          if (result.ok) statuses.set(accountId, result.data)
          return result
        }),
      )
      return any.ok ? ok(joinStatus(any.data)) : any
    },
    'problem.list': async () => {
      const any = anyOf(
        await each(async (account, accountId) => {
          const result = await account.call('problem.list', {})
          return result.ok
            ? ok(result.data.map((one) => ({ ...one, id: joinIds([{ accountId, id: one.id }]) })))
            : result
        }),
      )
      return any.ok ? ok(any.data.flat().toSorted((a, b) => a.at - b.at)) : any
    },
    'problem.dismiss': async ({ id }) => {
      const [part] = splitIds(id)
      return part === undefined ? ok(null) : door.of(part.accountId).call('problem.dismiss', { id: part.id })
    },
    // What the window says of itself to each account it says elsewhere.
    'window.activity': () => Promise.resolve(ok(null)),
  }

  const call = async <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ): Promise<Result<CommandOutput<Name>>> => {
    const way: Way | Handler<Name> = ways[name]
    if (typeof way === 'function') return way(input)
    switch (way) {
      case 'window':
        return door.call(name, input)
      case 'open':
        return ofOpen((account) => account.call(name, input))
      case 'owner': {
        const { of } = input as { readonly of: BodyOwner }
        if (of.list !== 'threads') return ofOpen((account) => account.call(name, input))
        const at = placeOfThread(of.threadId)
        if (at === null) return NOT_HERE
        const { accountId, inboxId, threadId } = at
        return door.of(accountId).call(name, { ...input, of: { ...of, inboxId, threadId } })
      }
      case 'each': {
        const any = anyOf(await each((account) => account.call(name, input)))
        // What goes to each answers null.
        return any.ok ? ok(null as CommandOutput<Name>) : any
      }
    }
  }

  /** What an account tells, as it is told here, where that is another thing. */
  const translate: {
    readonly [Name in EventName]?: (accountId: string, payload: Events[Name]) => Promise<Events[Name]> | Events[Name]
  } = {
    'threads.changed': (accountId, { inboxId, threadIds, movedHere, labelIds, searches, ...rest }) => ({
      ...rest,
      inboxId: ACROSS,
      threadIds: threadIds.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })),
      ...(movedHere && {
        movedHere: movedHere.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })),
      }),
      labelIds: labelIds.flatMap((id) => {
        const name = places.labelName(accountId, inboxId, id)
        return name === undefined ? [] : [labelIdAcross(name)]
      }),
      // A search over all inboxes goes by another key than each inbox's part of it.
      searches: searches?.length === 0 ? [] : null,
    }),
    'emails.changed': (accountId, { inboxId, threadIds }) => ({
      inboxId: ACROSS,
      threadIds: threadIds.map((threadId) => threadIdAcross({ accountId, inboxId, threadId })),
    }),
    // A draft says its inbox here, and stands in the list of all as well.
    'drafts.changed': (accountId, { inboxIds }) => ({
      inboxIds: [ACROSS, ...inboxIds.map((inboxId) => inboxIdAcross(accountId, inboxId))],
    }),
    'draft.sent': (accountId, { draftId, inboxId, threadId, emailId }) => ({
      draftId: joinIds([{ accountId, id: draftId }]),
      inboxId: ACROSS,
      threadId: threadId === null ? null : threadIdAcross({ accountId, inboxId, threadId }),
      emailId,
    }),
    'labels.changed': async (accountId, { inboxId }) => {
      const renamed = await places.rereadLabels(accountId, inboxId)
      const left = await labels.all()
      // Where another inbox has the former name still, that is a label of its own.
      const gone = renamed.filter(({ was }) => left.every(({ name }) => name !== was))
      const replaced = gone.map(({ was, name }) => ({ was: labelIdAcross(was), id: labelIdAcross(name) }))
      return { inboxId: ACROSS, replaced }
    },
    'sync.changed': (accountId, status) => {
      statuses.set(accountId, status)
      return joinStatus(accountIds().flatMap((id) => statuses.get(id) ?? []))
    },
  }

  const openDoor = (on: Backend, ending: AbortSignal | null): Backend => ({
    call: (name, input) => call(name, input).catch((thrown: unknown) => ({ ok: false, error: toProblem(thrown) })),
    on: <Name extends EventName>(name: Name, handler: (payload: Events[Name], accountId: string | null) => void) => {
      const isEnded = (): boolean => ending?.aborted === true
      const own: Listener = handler
      ownListeners.set(name, [...(ownListeners.get(name) ?? []), own])
      ending?.addEventListener('abort', () => {
        ownListeners.set(
          name,
          (ownListeners.get(name) ?? []).filter((listener) => listener !== own),
        )
      })
      on.on(name, (payload, accountId) => {
        if (accountId === null || OF_THE_WINDOW.includes(name)) handler(payload, accountId)
        else if (accountIds().includes(accountId)) {
          const told = translate[name]?.(accountId, payload) ?? payload
          if (told instanceof Promise) void told.then((here) => (isEnded() ? undefined : handler(here, accountId)))
          else handler(told, accountId)
        }
      })
    },
    until: (signal) => openDoor(on.until(signal), signal),
    of: (accountId) => door.of(accountId),
  })

  // Another account is open, or one is not any more: every list has other rows.
  let known = accountIds().join(' ')
  door.on('account.changed', () => {
    const now = accountIds().join(' ')
    if (now === known) return
    known = now
    tell('inboxes.changed', null)
  })
  return openDoor(door, null)
}
