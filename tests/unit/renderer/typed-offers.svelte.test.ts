// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import type { CaretField } from '../../../src/renderer/features/writing/caret-field.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { DraftEditor } from '../../../src/renderer/features/writing/draft-editor.svelte.ts'
import { findEmoji } from '../../../src/renderer/features/writing/emoji.ts'
import { MAX_OFFERS, parseTypedStart } from '../../../src/renderer/features/writing/typed-offers.ts'
import TypedOffers from '../../../src/renderer/features/writing/TypedOffers.svelte'
import type { DraftKind } from '../../../src/shared/drafts.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX, LABELS } from './support/fixture-mail.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()
// jsdom has no layout.
Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined })

describe('the text that opens a list', () => {
  it.each([
    ['Hi @ma', { kind: 'person', text: 'ma' }],
    ['(@Mara Li', { kind: 'person', text: 'Mara Li' }],
    ['great :ta', { kind: 'emoji', text: 'ta' }],
    ['great :+1', { kind: 'emoji', text: '+1' }],
    ['/', { kind: 'menu', text: '' }],
    ['see /numbered l', { kind: 'menu', text: 'numbered l' }],
    [';re @ma', { kind: 'person', text: 'ma' }],
  ])('is found at the start of a word: %s', (before, start) => {
    expect(parseTypedStart(before)).toEqual(start)
  })

  it.each([
    ...['', 'no sign', 'ada@quay', '@', '@1', 'a :D', 'a :t', 'at 10:30', 'note: ok', 'Note :-) x', 'a : ta'],
    ...['24/7', 'and/or', '1/2/2026', 'km / h', 'https://quay.example/pier', '/usr/bin', '@ada@quay'],
  ])('is not found elsewhere: %s', (before) => {
    expect(parseTypedStart(before)).toBeNull()
  })
})

describe('emoji', () => {
  const found = (typed: string) => findEmoji(typed).map(({ emoji, name }) => `${emoji} ${name}`)

  it('are found by names first, then by other words', () => {
    expect(found('tad')).toEqual(['🎉 tada'])
    expect(found('+1')[0]).toBe('👍 +1')
    expect(found('thumbsu')).toEqual(['👍 thumbsup'])
    expect(found('HEART')[0]).toBe('❤️ heart')
    expect(found('party')).toContain('🎉 tada')
    expect(found('xyzzy')).toEqual([])
  })

  it('are at most as many as a list shows, however many match', () => {
    expect(found('fa')).toHaveLength(MAX_OFFERS)
    expect(found('_')).toEqual([])
  })
})

const MARA = { name: 'Mara Lind', address: 'mara@quay.example', contactId: null }
const MARK = { name: 'Mark', address: 'mark@pier.example', contactId: null }

const draft = (kind: DraftKind) => ({
  ...{ id: 'draft-1', inboxId: INBOX.id, kind, original: null, remindAt: null, revision: 1, state: { kind: 'open' } },
  target: kind === 'new' ? null : { threadId: 'thread-0', emailId: 'email-0' },
  content: createEmptyContent(),
})

/** Suggestions for a field whose text before the caret the test sets. */
const type = async (kind: DraftKind = 'new', handlers: FixtureHandlers = {}) => {
  const opened = await openWindow(inbox(null), ending.signal, {
    'person.suggest': () => [MARK, MARA],
    'label.list': () => [...LABELS, { id: 'mara', name: '@Mara Lind', color: '#123456' }],
    ...handlers,
  })
  await opened.session.mailboxes.loadLabels(INBOX.id)
  await opened.session.snippets.load()
  const editing = new DraftEditor(opened.shell.backend, draft(kind) as never, { own: [], signatureOf: () => '' })
  const element = document.createElement('textarea')
  document.body.append(element)
  let before = ''
  let look = (): void => undefined
  const insertText = vi.fn<(text: string) => void>()
  const selectBefore = vi.fn<(count: number) => void>()
  const caret: CaretField = {
    ...{ element, insertText, selectBefore, before: () => before, insert: () => undefined, read: () => before },
    ...{ caret: () => 0, focus: () => undefined, placeOf: () => ({ left: 0, top: 0, bottom: 0 }) },
    onMove: (called) => {
      look = called
      return () => undefined
    },
  }
  const { target, settle } = await renderScreen(opened, TypedOffers, ending.signal, { editing, caret })
  const set = async (text: string): Promise<void> => {
    before = text
    look()
    await settle()
  }
  const press = async (key: string): Promise<boolean> => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true })
    element.dispatchEvent(event)
    await settle()
    return event.defaultPrevented
  }
  const options = () => [...target.querySelectorAll('[role=option]')]
  const names = () => options().map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim())
  const asked = () => opened.called('person.suggest').length
  return { editing, element, target, insertText, selectBefore, set, press, options, names, asked }
}

describe('suggestions while typing', () => {
  it('name colleagues first, and mention the chosen person, who gets the message', async () => {
    const { element, target, set, press, options, names, insertText, selectBefore, editing } = await type()
    await set('Dear @mar')
    await until(() => options().length === 2)
    expect(names()).toEqual(['Mara Lind mara@quay.example', 'Mark mark@pier.example'])
    const listbox = target.querySelector('[role=listbox]')
    expect(listbox?.getAttribute('aria-label')).toBe('People')
    expect(element.getAttribute('aria-controls')).toBe(listbox?.id)
    expect(element.getAttribute('aria-activedescendant')).toBe(options()[0]?.id)
    await press('ArrowDown')
    expect(element.getAttribute('aria-activedescendant')).toBe(options()[1]?.id)
    await press('ArrowDown')
    expect(await press('Enter')).toBe(true)
    expect(selectBefore).toHaveBeenCalledWith(4)
    expect(insertText).toHaveBeenCalledWith('@Mara Lind ')
    expect(editing.fields.to).toEqual([{ name: 'Mara Lind', address: 'mara@quay.example' }])
    expect(target.querySelector('[aria-live]')?.textContent).toBe('Mara Lind added to To.')
    expect(options()).toEqual([])
    expect(element.getAttribute('aria-activedescendant')).toBe('')
  })

  it('copy in the person mentioned in an answer, once', async () => {
    const { set, press, options, editing } = await type('reply')
    for (let times = 0; times < 2; times += 1) {
      await set('@mara')
      await until(() => options().length > 0)
      await press('Tab')
      await set('')
    }
    expect([editing.fields.to.length, editing.fields.cc.length]).toEqual([0, 1])
  })

  it('do nothing for a key without a sign, and ask no more once nothing matches', async () => {
    const { set, options, asked } = await type('new', { 'person.suggest': () => [] })
    for (const text of ['H', 'Hi', 'Hi m', 'ada@quay.example', '10:30']) await set(text)
    expect(asked()).toBe(0)
    await set('Hi @m')
    await until(() => asked() === 1)
    await set('Hi @ma')
    await set('Hi @mar')
    expect([asked(), options()]).toEqual([1, []])
    await set('Hi')
    await set('Hi @m')
    await until(() => asked() === 2)
  })

  it('never choose someone who no longer matches', async () => {
    const { set, press, options, insertText } = await type('new', {
      'person.suggest': ({ typed }) => (typed === 'mar' ? [MARK, MARA] : new Promise(() => undefined)),
    })
    await set('@mar')
    await until(() => options().length === 2)
    await set('@mark')
    expect(await press('Enter')).toBe(true)
    expect(insertText).toHaveBeenCalledWith('@Mark ')
    await set('@mar')
    await until(() => options().length === 2)
    await set('@marx')
    expect(await press('Enter')).toBe(false)
    expect(insertText).toHaveBeenCalledTimes(1)
  })

  it('close on blur, and on Esc until the next word', async () => {
    const { element, set, press, options } = await type()
    await set('@ma')
    await until(() => options().length === 2)
    expect(await press('Escape')).toBe(true)
    await set('@mar')
    expect(options()).toEqual([])
    expect(await press('Escape')).toBe(false)
    await set('@mar or :tada')
    await until(() => options().length === 1)
    element.dispatchEvent(new FocusEvent('blur'))
    await until(() => options().length === 0)
  })

  it('insert an emoji by its name in colons', async () => {
    const { set, press, options, insertText } = await type()
    await set(':tad')
    await until(() => options().length === 1)
    expect(await press(':')).toBe(false)
    await set(':tada')
    expect(await press(':')).toBe(true)
    expect(insertText).toHaveBeenCalledWith('🎉')
  })

  it('offer only canned replies after a slash in plain text', async () => {
    const canned = { id: '1', name: 'Table booking', html: '<p>Booked.</p>', updatedAt: 1 }
    const { set, names, press } = await type('new', {
      'snippet.list': () => ({ signatures: [], cannedReplies: [canned] }),
    })
    await set('/')
    await until(() => names().length === 1)
    expect(names()).toEqual(['Table booking Booked.'])
    expect(await press('Enter')).toBe(false)
    await set('/canned')
    expect(names()).toEqual(['Table booking Booked.'])
    await set('/heading')
    expect(names()).toEqual([])
  })
})
