// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ThreadActionsManager } from '../../../src/renderer/features/threads/thread-actions-manager.svelte.ts'
import { NO_OPTIMISTIC_CHANGE } from '../../../src/renderer/features/threads/pending-changes.svelte.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import { describeTimeLeft, routeOfSharedEmail } from '../../../src/renderer/features/share-links/describe-share-link.ts'
import { ShareLinkManager } from '../../../src/renderer/features/share-links/share-link-manager.svelte.ts'
import { ShareLinksManager } from '../../../src/renderer/features/share-links/share-links-manager.svelte.ts'
import type { CreatedShareLink } from '../../../src/shared/contract.ts'
import { createFixtureTransport, failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { fixtureThreads } from './support/fixture-mail.ts'
import { until } from './support/until.ts'

const OF = { list: 'received', emailId: 'email-1' } as const
const SHARED = { subject: 'Berth' }
const STYLE = { locale: 'en-GB', timeZone: 'UTC' }
const NOON = Date.UTC(2026, 4, 3, 12)

const open = (handlers: FixtureHandlers = {}) => {
  const transport = createFixtureTransport({ handlers })
  const toasts = new ToastManager()
  const backend = createBackend(transport)
  return {
    ...transport,
    toasts,
    dialog: new ShareLinkManager(backend, toasts),
    list: new ShareLinksManager(backend, toasts, new ThreadActionsManager(backend, toasts, () => NO_OPTIMISTIC_CHANGE)),
    asked: () => transport.calls.filter(({ name }) => name === 'shareLink.create').map(({ input }) => input),
  }
}

const link: CreatedShareLink = {
  id: 'link',
  url: 'https://mail.example/shared?token=a',
  of: OF,
  subject: 'Berth',
  from: 'ann@mail.example',
  to: [],
  madeAt: NOON,
  expiresAt: NOON,
  isHere: true,
  inThread: null,
}

describe('dialog "Share link"', () => {
  it('requests the chosen or typed duration, but not an invalid one', async () => {
    const { dialog, asked } = open()
    dialog.open(OF, SHARED)
    dialog.choice = 'typed'
    for (const [typed, fault] of [
      ['', /Type a duration/],
      ['soon', /not a duration/],
      ['3 days', /48 hours at most/],
    ] as const) {
      dialog.typed = typed
      expect(dialog.fault).toMatch(fault)
      await dialog.create()
    }
    expect(asked()).toEqual([])
    dialog.typed = '1h 30m'
    expect(dialog.fault).toBeNull()
    await dialog.create()
    expect(asked()).toEqual([{ of: OF, expiresIn: '1h 30m' }])
    expect(dialog.made?.link.url).toContain('token=email-1')
  })

  it('creates one link for a double key press, and reports it if the dialog was closed', async () => {
    let answer: () => void = () => undefined
    const wait = new Promise<void>((resolve) => (answer = resolve))
    const { dialog, asked, toasts } = open({
      'shareLink.create': async () => {
        await wait
        return { link, isKept: true }
      },
    })
    dialog.open(OF, SHARED)
    const first = dialog.create()
    await dialog.create()
    expect(asked()).toHaveLength(1)
    dialog.close()
    expect(dialog.isBusy).toBe(false)
    answer()
    await first
    expect(dialog.made).toBeNull()
    expect(toasts.toasts[0]?.text).toBe('The link to “Berth” was created. Find it under Share links.')
  })

  it('says why creation failed and allows a retry', async () => {
    const create = vi.fn(
      failing({ code: 'unreachable', message: 'You are offline. Go online to create a share link.' }),
    )
    const { dialog } = open({ 'shareLink.create': create })
    dialog.open(OF, SHARED)
    await dialog.create()
    expect(dialog.problem?.message).toContain('offline')
    await dialog.create()
    expect(create).toHaveBeenCalledTimes(2)
    expect(dialog.email?.of).toEqual(OF)
  })
})

describe('share link list', () => {
  it('reloads when another window creates one, while visible', async () => {
    const { dialog, list, emit, calls } = open()
    const looks = (): number => calls.filter(({ name }) => name === 'shareLink.list').length
    list.show()
    await until(() => list.links !== null)
    dialog.open(OF, SHARED)
    await dialog.create()
    emit({ name: 'shareLinks.changed', payload: null })
    await until(() => list.links?.length === 1)
    list.hide()
    const before = looks()
    emit({ name: 'shareLinks.changed', payload: null })
    expect(looks()).toBe(before)
  })

  it('offers to undo forgetting a link', async () => {
    const { dialog, list, toasts, calls } = open()
    dialog.open(OF, SHARED)
    await dialog.create()
    const made = dialog.made?.link ?? link
    await list.forget(made)
    expect(toasts.toasts[0]).toMatchObject({ action: { name: 'Undo' } })
    toasts.toasts[0]?.action?.run()
    await until(() => calls.some(({ name }) => name === 'shareLink.restore'))
    expect(calls.find(({ name }) => name === 'shareLink.restore')?.input).toEqual({ id: made.id })
  })

  it.each([
    [90 * 60_000, { works: true, words: 'Works for 1 hour 30 minutes, until Sun 3 May, 13:30' }],
    [48 * 3_600_000 - 1, { works: true, words: 'Works for 2 days, until Tue 5 May, 11:59' }],
    [59_999, { works: true, words: 'Works for less than a minute, until Sun 3 May, 12:00' }],
    [0, { works: false, words: 'Expired Sun 3 May, 12:00' }],
  ])('describes %i ms left', (left, said) => {
    expect(describeTimeLeft({ madeAt: NOON - 60_000, expiresAt: NOON + left }, NOON, STYLE)).toMatchObject(said)
  })

  it('never overstates how long a link works, even if the clock changes', () => {
    const hour = 3_600_000
    const made = { madeAt: NOON, expiresAt: NOON + hour }
    expect(describeTimeLeft(made, NOON - 72 * hour, STYLE).words).toMatch(/^Works for 1 hour, /)
    expect(describeTimeLeft(made, NOON + 72 * hour, STYLE).works).toBe(false)
  })

  it('opens the e-mail in its thread or alone, if stored here', () => {
    const of = { list: 'threads', inboxId: 'i', threadId: 't', emailId: 'e' } as const
    expect(routeOfSharedEmail(link)).toEqual({ view: 'received', id: 'email-1' })
    const [thread] = fixtureThreads(1).map((each) => ({ ...each, id: 't', inboxId: 'i', folder: 'archive' }))
    if (thread === undefined) throw new Error('there is one')
    const inThread = { thread, emailId: 'e' }
    expect(routeOfSharedEmail({ ...link, of, inThread })).toEqual({
      view: 'folder',
      inboxId: 'i',
      folder: 'archive',
      threadId: 't',
      emailId: 'e',
    })
    expect(routeOfSharedEmail({ ...link, inThread })).toMatchObject({ view: 'folder', threadId: 't', emailId: 'e' })
    expect(routeOfSharedEmail({ ...link, isHere: false })).toBeNull()
  })
})

describe('copying a share link', () => {
  it('reports success and failure', async () => {
    const { list, toasts } = open()
    const write = vi.fn(() => Promise.resolve())
    vi.stubGlobal('navigator', { clipboard: { writeText: write } })
    const said = (): readonly string[] => toasts.toasts.map(({ text }) => text)
    await list.copy(link)
    expect(said()).toEqual(['Link copied.'])
    write.mockReturnValueOnce(Promise.reject(new Error('not allowed')))
    await list.copy(link)
    vi.unstubAllGlobals()
    expect(write.mock.calls).toEqual([[link.url], [link.url]])
    expect(said()).toEqual(['The link could not be copied. Open it and copy the address from your browser.'])
  })
})
