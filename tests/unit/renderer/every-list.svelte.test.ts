// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { registerMailRow } from '../../../src/renderer/features/threads/chosen-threads.ts'
import { ALL_INBOXES } from '../../../src/shared/unified-ids.ts'
import type { Route } from '../../../src/renderer/kernel/route.ts'
import type { EmailList } from '../../../src/shared/email-query.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import type { DraftState } from '../../../src/shared/drafts.ts'
import type { UnsentList } from '../../../src/renderer/features/writing/writing-manager.svelte.ts'
import { renderScreen, menuItems, pointAt } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureEmails, fixtureReceived, fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { openWindow, type OpenWindow } from './support/open-window.ts'
import { strike } from './support/strike.ts'
import { until } from './support/until.ts'

const inboxId = INBOX.id
const [LABEL] = LABELS
if (LABEL === undefined) throw new Error('there is one')

interface MailList {
  readonly name: string
  readonly at: Route
  readonly handlers?: FixtureHandlers
  /** True for all inboxes as one. */
  readonly isAllInboxes?: true
  readonly row: number
  /** `e-mail` has no thread or an unknown one; `unsent` is a draft or a queued message. */
  readonly holds: 'thread' | 'e-mail' | 'unsent'
  readonly opens: 'conversation' | 'e-mail' | 'composer' | 'row'
}

const page = (items: ReturnType<typeof fixtureThreads>) => ({
  items: items.map((thread) => ({ ...thread, match: null })),
  ...{ offset: 0, total: items.length, hasMore: false, freshness: { state: 'live', at: 0 }, searched: null },
})

/** A thread list whose rows, and the opened thread, are in `folder`. */
const threads = (name: string, at: Route, folder: string, besides: FixtureHandlers = {}): MailList => {
  const items = fixtureThreads(3).map((thread) => ({ ...thread, folder }))
  const [first] = items
  if (first === undefined) throw new Error('there is one')
  return {
    name,
    at,
    row: 0,
    holds: 'thread',
    opens: 'conversation',
    handlers: {
      ...besides,
      'thread.list': () => page(items) as never,
      'thread.open': () => ({ thread: first, emails: fixtureEmails(first), freshness: { state: 'live', at: 0 } }),
    },
  }
}

const mailIn = (isInThread: boolean) =>
  isInThread ? ({ holds: 'thread', opens: 'conversation' } as const) : ({ holds: 'e-mail', opens: 'e-mail' } as const)

const SHARED = [true, false].map((isInThread, row): MailList => {
  const [thread] = fixtureThreads(1)
  if (thread === undefined) throw new Error('there is one')
  const link = (id: string) => ({
    ...{ id, url: 'https://mail.example/shared', subject: 'Shared', from: 'ann@mail.example', to: [] },
    ...{ madeAt: Date.now(), expiresAt: Date.now() + 3_600_000, isHere: true },
  })
  const links = [
    {
      ...link('a'),
      of: { list: 'sent' as const, emailId: 'sent-0' },
      inThread: { thread, emailId: 'thread-0-email-0' },
    },
    { ...link('b'), of: { list: 'received' as const, emailId: 'received-1' }, inThread: null },
  ]
  const name = `Share links, row ${row}`
  const handlers: FixtureHandlers = { 'shareLink.list': () => links }
  return { name, at: { view: 'shareLinks', id: null }, row, handlers, ...mailIn(isInThread) }
})

/** E-mail lists: a row with a thread, one without, and one with an unknown thread. */
const emails = (view: EmailList): readonly MailList[] =>
  [true, false, false].map((isInThread, row): MailList => ({
    ...{ name: `all ${view}, row ${row}`, at: { view, id: null }, row },
    ...mailIn(isInThread),
  }))

const unsent = (name: string, view: UnsentList, state: DraftState): MailList => ({
  ...{ name, at: { view, id: null }, row: 0, holds: 'unsent', opens: state.kind === 'open' ? 'composer' : 'row' },
  handlers: {
    'draft.list': () => [
      {
        ...{ id: 'draft-1', inboxId, kind: 'reply', target: { threadId: 'thread-0', emailId: 'thread-0-email-0' } },
        ...{
          to: [],
          subject: 'Ropes',
          snippet: '',
          state,
          updatedAt: 1,
          files: 0,
          isOurs: view !== 'waiting',
          isSynced: true,
        },
        ...{ hasConflict: false, notKept: null, upload: null },
      },
    ],
  },
})

const SEARCH = 'tide'
const search: Route = { view: 'search', inboxId, query: SEARCH, threadId: null }

/** Mail lists by view. A new view doesn't compile until its lists are added here. */
const LISTS_OF: Readonly<Record<Route['view'], readonly MailList[]>> = {
  folder: [
    ...FOLDERS.map((folder) =>
      threads(`the folder ${folder}`, { view: 'folder', inboxId, folder, threadId: null }, folder),
    ),
    {
      ...{ name: 'All inboxes', at: { view: 'folder', inboxId: ALL_INBOXES, folder: 'inbox', threadId: null } },
      ...{ row: 0, holds: 'thread', opens: 'conversation', isAllInboxes: true },
    },
  ],
  label: [threads('a label', { view: 'label', inboxId, labelId: LABEL.id, threadId: null }, 'inbox')],
  localOnly: [threads('Only here', { view: 'localOnly', inboxId, threadId: null }, 'archive')],
  search: [
    threads('a search', search, 'archive'),
    threads('a saved search', search, 'inbox', {
      'savedSearch.list': () => [{ id: 'saved', inboxId, name: 'Tides', text: SEARCH, unread: null }],
    }),
    {
      ...{ name: 'a search of all inboxes', at: { ...search, inboxId: ALL_INBOXES, query: 'webcam' } },
      ...{ row: 0, holds: 'thread', opens: 'conversation', isAllInboxes: true },
    },
  ],
  received: emails('received'),
  sent: emails('sent'),
  drafts: [unsent('Drafts', 'drafts', { kind: 'open' })],
  waiting: [unsent('Waiting drafts', 'waiting', { kind: 'open' })],
  scheduled: [unsent('Scheduled', 'scheduled', { kind: 'scheduled', at: Date.UTC(2099, 0) })],
  outbox: [unsent('Outbox, on its way', 'outbox', { kind: 'sending', mayHaveLeft: true })],
  shareLinks: SHARED,
  // The rows are people; their mail is tested below.
  contacts: [],
  start: [],
  write: [],
  settings: [],
}
const LISTS = Object.values(LISTS_OF).flat()

const CONTACT: Route = { view: 'contacts', id: 'contact-1' }
const PERSON: FixtureHandlers = {
  'person.get': ({ address }) => {
    const [email] = fixtureReceived(1)
    if (email === undefined) throw new Error('there is one')
    return {
      ...{ address, contact: null, contactsFreshness: { state: 'live', at: 0 }, contactId: 'contact-1', topics: null },
      ...{
        segments: null,
        suppressed: {
          ...{ address, suppression: null, freshness: { state: 'never', at: null }, isWaiting: false, returned: null },
        },
        threads: fixtureThreads(1),
        mail: { threads: null, received: null, sent: null, isAll: true },
      },
      sent: [
        {
          ...{ id: 'sent-0', subject: email.subject, createdAt: email.createdAt, lastEvent: 'delivered' },
          failure: null,
          ...{ scheduledAt: null, recipients: 1, from: email.from, to: email.to, onServer: true, inThread: null },
        },
      ],
    }
  },
}

/** Commands that every mail list supports. */
const ACTIONS = [
  'thread.archive',
  'thread.move',
  'thread.trash',
  'thread.spam',
  'label.pick',
  'writing.reply',
  'writing.replyAll',
  'writing.forward',
] as const

/** Changes whenever a command takes effect. */
const doneIn = ({ called, session, shell }: OpenWindow): string =>
  JSON.stringify([
    called('thread.change').length,
    called('draft.create').length,
    called('draft.discard').length,
    session.picker.isOpen,
    shell.toasts.toasts.map((toast) => toast.id),
  ])

afterEach(() => history.replaceState(null, '', location.href))
const ending = endAfterEach()

const open = async ({ at, row, handlers, isAllInboxes }: MailList): Promise<OpenWindow> => {
  const opened = await openWindow(at, ending.signal, handlers, isAllInboxes)
  opened.listen()
  const list = opened.commands.navigator.screen?.list
  if (list === null || list === undefined) throw new Error('it has a list')
  await until(() => list.rows.total > row)
  list.cursor.moveTo(list.rows, row)
  return opened
}

const missing = (): never => {
  throw new Error('there is one')
}
const RECEIVED = LISTS_OF.received[0] ?? missing()

const nameOf = (button: HTMLElement): string =>
  button.dataset.action ?? button.getAttribute('aria-label') ?? button.textContent.trim()
const buttonsOf = (row: Element): readonly HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>('[data-action], button'),
]
const isElsewhere = ({ shell }: OpenWindow, { at }: MailList): boolean =>
  JSON.stringify(shell.route.current) !== JSON.stringify(at)

/** @returns the row as currently drawn */
const draw = async (opened: OpenWindow, { row: index }: MailList) => {
  const View = opened.commands.navigator.screen?.View ?? missing()
  const { target, settle } = await renderScreen(opened, View, ending.signal)
  const row = (): Element => target.querySelector(`[role="option"][aria-posinset="${index + 1}"]`) ?? missing()
  return { row, settle }
}

const drawPerson = async (opened: OpenWindow) => {
  const View = opened.commands.navigator.screen?.View ?? missing()
  const { target } = await renderScreen(opened, View, ending.signal)
  const rows = (): readonly Element[] => [...target.querySelectorAll('[aria-label="Contact"] ul > li:has(a)')]
  await until(() => rows().length === 2)
  return { row: (index: number): Element => rows()[index] ?? missing() }
}

const PAIRS = LISTS.flatMap((list) => ACTIONS.map((id) => ({ list, id, name: list.name })))

describe('every list of mail', () => {
  it.each(PAIRS)('$name: $id works by its key or says why it can’t', async ({ list, id }) => {
    const opened = await open(list)
    const before = doneIn(opened)
    const [key] = opened.commandOf(id).keys ?? []
    if (key === undefined) throw new Error('it has a key')
    strike(key)
    await until(() => doneIn(opened) !== before)
  })

  it.each(PAIRS)('$name: $id works from a toolbar or menu, or says why not', async ({ list, id }) => {
    const opened = await open(list)
    const row = opened.commands.navigator.screen?.list?.rows.at(list.row)
    const commands = opened.commands.about({ pointedId: row?.id ?? null })
    const command = opened.commandOf(id)
    // Without a target or a reason, the button would be dead.
    expect(commands.can(command) || commands.whyNot(command) !== null).toBe(true)
    const before = doneIn(opened)
    commands.run(command)
    await until(() => doneIn(opened) !== before)
  })

  it.each(LISTS)('$name: Enter opens the conversation, or else the e-mail', async (list) => {
    const opened = await open(list)
    strike('Enter')
    const { current: route } = opened.shell.route
    if (list.opens === 'conversation')
      expect(route).toMatchObject({ threadId: expect.stringMatching(/thread-/) as string })
    if (list.opens === 'e-mail')
      expect(route).toMatchObject({ id: expect.stringMatching(/^(?:received|sent)-/) as string })
    if (list.opens === 'row') expect(route).toEqual({ ...list.at, id: 'draft-1' })
    if (list.opens === 'composer') await until(() => opened.called('draft.open').length === 1)
  })

  it.each(LISTS.filter(({ holds }) => holds !== 'thread'))('$name: archiving says what is missing', async (list) => {
    const opened = await open(list)
    opened.run('thread.archive')
    expect(opened.called('thread.change')).toEqual([])
    expect(opened.shell.toasts.toasts.map(({ text }) => text).join()).toMatch(
      list.holds === 'unsent'
        ? /^This message has not been sent yet, so it cannot be archived\.$/
        : /^This message is not in an inbox thread, so it cannot be archived\.$|^Linnet is still syncing your inboxes\./,
    )
  })

  it.each(LISTS)('$name: the row’s buttons appear on hover, and each works or says why not', async (list) => {
    const opened = await open(list)
    const { row } = await draw(opened, list)
    pointAt(row())
    const names = buttonsOf(row()).map(nameOf)
    expect(names.at(-1)).toBe('More actions')
    if (list.holds === 'thread' && list.at.view !== 'shareLinks') {
      expect(names).toEqual(expect.arrayContaining(['Reply', 'Label…']))
    }
    // A copied link is the browser's to confirm, and an opened one leaves the window.
    for (const name of list.at.view === 'shareLinks' ? [] : names.slice(0, -1)) {
      const before = doneIn(opened)
      pointAt(row())
      buttonsOf(row())
        .find((button) => nameOf(button) === name)
        ?.click()
      await until(() => doneIn(opened) !== before || isElsewhere(opened, list))
      // Stop once the row or the view has left the list.
      if (isElsewhere(opened, list) || list.at.view === 'folder') break
    }
  })

  it.each(LISTS)(
    '$name: the row’s menu offers all possible actions, from “More actions” and a right click',
    async (list) => {
      const opened = await open(list)
      const possible = ACTIONS.map((id) => opened.commandOf(id)).filter((command) => opened.commands.can(command))
      const { row, settle } = await draw(opened, list)
      const ways = [
        () => buttonsOf(row()).at(-1)?.click(),
        () => row().dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })),
      ]
      for (const ask of ways) {
        pointAt(row())
        ask()
        const items = await menuItems()
        const names = items.map((item) => item.querySelector('.name, .label')?.textContent ?? '')
        if (list.holds === 'unsent') expect(names).toContain('Go to thread')
        else {
          expect(names[0]).toMatch(/^(?:Open|Go to) /)
          const always = ['Reply', 'Reply all', 'Forward', 'Move to…', 'Label…']
          expect(names).toEqual(expect.arrayContaining([...always, ...possible.map(({ name }) => name)]))
        }
        const before = doneIn(opened)
        const chosen = list.holds === 'unsent' ? 'Go to thread' : 'Move to…'
        items[names.indexOf(chosen)]?.click()
        await until(() => doneIn(opened) !== before || isElsewhere(opened, list))
        opened.session.picker.isOpen = false
        opened.shell.route.replace(list.at)
        await settle()
      }
    },
  )

  it.each(ACTIONS)('a contact’s mail: %s works by its key with focus in a row', async (id) => {
    const opened = await openWindow(CONTACT, ending.signal, PERSON)
    opened.listen()
    const { row } = await drawPerson(opened)
    row(0).querySelector('a')?.focus()
    const before = doneIn(opened)
    strike(opened.commandOf(id).keys?.[0] ?? '')
    await until(() => doneIn(opened) !== before)
    expect(opened.shell.toasts.toasts.filter(({ text }) => text.startsWith('This message'))).toEqual([])
  })

  it.each([0, 1])('a contact’s mail, row %i: shows its buttons and a complete menu', async (index) => {
    const opened = await openWindow(CONTACT, ending.signal, PERSON)
    const { row } = await drawPerson(opened)
    pointAt(row(index))
    expect(buttonsOf(row(index)).map(nameOf)).toEqual(
      expect.arrayContaining(['Archive', 'Reply', 'Label…', 'More actions']),
    )
    buttonsOf(row(index)).at(-1)?.click()
    const items = await menuItems()
    const names = items.map((item) => item.querySelector('.name')?.textContent ?? '')
    expect(names[0]).toBe(index === 0 ? 'Go to thread' : 'Open message')
    expect(names).toEqual(expect.arrayContaining(ACTIONS.map((id) => opened.commandOf(id).name)))
    const before = doneIn(opened)
    items[names.indexOf('Archive')]?.click()
    await until(() => doneIn(opened) !== before)
  })

  it('a person’s mail beside a conversation: keys act on the focused row, not the open thread', async () => {
    const opened = await open(LISTS[0] ?? missing())
    const element = document.createElement('div')
    element.tabIndex = 0
    document.body.append(element)
    const [, other] = fixtureThreads(2)
    const detach = registerMailRow({ inThread: { thread: other ?? missing(), emailId: null }, email: null })(element)
    element.focus()
    strike('e')
    expect(opened.called('thread.change')).toMatchObject([{ threadIds: ['thread-1'], change: { folder: 'archive' } }])
    detach?.()
    strike('#')
    expect(opened.called('thread.change').at(-1)).toMatchObject({
      threadIds: ['thread-0'],
      change: { folder: 'trash' },
    })
    element.remove()
  })

  it('archives the e-mail’s thread, and undoes it', async () => {
    const opened = await open({ ...RECEIVED, row: 0 })
    strike('e')
    expect(opened.called('thread.change')).toMatchObject([
      { inboxId, threadIds: ['thread-0'], change: { folder: 'archive' } },
    ])
    // Shown at once, so a second press has nothing to do.
    strike('e')
    expect(opened.shell.toasts.toasts.at(-1)?.text).toBe('This thread is already in Archive.')
    strike('z')
    await until(() => opened.called('change.undo').length === 1)
    expect(opened.commands.can(opened.commandOf('thread.archive'))).toBe(true)
  })

  it('starts a reply in the conversation, then returns to the list and its row', async () => {
    const opened = await open({ ...RECEIVED, row: 3 })
    const { commands, shell, session } = opened
    strike('r')
    await until(() => opened.called('draft.create').length === 1)
    expect(opened.called('draft.create')).toMatchObject([
      { inboxId, kind: 'reply', target: { threadId: 'thread-3', emailId: 'thread-3-email-0' } },
    ])
    expect(shell.route.current).toMatchObject({ view: 'folder', threadId: 'thread-3', emailId: 'thread-3-email-0' })
    await opened.follow()
    strike('u')
    await until(() => shell.route.current.view === 'received')
    commands.navigator.show(shell.route.current)
    expect(session.received.cursor.id).toBe('received-3')
  })

  it('replies to an e-mail without a thread in a new message', async () => {
    const opened = await open({ ...RECEIVED, row: 1 })
    strike('r')
    await until(() => opened.called('draft.create').length === 1)
    expect(opened.called('draft.create')).toMatchObject([{ inboxId, kind: 'new', target: null }])
    expect(opened.shell.route.current).toEqual({ view: 'received', id: null })
  })
})
