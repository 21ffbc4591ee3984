// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { CurrentInbox, findStartingInbox } from '../../../src/renderer/features/mailboxes/current-inbox.svelte.ts'
import { RouteManager } from '../../../src/renderer/kernel/route-manager.svelte.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { MailboxesManager } from '../../../src/renderer/features/mailboxes/mailboxes-manager.svelte.ts'
import type { Freshness, Inbox } from '../../../src/shared/model.ts'
import type { PreferencesChange } from '../../../src/shared/preferences.ts'
import { fixtureThreads, INBOX } from './support/fixture-mail.ts'
import { createPreferences } from './support/preferences.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'

const DESK: Inbox = { id: 'inbox-2', name: 'Desk', emailAddress: 'desk@heron.example', unread: 0, onServer: true }
/** Newest first, like the platform. */
const INBOXES = [DESK, INBOX]
const LIVE: Freshness = { state: 'live', at: 0 }
const NEVER: Freshness = { state: 'never', at: null }

const backendWith = (lists: Readonly<Record<string, { readonly total: number; readonly freshness: Freshness }>>) =>
  createBackend(
    createFixtureTransport({
      handlers: {
        'inbox.list': () => ({ inboxes: INBOXES, freshness: LIVE }),
        'thread.list': ({ query, offset }) => {
          const { total, freshness } = lists[query.inboxIds[0] ?? ''] ?? { total: 0, freshness: NEVER }
          const items = fixtureThreads(total).map((thread) => ({ ...thread, match: null }))
          return { items, offset, total, freshness, hasMore: false, searched: null }
        },
      },
    }),
  )

describe('starting inbox', () => {
  const mail = { total: 1, freshness: LIVE }
  const none = { total: 0, freshness: LIVE }
  const unknown = { total: 0, freshness: NEVER }

  it('is the first one with mail, even if a newer one is empty', async () => {
    expect(await findStartingInbox(backendWith({ [INBOX.id]: mail }), INBOXES, null, false)).toBe(INBOX.id)
  })

  it('is the last one visited, even if it is empty', async () => {
    expect(await findStartingInbox(backendWith({ [INBOX.id]: mail }), INBOXES, DESK.id, false)).toBe(DESK.id)
  })

  it('is undecided until mail is known, then the first if all are empty', async () => {
    const backend = backendWith({ [INBOX.id]: none, [DESK.id]: unknown })
    expect(await findStartingInbox(backend, INBOXES, null, false)).toBeNull()
    expect(await findStartingInbox(backend, INBOXES, null, true)).toBe(DESK.id)
    expect(await findStartingInbox(backendWith({ [INBOX.id]: none, [DESK.id]: none }), INBOXES, null, false)).toBe(
      DESK.id,
    )
  })
})

describe('current inbox', () => {
  /** Opens a window without a list, in an account with `INBOXES`. */
  const openWindow = async (chosen: PreferencesChange = {}) => {
    const mailboxes = new MailboxesManager(backendWith({}))
    await mailboxes.load()
    const route = new RouteManager()
    route.replace({ view: 'settings' })
    const { preferences } = createPreferences()
    await preferences.choose(chosen)
    return {
      route,
      preferences,
      of: (accountId: string | null) => new CurrentInbox({ route, mailboxes, preferences, accountId }),
    }
  }

  it('follows the screen, persists in views without an inbox, and is remembered', async () => {
    const { route, of } = await openWindow()
    const current = of('harbour')
    expect(current.id).toBe(DESK.id)
    route.replace({ view: 'folder', inboxId: INBOX.id, folder: 'inbox', threadId: null })
    expect(current.inbox).toEqual(INBOX)
    current.visit(INBOX.id)
    route.replace({ view: 'contacts', id: null })
    expect(current.id).toBe(INBOX.id)
    expect(of('harbour').id).toBe(INBOX.id)
  })

  it('is remembered per account, and not across accounts', async () => {
    const { preferences, of } = await openWindow()
    of('harbour').visit(INBOX.id)
    of('pier').visit('inbox-of-the-pier')
    expect(['harbour', 'pier', 'quay'].map((id) => of(id).last)).toEqual([INBOX.id, 'inbox-of-the-pier', null])
    const across = of(null)
    across.visit('all')
    expect(across.last).toBe('all')
    expect(of(null).last).toBeNull()
    expect(preferences.values.lastInboxes).toEqual({ harbour: INBOX.id, pier: 'inbox-of-the-pier' })
  })

  it('falls back to the one saved for all accounts', async () => {
    const { of } = await openWindow({ lastInbox: INBOX.id })
    expect(of('harbour').id).toBe(INBOX.id)
    of('harbour').visit(DESK.id)
    expect(['harbour', 'pier'].map((id) => of(id).last)).toEqual([DESK.id, INBOX.id])
  })

  it('falls back to the first if the saved one belongs to another account', async () => {
    const { of } = await openWindow({ lastInbox: 'of-another-account' })
    expect(of('harbour').id).toBe(DESK.id)
  })
})
