import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import {
  describeUnread,
  SavedSearchesManager,
} from '../../../src/renderer/features/search/saved-searches-manager.svelte.ts'
import { ThreadActionsManager } from '../../../src/renderer/features/threads/thread-actions-manager.svelte.ts'
import { NO_OPTIMISTIC_CHANGE } from '../../../src/renderer/features/threads/pending-changes.svelte.ts'
import { QuestionManager } from '../../../src/renderer/kernel/question-manager.svelte.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import type { SavedSearch } from '../../../src/shared/model.ts'
import { answerQuestion } from './support/answer-question.ts'
import { createFixtureTransport, failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const search = (id: string, inboxId = 'one'): SavedSearch => ({
  id,
  name: id,
  inboxId,
  text: `is:unread ${id}`,
  unread: 1,
})
const SEARCHES = [search('a'), search('x', 'two'), search('b'), search('c')]

const open = async (handlers: FixtureHandlers = {}) => {
  const transport = createFixtureTransport({ handlers: { 'savedSearch.list': () => SEARCHES, ...handlers } })
  const toasts = new ToastManager()
  const backend = createBackend(transport)
  const questions = new QuestionManager()
  const actions = new ThreadActionsManager(backend, toasts, () => NO_OPTIMISTIC_CHANGE)
  const manager = new SavedSearchesManager(backend, toasts, actions, questions)
  await manager.load()
  const ids = (inboxId = 'one'): string =>
    manager
      .of(inboxId)
      .map(({ id }) => id)
      .join('')
  const inputs = (wanted: string): readonly unknown[] =>
    transport.calls.filter(({ name }) => name === wanted).map(({ input }) => input)
  return { manager, questions, toasts, actions, ids, inputs }
}

describe('saved searches', () => {
  it('move at once within their inbox, and stop at the ends', async () => {
    const { manager, ids, inputs } = await open()
    await manager.move(search('b'), -1)
    expect(ids()).toBe('bac')
    await manager.move(search('a'), 1)
    expect(ids()).toBe('bca')
    await manager.move(search('a'), 1)
    await manager.move(search('b'), -1)
    expect(ids()).toBe('bca')
    expect(ids('two')).toBe('x')
    expect(manager.moved).toBe('a is now 3 of 3.')
    expect(inputs('savedSearch.move')).toEqual([
      { id: 'b', before: 'a' },
      { id: 'a', before: null },
    ])
  })

  it('move back with the reason if the engine rejects the change', async () => {
    const refuse = failing({ code: 'storage_failed', message: 'The disk is full.' })
    const { manager, toasts, ids } = await open({ 'savedSearch.move': refuse, 'savedSearch.remove': refuse })
    await manager.move(search('b'), -1)
    await until(() => ids() === 'abc')
    await manager.remove(search('a'))
    expect(ids()).toBe('abc')
    expect(toasts.toasts).toMatchObject([{ tone: 'problem', text: 'The disk is full.' }])
  })

  it('return to their position when deletion is undone', async () => {
    const { manager, toasts, actions, ids, inputs } = await open()
    await manager.remove(search('a'))
    expect(ids()).toBe('bc')
    // The shortcut does the same as the toast's button (W2).
    actions.undo()
    await until(() => ids() === 'abc')
    expect(inputs('savedSearch.save')).toEqual([{ inboxId: 'one', name: 'a', text: 'is:unread a', before: 'x' }])
    expect(toasts.toasts).toEqual([])
  })

  it('keep the dialog open with the reason if a name is rejected', async () => {
    const { manager, questions } = await open({
      'savedSearch.save': failing({ code: 'invalid_input', message: 'Type a name for the search.' }),
    })
    manager.ask({ id: null, inboxId: 'one', text: 'fog', name: 'fog' })
    await answerQuestion(questions, ' ')
    expect(questions.isOpen).toBe(true)
    expect(questions.problem?.message).toBe('Type a name for the search.')
    manager.ask({ id: 'a', inboxId: 'one', text: 'fog', name: 'fog' })
    expect(questions.problem).toBeNull()
    await answerQuestion(questions, 'Weather')
    expect(questions.isOpen).toBe(false)
  })

  it('show their unread count, capped at 999+, or nothing', () => {
    expect([null, 0, 1, 999, 1000].map((unread) => describeUnread({ unread }))).toEqual([
      null,
      null,
      { count: '1', words: '1 unread thread' },
      { count: '999', words: '999 unread threads' },
      { count: '999+', words: 'more than 999 unread threads' },
    ])
  })
})
