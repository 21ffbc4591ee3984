// @vitest-environment jsdom
import type { Component } from 'svelte'
import { describe, expect, it } from 'vitest'
import Composer from '../../../src/renderer/features/writing/Composer.svelte'
import SendingMessage from '../../../src/renderer/features/writing/SendingMessage.svelte'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import {
  describeRemoteReply,
  describeRemoteDraft,
  describeRemoteActivity,
  listObjections,
} from '../../../src/renderer/features/writing/describe-remote-replies.ts'
import type {
  RemoteReplies,
  RemoteReply,
  Draft,
  DraftContent,
  DraftState,
  DraftSummary,
} from '../../../src/shared/drafts.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const NOW = Date.UTC(2026, 10, 26, 14, 5, 30)
const STYLE = { locale: 'en-GB', timeZone: 'UTC' }
const NOTHING: RemoteReplies = { answers: [], drafts: [] }
const answer = (emailId: string, from = 'Mara Lind <support@example.com>', at = NOW - 20_000): RemoteReply => ({
  ...{ emailId, from, at },
  snippet: 'You can have berth 12.',
})

describe('notice about a remote reply', () => {
  it('names the sender, with relative and clock time', () => {
    expect(describeRemoteReply(answer('a'), NOW, STYLE)).toBe('Mara Lind replied 20 seconds ago (14:05).')
    expect(describeRemoteReply(answer('a'), NOW + 70_000, STYLE)).toBe('Mara Lind replied 1 minute ago (14:05).')
    expect(describeRemoteReply(answer('a', 'support@example.com'), NOW, STYLE)).toBe(
      'Someone replied from support@example.com 20 seconds ago (14:05).',
    )
    const long = answer('a', 'Mara Lind <support@example.com>', NOW - 3 * 24 * 60 * 60_000)
    expect(describeRemoteReply(long, NOW, STYLE)).toBe('Mara Lind replied on 23 Nov, 14:05.')
  })

  it('shows no future time if the platform’s clock is ahead', () => {
    expect(describeRemoteReply(answer('a', 'Mara <m@example.com>', NOW + 3_600_000), NOW, STYLE)).toBe(
      'Mara replied just now (15:05).',
    )
  })

  it('doesn’t name who is drafting', () => {
    expect(describeRemoteDraft({ changedAt: NOW - 120_000 }, NOW, STYLE)).toBe(
      'Someone is drafting a reply elsewhere. Last changed 2 minutes ago.',
    )
    expect(describeRemoteDraft({ changedAt: null }, NOW, STYLE)).toBe('Someone is drafting a reply elsewhere.')
  })

  it('is a single line while the user writes', () => {
    expect(describeRemoteActivity(NOTHING)).toBeNull()
    expect(describeRemoteActivity({ ...NOTHING, answers: [answer('a'), answer('b')] })).toBe(
      'Mara Lind replied while you were writing.',
    )
    const others = [answer('a'), answer('b', 'Ben <ben@example.com>'), answer('c', 'Cleo <cleo@example.com>')]
    expect(describeRemoteActivity({ ...NOTHING, answers: others })).toBe(
      '3 replies were sent from elsewhere while you were writing.',
    )
    expect(describeRemoteActivity({ answers: [], drafts: [{ changedAt: 1, snippet: null }] })).toBe(
      'Someone is drafting a reply elsewhere.',
    )
  })
})

const TARGET = { threadId: 'thread-1', emailId: 'email-1' }

const WRITTEN: DraftContent = {
  ...createEmptyContent(),
  ...{
    to: [{ name: null, address: 'ada@example.com' }],
    subject: 'Re: Berths',
    format: 'plain',
    text: 'Berth 14 is free.',
  },
}

const openReply = async (kind: 'reply' | 'forward' = 'reply') => {
  let found = NOTHING
  let isSaving = Promise.resolve()
  let listed: readonly DraftSummary[] = []
  const draft: Draft = {
    ...SYNCED_DRAFT,
    ...{ id: 'draft-1', inboxId: INBOX.id, kind, target: TARGET, to: [], subject: 'Re: Berths', snippet: '' },
    ...{ original: null, content: WRITTEN, revision: 1 },
    state: { kind: 'open' },
  }
  const window = await openWindow(inbox(null), ending.signal, {
    'draft.open': () => draft,
    'draft.list': () => listed,
    'draft.elsewhere': () => ({ theirs: null, ...found }),
    'draft.save': async ({ revision }) => {
      await isSaving
      return { revision: revision + 1 }
    },
  })
  await window.session.writing.resume('draft-1')
  const [composing] = window.session.writing.composers.all
  if (composing === undefined) throw new Error('It is not open.')
  const find = (next: RemoteReplies): void => {
    found = next
  }
  /** Makes the engine list the draft in a state. */
  const list = (state: DraftState): void => {
    listed = [{ ...draft, state }]
    window.emit({ name: 'drafts.changed', payload: { inboxIds: [INBOX.id] } })
  }
  /** Blocks saving. @returns a function that unblocks it */
  const holdSaving = (): (() => void) => {
    let release = (): void => undefined
    isSaving = new Promise((resolve) => (release = resolve))
    return release
  }
  return { ...window, composing, find, list, holdSaving }
}

describe('open reply', () => {
  it('follows its thread and its inbox’s drafts without asking the platform', async () => {
    const { composing, find, emit, called } = await openReply()
    await until(() => called('draft.elsewhere').length === 1)
    find({ ...NOTHING, answers: [answer('a')] })
    emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: ['thread-2'] } })
    emit({ name: 'drafts.changed', payload: { inboxIds: ['another'] } })
    emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: ['thread-1'] } })
    emit({ name: 'drafts.changed', payload: { inboxIds: [INBOX.id] } })
    await until(() => composing.elsewhere.answers.length === 1)
    await composing.lookElsewhere(true)
    expect(called('draft.elsewhere')).toEqual(
      [false, false, true].map((isSeen) => ({ draftId: 'draft-1', cacheOnly: true, isSeen })),
    )
  })

  it('keeps what it knows after a failure', async () => {
    const { composing, find, refuse } = await openReply()
    find({ ...NOTHING, answers: [answer('a')] })
    await composing.lookElsewhere()
    refuse({ code: 'internal', message: 'No.' })
    await composing.lookElsewhere()
    expect(composing.elsewhere.answers).toHaveLength(1)
  })
})

describe('sending a reply', () => {
  const draw = async () => {
    const opened = await openReply()
    const gone: string[] = []
    const closing = new AbortController()
    const onClosed = (how: string): void => void gone.push(how)
    const View: Component = (anchor) => Composer(anchor, { composing: opened.composing, place: 'pane', onClosed })
    const { target } = await renderScreen(opened, View, closing.signal)
    ending.signal.addEventListener('abort', () => closing.abort())
    const press = (name: string): void => {
      const button = [...target.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)
      if (button === undefined) throw new Error(`There is no button ${name}.`)
      button.click()
    }
    return { ...opened, gone, press, undraw: () => closing.abort() }
  }

  it('takes it off the screen at the key press, and hands over what was on it', async () => {
    const { press, called, gone, composing, session } = await draw()
    composing.editing.set({ subject: 'Re: Berths, again' })
    press('Send')
    expect([gone, session.writing.composers.all]).toEqual([['sent'], []])
    expect(called('draft.send')).toMatchObject([
      { draftId: 'draft-1', revision: 1, content: { subject: 'Re: Berths, again' }, archive: false, asksFirst: true },
    ])
    expect(await session.writing.sending.send(composing, { archive: false, scheduledAt: null })).toBe(false)
    expect([called('draft.send').length, called('draft.save')]).toEqual([1, []])
  })

  it('continues from a save that is under way', async () => {
    const { press, called, composing, holdSaving, undraw } = await draw()
    composing.editing.set({ subject: 'Re: Berths, again' })
    const saved = holdSaving()
    void composing.keep()
    press('Send')
    undraw()
    saved()
    await until(() => called('draft.send').length === 1)
    expect(called('draft.save')).toMatchObject([{ revision: 1 }])
    expect(called('draft.send')).toMatchObject([{ revision: 2 }])
    expect(called('draft.send')[0]).not.toHaveProperty('content')
  })

  it('brings it back with the reason if it can’t be sent', async () => {
    const { press, refuse, composing, session, shell } = await draw()
    refuse({ code: 'refused', message: 'This inbox is gone.', details: { field: 'from' } })
    press('Send')
    await until(() => session.writing.composers.all.length === 1)
    expect(session.writing.composers.all).toEqual([composing])
    expect(composing.editing.refusal).toEqual({ field: 'from', message: 'This inbox is gone.' })
    expect(shell.toasts.shown?.text).toBe('“Re: Berths” was not sent. It is open again and shows the reason.')
    composing.editing.set({ subject: 'Re: Ropes' })
    expect(composing.editing.isDirty).toBe(true)
  })

  it('says what it waits for until it no longer does, and sends it after consent', async () => {
    const { list, called, shell } = await openReply()
    const objection = { replies: { ...NOTHING, answers: [answer('a')] }, quota: null, isScheduled: false }
    list({ kind: 'held', at: null, objection })
    await until(() => shell.toasts.shown !== null)
    expect(shell.toasts.shown?.text).toContain('“Re: Berths” has not been sent. Mara Lind replied')
    expect(shell.toasts.shown?.offers.map(({ name }) => name)).toEqual(['Open', 'Send anyway'])
    shell.toasts.shown?.offers[1]?.run()
    await until(() => called('draft.sendAgain').length === 1)
    list({ kind: 'sending', mayHaveLeft: false })
    await until(() => shell.toasts.shown === null)
  })
})

describe('objection to sending', () => {
  it('shows two replies of the same minute', async () => {
    const opened = await openReply()
    const answers = [answer('a'), answer('b')]
    const objection = { replies: { ...NOTHING, answers }, quota: null, isScheduled: false }
    const state = { kind: 'held', at: null, objection }
    const draft = { ...SYNCED_DRAFT, id: 'draft-1', inboxId: INBOX.id, to: [], snippet: '', state } as never
    const View: Component = (anchor) => SendingMessage(anchor, { draft })
    const { target } = await renderScreen(opened, View, ending.signal)
    expect(target.querySelectorAll('li')).toHaveLength(2)
  })

  it('lists the newest replies, a draft and the quota', () => {
    const answers = ['a', 'b', 'c', 'd', 'e'].map((id) => answer(id))
    const drafts = [
      { changedAt: NOW - 60_000, snippet: 'Berth 12 is' },
      { changedAt: NOW - 120_000, snippet: 'An older one' },
    ]
    const quota = 'This message counts as 4 messages, but you have 3 left today.'
    expect(listObjections({ replies: { answers, drafts }, quota }, NOW, STYLE)).toEqual([
      ...Array.from({ length: 3 }, () => ({
        sentence: 'Mara Lind replied 20 seconds ago (14:05).',
        snippet: 'You can have berth 12.',
      })),
      { sentence: 'And 2 earlier replies.', snippet: null },
      {
        sentence: 'Someone is drafting a reply elsewhere. Last changed 1 minute ago.',
        snippet: 'Berth 12 is',
      },
      { sentence: quota, snippet: null },
    ])
  })
})
