// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import type { WindowLink } from '../../../src/shared/app-link.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const open = async (...links: readonly WindowLink[]) => {
  let waiting = links
  const window = await openWindow(inbox(null), ending.signal, {
    'link.take': () => {
      const [first = null, ...rest] = waiting
      waiting = rest
      return first
    },
  })
  await window.shell.account.load()
  const { shell, session, emit } = window
  const openLink = (link: WindowLink): void => {
    waiting = [...waiting, link]
    emit({ name: 'link.waiting', payload: null })
  }
  const problems = () => shell.toasts.toasts.map(({ text }) => text)
  return { ...window, start: () => session.appLinks.start(), openLink, problems }
}

describe('an opened link', () => {
  it('waits until it can be followed, and opens its thread in its list', async () => {
    const { shell, start, called } = await open({ kind: 'thread', inboxId: INBOX.id, threadId: 'thread-3' })
    expect(called('link.take')).toEqual([])
    start()
    await until(() => shell.route.current.view === 'folder' && shell.route.current.threadId === 'thread-3')
  })

  it('is followed while the window is open, one after the other', async () => {
    const { shell, start, openLink } = await open()
    start()
    openLink({ kind: 'search', inboxId: INBOX.id, query: 'fog' })
    await until(() => shell.route.current.view === 'search')
    expect(shell.route.current).toMatchObject({ inboxId: INBOX.id, query: 'fog', threadId: null })
    openLink({ kind: 'search', inboxId: null, query: 'mist' })
    await until(() => shell.route.current.view === 'search' && shell.route.current.query === 'mist')
    openLink({ kind: 'contact', address: 'ada@quay.example' })
    await until(() => shell.route.current.view === 'contacts')
    expect(shell.route.current).toEqual({ view: 'contacts', id: 'ada@quay.example' })
  })

  it('starts a message with allowed fields, and sends and attaches nothing', async () => {
    const mailto = 'mailto:ada@quay.example?subject=Berth&body=Free%3F&attach=/etc/passwd'
    const { start, called } = await open({ kind: 'compose', mailto })
    start()
    await until(() => called('draft.create').length === 1)
    expect(called('draft.create')).toMatchObject([
      { inboxId: INBOX.id, kind: 'new', content: { subject: 'Berth', text: 'Free?', files: [] } },
    ])
    expect(called('draft.send')).toEqual([])
  })

  it('starts the reply that the user chose in a notification, in the opened thread', async () => {
    const thread = { inboxId: INBOX.id, threadId: 'thread-3' }
    const { shell, start, called } = await open({ kind: 'thread', ...thread }, { kind: 'reply', ...thread })
    start()
    await until(() => called('draft.create').length === 1)
    expect(shell.route.current).toMatchObject({ view: 'folder', threadId: 'thread-3' })
    expect(called('draft.create')).toMatchObject([
      { inboxId: INBOX.id, kind: 'reply', target: { threadId: 'thread-3' } },
    ])
    expect(called('draft.send')).toEqual([])
  })

  it('starts no reply in a thread that is gone', async () => {
    const { start, called } = await open({ kind: 'reply', inboxId: INBOX.id, threadId: 'gone' })
    start()
    await until(() => called('thread.open').length === 1 && called('link.take').length === 2)
    expect(called('draft.create')).toEqual([])
  })

  it('to an unknown inbox says so, and changes nothing', async () => {
    const { shell, start, openLink, problems } = await open({ kind: 'thread', inboxId: 'elsewhere', threadId: 'one' })
    start()
    await until(() => problems().length === 1)
    expect(problems()).toEqual([expect.stringContaining('isn’t in any of your accounts')])
    shell.toasts.toasts.forEach(({ id }) => shell.toasts.dismiss(id))
    openLink({ kind: 'search', inboxId: 'elsewhere', query: 'fog' })
    await until(() => problems().length === 1)
    expect(shell.route.current).toEqual(inbox(null))
  })
})
