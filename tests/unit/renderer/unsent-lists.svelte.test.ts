// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import UnsentView from '../../../src/renderer/features/writing/UnsentView.svelte'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import { NOTHING_ELSEWHERE } from '../../../src/renderer/features/writing/open-composer.svelte.ts'
import type { UnsentList } from '../../../src/renderer/features/writing/writing-manager.svelte.ts'
import type { Draft, DraftState } from '../../../src/shared/drafts.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { openWindow } from './support/open-window.ts'
import { strike } from './support/strike.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const OPEN: DraftState = { kind: 'open' }
const LATER = new Date(2099, 4, 3, 9, 30).getTime()

const draftOf = (id: string, state: DraftState = OPEN, isOurs = true): Draft => ({
  ...{ id, inboxId: INBOX.id, kind: isOurs ? 'new' : 'reply', target: null, subject: `Subject ${id}` },
  ...{ to: [{ name: null, address: 'ada@quill.example' }], snippet: `Text ${id}`, state },
  ...SYNCED_DRAFT,
  ...{ isOurs, original: null, revision: 1, theirs: null, remindAt: null },
  content: { ...createEmptyContent(), subject: `Subject ${id}`, format: 'plain', text: `Full text ${id}` },
})

describe('lists of unsent messages', () => {
  const ending = endAfterEach()

  /** The rendered list with two rows, `one` and `two`. */
  const open = async (
    view: UnsentList,
    { id = null, state = OPEN }: { id?: string | null; state?: DraftState } = {},
  ) => {
    const drafts = new Map(['one', 'two'].map((each) => [each, draftOf(each, state, view !== 'waiting')]))
    const opened = await openWindow({ view, id }, ending.signal, {
      'draft.list': () => [...drafts.values()],
      'draft.open': ({ draftId }) => {
        const found = drafts.get(draftId)
        if (found === undefined) throw new ProblemError({ code: 'not_found', message: 'It is gone.' })
        return found
      },
      'draft.elsewhere': () => NOTHING_ELSEWHERE,
      'draft.cancelSending': ({ draftId }) => ({ ...draftOf(draftId), revision: 7 }),
      'draft.send': () => ({ state: { kind: 'held', at: 0 } }),
    })
    opened.listen()
    const { target, settle } = await renderScreen(opened, UnsentView, ending.signal)
    const pane = (): string => target.querySelector('.detail')?.textContent.replaceAll(/\s+/g, ' ') ?? ''
    const button = (name: string): HTMLButtonElement =>
      [...target.querySelectorAll<HTMLButtonElement>('.detail button')].find(
        (each) => each.textContent.trim() === name || each.getAttribute('aria-label') === name,
      ) ?? expect.unreachable(name)
    const change = async (next: () => void): Promise<void> => {
      next()
      await opened.session.writing.load(true)
      await settle()
    }
    return { ...opened, drafts, target, settle, pane, button, change, route: () => opened.shell.route.current }
  }

  it.each(['drafts', 'waiting', 'scheduled', 'outbox'] as const)('%s: shows the row under the cursor', async (view) => {
    const state: DraftState =
      view === 'scheduled'
        ? { kind: 'scheduled', at: LATER }
        : view === 'outbox'
          ? { kind: 'sending', mayHaveLeft: false }
          : OPEN
    const { pane, route, called } = await open(view, { state })
    await until(() => pane().includes('Full text one'))
    expect(pane()).toContain('Subject one')
    expect(route()).toEqual({ view, id: null })
    strike('j')
    await until(() => pane().includes('Full text two'))
    expect(route()).toEqual({ view, id: null })
    // Looking at a row doesn't ask the platform again.
    expect(called('draft.list').filter((input) => (input as { cacheOnly?: boolean }).cacheOnly !== true)).toHaveLength(
      1,
    )
  })

  it('keeps the open row in the address, and goes back to the list', async () => {
    const { pane, route, target, settle, commands } = await open('drafts')
    await until(() => pane().includes('Full text one'))
    target.querySelector<HTMLElement>('[role=option]')?.click()
    await settle()
    expect(route()).toEqual({ view: 'drafts', id: 'one' })
    strike('j')
    await until(() => pane().includes('Full text two'))
    expect(route()).toEqual({ view: 'drafts', id: 'two' })
    commands.navigator.back()
    expect(route()).toEqual({ view: 'drafts', id: null })
  })

  it('shows the next row once the open one leaves the list', async () => {
    const { pane, route, drafts, change } = await open('drafts', { id: 'one' })
    await until(() => pane().includes('Full text one'))
    await change(() => drafts.delete('one'))
    await until(() => pane().includes('Full text two'))
    expect(route()).toEqual({ view: 'drafts', id: null })
    await change(() => drafts.clear())
    expect(pane()).not.toContain('two')
  })

  it('shows a discarded draft again once that is undone', async () => {
    const { pane, route, drafts, run, target, session, settle } = await open('drafts', { id: 'one' })
    await until(() => pane().includes('Full text one'))
    strike('Enter')
    await until(() => target.querySelector('.detail form') !== null)
    const [first] = drafts.values()
    await session.writing.discard('one')
    drafts.delete('one')
    await session.writing.load(true)
    await settle()
    expect(route()).toEqual({ view: 'drafts', id: null })
    drafts.set('one', first ?? expect.unreachable())
    run('thread.undo')
    await until(() => target.querySelector('.detail form') !== null)
    expect(route()).toEqual({ view: 'drafts', id: 'one' })
  })

  it('says that a row of an address is no longer there', async () => {
    const { pane, route, session, commands } = await open('scheduled', {
      id: 'gone',
      state: { kind: 'scheduled', at: LATER },
    })
    await until(() => pane().includes('This message is no longer in Scheduled'))
    expect(route()).toEqual({ view: 'scheduled', id: 'gone' })
    // Keys don't act on a row that isn't shown.
    const { list, cursor } = session.writing.lists.scheduled
    expect(cursor.row(list)).toBeUndefined()
    expect(commands.can(commands.all.find(({ id }) => id === 'writing.discard') ?? expect.unreachable())).toBe(false)
  })

  it('opens the composer beside the list, even of a draft that is taken over', async () => {
    const { pane, target, drafts, change, route, session } = await open('waiting')
    await until(() => pane().includes('Full text one'))
    strike('Enter')
    await until(() => target.querySelector('.detail form') !== null)
    expect(route()).toEqual({ view: 'waiting', id: 'one' })
    await change(() => drafts.set('one', draftOf('one')))
    expect(target.querySelectorAll('[role=option]')).toHaveLength(1)
    expect(target.querySelector('.detail form')).not.toBeNull()
    expect(session.writing.composers.inList(route())?.draftId).toBe('one')
  })

  it('puts the composer away as a tab when another row is opened', async () => {
    const { pane, target, button, commands, session, settle } = await open('drafts')
    await until(() => pane().includes('Full text one'))
    button('Continue writing').click()
    await until(() => target.querySelector('.detail form') !== null)
    commands.navigator.open('two')
    await settle()
    await until(() => session.writing.composers.find('one')?.isMinimised === true)
    expect(target.querySelector('.detail form')).toBeNull()
    commands.navigator.open('one')
    await settle()
    button('Continue writing').click()
    await until(() => target.querySelector('.detail form') !== null)
    button('Expand').click()
    await settle()
    // The large composer is in front of the window.
    expect(session.writing.composers.find('one')).toMatchObject({ isLarge: true, isMinimised: false })
  })

  it('approves only the draft that is shown', async () => {
    const { button, pane, session, called, settle } = await open('waiting')
    expect(session.writing.displayed.canApprove).toBe(false)
    await until(() => pane().includes('Full text one') && !button('Approve and send').disabled)
    strike('j')
    await settle()
    expect(session.writing.displayed.canApprove).toBe(false)
    await until(() => pane().includes('Full text two'))
    expect(called('draft.send')).toEqual([])
  })

  it('offers the current time when rescheduling, with the other times', async () => {
    const { button, pane, session } = await open('scheduled', { state: { kind: 'scheduled', at: LATER } })
    await until(() => pane().includes('Full text one'))
    button('Reschedule…').click()
    const { asked } = session.picker
    expect(asked?.prefill).toBe('2099-05-03 09:30')
    // It is too far ahead for the platform, so only the suggestions are left.
    expect(asked?.find(asked.prefill ?? '').options.map(({ name }) => name)).toContain('Tomorrow')
  })

  it('sends a scheduled message now, and opens it if that is undone', async () => {
    const { button, pane, called, session, run } = await open('scheduled', { state: { kind: 'scheduled', at: LATER } })
    await until(() => pane().includes('Full text one'))
    button('Send now').click()
    await until(() => called('draft.send').length === 1)
    expect(called('draft.send')).toMatchObject([{ draftId: 'one', revision: 7, scheduledAt: null, asksFirst: true }])
    run('thread.undo')
    await until(() => session.writing.composers.find('one') !== null)
  })
})
