// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { NOTHING_ELSEWHERE } from '../../../src/renderer/features/writing/open-composer.svelte.ts'
import { isAwaitingApproval } from '../../../src/renderer/features/writing/describe-draft.ts'
import type { Draft, DraftContent, DraftSummary } from '../../../src/shared/drafts.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const LISTED: DraftSummary = {
  ...{ id: 'draft-1', inboxId: INBOX.id, kind: 'reply', target: { threadId: 'thread-0', emailId: 'thread-0-email-0' } },
  ...{ to: [], subject: 'Ropes', snippet: '', state: { kind: 'open' } },
  ...SYNCED_DRAFT,
  isOurs: false,
}
const WRITTEN: DraftContent = {
  ...createEmptyContent(),
  ...{ to: [{ name: null, address: 'ada@quill.example' }], subject: 'Ropes', format: 'plain', text: 'Two are left.' },
}
const draftWith = (content: DraftContent): Draft => ({
  ...{ ...LISTED, original: null, revision: 0, theirs: null, remindAt: null, content },
})

describe('waiting draft', () => {
  const ending = endAfterEach()
  const open = async (handlers: FixtureHandlers = {}) => {
    const opened = await openWindow({ view: 'waiting', id: null }, ending.signal, {
      'draft.list': () => [LISTED],
      'draft.open': () => draftWith(WRITTEN),
      'draft.elsewhere': () => NOTHING_ELSEWHERE,
      'thread.open': () => {
        throw new Error('it is not here')
      },
      ...handlers,
    })
    const { displayed, lists } = opened.session.writing
    await until(() => lists.waiting.list.total === 1)
    return { ...opened, displayed }
  }

  it('is a reply started elsewhere and not being sent', () => {
    expect(isAwaitingApproval(LISTED)).toBe(true)
    expect(isAwaitingApproval({ ...LISTED, isOurs: true })).toBe(false)
    expect(isAwaitingApproval({ ...LISTED, kind: 'new' })).toBe(false)
    expect(isAwaitingApproval({ ...LISTED, state: { kind: 'held', at: 1 } })).toBe(false)
  })

  it('is sent once, only after it was shown, and unchanged', async () => {
    const { displayed, called } = await open()
    expect(displayed.canApprove).toBe(false)
    await displayed.approve()
    displayed.show(LISTED.id)
    await until(() => displayed.canApprove)
    await Promise.all([displayed.approve(), displayed.approve()])
    expect(called('draft.send')).toMatchObject([{ draftId: 'draft-1', archive: false, scheduledAt: null }])
  })

  it('is shown again instead of sent if it has changed', async () => {
    let content = WRITTEN
    const { displayed, called } = await open({ 'draft.open': () => draftWith(content) })
    displayed.show(LISTED.id)
    await until(() => displayed.canApprove)
    content = { ...WRITTEN, text: 'None are left.' }
    await displayed.approve()
    expect(called('draft.send')).toEqual([])
    expect(displayed.read?.draft.content.text).toBe('None are left.')
  })

  it.each<[string, FixtureHandlers]>([
    ['lacks a subject', { 'draft.open': () => draftWith({ ...WRITTEN, subject: '' }) }],
    ['goes to nobody', { 'draft.open': () => draftWith({ ...WRITTEN, to: [] }) }],
    [
      'goes to a suppressed address',
      {
        'suppression.ofAddresses': ({ addresses }) =>
          addresses.map((address) => ({
            ...{
              address,
              suppression: { origin: 'bounce', since: 0, sourceId: null },
              freshness: { state: 'live', at: 0 } as const,
            },
            ...{ isWaiting: false, returned: null },
          })),
      },
    ],
  ])('that %s opens instead of being sent', async (_, handlers) => {
    const { displayed, called, session } = await open(handlers)
    displayed.show(LISTED.id)
    await until(() => displayed.canApprove)
    await displayed.approve()
    expect(called('draft.send')).toEqual([])
    expect(session.writing.composers.active?.draftId).toBe('draft-1')
  })
})
