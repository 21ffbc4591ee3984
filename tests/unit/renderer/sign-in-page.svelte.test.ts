// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Component } from 'svelte'
import MailLoading from '../../../src/renderer/app/MailLoading.svelte'
import StatusLine from '../../../src/renderer/app/StatusLine.svelte'
import type { SyncStatus } from '../../../src/shared/model.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'

const WORDS = 'This network wants you to sign in first.'
const PAGE = 'https://portal.hotel.example/login'

const opened = vi.fn()
beforeEach(() => void vi.stubGlobal('open', opened))
afterEach(() => {
  opened.mockReset()
  vi.unstubAllGlobals()
})
const ending = endAfterEach()

const draw = async (part: Component, signInPage?: string) => {
  const status: SyncStatus = {
    ...{ connection: 'offline', progress: null, lastSyncAt: 1, waitingUntil: null, pendingChanges: 0 },
    confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
    ...(signInPage === undefined ? { problem: null } : { problem: WORDS, signInPage }),
  }
  const window = await openWindow(inbox(null), ending.signal, { 'sync.status': () => status })
  await window.session.sync.load()
  const { target } = await renderScreen(window, part, ending.signal)
  const button = [...target.querySelectorAll('button')].find(
    ({ textContent }) => textContent.trim() === 'Open sign-in page',
  )
  return { ...window, text: target.textContent, button }
}

it.each([
  ['on the status line', StatusLine as Component],
  ['where no mail has come yet', MailLoading],
])('reports a network sign-in %s and opens its page in the browser', async (_name, part) => {
  const { text, button } = await draw(part, PAGE)
  expect(text).toContain(WORDS)
  button?.click()
  expect(opened.mock.calls).toEqual([[PAGE, '_blank', 'noopener,noreferrer']])
})

it.each(['http://10.0.0.1/login', 'http://hotspot/', 'https://ada@portal.example/', 'https://pаypal.example/'])(
  'asks before opening a suspicious sign-in page: %s',
  async (page) => {
    const { session, button } = await draw(StatusLine as Component, page)
    button?.click()
    expect(session.links.question?.target).toBe(new URL(page).href)
    expect(opened).not.toHaveBeenCalled()
  },
)

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'tel:+4912345'])(
  'doesn’t open a sign-in page that no link could: %s',
  async (page) => {
    const { session, button } = await draw(StatusLine as Component, page)
    button?.click()
    expect(session.links.question).toBeNull()
    expect(opened).not.toHaveBeenCalled()
  },
)

it('offers no sign-in page if merely offline', async () => {
  expect((await draw(StatusLine as Component)).button).toBeUndefined()
})

it('says that it checks for new mail until the platform responds', async () => {
  let answer = (): void => undefined
  const silence = new Promise<void>((resolve) => {
    answer = resolve
  })
  const calm: SyncStatus = {
    ...{ connection: 'online', progress: null, lastSyncAt: 1, waitingUntil: null, pendingChanges: 0, problem: null },
    confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
  }
  const window = await openWindow(inbox(null), ending.signal, {
    'sync.status': () => calm,
    'sync.now': async () => {
      await silence
      return null
    },
  })
  await window.session.sync.load()
  const { target, settle } = await renderScreen(window, StatusLine, ending.signal, { isDemo: false })
  expect(target.textContent).toContain('Online')
  const checked = window.session.sync.look()
  await settle()
  expect(target.textContent).toContain('Checking for new mail…')
  answer()
  await checked
  await settle()
  expect(target.textContent).toContain('Online')
})
