// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import { MailCommands } from '../../../src/renderer/app/mail-commands.ts'
import { isThreadRoute, type Route } from '../../../src/renderer/kernel/route.ts'
import { createSession } from '../../../src/renderer/app/create-session.ts'
import { createShell } from '../../../src/renderer/kernel/session.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { INBOX } from './support/fixture-mail.ts'
import { createFixtureTransport, type FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

// jsdom has no media; what the desktop prefers is of no matter here.
window.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList

let ending = new AbortController()
afterEach(() => {
  ending.abort()
  ending = new AbortController()
})

/** The window's parts without its components: they follow the address as the mail room does. */
const openWindow = async (start: Route, handlers: FixtureHandlers = {}) => {
  const transport = createFixtureTransport({ threads: 70, handlers })
  const shell = createShell(transport)
  const session = createSession(shell, ending.signal)
  const asked: string[] = []
  const commands = new MailCommands(shell, session, {
    focusSearch: () => asked.push('search'),
    showShortcuts: () => asked.push('shortcuts'),
    focusList: () => asked.push('list'),
    focusListFromOutside: () => undefined,
  })
  const follow = async (): Promise<void> => {
    const route = shell.route.current
    if (!isThreadRoute(route)) return
    session.inbox.visit(route.inboxId)
    session.threads.show(route)
    if (route.threadId === null) session.conversation.close()
    else session.conversation.show(route.inboxId, route.threadId)
    await until(() => session.threads.rows?.phase === 'ready')
    if (session.threads.rows !== null) session.threads.cursor.settle(session.threads.rows)
    if (handlers['thread.open'] !== undefined) return
    await until(() => route.threadId === null || session.conversation.conversation !== null)
  }
  await session.mailboxes.load()
  shell.route.replace(start)
  await follow()
  const changes = (): readonly unknown[] => transport.calls.filter(({ name }) => name === 'thread.change')
  return { shell, session, commands, asked, follow, changes }
}

const inbox = (threadId: string | null): Route => ({ view: 'folder', inboxId: INBOX.id, folder: 'inbox', threadId })

describe('commands', () => {
  it('archive the open thread and show the one below it', async () => {
    const { shell, commands, changes } = await openWindow(inbox('thread-1'))
    commands.run('archive')
    await until(() => changes().length === 1)
    expect(changes()).toMatchObject([{ input: { threadIds: ['thread-1'], change: { folder: 'archive' } } }])
    await until(() => isThreadRoute(shell.route.current) && shell.route.current.threadId === 'thread-2')
  })

  it('show the next thread and its row before the engine has answered, and the row again where it refuses', async () => {
    let refuse = (): void => undefined
    const { shell, session, commands } = await openWindow(inbox('thread-1'), {
      'thread.change': () =>
        new Promise((_, reject) => {
          refuse = () => reject(new ProblemError({ code: 'storage_failed', message: 'The disk is full.' }))
        }),
    })
    commands.run('archive')
    expect(shell.route.current).toEqual(inbox('thread-2'))
    expect(session.threads.rows?.indexOf('thread-1')).toBe(-1)
    await until(() => session.threads.rows !== null)
    refuse()
    await until(() => session.threads.rows?.indexOf('thread-1') === 1)
  })

  it('archive one thread for each key of a held key, though none of them has been opened yet', async () => {
    const { shell, session, commands, changes } = await openWindow(inbox('thread-0'), {
      'thread.open': () => new Promise(() => undefined),
    })
    const total = session.threads.rows?.total ?? 0
    for (let key = 0; key < 20; key += 1) {
      commands.run('archive')
      const route = shell.route.current
      if (isThreadRoute(route)) session.threads.show(route)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(changes()).toHaveLength(20)
    expect(session.threads.rows?.total).toBe(total - 20)
  })

  it('archive the thread under the cursor where none is open, and open none', async () => {
    const { shell, commands, changes } = await openWindow(inbox(null))
    commands.run('next')
    commands.run('archive')
    await until(() => changes().length === 1)
    expect(changes()).toMatchObject([{ input: { threadIds: ['thread-1'] } }])
    expect(shell.route.current).toEqual(inbox(null))
  })

  it('say that there is nothing to undo where the thread has been changed since, and show it as it is', async () => {
    const { shell, session, commands, changes } = await openWindow(inbox(null), {
      'change.undo': () => ({ undone: false }),
    })
    const total = session.threads.rows?.total
    commands.run('archive')
    await until(() => changes().length === 1)
    await until(() => shell.toasts.toasts.length === 1)
    commands.run('undo')
    await until(() => shell.toasts.toasts.at(-1)?.text === 'Nothing to undo: it has been changed since.')
    await until(() => session.threads.rows?.total === (total ?? 0) - 1)
    expect(session.threads.rows?.indexOf('thread-0')).toBe(-1)
    commands.run('undo')
    await until(() => shell.toasts.toasts.at(-1)?.text === 'There is nothing to undo.')
  })

  it('keep a thread open that stays in its list', async () => {
    const label: Route = { view: 'label', inboxId: INBOX.id, labelId: 'label-1', threadId: 'thread-0' }
    const { shell, session, commands } = await openWindow(label)
    commands.run('archive')
    await until(() => session.conversation.conversation?.thread.folder === 'archive')
    expect(shell.route.current).toEqual(label)
  })

  it('do not move a thread to where it is, nor call what was sent spam', async () => {
    const { commands, changes } = await openWindow({
      view: 'folder',
      inboxId: INBOX.id,
      folder: 'sent',
      threadId: null,
    })
    commands.run('spam')
    commands.run('markRead')
    expect(changes()).toEqual([])
  })

  it('move from thread to thread in one step of the history, and back to the list', async () => {
    const { shell, commands, follow } = await openWindow(inbox(null))
    commands.run('open')
    await follow()
    expect(shell.route.current).toEqual(inbox('thread-0'))
    const { length } = history
    commands.run('next')
    await follow()
    commands.run('next')
    await follow()
    expect(shell.route.current).toEqual(inbox('thread-2'))
    expect(history.length).toBe(length)
    commands.run('back')
    expect(shell.route.current).toEqual(inbox(null))
  })

  it('lead out of a search to the inbox, and to folders and contacts from anywhere', async () => {
    const search: Route = { view: 'search', inboxId: INBOX.id, query: 'webcam', threadId: null }
    const { shell, commands } = await openWindow(search)
    commands.run('back')
    expect(shell.route.current).toEqual(inbox(null))
    commands.run('goContacts')
    expect(shell.route.current).toEqual({ view: 'contacts', id: null })
    commands.run('goSent')
    expect(shell.route.current).toMatchObject({ folder: 'sent', inboxId: INBOX.id })
  })

  it('ask the frame for its own parts', async () => {
    const { commands, asked } = await openWindow(inbox(null))
    commands.run('search')
    commands.run('help')
    expect(asked).toEqual(['search', 'shortcuts'])
  })
})
