import { describe, expect, it, vi } from 'vitest'
import { createNotifier, type NoticeListeners } from '../../../src/main/notifier.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/shared/preferences.ts'

const arrived = (...ids: readonly string[]): AddressedEvent => ({
  name: 'mail.arrived',
  payload: {
    inboxId: 'desk',
    count: ids.length,
    threads: ids.map((threadId) => ({
      threadId,
      from: 'ada@quay.example',
      subject: threadId,
      snippet: null,
      labelNames: [],
    })),
  },
  accountId: 'work',
})

const NOW = new Date(2026, 10, 30, 18, 45)
const TOMORROW = new Date(2026, 11, 1, 9).getTime()

const open = (preferences: Partial<Preferences> = {}, hasMarkup = false) => {
  const shown: {
    readonly title: string
    readonly body: string
    readonly buttons: readonly (string | undefined)[]
    readonly listeners: NoticeListeners
    readonly close: () => void
  }[] = []
  const [follow, bringToFront, change] = [vi.fn(), vi.fn(), vi.fn()]
  const focus = { is: false }
  const hear = createNotifier({
    hasMarkup,
    show: ({ title = '', body = '', actions = [] }, listeners) => {
      const buttons = actions.map(({ text }) => text)
      const notice = { title, body, buttons, listeners, close: vi.fn() }
      shown.push(notice)
      return notice
    },
    isFocused: () => focus.is,
    preferences: () => ({ ...DEFAULT_PREFERENCES, ...preferences }),
    open: follow,
    bringToFront,
    change,
    now: () => NOW,
  })
  return { hear, shown, focus, follow, bringToFront, change }
}

describe('new-mail notices', () => {
  it('are shown unless a window has focus, they are off, or nothing arrived', () => {
    const { hear, shown, focus } = open()
    focus.is = true
    hear(arrived('one'))
    focus.is = false
    hear({ name: 'inboxes.changed', payload: null, accountId: 'work' })
    expect(shown).toEqual([])
    hear(arrived('one'))
    expect(shown.map(({ title }) => title)).toEqual(['ada@quay.example'])
    const none = open({ notify: 'none' })
    none.hear(arrived('one'))
    expect(none.shown).toEqual([])
  })

  it('open their thread, or the window if they cover several', () => {
    const { hear, shown, follow, bringToFront } = open()
    hear(arrived('one'))
    shown[0]?.listeners.click()
    expect(follow).toHaveBeenCalledWith({ kind: 'thread', inboxId: 'desk', threadId: 'one' })
    hear(arrived('two', 'three'))
    shown[1]?.listeners.click()
    expect(bringToFront).toHaveBeenCalledOnce()
    expect(follow).toHaveBeenCalledOnce()
  })

  it('archive or snooze the one thread they cover, without a window', () => {
    const { hear, shown, follow, bringToFront, change } = open()
    hear(arrived('one'))
    expect(shown[0]?.buttons).toEqual(['Archive', 'Reply', 'Snooze to tomorrow'])
    for (const index of [0, 2, 7]) shown[0]?.listeners.action(index)
    expect(change.mock.calls).toEqual([
      ['work', 'desk', 'one', { folder: 'archive' }],
      ['work', 'desk', 'one', { snoozedUntil: TOMORROW }],
    ])
    expect([follow, bringToFront].some(({ mock }) => mock.calls.length > 0)).toBe(false)
  })

  it('snooze into the archive if the user keeps snoozed threads there', () => {
    const { hear, shown, change } = open({ snoozedThere: 'archive' })
    hear(arrived('one'))
    shown[0]?.listeners.action(2)
    expect(change).toHaveBeenCalledExactlyOnceWith('work', 'desk', 'one', { snoozedUntil: TOMORROW, folder: 'archive' })
  })

  it('open the thread and then a reply to it', () => {
    const { hear, shown, follow, change } = open()
    hear(arrived('one'))
    shown[0]?.listeners.action(1)
    const thread = { inboxId: 'desk', threadId: 'one' }
    expect(follow.mock.calls).toEqual([[{ kind: 'thread', ...thread }], [{ kind: 'reply', ...thread }]])
    expect(change).not.toHaveBeenCalled()
  })

  it('have no buttons if they cover several threads', () => {
    const { hear, shown, follow, change } = open()
    hear(arrived('one', 'two'))
    expect(shown[0]?.buttons).toEqual([])
    for (const index of [0, 1, 2]) shown[0]?.listeners.action(index)
    expect([follow, change].some(({ mock }) => mock.calls.length > 0)).toBe(false)
  })

  it('contain no foreign markup if the system reads markup', () => {
    const subject = '<a href="https://evil.example/login">Sign in</a> <img src="x"/> Rope & <b>tar</b> &amp; &#60;i>'
    const mail = (hasMarkup: boolean): string => {
      const { hear, shown } = open({}, hasMarkup)
      const event = arrived('one')
      if (event.name !== 'mail.arrived') throw new Error('another event')
      const threads = event.payload.threads.map((thread) => ({ ...thread, subject, snippet: 'a < b && c' }))
      hear({ ...event, payload: { ...event.payload, threads } })
      hear({ ...event, payload: { ...event.payload, threads: [...threads, ...threads], count: 2 } })
      return shown.map(({ body }) => body).join('\n')
    }
    expect(mail(false)).toContain(subject)
    expect(mail(true)).not.toMatch(/[<>&]/)
    expect(mail(true)).toContain('Rope ＆ ‹b›tar‹/b›')
  })

  it('are held until closed, twenty at most', () => {
    const { hear, shown } = open()
    for (let count = 0; count < 25; count += 1) hear(arrived(`thread ${count}`))
    expect(shown.filter(({ close }) => vi.mocked(close).mock.calls.length > 0)).toEqual(shown.slice(0, 5))
  })
})
