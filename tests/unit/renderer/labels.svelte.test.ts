// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import {
  labelStateOf,
  formatChoiceName,
  findLabelChoices,
  describeLabelChange,
  toggleLabelState,
  type LabelChoice,
} from '../../../src/renderer/features/labels/label-choices.ts'
import type { ChosenThreads } from '../../../src/renderer/features/threads/chosen-threads.ts'
import { MailboxesManager } from '../../../src/renderer/features/mailboxes/mailboxes-manager.svelte.ts'
import { LABEL_LIMITS, type Label, type Thread } from '../../../src/shared/model.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import { answerQuestion } from './support/answer-question.ts'
import { createFixtureTransport, failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const [BILLING, URGENT, HARBOUR] = LABELS as unknown as readonly [Label, Label, Label]
const named = (label: Label): LabelChoice => ({ kind: 'label', label })
const fresh = (name: string): LabelChoice => ({ kind: 'new', name })
const names = (choices: readonly LabelChoice[]): readonly string[] => choices.map(formatChoiceName)

describe('label choices', () => {
  it('match the typed text, prefixes first, then offer a new label', () => {
    const labels = ['Rebill', 'Billing', 'bill', 'Urgent'].map((name, index) => ({ ...BILLING, id: `${index}`, name }))
    expect(names(findLabelChoices('', labels, []).choices)).toEqual(['Rebill', 'Billing', 'bill', 'Urgent'])
    expect(names(findLabelChoices(' BILL', labels, []).choices)).toEqual(['bill', 'Billing', 'Rebill', 'BILL'])
    expect(findLabelChoices(' BILL', labels, []).choices.at(-1)).toEqual(fresh('BILL'))
    // Existing or ticked names aren't offered as new.
    expect(names(findLabelChoices('bill', labels, []).choices)).toEqual(['bill', 'Billing', 'Rebill'])
    expect(names(findLabelChoices('Fog', labels, ['Fog']).choices)).toEqual(['Fog'])
  })

  it('offer no new label that the platform would reject, with the reason', () => {
    const long = '🐦'.repeat(LABEL_LIMITS.name / 2)
    expect(findLabelChoices(long, LABELS, [])).toEqual({ choices: [fresh(long)], fault: null })
    expect(findLabelChoices(`${long}x`, LABELS, [])).toEqual({
      choices: [],
      fault: 'A label’s name can have at most 64 characters; this one has 65.',
    })
    const full = Array.from({ length: LABEL_LIMITS.count - 1 }, (_, index) => ({ ...BILLING, name: `label ${index}` }))
    expect(findLabelChoices('new', full, []).fault).toBeNull()
    expect(findLabelChoices('new', full, ['another']).fault).toMatch(
      /^An inbox can have at most 100 labels\. Delete one/,
    )
  })
})

describe('labels of selected threads', () => {
  const thread = (...labels: readonly Label[]): Pick<Thread, 'labels'> => ({ labels })
  const idNow = (id: string): string => (id === 'new-1' ? BILLING.id : id)

  it('are on all, some or none, even under an old ID', () => {
    const threads = [thread(BILLING, URGENT), thread({ ...BILLING, id: 'new-1' })]
    expect([BILLING, URGENT, HARBOUR].map(({ id }) => labelStateOf(threads, id, idNow))).toEqual([
      'all',
      'some',
      'none',
    ])
  })

  it('toggle between all and none, and back to some', () => {
    expect([toggleLabelState('none', 'none'), toggleLabelState('all', 'none')]).toEqual(['all', 'none'])
    expect([
      toggleLabelState('some', 'some'),
      toggleLabelState('all', 'some'),
      toggleLabelState('none', 'some'),
    ]).toEqual(['all', 'none', 'some'])
  })

  it('are described in a sentence', () => {
    const said = (added: readonly string[], removed: readonly string[], threads = '“Fog”'): string =>
      describeLabelChange({ added, removed }, threads)
    expect(said(['A'], [])).toBe('Label “A” added to “Fog”')
    expect(said(['A', 'B'], ['C'])).toBe('Labels “A” and “B” added to “Fog”, label “C” removed from “Fog”')
    expect(said(['A'], ['B'], '3 threads')).toBe('Label “A” added to 3 threads, label “B” removed from 3 threads')
    expect(said([], ['A', 'B', 'C', 'D'])).toBe('4 labels removed from “Fog”')
  })
})

const ending = endAfterEach()

const chosenOf = (threads: readonly Thread[], part: Partial<ChosenThreads> = {}): ChosenThreads => ({
  ...{ inboxId: INBOX.id, threads, count: threads.length, matching: null, hasUnloaded: false, areSelected: true },
  ...part,
})

const openPicker = async (handlers: FixtureHandlers = {}) => {
  const opened = await openWindow(inbox(null), ending.signal, handlers)
  const { session } = opened
  await session.mailboxes.loadLabels(INBOX.id)
  const { labelPicker: picker, mailboxes } = session
  const labelsOf = (index: number): readonly string[] =>
    session.threads.rows?.at(index)?.labels.map(({ name }) => name) ?? []
  const threads = (count: number): readonly Thread[] =>
    Array.from({ length: count }, (_, index) => session.threads.rows?.at(index) ?? []).flat()
  return { ...opened, picker, mailboxes, labelsOf, threads }
}

describe('label picker', () => {
  it('adds and removes labels in one change that can be undone and redone', async () => {
    const { picker, threads, labelsOf, called, run, shell, session } = await openPicker()
    picker.open(chosenOf(threads(3)))
    expect(names(picker.labels.map(named))).toEqual(['Billing', 'Urgent', 'Harbour'])
    expect(picker.shownOf(named(BILLING))).toBe('some')
    picker.toggle(named(BILLING))
    picker.toggle(named(BILLING))
    picker.toggle(named(URGENT))
    picker.toggle(named(HARBOUR))
    picker.toggle(named(HARBOUR))
    expect(picker.changes).toHaveLength(2)
    void picker.apply()
    expect(session.picker.isOpen).toBe(false)
    expect([0, 1, 2].map(labelsOf)).toEqual([['Urgent'], ['Urgent'], ['Urgent']])
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([
      {
        threadIds: ['thread-0', 'thread-1', 'thread-2'],
        change: { addLabels: ['label-2'], removeLabels: ['label-1'] },
      },
    ])
    expect(shell.toasts.toasts.at(-1)?.text).toBe(
      'Label “Urgent” added to 3 threads, label “Billing” removed from 3 threads',
    )
    run('thread.undo')
    expect([0, 1, 2].map(labelsOf)).toEqual([['Billing'], [], []])
    expect(shell.toasts.toasts.at(-1)?.text).toMatch(/^Undone: label “Urgent” added to 3 threads/)
    run('thread.redo')
    expect([0, 1, 2].map(labelsOf)).toEqual([['Urgent'], ['Urgent'], ['Urgent']])
  })

  it('starts at a label not yet set, so the first Enter removes none', async () => {
    const { picker, threads, session } = await openPicker()
    picker.open(chosenOf(threads(1)))
    expect(names(picker.labels.map(named))).toEqual(['Billing', 'Urgent', 'Harbour'])
    expect(session.picker.asked?.startAt).toBe(1)
    picker.open(chosenOf(threads(1).map((thread) => ({ ...thread, labels: LABELS }))))
    expect(session.picker.asked?.startAt).toBe(-1)
    picker.open(chosenOf(threads(3)))
    expect([session.picker.asked?.startAt, picker.shownOf(named(BILLING))]).toEqual([0, 'some'])
  })

  it('creates new labels and applies them, and one undo reverts both', async () => {
    const { picker, threads, labelsOf, called, run, mailboxes } = await openPicker()
    picker.open(chosenOf(threads(1)))
    picker.toggle(fresh('Fog'))
    picker.toggle(fresh('Gulls'))
    picker.toggle(fresh('Gulls'))
    await picker.apply()
    expect(called('label.create')).toEqual([{ inboxId: INBOX.id, name: 'Fog', color: '#FFE629' }])
    await until(() => labelsOf(0).includes('Fog'))
    expect(labelsOf(0)).toEqual(['Billing', 'Fog'])
    run('thread.undo')
    await until(() => mailboxes.labels(INBOX.id).length === 3 && !labelsOf(0).includes('Fog'))
    run('thread.redo')
    await until(() => mailboxes.labels(INBOX.id).length === 4 && labelsOf(0).includes('Fog'))
    expect(called('change.undo')).toHaveLength(4)
  })

  it('takes its place in the undo history when applied, even while a label is being created', async () => {
    const making = Promise.withResolvers<null>()
    const { picker, threads, labelsOf, called, run, shell } = await openPicker({
      'label.create': async () => {
        await making.promise
        return { labelId: 'label-3', changeId: 'made' }
      },
    })
    picker.open(chosenOf(threads(1)))
    picker.toggle(fresh('Fog'))
    picker.toggle(named(URGENT))
    const applied = picker.apply()
    expect(labelsOf(0)).toEqual(['Billing', 'Urgent'])
    run('thread.archive')
    run('thread.undo')
    expect(shell.toasts.toasts.at(-1)?.text).toBe('Restored “The webcam shows a black picture”')
    making.resolve(null)
    await applied
    expect(called('label.create')).toHaveLength(1)
    expect(called('thread.change')).toMatchObject([
      { change: { folder: 'archive' } },
      { change: { addLabels: ['label-2', 'label-3'] } },
    ])
    expect(labelsOf(0)).toEqual(['Billing', 'Urgent', 'Harbour'])
    run('thread.undo')
    expect(labelsOf(0)).toEqual(['Billing'])
    expect(shell.toasts.toasts.at(-1)?.text).toBe(
      'Undone: labels “Fog” and “Urgent” added to “The webcam shows a black picture”',
    )
  })

  it('shows no label that was undone before it was created', async () => {
    const making = Promise.withResolvers<null>()
    const { picker, threads, labelsOf, called, run } = await openPicker({
      'label.create': async () => {
        await making.promise
        return { labelId: 'label-3', changeId: 'made' }
      },
      'thread.change': () => ({ changeId: 'put on', threads: 1, isWhole: true }),
      'change.undo': ({ changeId }) => ({ undone: true, changeId: `${changeId} undone` }),
    })
    picker.open(chosenOf(threads(1)))
    picker.toggle(fresh('Fog'))
    const applied = picker.apply()
    run('thread.undo')
    making.resolve(null)
    await applied
    expect(labelsOf(0)).toEqual(['Billing'])
    await until(() => called('change.undo').length === 2)
    expect(called('change.undo')).toEqual([{ changeId: 'put on' }, { changeId: 'made' }])
  })

  it('removes a new label if applying it failed', async () => {
    const { picker, threads, labelsOf, called } = await openPicker({
      'thread.change': failing({ code: 'not_found', message: 'It is gone. Nothing was changed' }),
    })
    picker.open(chosenOf(threads(1)))
    picker.toggle(fresh('Fog'))
    await picker.apply()
    expect(called('label.create')).toHaveLength(1)
    expect(called('change.undo')).toHaveLength(1)
    expect(labelsOf(0)).toEqual(['Billing'])
  })

  it('counts all selected threads, including unloaded ones', async () => {
    const { picker, threads, session } = await openPicker()
    picker.open(chosenOf(threads(3)))
    expect(session.picker.asked?.about).toBe('On 3 threads')
    const matching = { query: createFolderQuery(INBOX.id, 'inbox'), upTo: 1, except: [] }
    picker.open(chosenOf(threads(3), { count: 10_000, matching }))
    expect(session.picker.asked?.about).toBe('On 10,000 threads')
  })

  it('changes nothing if closed, untouched, or unable to create a label', async () => {
    const { picker, threads, called, shell, mailboxes, session } = await openPicker({
      'label.create': ({ name }) => {
        if (name === 'Fog') return { labelId: 'new-1', changeId: 'made' }
        throw new ProblemError({ code: 'storage_failed', message: 'The disk is full.' })
      },
      'change.undo': () => ({ undone: true, changeId: 'unmade' }),
    })
    picker.open(chosenOf(threads(1)))
    picker.toggle(named(URGENT))
    session.picker.isOpen = false
    picker.open(chosenOf(threads(1)))
    expect(picker.changes).toEqual([])
    await picker.apply()
    picker.open(chosenOf(threads(1)))
    picker.toggle(fresh('Fog'))
    picker.toggle(fresh('Gulls'))
    await picker.apply()
    expect(called('thread.change')).toEqual([])
    // The label created before the failure is removed too.
    expect(called('change.undo')).toEqual([{ changeId: 'made' }])
    expect(shell.toasts.toasts).toMatchObject([{ tone: 'problem', text: 'The disk is full.' }])
    expect(mailboxes.labels(INBOX.id)).toHaveLength(3)
  })

  it('follows a label to its new ID and reports deleted ones', async () => {
    let labels: readonly Label[] = [...LABELS, { id: 'new-1', name: 'Fog', color: '#123456' }]
    const { picker, threads, called, emit } = await openPicker({ 'label.list': () => labels })
    const fog = named({ id: 'new-1', name: 'Fog', color: '#123456' })
    picker.open(chosenOf(threads(1)))
    picker.toggle(fog)
    picker.toggle(named(URGENT))
    labels = [BILLING, HARBOUR, { id: 'label-4', name: 'Fog', color: '#123456' }]
    emit({ name: 'labels.changed', payload: { inboxId: INBOX.id, replaced: [{ was: 'new-1', id: 'label-4' }] } })
    await until(() => picker.lost.length === 1)
    expect(picker.lost).toEqual(['Urgent'])
    expect(picker.changes.map(({ choice }) => formatChoiceName(choice))).toEqual(['Fog'])
    await picker.apply()
    expect(called('thread.change')).toMatchObject([{ change: { addLabels: ['label-4'], removeLabels: [] } }])
  })
})

describe('label with a new ID', () => {
  it('is found by all earlier IDs, even if one returns', async () => {
    const transport = createFixtureTransport({ handlers: { 'label.list': () => [{ ...BILLING, id: 'now' }] } })
    const mailboxes = new MailboxesManager(createBackend(transport))
    const replace = (was: string, id: string): void =>
      transport.emit({ name: 'labels.changed', payload: { inboxId: INBOX.id, replaced: [{ was, id }] } })
    replace('new-1', 'then')
    replace('then', 'now')
    await until(() => mailboxes.labels(INBOX.id).length === 1)
    expect(['new-1', 'then', 'now', 'other'].map((id) => mailboxes.labelIdNow(id))).toEqual([
      'now',
      'now',
      'now',
      'other',
    ])
    expect(mailboxes.label(INBOX.id, 'new-1')?.name).toBe('Billing')
    replace('now', 'then')
    expect(['new-1', 'then', 'now'].map((id) => mailboxes.labelIdNow(id))).toEqual(['then', 'then', 'then'])
  })
})

const labelList = (labelId: string, threadId: string | null = null) =>
  ({ view: 'label', inboxId: INBOX.id, labelId, threadId }) as const
const openLabels = async (start = labelList(BILLING.id), handlers: FixtureHandlers = {}) => {
  const opened = await openWindow(start, ending.signal, handlers)
  await opened.session.mailboxes.loadLabels(INBOX.id)
  const { labels, mailboxes, questions } = opened.session
  const names = (): readonly string[] => mailboxes.labels(INBOX.id).map(({ name }) => name)
  return { ...opened, labels, mailboxes, questions, names, said: () => opened.shell.toasts.toasts.at(-1)?.text }
}

describe('labels of an inbox', () => {
  it('can be created, renamed and recoloured, with undo and redo', async () => {
    const { labels, names, said, run, called, questions } = await openLabels()
    labels.askForNew(INBOX.id)
    expect([questions.asked?.title, questions.typed, questions.color]).toEqual(['New label', '', '#FFE629'])
    await answerQuestion(questions, ' Fog ', '#123456')
    expect([questions.isOpen, said()]).toEqual([false, 'Label “Fog” created'])
    await until(() => names().includes('Fog'))
    labels.edit(INBOX.id, BILLING)
    await answerQuestion(questions, 'Money')
    expect(said()).toBe('Label “Billing” renamed to “Money”')
    await until(() => names().includes('Money'))
    labels.edit(INBOX.id, URGENT, 'color')
    await answerQuestion(questions, 'Urgent', '#00ff00')
    expect(said()).toBe('Colour of label “Urgent” changed')
    run('thread.undo')
    run('thread.undo')
    expect(said()).toBe('Undone: label “Billing” renamed to “Money”')
    await until(() => names().includes('Billing'))
    run('thread.undo')
    await until(() => !names().includes('Fog'))
    run('thread.redo')
    await until(() => names().includes('Fog'))
    // An unchanged label isn't sent.
    labels.edit(INBOX.id, URGENT)
    await answerQuestion(questions, 'Urgent', URGENT.color.toLowerCase())
    expect([questions.isOpen, called('label.update').length]).toEqual([false, 2])
  })

  it('are not saved with a duplicate or long name or over the limit, as the field says', async () => {
    const { labels, called, questions } = await openLabels()
    const faultOf = (typed: string, { questions: asked } = { questions }): string | null => {
      asked.typed = typed
      return asked.fault
    }
    labels.edit(INBOX.id, BILLING)
    expect([faultOf(''), faultOf('Billing'), faultOf('urgent')]).toEqual([null, null, null])
    expect(faultOf(' Urgent ')).toBe('There is already a label “Urgent”. Choose another name.')
    await answerQuestion(questions)
    expect(questions.isOpen).toBe(true)
    expect(faultOf('x'.repeat(65))).toMatch(/at most 64 characters; this one has 65\./)
    expect(called('label.update')).toEqual([])
    const full = Array.from({ length: 100 }, (_, index) => ({ ...BILLING, id: `${index}`, name: `label ${index}` }))
    const crowded = await openLabels(labelList('1'), { 'label.list': () => full })
    crowded.labels.askForNew(INBOX.id)
    expect(faultOf('', crowded)).toMatch(/^An inbox can have at most 100 labels/)
    crowded.labels.edit(INBOX.id, full[1] ?? BILLING)
    expect(faultOf('other', crowded)).toBeNull()
  })

  it('keep their dialog open with the reason if the engine rejects the change', async () => {
    const refuse = failing({ code: 'not_found', message: 'This label no longer exists. Nothing was changed' })
    const handlers = { 'label.update': refuse, 'label.delete': refuse }
    const { labels, said, questions } = await openLabels(labelList(BILLING.id), handlers)
    labels.edit(INBOX.id, BILLING)
    await answerQuestion(questions, 'Money')
    expect([questions.isOpen, questions.problem?.message]).toEqual([
      true,
      'This label no longer exists. Nothing was changed',
    ])
    questions.isOpen = false
    labels.askToDelete(INBOX.id, BILLING)
    expect(questions.problem).toBeNull()
    await answerQuestion(questions)
    expect([questions.isOpen, questions.problem?.code, said()]).toEqual([true, 'not_found', undefined])
  })

  it('show their thread count before deletion, leave their list, and return on undo', async () => {
    const { labels, names, said, shell, session, run, follow, questions } = await openLabels()
    const third = session.threads.rows?.at(2)?.id ?? expect.unreachable('the label has threads')
    shell.route.replace(labelList(BILLING.id, third))
    await follow()
    labels.askToDelete(INBOX.id, BILLING)
    expect(questions.asked?.description).toBe('The label will be removed from every thread. You can undo this.')
    await until(() => questions.asked?.description?.includes('from 5 threads') === true)
    await answerQuestion(questions)
    expect(said()).toBe('Label “Billing” deleted and removed from 5 threads')
    expect(shell.route.current).toMatchObject({ view: 'folder', folder: 'inbox' })
    await until(() => !names().includes('Billing'))
    await follow()
    run('thread.undo')
    await until(() => names().includes('Billing') && shell.route.current.view === 'label')
    await follow()
    expect([shell.route.current, session.threads.cursor.id]).toEqual([labelList(BILLING.id, third), third])
  })
})

describe('list of a label with a new ID', () => {
  const replaced = (was: string, id: string) =>
    ({ name: 'labels.changed', payload: { inboxId: INBOX.id, replaced: [{ was, id }] } }) as const

  it('keeps its rows, cursor and open thread', async () => {
    let id = 'new-1'
    const { shell, session, emit, commands } = await openLabels(labelList(BILLING.id), {
      'label.list': () => [{ ...BILLING, id }, URGENT, HARBOUR],
      'thread.list': ({ query, offset }) => ({
        items: fixtureThreads(20)
          .filter(({ id }) => ['thread-4', 'thread-9', 'thread-14'].includes(id))
          .map((thread) => ({ ...thread, match: null })),
        offset,
        total: query.labelIds[0] === id ? 3 : 0,
        hasMore: false,
        freshness: { state: 'live', at: null },
        searched: null,
      }),
    })
    const { threads } = session
    shell.route.replace(labelList('new-1', 'thread-9'))
    commands.navigator.show(shell.route.current)
    await until(() => threads.rows?.total === 3)
    threads.goTo('thread-9')
    id = 'label-7'
    emit(replaced('new-1', 'label-7'))
    expect(shell.route.current).toEqual(labelList('label-7', 'thread-9'))
    commands.navigator.show(shell.route.current)
    // The old rows stay until the reload.
    expect([threads.rows?.total, threads.cursor.id]).toEqual([3, 'thread-9'])
    await until(() => threads.rows?.query.labelIds[0] === 'label-7')
    expect([threads.rows?.total, threads.cursor.id, threads.route]).toEqual([
      3,
      'thread-9',
      labelList('label-7', 'thread-9'),
    ])
    shell.route.replace(labelList('new-1'))
    commands.navigator.show(shell.route.current)
    expect(shell.route.current).toEqual(labelList('label-7'))
  })

  it('is found by an old address that the window never knew', async () => {
    const { labels, shell, mailboxes } = await openLabels(labelList('new-1'), {
      'label.usage': () => ({ labelId: HARBOUR.id, threads: 2 }),
    })
    await labels.look(INBOX.id, 'new-1')
    expect(shell.route.current).toEqual(labelList(HARBOUR.id))
    expect(mailboxes.label(INBOX.id, 'new-1')).toEqual(HARBOUR)
  })
})
