import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ALL_INBOXES,
  toUnifiedInboxId,
  joinIds,
  toUnifiedLabelId,
  labelNameOf,
  parseUnifiedThreadId,
  splitIds,
  toUnifiedThreadId,
} from '../../../../src/shared/unified-ids.ts'
import { AllInboxes, type JoinedAccount } from '../../../../src/engine/handlers/all-inboxes.ts'
import { toLocalInput } from '../../../../src/engine/handlers/unified-data.ts'
import { mergeSyncStatus } from '../../../../src/engine/handlers/unified-merges.ts'
import {
  contract,
  type CommandInput,
  type CommandName,
  type CommandOutput,
  type LinnetEvent,
} from '../../../../src/shared/contract.ts'
import { countPerFolder } from '../../../../src/shared/folder-counts.ts'
import { KIND_TABS } from '../../../../src/shared/inbox-tabs.ts'
import type { OpenList } from '../../../../src/engine/mail/threads/open-list.ts'
import type { ListPosition } from '../../../../src/engine/store/thread-lists.ts'
import type { ListedThread, LocalMatch, SyncStatus, Thread } from '../../../../src/shared/model.ts'
import { fail, ok, type Result } from '../../../../src/shared/result.ts'
import type { DraftContent } from '../../../../src/shared/drafts.ts'
import { toAssignmentLabelId, toMarkLabelId } from '../../../../src/shared/thread-marks.ts'
import { createFolderQuery, createLabelQuery } from '../../../../src/shared/thread-query.ts'

const NOTED = '#AB4ABA'

interface Held {
  readonly inboxes: string[]
  /** Label IDs by inbox and label name. */
  readonly labels: Record<string, Record<string, string>>
}

interface Call {
  readonly accountId: string
  readonly name: string
  readonly input: Record<string, unknown>
}

const thread = (id: string, inboxId: string, labels: Record<string, string> = {}): Thread => ({
  ...{ id, inboxId, subject: id, from: null, to: [], cc: [], bcc: [], emailCount: 1, hasAttachment: false },
  ...{
    hasDraft: false,
    read: true,
    receivedAt: 0,
    folder: 'inbox',
    snippet: null,
    writers: [],
    hasOutbound: false,
    onServer: true,
  },
  labels: Object.entries(labels).map(([name, labelId]) => ({ id: labelId, name, color: NOTED })),
})

const draftOf = (accountId: string) => ({
  ...{ id: 'draft', inboxId: 'desk', kind: 'reply', target: { threadId: 'one', emailId: 'e-mail' } },
  updatedAt: accountId === 'home' ? 2 : 1,
})

const listOfOne = (row: ListedThread, check: () => void): OpenList => {
  const isListed = (place: { readonly offset: number } | ListPosition): boolean =>
    'offset' in place ? place.offset === 0 : place.skip === 0
  return {
    load: () => {
      check()
      return 1
    },
    request: () => undefined,
    countBetween: () => 1,
    range: () => ({ newest: 0, oldest: 0 }),
    times: (place, limit) => (isListed(place) && limit > 0 ? [0] : []),
    rows: (place, limit) => (isListed(place) && limit > 0 ? [row] : []),
    total: () => 1,
    hasMore: () => false,
    freshness: () => ({ state: 'live', at: 0 }),
    searched: () => null,
  }
}

/** Two accounts with three inboxes that share inbox and thread IDs. */
const openDoor = () => {
  const work: Held = {
    inboxes: ['desk', 'ann'],
    labels: { desk: { Fog: 'w-fog', Pier: 'w-pier' }, ann: { Fog: 'a-fog' } },
  }
  const home: Held = { inboxes: ['desk'], labels: { desk: { Ferry: 'h-ferry' } } }
  const calls: Call[] = []
  const refusing = new Set<string>()
  const gone = new Set<string>()
  let made = 0
  let labelsMade = 0
  const answer = (accountId: string, name: string, input: Record<string, string | undefined>): unknown => {
    const account = accountId === 'work' ? work : accountId === 'home' ? home : undefined
    const labels = account?.labels[input.inboxId ?? '']
    switch (name) {
      case 'inbox.list':
        return {
          inboxes: account?.inboxes.map((id) => ({ id, name: null, emailAddress: id, unread: 2, onServer: true })),
          freshness: { state: 'live', at: 0 },
        }
      case 'label.create':
        labelsMade += 1
        if (labels !== undefined) labels[String(input.name)] = `made-${labelsMade}`
        return { labelId: `made-${labelsMade}`, changeId: `label-${labelsMade}` }
      case 'label.update':
        return { changeId: `renamed-${accountId}-${String(input.labelId)}` }
      case 'thread.change':
        made += 1
        return { changeId: `change-${made}`, threads: 2, isWhole: true }
      case 'change.undo':
        return { undone: true, changeId: `un-${String(input.changeId)}` }
      case 'thread.open':
        return {
          thread: {
            ...thread(input.threadId ?? '', input.inboxId ?? ''),
            // The label was created here, and concurrently by someone else.
            labels: ['new-fog', 'w-fog'].map((id) => ({ id, name: 'Fog', color: NOTED })),
          },
          emails: [{ id: 'e-mail', threadId: input.threadId }],
          freshness: { state: 'live', at: 0 },
        }
      case 'thread.excerpts': {
        const [first] = input.found as unknown as readonly LocalMatch[]
        return [{ ...first, text: `of ${accountId}` }]
      }
      case 'thread.countByFolder':
        return { folders: countPerFolder(() => 1), isWhole: true }
      case 'person.suggest':
        return [`${accountId}-${input.inboxId ?? ''}@x.example`, 'Ada@x.example'].map((address) => ({
          ...{ name: null, contactId: null },
          address: accountId === 'home' ? address.toLowerCase() : address,
        }))
      case 'inboxTab.list':
        return [...KIND_TABS, { id: 'own', name: 'Own', text: 'fog' }].map((tab, at) => ({ ...tab, unread: at }))
      case 'recentSearch.list':
        return [{ text: 'fog' }, { text: accountId }]
      case 'draft.list':
        return [draftOf(accountId)]
      case 'draft.open':
        return draftOf(accountId)
      case 'draft.create':
        return { draftId: 'draft', revision: 0 }
      case 'snippet.list':
        return {
          signatures: [{ inboxId: `${accountId}-desk`, address: null, html: accountId }],
          cannedReplies: [{ id: 'reply', name: accountId, html: '' }],
        }
      case 'cannedReply.save':
        return input
      case 'assistant.proposals':
        return [{ id: 'proposal', inboxId: `${accountId}-desk` }]
      case 'template.list':
        return [{ id: 'template', name: accountId, subject: null }]
      case 'contact.ofAddress':
        return accountId === 'home' ? { id: 'ada' } : null
      case 'problem.list':
        return [{ id: 'disk', at: accountId === 'work' ? 2 : 1, code: 'storage_failed', message: 'Full.' }]
      default:
        return null
    }
  }
  const events: LinnetEvent[] = []
  const joined = (accountId: string, held: Held): JoinedAccount => ({
    call: (name, input) => {
      calls.push({ accountId, name, input: input as Record<string, unknown> })
      if (refusing.has(`${accountId} ${name}`))
        return Promise.resolve(fail('not_found', 'Not here. Nothing was changed.'))
      return Promise.resolve(ok(answer(accountId, name, input as Record<string, string | undefined>)))
    },
    inboxes: () => {
      if (refusing.has(`${accountId} inboxes`)) throw new Error('The disk does not answer.')
      return held.inboxes.map((id) => ({ id, onServer: !gone.has(id) }))
    },
    labels: (inboxId) => Object.entries(held.labels[inboxId] ?? {}).map(([name, id]) => ({ id, name, color: NOTED })),
    list: (query, options) => {
      calls.push({ accountId, name: 'list', input: { query, ...options } })
      const [inboxId = ''] = query.inboxIds
      const [label = {}] = Object.entries(held.labels[inboxId] ?? {}).map(([name, id]) => ({ [name]: id }))
      return listOfOne({ ...thread('one', inboxId, label), match: null }, () => {
        if (refusing.has(`${accountId} list`)) throw new Error('The disk does not answer.')
      })
    },
  })
  const accounts = new Map([
    ['work', joined('work', work)],
    ['home', joined('home', home)],
  ])
  const reported: unknown[] = []
  const all = new AllInboxes(
    accounts,
    (event) => events.push(event),
    (thrown) => reported.push(thrown),
  )
  const across = {
    call: <Name extends CommandName>(name: Name, input: CommandInput<Name>, caller = 'window') =>
      all.call([...accounts.keys()], name, input, caller) as Promise<Result<CommandOutput<Name>>>,
  }
  return {
    across,
    close: (accountId: string) => {
      accounts.delete(accountId)
      all.accountsChanged()
    },
    reported,
    gone,
    work,
    home,
    refusing,
    emit: (accountId: string, event: LinnetEvent) => all.forward(accountId, event),
    heard: (name: LinnetEvent['name']): readonly unknown[] =>
      events.flatMap((event) => (event.name === name ? [event.payload] : [])),
    called: (name: string) => calls.filter((call) => call.name === name),
    forget: () => {
      calls.splice(0)
      events.splice(0)
    },
  }
}

const at = (accountId: string, inboxId: string, threadId: string): string =>
  toUnifiedThreadId({ accountId, inboxId, threadId })

const dataOf = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new Error(result.error.message)
  return result.data
}

let world: ReturnType<typeof openDoor>
let across: ReturnType<typeof openDoor>['across']
beforeEach(() => {
  world = openDoor()
  across = world.across
})

describe('IDs across accounts', () => {
  it.each(['one', 'a,b', 'ä %2C ,', '', ' '])('round-trip any platform ID: "%s"', (id) => {
    const place = { accountId: 'work', inboxId: `${id}.`, threadId: id }
    expect(parseUnifiedThreadId(toUnifiedThreadId(place))).toEqual(place)
    expect(labelNameOf(toUnifiedLabelId(id))).toBe(id)
    const parts = [
      { accountId: id, id },
      { accountId: 'home', id: `${id} ${id}` },
    ]
    expect(splitIds(joinIds(parts))).toEqual(parts)
  })

  it('reject IDs that were made elsewhere', () => {
    for (const id of ['one', 'a,b', 'a,b,c,d', '%', '%,%,%']) expect(parseUnifiedThreadId(id)).toBeNull()
    for (const id of ['one', 'label', '%,x', 'label,a,b']) expect(labelNameOf(id)).toBeNull()
    expect(splitIds(joinIds([]))).toEqual([])
  })
})

/** Names of all fields of a schema, at any depth. */
const fieldsOf = (schema: unknown): readonly string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  return [...own, ...Object.values(schema).flatMap(fieldsOf)]
}

/** IDs of no account, or that pass unchanged because the input names its account in another way. */
const UNCHANGED = new Set([
  ...['emailId', 'attachmentId', 'fileId', 'platformId', 'contentId', 'upload'],
  ...['contactId', 'contactIds', 'segmentId', 'segmentIds', 'topicId', 'tableId'],
  // Commands with these fields concern one account.
  ...['ids', 'accountId', 'accountIds'],
])
const TRANSLATED = new Set([
  ...['id', 'draftId', 'changeId', 'inboxId', 'inboxIds', 'threadId', 'threadIds', 'held', 'except'],
  ...['labelId', 'labelIds', 'addLabels', 'removeLabels', 'setLabels', 'assignedTo', 'notAssignedTo'],
])

it.each(Object.entries(contract).filter(([, { target }]) => target === 'engine'))(
  '%s has no IDs that the translation doesn’t know',
  (_name, { input }) => {
    const fields = fieldsOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
    const ids = fields.filter((field) => /Ids?$|^ids?$|Labels$|^held$|^except$/.test(field))
    expect(ids.filter((field) => !UNCHANGED.has(field) && !TRANSLATED.has(field))).toEqual([])
  },
)

it('asks every inbox for threads assigned to somebody in the dashboard', () => {
  const input = { assignedTo: [toAssignmentLabelId('ada@acme.example')] }
  expect(toLocalInput(input, { accountId: 'home', inboxId: 'desk' }, () => [])).toEqual(input)
})

describe('lists across accounts', () => {
  it('query every inbox and give each thread its owner’s ID', async () => {
    const query = createFolderQuery(ALL_INBOXES, 'archive')
    const held = [at('home', 'desk', 'one')]
    const page = dataOf(await across.call('thread.list', { query, offset: 0, limit: 10, held }))
    expect(world.called('list')).toMatchObject([
      { accountId: 'work', input: { query: { inboxIds: ['desk'], folders: ['archive'] }, held: [] } },
      { accountId: 'work', input: { query: { inboxIds: ['ann'] }, held: [] } },
      { accountId: 'home', input: { query: { inboxIds: ['desk'] }, held: ['one'] } },
    ])
    expect(page.total).toBe(3)
    expect(page.items.map(({ id, inboxId }) => [id, inboxId])).toEqual([
      [at('work', 'desk', 'one'), ALL_INBOXES],
      [at('work', 'ann', 'one'), ALL_INBOXES],
      [at('home', 'desk', 'one'), ALL_INBOXES],
    ])
    expect(page.items.map(({ labels }) => labels[0]?.id)).toEqual(['Fog', 'Fog', 'Ferry'].map(toUnifiedLabelId))
  })

  it('query only the inboxes that are named', async () => {
    const inboxIds = [toUnifiedInboxId('work', 'ann'), toUnifiedInboxId('home', 'desk')]
    const query = { ...createFolderQuery(ALL_INBOXES, 'inbox'), inboxIds }
    dataOf(await across.call('thread.list', { query, offset: 0, limit: 10 }))
    expect(world.called('list').map(({ accountId, input }) => [accountId, input.query])).toMatchObject([
      ['work', { inboxIds: ['ann'] }],
      ['home', { inboxIds: ['desk'] }],
    ])
  })

  it('resolve a label to each inbox’s own ID and skip inboxes without it', async () => {
    const list = (name: string) =>
      across.call('thread.list', { query: createLabelQuery(ALL_INBOXES, toUnifiedLabelId(name)), offset: 0, limit: 10 })
    await list('Fog')
    expect(world.called('list')).toMatchObject([
      { input: { query: { labelIds: ['w-fog'] } } },
      { input: { query: { labelIds: ['a-fog'] } } },
    ])
    world.forget()
    expect(dataOf(await list('Nobody’s'))).toMatchObject({ total: 0, freshness: { state: 'live' } })
    expect(world.called('list')).toEqual([])
  })

  it.each(['inboxes', 'list'])('leave out an account whose files can’t be read (%s)', async (what) => {
    world.refusing.add(`work ${what}`)
    const query = createFolderQuery(ALL_INBOXES, 'inbox')
    const page = dataOf(await across.call('thread.list', { query, offset: 0, limit: 10 }))
    expect(page.items.map(({ id }) => id)).toEqual([at('home', 'desk', 'one')])
    expect(page.total).toBe(1)
    expect(world.reported).not.toEqual([])
  })

  it('fetch the excerpts of each row from its own inbox', async () => {
    const query = createFolderQuery(ALL_INBOXES, 'archive')
    const found = [at('work', 'desk', 'one'), at('home', 'desk', 'one'), 'nobody’s'].map((threadId) => ({
      threadId,
      emailId: 'e-mail',
    }))
    const excerpts = dataOf(await across.call('thread.excerpts', { query, found }))
    expect(excerpts.map(({ threadId, text }) => [threadId, text])).toEqual([
      [at('work', 'desk', 'one'), 'of work'],
      [at('home', 'desk', 'one'), 'of home'],
    ])
    expect(world.called('thread.excerpts').map(({ accountId, input }) => [accountId, input.found])).toEqual(
      ['work', 'home'].map((accountId) => [accountId, [{ threadId: 'one', emailId: 'e-mail' }]]),
    )
  })

  it('have no freshness until an inbox is known', async () => {
    world.work.inboxes.splice(0)
    world.home.inboxes.splice(0)
    const page = dataOf(
      await across.call('thread.list', { query: createFolderQuery(ALL_INBOXES, 'inbox'), offset: 0, limit: 10 }),
    )
    expect(page).toMatchObject({ total: 0, freshness: { state: 'never' } })
  })

  it('add up the counts of all inboxes, and say if one is missing', async () => {
    const count = async () =>
      dataOf(await across.call('thread.countByFolder', { query: createFolderQuery(ALL_INBOXES, 'inbox') }))
    expect(await count()).toEqual({ folders: countPerFolder(() => 3), isWhole: true })
    world.refusing.add('home thread.countByFolder')
    expect(await count()).toEqual({ folders: countPerFolder(() => 2), isWhole: false })
  })

  it('show one inbox with all unread counts, and each label name once', async () => {
    const { inboxes } = dataOf(await across.call('inbox.list', {}))
    expect(inboxes).toMatchObject([{ id: ALL_INBOXES, unread: 6, onServer: true }])
    const labels = dataOf(await across.call('label.list', { inboxId: ALL_INBOXES }))
    expect(labels.map(({ name }) => name)).toEqual(['Fog', 'Pier', 'Ferry'])
  })
})

describe('changes across accounts', () => {
  const threadIds = [at('home', 'desk', 'one'), at('work', 'ann', 'two'), at('home', 'desk', 'three')]
  const archive = { inboxId: ALL_INBOXES, threadIds, change: { folder: 'archive' } } as const

  it('form one change that is undone in reverse order', async () => {
    const receipt = dataOf(await across.call('thread.change', archive))
    expect(receipt).toMatchObject({ threads: 4, isWhole: true })
    expect(world.called('thread.change')).toEqual([
      {
        accountId: 'home',
        name: 'thread.change',
        input: { inboxId: 'desk', threadIds: ['one', 'three'], change: archive.change },
      },
      {
        accountId: 'work',
        name: 'thread.change',
        input: { inboxId: 'ann', threadIds: ['two'], change: archive.change },
      },
    ])
    const undone = dataOf(await across.call('change.undo', { changeId: receipt.changeId }))
    expect(undone.undone).toBe(true)
    expect(world.called('change.undo').map(({ accountId, input }) => [accountId, input.changeId])).toEqual([
      ['work', 'change-2'],
      ['home', 'change-1'],
    ])
    // Redo starts with the first part of the change.
    world.forget()
    await across.call('change.undo', { changeId: undone.undone ? undone.changeId : '' })
    expect(world.called('change.undo').map(({ input }) => input.changeId)).toEqual(['un-change-1', 'un-change-2'])
  })

  it('are rolled back everywhere when one account rejects its part', async () => {
    world.refusing.add('work thread.change')
    expect(await across.call('thread.change', archive)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(world.called('change.undo')).toMatchObject([{ accountId: 'home', input: { changeId: 'change-1' } }])
  })

  it('do nothing if a thread’s account is missing', async () => {
    const gone = { ...archive, threadIds: [...threadIds, at('left', 'desk', 'one')] }
    expect(await across.call('thread.change', gone)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(world.called('thread.change')).toEqual([])
  })

  it('create missing labels before changing threads, and undo them last', async () => {
    const change = { addLabels: [toUnifiedLabelId('Fog')] }
    const { changeId } = dataOf(await across.call('thread.change', { ...archive, change }))
    expect(world.called('label.create')).toEqual([
      { accountId: 'home', name: 'label.create', input: { inboxId: 'desk', name: 'Fog', color: NOTED } },
    ])
    expect(world.called('thread.change').map(({ accountId, input }) => [accountId, input.change])).toEqual(
      expect.arrayContaining([
        ['home', { addLabels: ['made-1'] }],
        ['work', { addLabels: ['a-fog'] }],
      ]),
    )
    await across.call('change.undo', { changeId })
    const undone = world.called('change.undo').map(({ input }) => String(input.changeId))
    expect(undone.at(-1)).toBe('label-1')
  })

  it('remove a label only in inboxes that have it', async () => {
    const change = { removeLabels: [toUnifiedLabelId('Ferry')] }
    const { threads } = dataOf(await across.call('thread.change', { ...archive, change }))
    expect(world.called('thread.change')).toMatchObject([
      { accountId: 'home', input: { change: { removeLabels: ['h-ferry'] } } },
      { accountId: 'work', input: { change: { removeLabels: [] } } },
    ])
    expect(threads).toBe(4)
  })

  it('send a change of all matches to every inbox with its own exceptions', async () => {
    const matching = { query: createFolderQuery(ALL_INBOXES, 'inbox'), upTo: 9, except: [at('work', 'ann', 'two')] }
    await across.call('thread.change', { inboxId: ALL_INBOXES, matching, change: { read: true } })
    expect(world.called('thread.change').map(({ input }) => input)).toMatchObject([
      { inboxId: 'desk', matching: { upTo: 9, except: [] } },
      { inboxId: 'ann', matching: { upTo: 9, except: ['two'] } },
      { inboxId: 'desk', matching: { query: { inboxIds: ['desk'] }, except: [] } },
    ])
  })
})

describe('new label across accounts', () => {
  const create = () => across.call('label.create', { inboxId: ALL_INBOXES, name: ' Tide ', color: '#30A46C' })
  const names = async () => dataOf(await across.call('label.list', { inboxId: ALL_INBOXES })).map(({ name }) => name)

  it('is created in an inbox on first use, and can be undone and redone', async () => {
    const { changeId, labelId } = dataOf(await create())
    expect(await names()).toContain('Tide')
    expect(world.called('label.create')).toEqual([])
    await across.call('change.undo', { changeId })
    expect(await names()).not.toContain('Tide')
    await across.call('change.undo', { changeId })
    const threadIds = [at('home', 'desk', 'one')]
    await across.call('thread.change', { inboxId: ALL_INBOXES, threadIds, change: { addLabels: [labelId] } })
    expect(world.called('label.create')).toMatchObject([
      { accountId: 'home', input: { name: 'Tide', color: '#30A46C' } },
    ])
  })

  it('can be deleted while no inbox has it, which can be undone', async () => {
    const { labelId } = dataOf(await create())
    const named = { inboxId: ALL_INBOXES, labelId }
    expect(dataOf(await across.call('label.usage', named))).toEqual({ labelId, threads: 0 })
    const { changeId } = dataOf(await across.call('label.delete', named))
    expect(await names()).not.toContain('Tide')
    await across.call('change.undo', { changeId })
    expect(await names()).toContain('Tide')
    expect(world.called('label.delete')).toEqual([])
  })

  it('doesn’t return after it is deleted in its inboxes', async () => {
    const { labelId } = dataOf(await create())
    world.home.labels.desk = { Tide: 'h-tide' }
    await across.call('label.delete', { inboxId: ALL_INBOXES, labelId })
    expect(world.called('label.delete')).toMatchObject([{ accountId: 'home', input: { labelId: 'h-tide' } }])
    world.home.labels.desk = {}
    expect(await names()).not.toContain('Tide')
  })

  it('needs a name that no inbox has', async () => {
    await create()
    for (const name of ['Tide', 'Fog', '  ']) {
      const result = await across.call('label.create', { inboxId: ALL_INBOXES, name, color: NOTED })
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    }
  })
})

it('renames a label in every inbox that has it, or in none', async () => {
  const rename = () =>
    across.call('label.update', { inboxId: ALL_INBOXES, labelId: toUnifiedLabelId('Fog'), name: 'Mist', color: NOTED })
  world.home.labels.desk = { Fog: 'h-fog' }
  await rename()
  expect(world.called('label.update').map(({ accountId, input }) => [accountId, input.inboxId, input.labelId])).toEqual(
    [
      ['work', 'desk', 'w-fog'],
      ['work', 'ann', 'a-fog'],
      ['home', 'desk', 'h-fog'],
    ],
  )
  world.refusing.add('home label.update')
  expect(await rename()).toMatchObject({ ok: false })
  expect(world.called('change.undo').map(({ accountId, input }) => [accountId, input.changeId])).toEqual([
    ['work', 'renamed-work-a-fog'],
    ['work', 'renamed-work-w-fog'],
  ])
})

it('creates a label once for two concurrent changes', async () => {
  const change = { addLabels: [toUnifiedLabelId('Fog')] }
  const threadIds = [at('home', 'desk', 'one')]
  await Promise.all([1, 2].map(() => across.call('thread.change', { inboxId: ALL_INBOXES, threadIds, change })))
  expect(world.called('label.create')).toHaveLength(1)
  expect(world.called('thread.change').map(({ input }) => input.change)).toEqual([
    { addLabels: ['made-1'] },
    { addLabels: ['made-1'] },
  ])
})

describe('requests about one thread or account', () => {
  it('go to the e-mail’s account with that account’s IDs', async () => {
    const threadId = at('home', 'desk', 'one')
    const { thread: open, emails } = dataOf(await across.call('thread.open', { inboxId: ALL_INBOXES, threadId }))
    expect([open.id, open.inboxId, emails[0]?.threadId]).toEqual([threadId, ALL_INBOXES, threadId])
    expect(open.labels.map(({ id }) => id)).toEqual([toUnifiedLabelId('Fog')])
    const of = { list: 'threads', inboxId: ALL_INBOXES, threadId, emailId: 'e-mail' } as const
    await across.call('attachment.open', { of, attachmentId: 'paper' })
    expect(world.called('attachment.open')).toEqual([
      {
        accountId: 'home',
        name: 'attachment.open',
        input: { of: { list: 'threads', inboxId: 'desk', threadId: 'one', emailId: 'e-mail' }, attachmentId: 'paper' },
      },
    ])
    await across.call('contact.get', { contactId: 'ada' })
    expect(world.called('contact.get')).toMatchObject([{ accountId: 'home' }])
  })

  it('read delivery states from the thread’s account', async () => {
    await across.call('delivery.ofThread', { inboxId: ALL_INBOXES, threadId: at('home', 'desk', 'two'), mayAsk: true })
    expect(world.called('delivery.ofThread')).toEqual([
      { accountId: 'home', name: 'delivery.ofThread', input: { inboxId: 'desk', threadId: 'two', mayAsk: true } },
    ])
    const nowhere = await across.call('delivery.ofThread', { inboxId: ALL_INBOXES, threadId: 'two', mayAsk: true })
    expect(nowhere).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('are rejected for threads of unknown accounts', async () => {
    for (const threadId of ['one', at('left', 'desk', 'one')]) {
      expect(await across.call('thread.open', { inboxId: ALL_INBOXES, threadId })).toMatchObject({
        ok: false,
        error: { code: 'not_found' },
      })
    }
    expect(world.called('thread.open')).toEqual([])
  })

  it('suggests people from all inboxes in turn, each once', async () => {
    const found = dataOf(await across.call('person.suggest', { inboxId: ALL_INBOXES, typed: 'a', limit: 4 }))
    expect(found.map(({ address }) => address)).toEqual([
      'work-desk@x.example',
      'work-ann@x.example',
      'home-desk@x.example',
      'Ada@x.example',
    ])
  })

  it('counts the inbox tabs across all inboxes', async () => {
    const tabs = dataOf(await across.call('inboxTab.list', { inboxId: ALL_INBOXES }))
    expect(tabs.map(({ name, unread }) => [name, unread])).toEqual([
      ['People', 0],
      ['Newsletters', 3],
      ['Robots', 6],
    ])
  })

  it('joins the searches, problems, proposals and syncs of all accounts', async () => {
    expect(dataOf(await across.call('recentSearch.list', {})).map(({ text }) => text)).toEqual(['fog', 'work', 'home'])
    const [first] = dataOf(await across.call('problem.list', {}))
    await across.call('problem.dismiss', { id: first?.id ?? '' })
    expect(world.called('problem.dismiss')).toEqual([
      { accountId: 'home', name: 'problem.dismiss', input: { id: 'disk' } },
    ])
    expect(dataOf(await across.call('assistant.proposals', {}))).toEqual([
      { id: joinIds([{ accountId: 'work', id: 'proposal' }]), inboxId: toUnifiedInboxId('work', 'work-desk') },
      { id: joinIds([{ accountId: 'home', id: 'proposal' }]), inboxId: toUnifiedInboxId('home', 'home-desk') },
    ])
    await across.call('sync.now', {})
    expect(world.called('sync.now').map(({ accountId }) => accountId)).toEqual(['work', 'home'])
  })
})

describe('signatures and canned replies', () => {
  it('form one list, and a reply is edited in its own account', async () => {
    const { signatures, cannedReplies } = dataOf(await across.call('snippet.list', {}))
    expect(signatures.map(({ inboxId, html }) => [inboxId, html])).toEqual([
      [toUnifiedInboxId('work', 'work-desk'), 'work'],
      [toUnifiedInboxId('home', 'home-desk'), 'home'],
    ])
    const [, reply = { id: '', name: '', html: '' }] = cannedReplies
    expect([splitIds(reply.id), reply.name]).toEqual([[{ accountId: 'home', id: 'reply' }], 'home'])
    expect(dataOf(await across.call('cannedReply.save', { ...reply, name: 'Thanks' })).id).toBe(reply.id)
    await across.call('cannedReply.remove', { id: reply.id })
    expect(world.called('cannedReply.save')).toMatchObject([{ accountId: 'home', input: { id: 'reply' } }])
    expect(world.called('cannedReply.remove')).toMatchObject([{ accountId: 'home', input: { id: 'reply' } }])
  })

  it('need one account when they are new', async () => {
    expect(await across.call('cannedReply.save', { id: null, name: 'Thanks', html: '' })).toMatchObject({ ok: false })
    expect(world.called('cannedReply.save')).toEqual([])
    await across.call('signature.set', { inboxId: toUnifiedInboxId('work', 'ann'), html: '' })
    expect(world.called('signature.set')).toMatchObject([{ accountId: 'work', input: { inboxId: 'ann' } }])
  })

  it('lists the templates of all accounts and reads each from its own', async () => {
    const [first, second] = dataOf(await across.call('template.list', {}))
    expect([first?.name, second?.name]).toEqual(['work', 'home'])
    await across.call('template.get', { id: second?.id ?? '' })
    expect(world.called('template.get')).toMatchObject([{ accountId: 'home', input: { id: 'template' } }])
    await across.call('template.refresh', {})
    expect(world.called('template.refresh').map(({ accountId }) => accountId)).toEqual(['work', 'home'])
  })

  it('are filled from whichever account knows the contact', async () => {
    expect(dataOf(await across.call('contact.ofAddress', { address: 'ada@x.example' }))).toEqual({ id: 'ada' })
    expect(world.called('contact.ofAddress')).toHaveLength(2)
  })
})

describe('drafts', () => {
  const content: DraftContent = {
    ...{ to: [], cc: [], bcc: [], subject: '', html: '', text: '', quote: null, files: [] },
    format: 'plain',
  }

  it('form one list, newest first, and are saved in their own account', async () => {
    const drafts = dataOf(await across.call('draft.list', { inboxId: ALL_INBOXES }))
    expect(world.called('draft.list').map(({ accountId, input }) => [accountId, input])).toEqual([
      ['work', {}],
      ['home', {}],
    ])
    expect(drafts.map(({ id, inboxId, target }) => [splitIds(id), inboxId, target?.threadId])).toEqual([
      [[{ accountId: 'home', id: 'draft' }], toUnifiedInboxId('home', 'desk'), at('home', 'desk', 'one')],
      [[{ accountId: 'work', id: 'draft' }], toUnifiedInboxId('work', 'desk'), at('work', 'desk', 'one')],
    ])
    const draftId = drafts[0]?.id ?? ''
    expect(dataOf(await across.call('draft.open', { draftId })).id).toBe(draftId)
    await across.call('draft.save', { draftId, revision: 2, content })
    await across.call('draft.save', { draftId, revision: 3, content, inboxId: toUnifiedInboxId('home', 'desk') })
    expect(world.called('draft.save')).toMatchObject([
      { accountId: 'home', input: { draftId: 'draft', revision: 2 } },
      { accountId: 'home', input: { draftId: 'draft', revision: 3, inboxId: 'desk' } },
    ])
    // Inboxes of other accounts are rejected.
    for (const inboxId of [toUnifiedInboxId('work', 'desk'), 'desk', ALL_INBOXES]) {
      expect(await across.call('draft.save', { draftId, revision: 4, content, inboxId })).toMatchObject({ ok: false })
    }
    expect(world.called('draft.save')).toHaveLength(2)
    const ofOne = dataOf(await across.call('draft.list', { inboxId: toUnifiedInboxId('work', 'desk') }))
    expect(ofOne.map(({ inboxId }) => inboxId)).toEqual([toUnifiedInboxId('work', 'desk')])
    const of = {
      list: 'threads',
      inboxId: ALL_INBOXES,
      threadId: at('home', 'desk', 'one'),
      emailId: 'e-mail',
    } as const
    await across.call('draft.addFrom', { draftId, of })
    expect(world.called('draft.addFrom')).toMatchObject([
      { accountId: 'home', input: { draftId: 'draft', of: { inboxId: 'desk', threadId: 'one' } } },
    ])
  })

  it('start in the account of their thread or their From inbox', async () => {
    const target = { threadId: at('home', 'desk', 'one'), emailId: 'e-mail' }
    const answer = { inboxId: ALL_INBOXES, kind: 'reply', target, content } as const
    const { draftId } = dataOf(await across.call('draft.create', answer))
    expect(splitIds(draftId)).toEqual([{ accountId: 'home', id: 'draft' }])
    const inboxId = toUnifiedInboxId('work', 'ann')
    await across.call('draft.create', { inboxId, kind: 'new', target: null, content })
    expect(world.called('draft.create')).toMatchObject([
      { accountId: 'home', input: { inboxId: 'desk', target: { threadId: 'one', emailId: 'e-mail' } } },
      { accountId: 'work', input: { inboxId: 'ann', target: null } },
    ])
    for (const ofNobody of [ALL_INBOXES, 'ann', toUnifiedInboxId('left', 'ann')]) {
      const asked = { inboxId: ofNobody, kind: 'new', target: null, content } as const
      expect(await across.call('draft.create', asked)).toMatchObject({ ok: false })
    }
    for (const id of ['draft', joinIds([{ accountId: 'left', id: 'draft' }])]) {
      expect(await across.call('draft.discard', { draftId: id })).toMatchObject({ error: { code: 'not_found' } })
    }
  })
})

describe('account events', () => {
  const changed = { inboxId: 'desk', folders: ['inbox'], labelIds: [], threadIds: ['one'], searches: [] }
  beforeEach(async () => {
    await across.call('label.list', { inboxId: ALL_INBOXES })
    world.emit('home', { name: 'inboxes.changed', payload: null })
    world.forget()
  })

  it('translate thread IDs', () => {
    world.emit('home', { name: 'threads.changed', payload: changed })
    world.emit('home', { name: 'emails.changed', payload: { inboxId: 'desk', threadIds: ['one'] } })
    const threadIds = [at('home', 'desk', 'one')]
    expect(world.heard('threads.changed')).toEqual([{ ...changed, inboxId: ALL_INBOXES, threadIds }])
    expect(world.heard('emails.changed')).toEqual([{ inboxId: ALL_INBOXES, threadIds }])
    world.emit('home', { name: 'history.changed', payload: { inboxId: 'desk', threadId: 'one' } })
    expect(world.heard('history.changed')).toEqual([{ inboxId: ALL_INBOXES, threadId: threadIds[0] }])
    world.emit('home', { name: 'threads.changed', payload: { ...changed, searches: ['a key'], movedLocally: ['one'] } })
    expect(world.heard('threads.changed').at(-1)).toMatchObject({ searches: null, movedLocally: threadIds })
  })

  it('translate the IDs of drafts', () => {
    world.emit('home', { name: 'drafts.changed', payload: { inboxIds: ['desk'] } })
    expect(world.heard('drafts.changed')).toEqual([{ inboxIds: [ALL_INBOXES, toUnifiedInboxId('home', 'desk')] }])
    const sent = { draftId: 'draft', inboxId: 'desk', threadId: 'one', emailId: 'e-mail' }
    world.emit('home', { name: 'draft.sent', payload: sent })
    world.emit('home', { name: 'draft.sent', payload: { ...sent, threadId: null } })
    const inAll = { ...sent, draftId: joinIds([{ accountId: 'home', id: 'draft' }]), inboxId: ALL_INBOXES }
    expect(world.heard('draft.sent')).toEqual([
      { ...inAll, threadId: at('home', 'desk', 'one') },
      { ...inAll, threadId: null },
    ])
  })

  it('translate label IDs and keep mark IDs', () => {
    const labelIds = ['w-fog', toMarkLabelId('starred')]
    world.emit('work', { name: 'threads.changed', payload: { ...changed, labelIds } })
    expect(world.heard('threads.changed')).toMatchObject([
      { labelIds: [toMarkLabelId('starred'), toUnifiedLabelId('Fog')] },
    ])
    // One label is added, one deleted, one renamed.
    world.work.labels.desk = { Quay: 'w-quay', Dock: 'w-pier' }
    world.emit('work', { name: 'labels.changed', payload: { inboxId: 'desk', replaced: [] } })
    world.emit('work', { name: 'threads.changed', payload: { ...changed, labelIds: ['w-quay', 'w-fog', 'w-pier'] } })
    const { labelIds: named = [] } = world.heard('threads.changed').at(-1) as { labelIds?: string[] }
    expect(named.toSorted()).toEqual(['Dock', 'Fog', 'Pier', 'Quay'].map(toUnifiedLabelId))
  })

  it('follow a renamed label unless another inbox still uses the old name', () => {
    world.work.labels.desk = { Mist: 'w-fog', Quay: 'w-pier' }
    world.emit('work', { name: 'labels.changed', payload: { inboxId: 'desk', replaced: [] } })
    expect(world.heard('labels.changed')).toEqual([
      { inboxId: ALL_INBOXES, replaced: [{ was: toUnifiedLabelId('Pier'), id: toUnifiedLabelId('Quay') }] },
    ])
  })

  it('refresh every list when an account opens or closes', () => {
    world.close('home')
    expect(world.heard('inboxes.changed')).toHaveLength(1)
    expect(world.heard('threads.changed')).toMatchObject([{ inboxId: ALL_INBOXES, searches: null }])
    world.emit('work', { name: 'inboxes.changed', payload: null })
    expect(world.heard('inboxes.changed')).toHaveLength(2)
    expect(world.heard('threads.changed')).toHaveLength(1)
  })

  it('leave notices to the accounts', () => {
    world.emit('home', { name: 'mail.arrived', payload: {} as never })
    expect(world.heard('mail.arrived')).toEqual([])
  })
})

it('emits no events while there is only one inbox and no window shows all', async () => {
  world.close('work')
  world.emit('home', { name: 'contacts.changed', payload: null })
  expect(world.heard('contacts.changed')).toEqual([])
  await across.call('inbox.list', {})
  world.emit('home', { name: 'contacts.changed', payload: null })
  expect(world.heard('contacts.changed')).toHaveLength(1)
})

it('emits events to a window that was open before the engine started', () => {
  world.emit('home', { name: 'inboxes.changed', payload: null })
  world.emit('home', { name: 'contacts.changed', payload: null })
  expect(world.heard('contacts.changed')).toHaveLength(1)
})

it('reports the combined sync as far as its slowest account', () => {
  const status = (given: Partial<SyncStatus>): SyncStatus => ({
    ...{ connection: 'online', progress: null, lastSyncAt: 5, pendingChanges: 1, problem: null, waitingUntil: null },
    confirmedAt: { inboxes: 5, received: 5, sent: 5, contacts: null, threads: { desk: 5, ann: 7 } },
    ...given,
  })
  const slow = status({ connection: 'offline', progress: { done: 1, total: 4 }, lastSyncAt: 3, waitingUntil: 9 })
  expect(mergeSyncStatus([status({ progress: { done: 2, total: 3 } }), slow])).toEqual({
    ...{ connection: 'online', progress: { done: 3, total: 7 }, lastSyncAt: 3, pendingChanges: 2, problem: null },
    confirmedAt: { inboxes: 5, received: 5, sent: 5, contacts: null, threads: { all: 5 } },
    waitingUntil: 9,
  })
  expect(mergeSyncStatus([slow, slow]).connection).toBe('offline')
  expect(mergeSyncStatus([slow, status({ signInPage: 'http://10.0.0.1/' })]).signInPage).toBe('http://10.0.0.1/')
  const proxyNeedingLogin = { address: 'http://p.example:8080', name: null }
  expect(mergeSyncStatus([slow, status({ proxyNeedingLogin })]).proxyNeedingLogin).toEqual(proxyNeedingLogin)
  expect(mergeSyncStatus([status({ lastSyncAt: null }), slow]).lastSyncAt).toBeNull()
})
