// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { listenForKeys } from '../../../src/renderer/kernel/listen-for-keys.ts'
import type { Route } from '../../../src/renderer/kernel/route.ts'
import { EMAIL_LISTS } from '../../../src/shared/email-query.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import { fixtureEmails, fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
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
  /** The row that is pointed at or gone to. */
  readonly row: number
  /** Whether the mail in that row is in a thread. */
  readonly isInThread: boolean
}

const page = (items: ReturnType<typeof fixtureThreads>) => ({
  items: items.map((thread) => ({ ...thread, match: null })),
  ...{ offset: 0, total: items.length, hasMore: false, freshness: { state: 'live', at: 0 }, searched: null },
})

/** A list of threads: each of its own folder, as the command that leads there has to find it elsewhere. */
const threads = (name: string, at: Route, folder: string): MailList => {
  const items = fixtureThreads(3).map((thread) => ({ ...thread, folder }))
  const [first] = items
  if (first === undefined) throw new Error('there is one')
  return {
    name,
    at,
    row: 0,
    isInThread: true,
    handlers: {
      'thread.list': () => page(items) as never,
      'thread.open': () => ({ thread: first, emails: fixtureEmails(first), freshness: { state: 'live', at: 0 } }),
    },
  }
}

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
  return { name, at: { view: 'shareLinks' }, row, isInThread, handlers: { 'shareLink.list': () => links } }
})

/** Every list of the window that shows mail, and of those of e-mails a row with a thread, one without, and one not known. */
const LISTS: readonly MailList[] = [
  ...FOLDERS.map((folder) =>
    threads(`the folder ${folder}`, { view: 'folder', inboxId, folder, threadId: null }, folder),
  ),
  threads('a label', { view: 'label', inboxId, labelId: LABEL.id, threadId: null }, 'inbox'),
  threads('Only here', { view: 'onlyHere', inboxId, threadId: null }, 'archive'),
  threads('a search', { view: 'search', inboxId, query: 'tide', threadId: null }, 'archive'),
  ...EMAIL_LISTS.flatMap((view) =>
    [true, false, false].map((isInThread, row): MailList => {
      const at: Route = { view, id: null }
      return { name: `all ${view}, row ${row}`, at, row, isInThread }
    }),
  ),
  ...SHARED,
]

/** What can be done with mail from any list, by the IDs of its commands. */
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

/** What has been done so far, in one number that grows. */
const doneIn = ({ called, session, shell }: OpenWindow): string =>
  JSON.stringify([
    called('thread.change').length,
    called('draft.create').length,
    session.movePicker.isOpen,
    session.labelPicker.isOpen,
    shell.toasts.toasts.length,
  ])

let ending = new AbortController()
afterEach(() => {
  ending.abort()
  ending = new AbortController()
  history.replaceState(null, '', location.href)
})

const open = async ({ at, row, handlers }: MailList): Promise<OpenWindow> => {
  const opened = await openWindow(at, ending.signal, handlers)
  listenForKeys(opened.commands, ending.signal)
  const list = opened.commands.navigator.screen?.list
  if (list === null || list === undefined) throw new Error('it has a list')
  await until(() => list.rows.total > row)
  list.cursor.moveTo(list.rows, row)
  return opened
}

const PAIRS = LISTS.flatMap((list) => ACTIONS.map((id) => ({ list, id, name: list.name })))

describe('every list of mail (W7)', () => {
  it.each(PAIRS)('$name: $id does its work by its key, or says why it cannot', async ({ list, id }) => {
    const opened = await open(list)
    const before = doneIn(opened)
    const [key] = opened.commandOf(id).keys
    if (key === undefined) throw new Error('it has a key')
    strike(key)
    await until(() => doneIn(opened) !== before)
  })

  it.each(PAIRS)(
    '$name: $id is pressed in a toolbar or a menu, and does its work or says why not',
    async ({ list, id }) => {
      const opened = await open(list)
      const row = opened.commands.navigator.screen?.list?.rows.at(list.row)
      const commands = opened.commands.about({ pointedId: row?.id ?? null })
      const command = opened.commandOf(id)
      // A button is dead where the command has neither something to act on nor a reason.
      expect(commands.can(command) || commands.whyNot(command) !== null).toBe(true)
      const before = doneIn(opened)
      commands.run(command)
      await until(() => doneIn(opened) !== before)
    },
  )

  it.each(LISTS)('$name: Enter opens the conversation where there is one, else the e-mail', async (list) => {
    const opened = await open(list)
    strike('Enter')
    const { current: route } = opened.shell.route
    if (list.isInThread) expect(route).toMatchObject({ threadId: expect.stringMatching(/^thread-/) as string })
    else expect(route).toMatchObject({ id: expect.stringMatching(/^(?:received|sent)-/) as string })
  })

  it.each(LISTS.filter(({ isInThread }) => !isInThread))('$name: archiving says what is missing', async (list) => {
    const opened = await open(list)
    opened.run('thread.archive')
    expect(opened.called('thread.change')).toEqual([])
    expect(opened.shell.toasts.toasts.map(({ text }) => text).join()).toMatch(
      /^This e-mail belongs to no inbox thread, so it cannot be archived\.$|^Linnet is still syncing your inboxes\./,
    )
  })

  it.each(ACTIONS)('a contact’s mail: %s does its work by its key, with the focus in a row', async (id) => {
    const opened = await openWindow({ view: 'contacts', id: null }, ending.signal)
    listenForKeys(opened.commands, ending.signal)
    const [thread] = fixtureThreads(1)
    if (thread === undefined) throw new Error('there is one')
    opened.session.person.mailInFocus = { inThread: { thread, emailId: null }, email: null }
    const before = doneIn(opened)
    strike(opened.commandOf(id).keys[0] ?? '')
    await until(() => doneIn(opened) !== before)
    expect(opened.shell.toasts.toasts.filter(({ text }) => text.startsWith('This e-mail'))).toEqual([])
  })

  it('acts on the thread of the e-mail, and takes that back', async () => {
    const opened = await open({ name: '', at: { view: 'received', id: null }, row: 0, isInThread: true })
    strike('e')
    expect(opened.called('thread.change')).toMatchObject([
      { inboxId, threadIds: ['thread-0'], change: { folder: 'archive' } },
    ])
    // Drawn at once: a second one has nothing to do.
    strike('e')
    expect(opened.shell.toasts.toasts.at(-1)?.text).toBe('This thread is in Archive already.')
    strike('z')
    await until(() => opened.called('change.undo').length === 1)
    expect(opened.commands.can(opened.commandOf('thread.archive'))).toBe(true)
  })

  it('begins an answer in the conversation, and returns to the list and its row', async () => {
    const opened = await open({ name: '', at: { view: 'received', id: null }, row: 3, isInThread: true })
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

  it('answers what belongs to no thread by a message of its own', async () => {
    const opened = await open({ name: '', at: { view: 'received', id: null }, row: 1, isInThread: false })
    strike('r')
    await until(() => opened.called('draft.create').length === 1)
    expect(opened.called('draft.create')).toMatchObject([{ inboxId, kind: 'new', target: null }])
    expect(opened.shell.route.current).toEqual({ view: 'received', id: null })
  })
})
