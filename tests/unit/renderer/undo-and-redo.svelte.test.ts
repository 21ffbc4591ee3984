// @vitest-environment jsdom
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ToastManager } from '../../../src/renderer/kernel/toast-manager.svelte.ts'
import {
  EMPTY_CHANGE_HISTORY,
  withNewStep,
  withoutStep,
  withRestoredStep,
  withMovedStep,
  type ChangeHistory,
  type HistoryStep,
} from '../../../src/renderer/features/threads/change-history.ts'
import { PendingChanges } from '../../../src/renderer/features/threads/pending-changes.svelte.ts'
import { ThreadActionsManager } from '../../../src/renderer/features/threads/thread-actions-manager.svelte.ts'
import type { MoveTarget, Thread, ThreadChange } from '../../../src/shared/model.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { fixtureThreads, LABELS } from './support/fixture-mail.ts'
import { createFixtureTransport, type FixtureHandlers } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const FOLDERS: readonly MoveTarget[] = ['inbox', 'archive', 'trash', 'spam']

type Field = 'folder' | 'read'
interface Mark {
  readonly id: string
  readonly field: Field
  readonly before: string | boolean
  readonly after: string | boolean
}
type States = Map<string, { folder: string; read: boolean }>

const statesOf = (threads: readonly Thread[]): States =>
  new Map(threads.map(({ id, folder, read }) => [id, { folder, read }]))
const put = (states: States, id: string, field: Field, value: string | boolean): void => {
  const state = states.get(id)
  if (state !== undefined) states.set(id, { ...state, [field]: value })
}

/**
 * An engine with two rules (docs/outbox.md, "Undo"): a change can be undone if nothing changed since, and so can its
 * undo.
 */
const createEngine = (threads: readonly Thread[]) => {
  const states = statesOf(threads)
  const made = new Map<string, Mark>()
  let answering = 0
  const keep = (mark: Mark): string => {
    const changeId = `made-${made.size}`
    made.set(changeId, mark)
    put(states, mark.id, mark.field, mark.after)
    return changeId
  }
  /** Applies at once, but responds later. */
  const later = <Answer>(answer: Answer): Promise<Answer> => {
    answering += 1
    return new Promise((resolve) =>
      setTimeout(() => {
        answering -= 1
        resolve(answer)
      }, 0),
    )
  }
  const handlers: FixtureHandlers = {
    'thread.change': ({ change, ...named }) => {
      const [id = ''] = 'threadIds' in named ? named.threadIds : []
      const field = change.folder === undefined ? 'read' : 'folder'
      const before = states.get(id)?.[field]
      const after = change[field]
      if (before === undefined || after === undefined) throw new Error('there is such a thread, and a change of it')
      return later({ changeId: keep({ id, field, before, after }), threads: 1, isWhole: true })
    },
    'change.undo': ({ changeId }) => {
      const mark = made.get(changeId)
      if (mark === undefined) throw new ProblemError({ code: 'not_found', message: 'This is too long ago.' })
      const { id, field, before, after } = mark
      if (states.get(id)?.[field] !== after || before === after) return later({ undone: false } as const)
      return later({ undone: true, changeId: keep({ id, field, before: after, after: before }) } as const)
    },
  }
  return { states, handlers, isQuiet: () => answering === 0 }
}

/** The window's side: the last read threads under pending patches. */
const openManager = (handlers: FixtureHandlers, count = 3) => {
  const transport = createFixtureTransport({ handlers })
  const toasts = new ToastManager()
  const pending = new PendingChanges()
  const actions = new ThreadActionsManager(createBackend(transport), toasts, (ids, change) =>
    pending.draw(ids, change, LABELS),
  )
  let read = fixtureThreads(count)
  return {
    toasts,
    actions,
    said: () => toasts.toasts.map(({ text }) => text),
    shown: () => read.map((thread) => pending.withPending(thread)),
    reread: (states: States) => {
      const end = pending.startRead()
      read = read.map((thread) => ({ ...thread, ...states.get(thread.id) }))
      end()
    },
    asked: () => transport.calls.map(({ name }) => name),
  }
}

const firstOf = (threads: readonly Thread[]): Thread => {
  const [thread] = threads
  if (thread === undefined) throw new Error('there is a thread')
  return thread
}

/** Waits until every response is applied. */
const rest = async (isQuiet: () => boolean): Promise<void> => {
  for (let quiet = 0; quiet < 3; quiet = isQuiet() ? quiet + 1 : 0) {
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}

const presses = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('move' as const), at: fc.nat(2), to: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('read' as const), at: fc.nat(2) }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('undo' as const) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('redo' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('elsewhere' as const), at: fc.nat(2) }) },
)

describe('changes, undos and redos in a window', () => {
  it('match a simple model in any order, with or without waiting for the engine', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(presses, { maxLength: 40 }), async (sequence) => {
        const { states, handlers, isQuiet } = createEngine(fixtureThreads(3))
        const { actions, shown, reread } = openManager(handlers)
        const model = { states: statesOf(fixtureThreads(3)), done: [] as Mark[], undone: [] as Mark[] }
        let isAlone = true

        const turn = (from: Mark[], to: Mark[], [was, is]: readonly ['before' | 'after', 'before' | 'after']): void => {
          const mark = from.pop()
          if (mark === undefined || model.states.get(mark.id)?.[mark.field] !== mark[was]) return
          put(model.states, mark.id, mark.field, mark[is])
          to.push(mark)
        }
        const change = (thread: Thread, patch: ThreadChange): void => {
          const field = patch.folder === undefined ? 'read' : 'folder'
          const after = patch[field]
          if (after === undefined || after === thread[field]) return
          model.done.push({ id: thread.id, field, before: thread[field], after })
          model.undone = []
          put(model.states, thread.id, field, after)
          void actions.change([thread], patch, 'Changed')
        }
        const settle = async (): Promise<void> => {
          await rest(isQuiet)
          expect(states).toEqual(model.states)
          expect([actions.canUndo, actions.canRedo]).toEqual([model.done.length > 0, model.undone.length > 0])
          reread(states)
        }

        for (const press of sequence) {
          // With other writers, keys act on the latest state read, so wait for it.
          if (!isAlone) await settle()
          const thread = 'at' in press ? shown()[press.at] : undefined
          if (press.what === 'undo') {
            actions.undo()
            turn(model.done, model.undone, ['after', 'before'])
          } else if (press.what === 'redo') {
            actions.redo()
            turn(model.undone, model.done, ['before', 'after'])
          } else if (thread === undefined) {
            await settle()
          } else if (press.what === 'elsewhere') {
            await settle()
            isAlone = false
            for (const each of [states, model.states]) put(each, thread.id, 'read', each.get(thread.id)?.read !== true)
            reread(states)
          } else if (press.what === 'read') {
            change(thread, { read: !thread.read })
          } else if (press.what === 'move') {
            const others = FOLDERS.filter((folder) => folder !== thread.folder)
            change(thread, { folder: others[press.to] })
          }
          // Visible at once, even if the engine is busy.
          if (isAlone) expect(statesOf(shown())).toEqual(model.states)
        }
        await settle()
        while (model.done.length > 0) {
          turn(model.done, model.undone, ['after', 'before'])
          actions.undo()
          if (!isAlone) await settle()
        }
        await settle()
        while (model.undone.length > 0) {
          turn(model.undone, model.done, ['before', 'after'])
          actions.redo()
          if (!isAlone) await settle()
        }
        await settle()
      }),
      { numRuns: 150 },
    )
  })

  it('offer the opposite action, and a new change clears redo', async () => {
    const { handlers, isQuiet } = createEngine(fixtureThreads(1))
    const { actions, toasts, shown, said } = openManager(handlers, 1)
    const press = (name: string): void => toasts.toasts.find(({ action }) => action?.name === name)?.action?.run()
    await actions.change([firstOf(shown())], { folder: 'archive' }, 'Archived')
    press('Undo')
    expect(said()).toEqual(['Undone: archived'])
    press('Redo')
    expect(said()).toEqual(['Archived again'])
    press('Undo')
    await rest(isQuiet)
    expect(toasts.toasts).toMatchObject([{ text: 'Undone: archived', action: { name: 'Redo' } }])
    await actions.change([firstOf(shown())], { read: true }, null)
    expect(actions.canRedo).toBe(true)
    await actions.change([firstOf(shown())], { folder: 'trash' }, 'Moved to trash')
    expect(said()).toEqual(['Moved to trash'])
    expect(actions.canRedo).toBe(false)
  })

  it('skip a change whose thread has changed since, with a notice', async () => {
    const { states, handlers, isQuiet } = createEngine(fixtureThreads(2))
    const { actions, shown, said } = openManager(handlers, 2)
    const [one, other] = shown()
    if (one === undefined || other === undefined) throw new Error('there are two')
    await actions.change([one], { folder: 'archive' }, 'Archived')
    await actions.change([other], { folder: 'archive' }, 'Archived')
    put(states, other.id, 'folder', 'spam')
    actions.undo()
    await rest(isQuiet)
    expect(said().at(-1)).toBe('Can’t undo: the thread has changed since then.')
    expect([states.get(one.id)?.folder, actions.canRedo]).toEqual(['archive', false])
    actions.undo()
    await rest(isQuiet)
    expect([states.get(one.id)?.folder, states.get(other.id)?.folder]).toEqual(['inbox', 'spam'])
    put(states, one.id, 'folder', 'spam')
    actions.redo()
    await rest(isQuiet)
    expect(said().at(-1)).toBe('Can’t redo: the thread has changed since then.')
    expect([actions.canUndo, actions.canRedo]).toEqual([false, false])
  })

  it('stay in place after an engine failure and can be retried', async () => {
    const { states, handlers, isQuiet } = createEngine(fixtureThreads(1))
    let isBroken = false
    const { actions, shown, said } = openManager(
      {
        ...handlers,
        'change.undo': (input, asking) => {
          if (isBroken) throw new ProblemError({ code: 'storage_failed', message: 'The disk is full.' })
          return handlers['change.undo']?.(input, asking) ?? { undone: false }
        },
      },
      1,
    )
    const { id } = firstOf(shown())
    await actions.change([firstOf(shown())], { folder: 'archive' }, 'Archived')
    await actions.change([firstOf(shown())], { folder: 'trash' }, 'Moved to trash')
    for (const [turn, from, to] of [
      [() => actions.undo(), 'trash', 'inbox'],
      [() => actions.redo(), 'inbox', 'trash'],
    ] as const) {
      isBroken = true
      turn()
      turn()
      await until(() => said().at(-1) === 'The disk is full.')
      await rest(isQuiet)
      expect(states.get(id)?.folder).toBe(from)
      isBroken = false
      turn()
      turn()
      await rest(isQuiet)
      expect(states.get(id)?.folder).toBe(to)
    }
  })
})

describe('change of several engine steps', () => {
  it('is one undo step, reverted newest first and repeated in order', async () => {
    const made: string[] = []
    const { actions, said } = openManager({
      'change.undo': ({ changeId }) => {
        made.push(changeId)
        return changeId === 'spoilt' ? { undone: false } : { undone: true, changeId: `${changeId}'` }
      },
    })
    await actions.make(
      {
        of: 'thread',
        draw: () => ({ accept: () => undefined, revert: () => undefined }),
        make: () => Promise.resolve({ ok: true, data: { changeIds: ['one', 'spoilt', 'two'], threads: null } }),
      },
      'Labelled',
    )
    actions.undo()
    await until(() => made.length === 3)
    actions.redo()
    await until(() => made.length === 5)
    expect(made).toEqual(['two', 'spoilt', 'one', "one'", "two'"])
    expect(said()).toEqual(['Labelled again'])
  })

  it('restores each thread to its own earlier state', async () => {
    const { actions, shown } = openManager({})
    const before = shown()
    const urgent = LABELS.slice(1, 2)
    await actions.change(before, { addLabels: urgent.map(({ id }) => id), read: true }, 'Labelled')
    expect(shown().map(({ read }) => read)).toEqual([true, true, true])
    actions.undo()
    expect(shown()).toEqual(before)
  })
})

describe('command-line change', () => {
  it('can be undone in the window', async () => {
    const undone: string[] = []
    const transport = createFixtureTransport({
      handlers: {
        'change.undo': ({ changeId }) => {
          undone.push(changeId)
          return changeId === 'made' ? { undone: true, changeId: 'back' } : { undone: false }
        },
      },
    })
    const toasts = new ToastManager()
    const pending = new PendingChanges()
    const actions = new ThreadActionsManager(createBackend(transport), toasts, (ids, change) =>
      pending.draw(ids, change, LABELS),
    )
    transport.emit({ name: 'change.commanded', payload: { changeId: 'of-nothing', threads: 0, by: 'command line' } })
    expect(actions.canUndo).toBe(false)
    transport.emit({ name: 'change.commanded', payload: { changeId: 'made', threads: 12, by: 'command line' } })
    expect(toasts.toasts.map(({ text }) => text)).toEqual(['Changed 12 threads from the command line'])
    actions.undo()
    await until(() => undone.length > 0)
    expect(undone).toEqual(['made'])
    transport.emit({ name: 'change.commanded', payload: { changeId: 'undone there', threads: 2, by: 'notification' } })
    expect(toasts.shown?.text).toBe('Changed 2 threads from a notification')
    actions.undo()
    await until(() => toasts.toasts.some(({ text }) => text === 'This action can no longer be undone.'))
  })
})

describe('change history', () => {
  const steps = (count: number): HistoryStep[] => Array.from({ length: count }, (_, index) => ({ no: index + 1 }))

  it('keeps the newest steps up to the engine’s limit', () => {
    const all = steps(600)
    const { done } = all.reduce<ChangeHistory<HistoryStep>>(withNewStep, EMPTY_CHANGE_HISTORY)
    expect([done.length, done[0]?.no, done.at(-1)?.no]).toEqual([500, 101, 600])
  })

  it('returns a step to its place unless a new change has dropped it', () => {
    const [a, b, c, d] = steps(4)
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('there are four')
    const two = withNewStep(withNewStep<HistoryStep>(EMPTY_CHANGE_HISTORY, a), b)
    expect(withRestoredStep(withoutStep(two, a), a, 'done').done).toEqual([a, b])
    const flipped = withMovedStep(two, b, 'undone', c)
    expect([flipped.done, flipped.undone]).toEqual([[a], [c]])
    expect(withRestoredStep(withoutStep(flipped, c), c, 'undone').undone).toEqual([c])
    expect(withRestoredStep(withNewStep(flipped, d), c, 'undone').undone).toEqual([])
  })
})
