import { NO_ASSISTANT_ACCESS } from '../../../../src/shared/assistants.ts'
import { AllInboxes } from '../../../../src/engine/handlers/all-inboxes.ts'
import type { OpenList } from '../../../../src/engine/mail/threads/open-list.ts'
import { KIND_TABS } from '../../../../src/shared/inbox-tabs.ts'
import { ALL_CONTACTS } from '../../../../src/shared/contact-query.ts'
import {
  createDispatcher,
  findCommandTarget,
  contract,
  type AddressedEvent,
  type CommandName,
  type Handlers,
  type LinnetEvent,
  type CreatedShareLink,
  type ParsedInput,
  type CommandTarget,
  type Transport,
} from '../../../../src/shared/contract.ts'
import type { StoredMailState } from '../../../../src/shared/stored-mail.ts'
import type {
  EmailPage,
  Folder,
  Freshness,
  WithThread,
  Label,
  Page,
  SearchCoverage,
  Thread,
} from '../../../../src/shared/model.ts'
import { PERSON_LIMITS, type ContactCatalog, type Person } from '../../../../src/shared/people.ts'
import type { AddressSuppression } from '../../../../src/shared/suppressions.ts'
import { DEFAULT_PREFERENCES, withPreferences, type Preferences } from '../../../../src/shared/preferences.ts'
import { ProblemError, type Problem, type Result } from '../../../../src/shared/result.ts'
import { ALL_INBOXES } from '../../../../src/shared/unified-ids.ts'
import { countPerFolder } from '../../../../src/shared/folder-counts.ts'
import { SNOOZED_FOLDER } from '../../../../src/shared/thread-marks.ts'
import { applyStateChange } from '../../../../src/shared/thread-state.ts'
import { canMoveTo } from '../../../../src/shared/thread-moves.ts'
import { isInScope, toCachedList, type ThreadQuery } from '../../../../src/shared/thread-query.ts'
import {
  fixtureContacts,
  fixtureEmails,
  fixtureReceived,
  fixtureThreads,
  INBOX,
  LABELS,
  TOPICS,
} from './fixture-mail.ts'

type Commands = Handlers<CommandName>

/** An in-page host: the contract's own dispatcher over a mailbox in memory. */
export interface FixtureTransport extends Transport {
  /** Names and inputs of all calls, oldest first. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly emit: (event: LinnetEvent) => void
  /** Rejects all later calls. */
  readonly refuse: (problem: Problem) => void
}

const LIVE: Freshness = { state: 'live', at: Date.now() }

const CATALOG: ContactCatalog = {
  properties: [
    { id: 'property-1', key: 'company', type: 'string', fallback: null },
    { id: 'property-2', key: 'seats', type: 'number', fallback: null },
  ],
  segments: [{ id: 'segment-1', name: 'Harbour' }],
  topics: [
    {
      ...{ id: 'topic-1', name: 'Tides', description: null },
      ...{ visibility: 'private', byDefault: 'opt_in', createdAt: Date.now() },
    },
  ],
  freshness: LIVE,
}

const pageOf = <Item>(items: readonly Item[], offset: number, limit: number): Page<Item> => ({
  items: items.slice(offset, offset + limit),
  offset,
  total: items.length,
  freshness: LIVE,
})

/** A window of an account list, filtered by subject. */
const emailPage = <Listed extends { readonly subject: string | null }>(
  emails: readonly WithThread<Listed>[],
  { offset, limit, query }: ParsedInput<'receivedEmail.list'>,
): EmailPage<Listed> => {
  const found = emails.filter(({ subject }) =>
    (query?.text ?? []).every(({ text }) => subject?.toLowerCase().includes(text.toLowerCase()) === true),
  )
  const searched = query === undefined ? null : { emails: emails.length, of: emails.length, isWhole: true }
  return {
    ...pageOf(found, offset, limit),
    hasMore: false,
    searched,
    items: found.slice(offset, offset + limit).map((email) => ({ ...email, excerpt: null })),
  }
}

const HOST_EVENTS = /^(?:account|preferences|run|update|spelling|link|menu|network)\./

const searchState = (query: ThreadQuery): SearchCoverage | null => {
  const platform = { state: 'answered', at: Date.now() } as const
  return toCachedList(query) === null ? { computer: null, platform, isCapped: false, mayLag: false } : null
}

/** A list for all inboxes. */
const toOpenList = (threads: readonly Thread[], query: ThreadQuery): OpenList => {
  const since = (time: number): number => threads.filter(({ receivedAt }) => receivedAt >= time).length
  const rows: OpenList['rows'] = (place, limit) => {
    const first = 'offset' in place ? place.offset : since(place.before) + place.skip
    return threads.slice(first, first + limit).map((thread) => ({ ...thread, match: null }))
  }
  return {
    load: () => threads.length,
    request: () => undefined,
    countBetween: (from, before) => since(from) - since(before),
    range: () => {
      const times = threads.map(({ receivedAt }) => receivedAt)
      return times.length === 0 ? null : { newest: Math.max(...times), oldest: Math.min(...times) }
    },
    times: (place, limit) => rows(place, limit).map(({ receivedAt }) => receivedAt),
    rows,
    total: () => threads.length,
    hasMore: () => false,
    freshness: () => LIVE,
    searched: () => searchState(query),
  }
}

const notFound = (message: string): never => {
  throw new ProblemError({ code: 'not_found', message })
}

/** A handler that reports the problem. */
export const failing = (problem: Problem) => (): never => {
  throw new ProblemError(problem)
}

export type FixtureHandlers = Partial<Commands>

interface FixtureOptions {
  readonly threads?: number
  readonly contacts?: number
  /** Overrides of single commands, such as failures or delays. */
  readonly handlers?: FixtureHandlers
}

/** Default for commands whose response isn't read; the others are defined below. */
const NOTHING = Object.fromEntries(Object.keys(contract).map((name) => [name, () => null]))

const FIXTURE_SOURCE = 'Subject: Hello\n\nHello Ada\n'

export const createFixtureTransport = ({
  threads: threadCount = 300,
  contacts: contactCount = 120,
  handlers: replaced = {},
}: FixtureOptions = {}): FixtureTransport => {
  let threads = fixtureThreads(threadCount)
  const contacts = fixtureContacts(contactCount)
  const received = fixtureReceived(40)
  const sent = received.map((email) => ({ ...email, lastEvent: 'delivered', failure: null, scheduledAt: null }))
  let labels = LABELS
  let shareLinks: readonly CreatedShareLink[] = []
  let keeping: StoredMailState = {
    ...{ days: 30, maxBytes: 5e9, kept: 14_203, incomplete: 0, localOnly: 311, left: 0, withoutFiles: 0, lost: 0 },
    ...{ bytes: 1.2e9, fileBytes: 1.1e9, paused: null, depths: [] },
  }
  let madeCount = 0
  /** State before each change. */
  const undo = new Map<string, { readonly threads: readonly Thread[]; readonly labels: readonly Label[] }>()
  let changeCount = 0
  let preferences: Preferences = DEFAULT_PREFERENCES
  const nextChangeId = (): string => `change-${(changeCount += 1)}`
  const listeners = new Set<(event: AddressedEvent) => void>()
  const calls: { name: string; input: unknown }[] = []
  let refusal: Problem | null = null
  const send = (event: LinnetEvent, accountId: string | null): void => {
    for (const listener of listeners) listener({ ...event, accountId })
  }
  const emit = (event: LinnetEvent): void => {
    send(event, isShared && !HOST_EVENTS.test(event.name) ? 'fixture' : null)
    allInboxes.forward('fixture', event)
  }
  /** @returns the change's ID, for undo */
  const put = (next: { readonly threads?: readonly Thread[]; readonly labels?: readonly Label[] }): string => {
    const changeId = nextChangeId()
    undo.set(changeId, { threads, labels })
    const before = threads
    const hasOtherLabels = next.labels !== undefined && next.labels !== labels
    labels = next.labels ?? labels
    threads = next.threads ?? threads
    const changed = threads.flatMap((thread, index) =>
      thread === before[index] ? [] : [thread, before[index] ?? thread],
    )
    if (hasOtherLabels) emit({ name: 'labels.changed', payload: { inboxId: INBOX.id, replaced: [] } })
    if (changed.length > 0) {
      emit({
        name: 'threads.changed',
        payload: {
          inboxId: INBOX.id,
          folders: [...new Set(changed.map(({ folder }) => folder))],
          labelIds: labels.map(({ id }) => id),
          threadIds: [...new Set(changed.map(({ id }) => id))],
          searches: null,
        },
      })
    }
    return changeId
  }
  const threadOf = (id: string): Thread =>
    threads.find((thread) => thread.id === id) ?? notFound('This thread is gone.')
  const listOf = (query: ThreadQuery): readonly Thread[] =>
    threads.filter(
      ({ subject, ...thread }) =>
        isInScope(query, { ...thread, labelIds: thread.labels.map(({ id }) => id) }) &&
        query.text.every(({ text }) => subject?.toLowerCase().includes(text.toLowerCase())),
    )
  /** Of every three e-mails in an account list, one has a thread, one has none, and the thread of one is unknown. */
  const located = <Located extends { readonly id: string }>(email: Located): WithThread<Located> => {
    const index = Number(/\d+$/.exec(email.id)?.[0] ?? 1)
    const thread = threads.find(({ id }) => id === `thread-${index}`)
    if (index % 3 !== 0 || thread === undefined) return { ...email, inThread: index % 3 === 2 ? 'unknown' : null }
    return { ...email, inThread: { thread, emailId: `${thread.id}-email-0` } }
  }
  const notSuppressed = (address: string): AddressSuppression => ({
    ...{ address, suppression: null, freshness: LIVE, isWaiting: false, returned: null },
  })
  const personOf = (address: string): Person => {
    const contact = contacts.find(({ email }) => email === address.toLowerCase()) ?? null
    const known = threads.filter(({ from }) => from?.toLowerCase().includes(address.toLowerCase()) === true)
    const extent =
      known.length === 0
        ? null
        : { emails: known.length, first: known.at(-1)?.receivedAt ?? 0, last: known[0]?.receivedAt ?? 0 }
    return {
      address,
      contact,
      contactsFreshness: LIVE,
      contactId: contact?.id ?? address.toLowerCase(),
      topics: contact === null ? null : { topics: TOPICS, freshness: LIVE },
      segments: contact === null ? null : { segments: [{ id: 'segment-1', name: 'Harbour' }], freshness: LIVE },
      suppressed: notSuppressed(address),
      threads: known.slice(0, PERSON_LIMITS.threads),
      mail: { threads: extent, received: null, sent: null, isAll: true },
      sent: sent
        .filter(({ to }) => to.some((each) => each.includes(address)))
        .slice(0, PERSON_LIMITS.sent)
        .map((email) => located({ ...email, recipients: email.to.length })),
    }
  }
  const account = { id: 'fixture', baseUrl: 'http://127.0.0.1:1', kind: 'demo', name: null, color: '#5B5BD6' } as const

  const rows: FixtureHandlers = {
    'account.state': () => ({
      accounts: [
        {
          ...account,
          addresses: [INBOX.emailAddress],
          isOpen: true,
          isKeyTested: true,
          isSignedIn: false,
          isFromEnvironment: false,
          problem: null,
        },
      ],
      keyStorage: 'memory',
      problem: null,
      known: [],
      question: null,
      demoProgress: null,
    }),
    'account.setKey': () => ({ isTested: true }),
    'account.decide': () => account,
    'account.open': () => account,
    'account.connect': () => account,
    'account.startDemo': () => account,
    'app.diagnostics': () => ({ text: 'Linnet', logLevel: 'info' }),
    'app.about': () => ({ version: '1.0.0', parts: [], hasElectron: false }),
    'app.assistantServer': () => ({ command: '/opt/linnet', args: ['mcp'] }),
    'app.notices': () => ({ text: '' }),
    'account.usage': () => ({ bytes: 0, unsentChanges: 0, drafts: 0, localOnlyThreads: 0 }),
    'run.state': () => ({ mode: 'usual', crashes: [] }),
    'preferences.get': () => ({ preferences, problem: null }),
    'preferences.set': (change) => {
      preferences = withPreferences(preferences, change)
      emit({ name: 'preferences.changed', payload: preferences })
      return null
    },
    'print.preview': () => ({ base64: '' }),
    'desktop.state': () => ({ system: 'Linux', startsAtLogin: false, opensMailLinks: false }),
    'desktop.startAtLogin': ({ isWanted }) => ({ system: 'Linux', startsAtLogin: isWanted, opensMailLinks: false }),
    'update.state': () => ({
      version: '1.0.0',
      unable: null,
      server: 'releases.linnet.example',
      checkedAt: null,
      step: { kind: 'idle' },
    }),
    'update.check': () => ({
      version: '1.0.0',
      unable: null,
      server: 'releases.linnet.example',
      checkedAt: 1,
      step: { kind: 'ready', version: '1.1.0' },
    }),
    'desktop.openMailLinks': () => ({ system: 'Linux', startsAtLogin: false, opensMailLinks: true }),
    'spelling.state': () => ({ by: 'browser', languages: [], active: [] }),
    'spelling.check': () => ({ misspelt: [] }),
    'original.save': () => ({ kind: 'saved', path: '/home/ada/e-mail.eml' }),
    'inbox.list': () => ({ inboxes: [INBOX], freshness: LIVE }),
    'inbox.add': () => INBOX,
    'label.list': () => labels,
    'assignee.list': () => ({ me: [], suggested: 'Ada Quill', writers: ['Ada Quill', 'Theo Lind'], inDashboard: [] }),
    'assignee.unread': () => ({ mine: null, nobodys: null }),
    'label.usage': ({ labelId }) => ({
      labelId: labels.find(({ id }) => id === labelId)?.id ?? notFound('This label no longer exists.'),
      threads: threads.filter(({ labels }) => labels.some(({ id }) => id === labelId)).length,
    }),
    'label.create': ({ name, color }) => {
      const labelId = `new-${(madeCount += 1)}`
      return { labelId, changeId: put({ labels: [...labels, { id: labelId, name, color }] }) }
    },
    'label.update': ({ labelId, name, color }) => ({
      changeId: put({
        labels: labels.map((label) =>
          label.id === labelId ? { ...label, name: name ?? label.name, color: color ?? label.color } : label,
        ),
      }),
    }),
    'label.delete': ({ labelId }) => {
      const isIt = ({ id }: Label): boolean => id === labelId
      const carrying = threads.filter((thread) => thread.labels.some(isIt)).length
      const changeId = put({
        labels: labels.filter((label) => !isIt(label)),
        threads: threads.map((thread) =>
          thread.labels.some(isIt) ? { ...thread, labels: thread.labels.filter((label) => !isIt(label)) } : thread,
        ),
      })
      return { changeId, threads: carrying }
    },
    'thread.list': ({ query, order, offset, limit }) => {
      if (!query.inboxIds.includes(INBOX.id)) notFound('This inbox is not on the platform. Choose another one.')
      const listed = listOf(query).map((thread) => ({ ...thread, match: null }))
      const ordered = order === 'oldest' ? listed.toReversed() : listed
      return { ...pageOf(ordered, offset, limit), hasMore: false, searched: searchState(query) }
    },
    'thread.countByFolder': ({ query }) => {
      const count = (folder: Folder): number => listOf({ ...query, folders: [folder] }).length
      return { folders: countPerFolder((folder) => (folder === SNOOZED_FOLDER ? 0 : count(folder))), isWhole: true }
    },
    'thread.open': ({ threadId }) => {
      const thread = threadOf(threadId)
      return { thread, emails: fixtureEmails(thread), freshness: LIVE }
    },
    'body.read': () => notFound('Every body comes with its e-mail here.'),
    'original.open': () => ({
      bytes: FIXTURE_SOURCE.length,
      pieces: 1,
      version: 'one',
      headers: [{ name: 'Subject', value: 'Hello', decoded: null, isCut: false }],
      hasMoreHeaders: false,
    }),
    'original.read': () => FIXTURE_SOURCE,
    'senderChoice.of': () => ({
      sender: 'ada@quill.example',
      domain: 'quill.example',
      pictures: 'asked',
      isDark: false,
    }),
    'answer.times': () => ({ inboxes: [], waiting: 0 }),
    'feed.state': () => ({ kind: 'none' }),
    'feed.createWebhook': () => null,
    'usage.get': () => ({ usage: null, isOffered: false }),
    'backup.state': () => ({ schedule: 'off', keep: 7, folder: null, last: null, running: null }),
    'backup.now': () => ({ at: 0, directory: '/backups/Linnet juno@tide.example', bytes: 1_000, files: 3 }),
    'backup.restore': () => ({ ...account, unsent: 0 }),
    'senderChoice.list': () => [],
    'picture.located': () => [],
    'picture.read': () => ({ type: 'image/png', content: '' }),
    'attachment.list': () => ({ items: [], problem: null }),
    'attachment.readings': () => [],
    'attachment.open': () => notFound('Nothing is attached here.'),
    'attachment.read': () => notFound('Nothing is attached here.'),
    'picture.save': () => ({ kind: 'cancelled' }),
    'fileDrag.start': () => true,
    'fileDrag.cancel': () => null,
    'attachment.save': () => ({ kind: 'cancelled' }),
    'attachment.saveAll': () => ({ kind: 'cancelled' }),
    'export.save': () => notFound('This export no longer exists.'),
    'export.list': () => [],
    'contact.export': () => ({ kind: 'cancelled' }),
    'thread.countKept': () => ({ threads: 0, emails: 0, others: 0 }),
    'thread.deleteKept': () => ({ threads: 0, emails: 0, others: 0 }),
    'thread.change': ({ change, ...named }) => {
      const threadIds =
        'threadIds' in named
          ? named.threadIds
          : listOf(named.matching.query).flatMap(({ id, receivedAt, folder }) => {
              const isMeant = receivedAt <= named.matching.upTo && !named.matching.except.includes(id)
              return isMeant && (change.folder === undefined || canMoveTo({ folder }, change.folder)) ? [id] : []
            })
      for (const id of threadIds) threadOf(id)
      const added = labels.filter(({ id }) => change.addLabels?.includes(id) === true)
      const changedThread = (thread: Thread): Thread => ({
        ...thread,
        ...applyStateChange({ ...thread, labelIds: [] }, change),
        labels: [
          ...thread.labels.filter(
            ({ id }) => change.removeLabels?.includes(id) !== true && !added.some((label) => label.id === id),
          ),
          ...added,
        ],
      })
      const changeId = put({
        threads: threads.map((thread) => (threadIds.includes(thread.id) ? changedThread(thread) : thread)),
      })
      return { changeId, threads: threadIds.length, isWhole: true }
    },
    'change.cancel': () => notFound('Every change is over at once here.'),
    'change.underWay': () => [],
    'change.undo': ({ changeId }) => {
      const before = undo.get(changeId) ?? notFound('There is nothing to undo.')
      return { undone: true, changeId: put(before) }
    },
    'shareLink.create': ({ of }) => {
      const link = {
        id: `link-${shareLinks.length}`,
        url: `https://mail.example/shared?token=${of.emailId}`,
        of,
        subject: 'Shared',
        from: 'ann@mail.example',
        to: [],
        madeAt: Date.now(),
        expiresAt: Date.now() + 3_600_000,
        isHere: true,
        inThread: null,
      }
      shareLinks = [link, ...shareLinks]
      return { link, isKept: true }
    },
    'shareLink.list': ({ typed }) => shareLinks.filter(({ subject }) => subject?.includes(typed)),
    'shareLink.forget': ({ id }) => {
      shareLinks = shareLinks.filter((link) => link.id !== id)
      return null
    },
    'draft.list': () => [],
    'draft.open': () => notFound('This draft no longer exists.'),
    'draft.create': () => ({ draftId: `draft-${(madeCount += 1)}`, revision: 0 }),
    'draft.save': ({ revision }) => ({ revision: revision + 1 }),
    'draft.send': () => ({ state: { kind: 'sending' as const, mayHaveLeft: false } }),
    'draft.cancelSending': () => notFound('This draft no longer exists.'),
    'draft.elsewhere': () => ({ theirs: null, answers: [], drafts: [] }),
    'draft.settle': () => notFound('This draft no longer exists.'),
    'draft.addFrom': () => ({ files: [], leftOut: [] }),
    'shareLink.restore': () => notFound('This link was deleted for good.'),
    'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => {
      const found = contacts.filter(
        ({ email, unsubscribed }) =>
          email.includes(query.typed) &&
          (query.subscription === 'all' || unsubscribed === (query.subscription === 'unsubscribed')),
      )
      return pageOf(query.order === 'newest' ? found : found.toReversed(), offset, limit)
    },
    'contact.get': ({ contactId }) =>
      contacts.find(({ id }) => id === contactId) ?? notFound('There is no such contact.'),
    'person.suggest': () => [],
    'suppression.ofAddresses': ({ addresses }) => addresses.map(notSuppressed),
    'suppression.refresh': ({ addresses }) => addresses.map(notSuppressed),
    'person.get': ({ address }) => personOf(address),
    'person.refresh': ({ address }) => personOf(address),
    'contact.add': () => ({ changeId: nextChangeId() }),
    'delivery.ofThread': () => [],
    'sender.isNew': () => false,
    'contact.update': () => ({ changeId: nextChangeId() }),
    'contact.delete': () => ({ changeId: nextChangeId() }),
    'contact.setSegments': () => ({ changeId: nextChangeId() }),
    'contact.catalog': () => CATALOG,
    'contact.refreshCatalog': () => CATALOG,
    'contact.refreshSegment': () => null,
    'contact.ofAddress': ({ address }) => contacts.find(({ email }) => email === address.toLowerCase()) ?? null,
    'contact.setTopic': () => ({ changeId: 'topic' }),
    'topic.setForMany': () => ({ changeId: nextChangeId(), contacts: 2, left: 0 }),
    'topic.create': () => ({ changeId: nextChangeId(), topicId: 'new-1' }),
    'topic.update': () => ({ changeId: nextChangeId() }),
    'topic.delete': () => ({ changeId: nextChangeId() }),
    'receivedEmail.list': (window) => emailPage(received.map(located), window),
    'receivedEmail.get': ({ id }) =>
      located(received.find((email) => email.id === id) ?? notFound('This e-mail is gone.')),
    'sentEmail.list': (window) => emailPage(sent.map(located), window),
    'sentEmail.get': ({ id }) => located(sent.find((email) => email.id === id) ?? notFound('This e-mail is gone.')),
    'sync.status': () => ({
      connection: 'online',
      progress: { done: 1240, total: 5000 },
      lastSyncAt: Date.now() - 120_000,
      waitingUntil: null,
      confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
      pendingChanges: 2,
      problem: null,
    }),
    'keeping.state': () => keeping,
    'keeping.set': ({ days = keeping.days, bytes = keeping.maxBytes }) => {
      keeping = { ...keeping, days, maxBytes: bytes }
      return keeping
    },
    'cache.state': () => ({ directory: '/home/ada/linnet', bytes: 3e6, cacheBytes: 2e6, localOnlyThreads: 1 }),
    'problem.list': () => [],
    'recentSearch.list': () => [],
    'snippet.list': () => ({ signatures: [], cannedReplies: [] }),
    'template.list': () => [],
    'template.refresh': () => null,
    'snippet.import': () => ({ cannedReplies: 0, signatures: 0, same: 0, leftOut: [] }),
    'snippet.export': () => ({ kind: 'cancelled' }),
    'cannedReply.save': ({ id, name, html }) => ({ id: id ?? 'canned', name, html }),
    'savedSearch.list': () => [],
    'inboxTab.list': () => KIND_TABS.map((tab, at) => ({ ...tab, unread: at })),
    'rule.list': () => [],
    'assistant.access': () => NO_ASSISTANT_ACCESS,
    'assistant.calls': () => [],
    'assistant.proposals': () => [],
    'assistant.threads': ({ threadIds }) => threadIds.flatMap((id) => threads.find((thread) => thread.id === id) ?? []),
    'assistant.decide': () => ({ wasOpen: true }),
    'rule.save': ({ before: _before, ...rule }) => ({ ...rule, id: rule.id ?? 'rule' }),
    'rule.preview': () => ({ threads: 2 }),
    'rule.log': () => [],
    'rule.export': () => ({ kind: 'cancelled' }),
    'savedSearch.save': ({ inboxId, name, text }) => ({ id: 'saved', inboxId, name, text, unread: null }),
    ...replaced,
  }
  const handlers = { ...NOTHING, ...rows } as Commands
  const dispatchers: Readonly<Record<CommandTarget, ReturnType<typeof createDispatcher>>> = {
    host: createDispatcher('host', handlers, raise),
    engine: createDispatcher('engine', handlers, raise),
  }
  const callAccount = (name: string, input: unknown, accountId: string | null): Promise<Result<unknown>> => {
    calls.push({ name, input })
    if (refusal !== null) return Promise.resolve({ ok: false, error: refusal })
    const asking = { accountId, caller: 'window' }
    return dispatchers[findCommandTarget(name) ?? 'engine'](name, input, asking)
  }
  /** True once a window has shown all inboxes. */
  let isShared = false
  const joined = {
    call: (name: string, input: unknown) => callAccount(name, input, 'fixture'),
    inboxes: () => [INBOX],
    labels: () => labels,
    list: (query: ThreadQuery) => toOpenList(listOf(query), query),
  }
  const allInboxes = new AllInboxes(new Map([['fixture', joined]]), (event) => send(event, ALL_INBOXES), raise)
  return {
    calls,
    emit,
    refuse: (problem) => {
      refusal = problem
    },
    call: async (name, input, accountId) => {
      const isForAll = accountId === ALL_INBOXES && findCommandTarget(name) === 'engine'
      isShared ||= isForAll
      const result = isForAll
        ? allInboxes.call(['fixture'], name, input, 'window')
        : callAccount(name, input, accountId)
      // Real responses cross a process boundary, so nothing is shared.
      return structuredClone(await result)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A broken fixture is a bug in the test, so it must surface. */
const raise = (thrown: unknown): never => {
  throw thrown
}
