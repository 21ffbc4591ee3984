// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import {
  findAssigneeChoices,
  assignmentStateOf,
  describeChoiceError,
  type AssigneeChoice,
  type AssigneeSources,
} from '../../../src/renderer/features/assignees/assignee-choices.ts'
import { findLabelChoices } from '../../../src/renderer/features/labels/label-choices.ts'
import { createAssigneeDrop } from '../../../src/renderer/features/side-bar/thread-drop.ts'
import { nameChord } from '../../../src/renderer/kernel/name-key.ts'
import { LABEL_LIMITS, type Label, type Thread } from '../../../src/shared/model.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX, LABELS } from './support/fixture-mail.ts'
import { answerQuestion } from './support/answer-question.ts'
import { failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const label = (name: string): Label => ({ id: `id of ${name}`, name, color: '#123456' })
const MARA = label('@mara')
const THEO = label('@Theo Lind')

describe('assignment choices', () => {
  const colleagues: AssigneeSources = {
    labels: [label('billing'), THEO, MARA],
    writers: ['Mara', 'Ines Falk', 'Theo Lind'],
    me: ['Ines Falk'],
  }
  const named = (choices: readonly AssigneeChoice[]): readonly string[] =>
    choices.map((choice) => (choice.kind === 'nobody' ? 'nobody' : choice.name))

  it('lists me, labelled people, writers and nobody, each once', () => {
    expect(named(findAssigneeChoices('', colleagues).choices)).toEqual(['Ines Falk', 'mara', 'Theo Lind', 'nobody'])
    expect(findAssigneeChoices('', colleagues).choices[0]).toMatchObject({ isMe: true, labelId: null })
    expect(findAssigneeChoices('', colleagues).choices[1]).toMatchObject({ isMe: false, labelId: MARA.id })
  })

  it('ranks matches at word starts first and offers the typed name last', () => {
    expect(named(findAssigneeChoices('li', colleagues).choices)).toEqual(['Theo Lind', 'li'])
    expect(findAssigneeChoices('li', colleagues).choices.at(-1)).toMatchObject({ isTyped: true, labelId: null })
    expect(named(findAssigneeChoices('@MARA', colleagues).choices)).toEqual(['mara'])
    expect(named(findAssigneeChoices('no', colleagues).choices)).toEqual(['nobody', 'no'])
    expect(findAssigneeChoices('!!', colleagues)).toEqual({
      choices: [],
      fault: 'Enter a name with at least one letter or digit.',
    })
  })

  it('reports when the inbox has no room for another person’s label', () => {
    const full = Array.from({ length: LABEL_LIMITS.count }, (_none, index) => label(`label ${index}`))
    const [choice] = findAssigneeChoices('ada', { labels: full, writers: [], me: [] }).choices
    expect(choice && describeChoiceError(choice, full)).toMatch(/^An inbox can have at most 100 labels/)
    expect(describeChoiceError({ kind: 'nobody' }, full)).toBeNull()
  })

  it('shows who has the threads now, without claiming unloaded threads', () => {
    const thread = (...labels: readonly Label[]): Pick<Thread, 'labels'> => ({ labels })
    const [, mara, , nobody] = findAssigneeChoices('', colleagues).choices
    if (mara === undefined || nobody === undefined) throw new Error('there are four')
    expect(assignmentStateOf(mara, [thread(MARA), thread(MARA)], true)).toBe('all')
    expect(assignmentStateOf(mara, [thread(MARA), thread(MARA)], false)).toBe('some')
    expect(assignmentStateOf(mara, [thread(MARA), thread()], true)).toBe('some')
    expect(assignmentStateOf(nobody, [thread(label('billing'))], true)).toBe('all')
  })

  it('keeps people out of the label picker', () => {
    expect(findLabelChoices('', colleagues.labels, []).choices).toHaveLength(1)
    expect(findLabelChoices('@ada', colleagues.labels, []).fault).toMatch(/start with @/)
  })
})

it('reads @ typed with Shift, AltGr or Option', () => {
  const pressed = (held: Partial<KeyboardEvent>, hasAltGraph = false) => ({
    ...{ key: '@', code: 'KeyQ', shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held },
    getModifierState: (name: string) => name === 'AltGraph' && hasAltGraph,
  })
  expect(nameChord(pressed({ code: 'Digit2', shiftKey: true }), 'Control')).toBe('@')
  expect(nameChord(pressed({ ctrlKey: true, altKey: true }, true), 'Control')).toBe('@')
  expect(nameChord(pressed({ code: 'KeyL', altKey: true }), 'Meta')).toBe('@')
  // Other Alt combinations belong to the system.
  expect(nameChord(pressed({ altKey: true }), 'Control')).toBeNull()
  expect(nameChord(pressed({ key: 'e', code: 'KeyE', altKey: true }), 'Meta')).toBeNull()
})

const ending = endAfterEach()

const open = async (labels: readonly Label[], me: readonly string[] = [], handlers: FixtureHandlers = {}) => {
  const names = { me }
  const opened = await openWindow(inbox(null), ending.signal, {
    'label.list': () => labels,
    'assignee.list': () => ({ me: names.me, suggested: 'Ada Quill', writers: ['Ada Quill'], inDashboard: [] }),
    'assignee.setMe': ({ name }) => {
      names.me = name === null ? [] : [name]
      return null
    },
    ...handlers,
  })
  const { session } = opened
  await session.mailboxes.loadLabels(INBOX.id)
  await session.assignees.load(INBOX.id)
  const first = session.threads.rows?.at(0)
  if (first === undefined) throw new Error('there is one')
  const chosen = {
    inboxId: INBOX.id,
    threads: [first],
    count: 1,
    matching: null,
    hasUnloaded: false,
    areSelected: false,
  }
  return { ...opened, chosen, assignees: session.assignees, said: () => opened.shell.toasts.toasts.at(-1)?.text }
}

describe('assigning', () => {
  it('replaces every other assignee in one undoable change', async () => {
    const { assignees, chosen, called, said, run, session } = await open([...LABELS, MARA, THEO])
    assignees.open(chosen)
    session.picker.asked
      ?.find('mara')
      .options.find(({ person }) => person === 'mara')
      ?.choose()
    // Shown before the engine responds.
    expect(session.threads.rows?.at(0)?.labels.map(({ name }) => name)).toContain('@mara')
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([
      { threadIds: ['thread-0'], change: { addLabels: [MARA.id], removeLabels: [THEO.id] } },
    ])
    expect(said()).toMatch(/^Assigned “.*” to mara$/)
    run('thread.undo')
    expect(session.threads.rows?.at(0)?.labels.map(({ name }) => name)).not.toContain('@mara')
    await until(() => called('change.undo').length === 1)
  })

  it('assigns threads dropped on a person in the side bar, unless they have them already', async () => {
    const { session, commands, called, said } = await open([...LABELS, MARA, THEO])
    expect(createAssigneeDrop(commands, 'mara')).toBeNull()
    session.drag.drag({ pointedId: 'thread-1' })
    expect(createAssigneeDrop(commands, null)?.isPossible).toBe(false)
    const drop = createAssigneeDrop(commands, 'mara')
    expect(drop).toMatchObject({ isPossible: true, effect: 'move' })
    drop?.run()
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: ['thread-1'], change: { addLabels: [MARA.id] } }])
    expect(said()).toMatch(/^Assigned “.*” to mara$/)
    expect(createAssigneeDrop(commands, 'Mara')?.isPossible).toBe(false)
  })

  it('creates a new person’s label before assigning', async () => {
    const { assignees, chosen, called } = await open([...LABELS, THEO])
    await assignees.assign(chosen, '  Ada   Quill ')
    expect(called('label.create')).toMatchObject([{ name: '@Ada Quill' }])
    expect(called('thread.change')).toMatchObject([{ change: { removeLabels: [THEO.id] } }])
  })

  it('removes every assignee when assigned to nobody', async () => {
    const { assignees, chosen, called, said } = await open([...LABELS, MARA, THEO])
    await assignees.assign(chosen, null)
    expect(called('thread.change')).toMatchObject([{ change: { addLabels: [], removeLabels: [MARA.id, THEO.id] } }])
    expect(said()).toMatch(/^Unassigned “.*”$/)
  })

  it('asks once who “me” is, then assigns', async () => {
    const { assignees, chosen, called, session } = await open([...LABELS, MARA])
    const { questions } = session
    await assignees.assignToMe(chosen)
    expect(questions.typed).toBe('Ada Quill')
    expect(called('thread.change')).toEqual([])
    await answerQuestion(questions, 'Mara')
    expect(called('assignee.setMe')).toEqual([{ name: 'Mara' }])
    expect(questions.isOpen).toBe(false)
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ change: { addLabels: [MARA.id] } }])
    await assignees.assignToMe(chosen)
    expect(questions.isOpen).toBe(false)
    expect(called('thread.change')).toHaveLength(2)
  })

  it('keeps the name dialog open with the reason when saving fails', async () => {
    const { assignees, chosen, called, session } = await open([MARA], [], {
      'assignee.setMe': failing({ code: 'invalid_input', message: 'A name needs at least one letter or digit.' }),
    })
    await assignees.askOwnName(INBOX.id, chosen)
    await answerQuestion(session.questions, '!')
    expect(session.questions.isOpen).toBe(true)
    expect(session.questions.problem?.message).toBe('A name needs at least one letter or digit.')
    expect(called('thread.change')).toEqual([])
  })
})

describe('an assignee in the dashboard', () => {
  const openDashboard = async () => {
    const opened = await open([...LABELS, MARA], ['Mara'], {
      'assignee.list': () => ({ me: ['Mara'], suggested: null, writers: [], inDashboard: ['ada@acme.example'] }),
    })
    return opened
  }

  it('can be searched for, but not assigned to', async () => {
    const { assignees, session, chosen } = await openDashboard()
    const { labels, me } = assignees.searchContext(INBOX.id)
    const { filter, faults } = parseSearch('assigned:ada@acme.example', { labels, me, now: 0, timeZone: 'UTC' })
    expect(faults).toEqual([])
    expect(filter.assignedTo).toEqual(['mark:assigned:ada@acme.example'])
    assignees.open(chosen)
    const offered = session.picker.asked?.find('').options.map(({ name }) => name)
    expect(offered).not.toContain('ada@acme.example')
  })

  it('is left alone when a thread is assigned to nobody', async () => {
    const { assignees, chosen, called } = await openDashboard()
    await assignees.assign(chosen, null)
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ change: { addLabels: [], removeLabels: [MARA.id] } }])
  })
})

it('keeps the cursor in an assigned:nobody list when a person is added', async () => {
  const { session, shell, emit } = await open([MARA])
  shell.route.go({ view: 'search', inboxId: INBOX.id, query: 'in:inbox assigned:nobody', threadId: null })
  const { threads } = session
  const known = { labels: [MARA], me: [] }
  threads.show({ view: 'search', inboxId: INBOX.id, query: 'in:inbox assigned:nobody' }, known)
  await until(() => threads.rows?.phase === 'ready' && threads.rows.query.notAssignedTo.length === 1)
  const { rows } = threads
  if (rows === null) throw new Error('there are some')
  threads.cursor.moveTo(rows, 3)
  const at = threads.cursor.id
  threads.show({ view: 'search', inboxId: INBOX.id, query: 'in:inbox assigned:nobody' }, { labels: [MARA, THEO] })
  await until(() => threads.rows?.query.notAssignedTo.length === 2)
  expect(threads.cursor.id).toBe(at)
  emit({ name: 'assignees.changed', payload: null })
})
