// @vitest-environment jsdom
import { flushSync, type Component } from 'svelte'
import { afterEach, describe, expect, it, vi } from 'vitest'
import ComposerFrame from '../../../src/renderer/features/writing/ComposerFrame.svelte'
import RemoteReplyDialog from '../../../src/renderer/features/writing/RemoteReplyDialog.svelte'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import {
  describeRemoteReply,
  describeRemoteDraft,
  describeRemoteActivity,
} from '../../../src/renderer/features/writing/describe-remote-replies.ts'
import type { RemoteReplies, RemoteReply, Draft, DraftContent } from '../../../src/shared/drafts.ts'
import { renderScreen } from './support/draw-screen.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

let ending = new AbortController()
afterEach(() => {
  ending.abort()
  ending = new AbortController()
})

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
  let isSlow = Promise.resolve()
  const draft: Draft = {
    ...SYNCED_DRAFT,
    ...{ id: 'draft-1', inboxId: INBOX.id, kind, target: TARGET, to: [], subject: 'Re: Berths', snippet: '' },
    ...{ original: null, content: WRITTEN, revision: 1 },
    state: { kind: 'open' },
  }
  let isCounting = Promise.resolve()
  const window = await openWindow(inbox(null), ending.signal, {
    'draft.open': () => draft,
    'usage.get': async () => {
      await isCounting
      return { usage: null, isOffered: false }
    },
    'draft.remoteReplies': async ({ cacheOnly = false }) => {
      if (!cacheOnly) await isSlow
      return found
    },
  })
  await window.session.writing.resume('draft-1')
  const [composing] = window.session.writing.composers.all
  if (composing === undefined) throw new Error('It is not open.')
  const find = (next: RemoteReplies): void => {
    found = next
  }
  /** Blocks the platform. @returns a function that unblocks it */
  const hold = (): (() => void) => {
    let release = (): void => undefined
    isSlow = new Promise((resolve) => (release = resolve))
    return release
  }
  const holdUsage = (): (() => void) => {
    let release = (): void => undefined
    isCounting = new Promise((resolve) => (release = resolve))
    return release
  }
  return { ...window, composing, find, hold, holdUsage }
}

describe('open reply', () => {
  it('follows its thread and its inbox’s drafts without asking the platform', async () => {
    const { composing, find, emit, called } = await openReply()
    await until(() => called('draft.remoteReplies').length === 1)
    find({ ...NOTHING, answers: [answer('a')] })
    emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: ['thread-2'] } })
    emit({ name: 'drafts.changed', payload: { inboxIds: ['another'] } })
    emit({ name: 'emails.changed', payload: { inboxId: INBOX.id, threadIds: ['thread-1'] } })
    emit({ name: 'drafts.changed', payload: { inboxIds: [INBOX.id] } })
    await until(() => composing.remote.hasUnseen)
    expect(called('draft.remoteReplies')).toEqual([
      { draftId: 'draft-1', cacheOnly: true },
      { draftId: 'draft-1', cacheOnly: true },
    ])
  })

  it('reads news once per answer, and about drafts only once', async () => {
    const { composing, find } = await openReply()
    const { remote } = composing
    find({ answers: [answer('a')], drafts: [{ changedAt: 1, snippet: 'Ber' }] })
    await remote.look(false)
    remote.pendingSend = { archive: true, scheduledAt: null }
    remote.agree()
    expect(remote).toMatchObject({ hasUnseen: false, pendingSend: null })
    find({ answers: [answer('a'), answer('b')], drafts: [{ changedAt: 2, snippet: 'Berth' }] })
    await remote.look(false)
    expect(remote.unseen).toMatchObject({ answers: [{ emailId: 'b' }], drafts: [] })
    expect(remote.found.answers).toHaveLength(2)
  })

  it('reads nothing for other messages, and keeps what it knows after a failure', async () => {
    const forward = await openReply('forward')
    await forward.composing.remote.look(false)
    expect(forward.called('draft.remoteReplies')).toEqual([])
    ending.abort()
    ending = new AbortController()
    const { composing, find, refuse } = await openReply()
    find({ ...NOTHING, answers: [answer('a')] })
    await composing.remote.look(false)
    refuse({ code: 'internal', message: 'No.' })
    await composing.remote.look(false)
    expect(composing.remote.unseen.answers).toHaveLength(1)
  })

  it('asks the platform before sending unless it already knows of an answer', async () => {
    const { composing, find, called } = await openReply()
    const { remote } = composing
    await until(() => called('draft.remoteReplies').length === 1)
    expect(await remote.needsConfirmation()).toBe(false)
    find({ ...NOTHING, answers: [answer('a')] })
    expect(await remote.needsConfirmation()).toBe(true)
    expect(await remote.needsConfirmation()).toBe(true)
    remote.agree()
    expect(await remote.needsConfirmation()).toBe(false)
    expect(called('draft.remoteReplies')).toEqual(
      [true, false, false, false].map((cacheOnly) => ({ draftId: 'draft-1', cacheOnly })),
    )
  })
})

describe('question before a reply is sent', () => {
  it('focuses a harmless button and keeps its relative time', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] })
    try {
      const opened = await openReply()
      const acts = { onsend: vi.fn(), onlook: vi.fn(), onback: vi.fn() }
      const answers = ['a', 'b', 'c', 'd', 'e'].map((id) => answer(id))
      const unseen = { answers, drafts: [{ changedAt: NOW - 60_000, snippet: 'Berth 12 is' }] }
      const View: Component = (anchor) => RemoteReplyDialog(anchor, { unseen, isScheduled: false, ...acts })
      const { target } = await renderScreen(opened, View, ending.signal)
      expect(document.activeElement?.textContent.trim()).toBe('Read reply first')
      expect(target.textContent).toContain('Mara Lind replied 20 seconds ago')
      expect(target.textContent).toContain('And 2 earlier replies.')
      expect(target.textContent).toContain('Berth 12 is')
      vi.advanceTimersByTime(5_000)
      flushSync()
      expect(target.textContent).toContain('Mara Lind replied 25 seconds ago')
      const press = (name: string): void =>
        [...target.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)?.click()
      press('Read reply first')
      press('Keep writing')
      expect(acts.onsend).not.toHaveBeenCalled()
      press('Send anyway')
      expect([acts.onlook, acts.onback, acts.onsend].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1])
    } finally {
      // jsdom runs frames on an interval; finish the fake one before restoring real timers.
      vi.advanceTimersByTime(1_000)
      vi.useRealTimers()
    }
  })
})

describe('sending a reply', () => {
  const draw = async () => {
    const opened = await openReply()
    await until(() => opened.called('draft.remoteReplies').length === 1)
    const gone: string[] = []
    const closing = new AbortController()
    const onClosed = (how: string): void => void gone.push(how)
    const View: Component = (anchor) => ComposerFrame(anchor, { composing: opened.composing, place: 'pane', onClosed })
    const { target, settle } = await renderScreen(opened, View, closing.signal)
    ending.signal.addEventListener('abort', () => closing.abort())
    const press = async (name: string): Promise<void> => {
      const button = [...target.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)
      if (button === undefined) throw new Error(`There is no button ${name}.`)
      button.click()
      await settle()
    }
    const pressEscape = async (): Promise<void> => {
      target.querySelector('form')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      await settle()
    }
    const asks = (): boolean => {
      flushSync()
      return target.querySelector('[aria-label="Replied elsewhere"]') !== null
    }
    return { ...opened, target, gone, press, pressEscape, asks, undraw: () => closing.abort() }
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, 50))

  it('sends at once if nobody else has answered', async () => {
    const { press, called, asks } = await draw()
    await press('Send')
    await until(() => called('draft.send').length === 1)
    expect(asks()).toBe(false)
  })

  it('waits for confirmation if somebody has, and then sends it as it was', async () => {
    const { press, called, asks, find, gone, composing } = await draw()
    find({ ...NOTHING, answers: [answer('a')] })
    await press('Send and archive')
    await until(asks)
    await press('Send')
    await pause()
    expect([called('draft.send').length, gone]).toEqual([0, []])
    await press('Keep writing')
    expect(asks()).toBe(false)
    await press('Send and archive')
    await until(asks)
    // An edit invalidates the question.
    composing.editing.set({ subject: 'Re: Berths, again' })
    await until(() => !asks())
    await press('Send and archive')
    await until(asks)
    await press('Send anyway')
    await until(() => called('draft.send').length === 1)
    expect(called('draft.send')).toMatchObject([{ draftId: 'draft-1', archive: true, scheduledAt: null }])
    await until(() => gone.length === 1)
    expect(gone).toEqual(['sent'])
  })

  it('is cancelled by Escape, even while the quota is still loading', async () => {
    const { press, pressEscape, called, asks, find, holdUsage, composing } = await draw()
    find({ ...NOTHING, answers: [answer('a')] })
    await press('Send')
    await until(asks)
    const known = holdUsage()
    await press('Send')
    expect(asks()).toBe(true)
    await pressEscape()
    expect(asks()).toBe(false)
    known()
    await pause()
    expect(asks()).toBe(false)
    expect(composing.remote.pendingSend).toBeNull()
    await press('Send')
    await until(asks)
    expect(called('draft.send')).toEqual([])
  })

  it('is cancelled if the composer was minimised meanwhile', async () => {
    const { press, called, hold, gone, composing, session } = await draw()
    const answered = hold()
    await press('Send')
    await until(() => composing.isSending)
    await press('Send')
    await session.writing.minimise(composing)
    answered()
    await until(() => !composing.isSending)
    await pause()
    expect(called('draft.send')).toEqual([])
    expect(called('draft.remoteReplies')).toHaveLength(2)
    expect(gone).toEqual([])
  })

  it('brings the composer back if the user has moved on', async () => {
    const { press, called, hold, find, composing, undraw } = await draw()
    composing.isApart = false
    find({ ...NOTHING, answers: [answer('a')] })
    const answered = hold()
    await press('Send')
    undraw()
    answered()
    await until(() => composing.isApart)
    expect(composing.remote.pendingSend).toEqual({ archive: false, scheduledAt: null })
    expect(called('draft.send')).toEqual([])
  })
})
