// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { formatRoute, isThreadRoute, parseRoute, type Route } from '../../../src/renderer/kernel/route.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow as open } from './support/open-window.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const openWindow = async (start: Route, handlers: FixtureHandlers = {}) => {
  const opened = await open(start, ending.signal, handlers)
  return { ...opened, changes: () => opened.called('thread.change') }
}

describe('commands', () => {
  it('archive the open thread and show the one below it', async () => {
    const { shell, run, changes } = await openWindow(inbox('thread-1'))
    run('thread.archive')
    await until(() => changes().length === 1)
    expect(changes()).toMatchObject([{ threadIds: ['thread-1'], change: { folder: 'archive' } }])
    await until(() => isThreadRoute(shell.route.current) && shell.route.current.threadId === 'thread-2')
  })

  it('show the thread above or the list after a move, as the user chose', async () => {
    const { shell, session, run, changes } = await openWindow(inbox('thread-1'))
    await shell.preferences.choose({ afterMoving: 'previous' })
    run('thread.archive')
    expect(shell.route.current).toEqual(inbox('thread-0'))
    await shell.preferences.choose({ afterMoving: 'list' })
    run('thread.trash')
    expect(shell.route.current).toEqual(inbox(null))
    // With no open thread, the cursor moves instead.
    const { cursor, rows } = session.threads
    if (rows === null) throw new Error('there are rows')
    await shell.preferences.choose({ afterMoving: 'previous' })
    cursor.moveTo(rows, 3)
    const above = rows.at(2)?.id
    run('thread.archive')
    expect(cursor.id).toBe(above)
    await until(() => changes().length === 3)
  })

  it('show the next thread at once, and restore the row if the engine rejects the change', async () => {
    let refuse = (): void => undefined
    const { shell, session, run } = await openWindow(inbox('thread-1'), {
      'thread.change': () =>
        new Promise((_, reject) => {
          refuse = () => reject(new ProblemError({ code: 'storage_failed', message: 'The disk is full.' }))
        }),
    })
    run('thread.archive')
    expect(shell.route.current).toEqual(inbox('thread-2'))
    expect(session.threads.rows?.indexOf('thread-1')).toBe(-1)
    await until(() => session.threads.rows !== null)
    refuse()
    await until(() => session.threads.rows?.indexOf('thread-1') === 1)
  })

  it('archive one thread per repeat of a held key, before any has opened', async () => {
    const { shell, session, run, changes } = await openWindow(inbox('thread-0'), {
      'thread.open': () => new Promise(() => undefined),
    })
    const total = session.threads.rows?.total ?? 0
    for (let key = 0; key < 20; key += 1) {
      run('thread.archive')
      const route = shell.route.current
      if (isThreadRoute(route)) session.threads.show(route)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    expect(changes()).toHaveLength(20)
    expect(session.threads.rows?.total).toBe(total - 20)
  })

  it('archive the thread under the cursor without opening one', async () => {
    const { shell, run, changes } = await openWindow(inbox(null))
    run('list.next')
    run('thread.archive')
    await until(() => changes().length === 1)
    expect(changes()).toMatchObject([{ threadIds: ['thread-1'] }])
    expect(shell.route.current).toEqual(inbox(null))
  })

  it('report when an undo is impossible because the thread has changed since', async () => {
    const { shell, session, run, changes } = await openWindow(inbox(null), {
      'change.undo': () => ({ undone: false }),
    })
    const total = session.threads.rows?.total
    run('thread.archive')
    await until(() => changes().length === 1)
    await until(() => shell.toasts.toasts.length === 1)
    run('thread.undo')
    await until(() => shell.toasts.toasts.at(-1)?.text === 'Can’t undo: the thread has changed since then.')
    await until(() => session.threads.rows?.total === (total ?? 0) - 1)
    expect(session.threads.rows?.indexOf('thread-0')).toBe(-1)
    run('thread.undo')
    await until(() => shell.toasts.toasts.at(-1)?.text === 'There is nothing to undo.')
  })

  it('undo and redo changes from any screen, and say when there are no more', async () => {
    const { shell, session, run, follow, called, changes } = await openWindow(inbox(null))
    const said = (): string | undefined => shell.toasts.toasts.at(-1)?.text
    const presses = async (id: string, count: number, asked: number): Promise<void> => {
      for (let press = 0; press < count; press += 1) run(id)
      await until(() => called('change.undo').length === asked)
    }
    run('thread.redo')
    expect(said()).toBe('There is nothing to redo.')
    run('thread.archive')
    run('thread.trash')
    await until(() => changes().length === 2)
    shell.route.go({ view: 'settings' })
    await follow()
    await presses('thread.undo', 2, 2)
    run('thread.undo')
    run('thread.undo')
    expect(shell.toasts.toasts.filter(({ text }) => text === 'There is nothing to undo.')).toHaveLength(1)
    await presses('thread.redo', 1, 3)
    expect(said()).toBe('Archived “The webcam shows a black picture” again')
    shell.route.go(inbox(null))
    await follow()
    await until(
      () => session.threads.rows?.indexOf('thread-0') === -1 && session.threads.rows.indexOf('thread-1') === 0,
    )
  })

  it('keep a thread open that stays in its list', async () => {
    const label: Route = { view: 'label', inboxId: INBOX.id, labelId: 'label-1', threadId: 'thread-0' }
    const { shell, session, run } = await openWindow(label)
    run('thread.archive')
    await until(() => session.conversation.conversation?.thread.folder === 'archive')
    expect(shell.route.current).toEqual(label)
  })

  it('move no thread to its own folder and mark no sent mail as spam', async () => {
    const { run, changes } = await openWindow({
      view: 'folder',
      inboxId: INBOX.id,
      folder: 'sent',
      threadId: null,
    })
    run('thread.spam')
    run('thread.read')
    expect(changes()).toEqual([])
  })

  it('move between threads in one history entry, then back to the list', async () => {
    const { shell, run, follow } = await openWindow(inbox(null))
    run('list.open')
    await follow()
    expect(shell.route.current).toEqual(inbox('thread-0'))
    const { length } = history
    run('list.next')
    await follow()
    run('list.next')
    await follow()
    expect(shell.route.current).toEqual(inbox('thread-2'))
    expect(history.length).toBe(length)
    run('list.back')
    expect(shell.route.current).toEqual(inbox(null))
  })

  it('lead from a search to the inbox, and to folders and contacts from anywhere', async () => {
    const search: Route = { view: 'search', inboxId: INBOX.id, query: 'webcam', threadId: null }
    const { shell, run } = await openWindow(search)
    run('list.back')
    expect(shell.route.current).toEqual(inbox(null))
    run('go.contacts')
    expect(shell.route.current).toEqual({ view: 'contacts', id: null })
    run('go.sent')
    expect(shell.route.current).toMatchObject({ folder: 'sent', inboxId: INBOX.id })
  })

  it('open the same account lists as the side bar', async () => {
    const { shell, commands, run } = await openWindow(inbox(null))
    const lists = commands.all.flatMap(({ id, accountList }) =>
      accountList === undefined ? [] : [{ id, accountList }],
    )
    expect(lists.map(({ accountList }) => accountList.title)).toEqual(
      expect.arrayContaining(['All received', 'All sent', 'Contacts', 'Share links']),
    )
    for (const { id, accountList } of lists) {
      run(id)
      expect(shell.route.current).toEqual(accountList.route)
      expect(parseRoute(formatRoute(accountList.route))).toEqual(accountList.route)
    }
  })

  it('ask the frame to show its own parts', async () => {
    const { run, asked } = await openWindow(inbox(null))
    run('search.focus')
    run('commands.keys')
    expect(asked).toEqual(['search', 'shortcuts'])
  })
})
