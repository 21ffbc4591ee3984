// @vitest-environment jsdom
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { findChosenThreads, type ChosenThreads } from '../../../src/renderer/features/threads/chosen-threads.ts'
import { describeSelection } from '../../../src/renderer/features/thread-list/describe-selection.ts'
import {
  createFolderDrop,
  createLabelDrop,
  createMarkDrop,
} from '../../../src/renderer/features/side-bar/thread-drop.ts'
import { FOLDERS, type Thread } from '../../../src/shared/model.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureThreads, INBOX, LABELS } from './support/fixture-mail.ts'
import type { FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const listing =
  (there: () => readonly Thread[]): Required<FixtureHandlers>['thread.list'] =>
  ({ offset, limit }) => ({
    items: there()
      .slice(offset, offset + limit)
      .map((thread) => ({ ...thread, match: null })),
    offset,
    total: there().length,
    hasMore: false,
    freshness: { state: 'live', at: 0 },
    searched: null,
  })

const open = async (threadId: string | null = null) => {
  const opened = await openWindow(inbox(threadId), ending.signal)
  const { session, commands, run } = opened
  const idsOf = (chosen: ChosenThreads | null): readonly string[] => chosen?.threads.map(({ id }) => id) ?? []
  const moveTo = (index: number): void => {
    const { rows, cursor } = session.threads
    if (rows !== null) cursor.moveTo(rows, index)
  }
  return {
    ...opened,
    moveTo,
    threads: session.threads,
    selected: () => idsOf(session.threads.selection.chosen),
    actedOn: () => idsOf(findChosenThreads(commands.context)),
    press: (...ids: readonly string[]) => ids.forEach((id) => run(`selection.${id}`)),
    rows: () => session.threads.rows?.loaded().map(({ id }) => id) ?? [],
  }
}

describe('target of a command', () => {
  it('is the cursor row, then the open thread, then the selection', async () => {
    const { actedOn, run, moveTo, commands, press, follow } = await open()
    expect(actedOn()).toEqual(['thread-0'])
    commands.navigator.open('thread-2')
    await follow()
    expect(actedOn()).toEqual(['thread-2'])
    moveTo(0)
    expect(actedOn()).toEqual(['thread-2'])
    press('toggle')
    expect(actedOn()).toEqual(['thread-0'])
    run('selection.none')
    expect(actedOn()).toEqual(['thread-2'])
  })

  it('is the row pointed at, and leaves the selection and open thread alone', async () => {
    const { commands, commandOf, press, follow, called, selected, shell, session, rows, moveTo, run } = await open()
    press('toggle', 'extendDown')
    const before = selected()
    const [, , pointed = '', picked = '', labelled = ''] = rows()
    const about = (pointedId: string) => commands.about({ pointedId })
    about(pointed).run(commandOf('thread.archive'))
    about(picked).run(commandOf('thread.move'))
    expect([session.picker.isOpen, session.picker.asked?.title]).toEqual([true, 'Move to'])
    const moving = session.picker.asked
    about(labelled).run(commandOf('label.pick'))
    expect(session.labelPicker.chosen?.threads.map(({ id }) => id)).toEqual([labelled])
    expect(selected()).toEqual(before)
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: [pointed] }])
    run('selection.none')
    commands.navigator.open(picked)
    await follow()
    const at = shell.route.current
    moveTo(0)
    about(rows()[0] ?? '').run(commandOf('thread.trash'))
    expect(shell.route.current).toEqual(at)
    // If the row has gone in the meantime, no other may be changed.
    expect(commands.about({ pointedId: 'gone' }).can(commandOf('thread.archive'))).toBe(false)
    moving
      ?.find('spam')
      .options.find(({ name }) => name === 'Spam')
      ?.choose()
    await until(() => called('thread.change').length === 3)
    expect(called('thread.change').at(-1)).toMatchObject({ threadIds: [picked], change: { folder: 'spam' } })
  })

  it('is the whole selection in one call, with its count', async () => {
    const { press, run, called, shell, selected, rows } = await open()
    press('extendDown', 'extendDown')
    const ids = selected()
    expect(ids).toEqual(rows().slice(0, 3))
    run('thread.archive')
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: ids, change: { folder: 'archive' } }])
    expect(shell.toasts.toasts.map(({ text }) => text)).toEqual(['Archived 3 threads'])
    expect(selected()).toEqual([])
  })

  it('includes only the selected threads it applies to', async () => {
    const { press, run, called, threads } = await open()
    press('extendDown', 'extendDown')
    const unread =
      threads.rows
        ?.loaded()
        .slice(0, 3)
        .filter(({ read }) => !read) ?? []
    expect(unread).toHaveLength(1)
    run('thread.read')
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: unread.map(({ id }) => id), change: { read: true } }])
  })
})

describe('selection', () => {
  it('shrinks when extended backwards and keeps earlier parts', async () => {
    const { press, selected, rows, moveTo } = await open()
    const all = rows()
    press('toggle')
    moveTo(3)
    press('toggle', 'extendDown', 'extendDown')
    expect(selected()).toEqual([all[0], all[3], all[4], all[5]])
    press('extendUp')
    expect(selected()).toEqual([all[0], all[3], all[4]])
    press('extendUp', 'extendUp')
    expect(new Set(selected())).toEqual(new Set([all[0], all[2], all[3]]))
  })

  it('keeps the open thread while the cursor moves', async () => {
    const { press, shell, run, selected } = await open('thread-1')
    press('toggle', 'extendDown')
    run('list.next')
    expect(shell.route.current).toMatchObject({ threadId: 'thread-1' })
    expect(selected()).toHaveLength(2)
  })

  it('ends when another thread, list or screen opens', async () => {
    const { press, commands, follow, threads, run } = await open()
    press('toggle')
    commands.navigator.open('thread-2')
    await follow()
    expect(threads.selection.isEmpty).toBe(true)
    press('toggle')
    run('go.archive')
    await follow()
    expect(threads.selection.isEmpty).toBe(true)
    press('toggle')
    run('go.settings')
    await follow()
    expect(threads.selection.isEmpty).toBe(true)
  })

  it('drops only a thread that was moved out of the list elsewhere', async () => {
    const { press, selected, shell, rows } = await open()
    press('extendDown', 'extendDown')
    const [first = '', second = '', third = ''] = rows()
    const remote = { inboxId: INBOX.id, threadIds: [second], change: { folder: 'trash' } } as const
    await shell.backend.call('thread.change', { ...remote, threadIds: [second] })
    await until(() => selected().length === 2)
    expect(selected()).toEqual([first, third])
    await shell.backend.call('thread.change', { ...remote, threadIds: [first], change: { read: true } })
    await until(() => rows().includes(first))
    expect(selected()).toEqual([first, third])
  })

  it('keeps a thread that scrolled away until the list is known to lack it', async () => {
    let there = fixtureThreads(1000)
    const tell = (...threadIds: readonly string[]): void =>
      opened.emit({
        name: 'threads.changed',
        payload: { inboxId: INBOX.id, folders: ['inbox'], labelIds: [], threadIds: [...threadIds], searches: null },
      })
    const opened = await openWindow(inbox(null), ending.signal, {
      'thread.list': listing(() => there),
    })
    const { threads } = opened.session
    const selected = () => threads.selection.chosen?.threads.map(({ id }) => id)
    const readAgain = async (...ids: readonly string[]): Promise<void> => {
      const reads = opened.called('thread.list').length
      tell(...ids)
      await until(() => opened.called('thread.list').length > reads)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    threads.rows?.show(90, 99)
    await until(() => threads.rows?.at(95) !== undefined)
    const picked = threads.rows?.at(95)
    if (picked === undefined) throw new Error('there is such a row')
    threads.selection.toggle(picked)
    // New rows above move the picked row to the start of a window that was never scrolled to.
    const newer = fixtureThreads(200).map((thread) => ({
      ...thread,
      id: `newer-${thread.id}`,
      receivedAt: thread.receivedAt + 1e9,
    }))
    there = [...newer, ...there]
    await readAgain(picked.id)
    expect(threads.rows?.indexOf(picked.id)).toBe(-1)
    expect(selected()).toEqual([picked.id])
    there = there.filter(({ id }) => id !== picked.id)
    threads.rows?.show(800, 820)
    await until(() => threads.rows?.at(800) !== undefined)
    await readAgain(picked.id)
    expect(selected()).toEqual([picked.id])
    threads.rows?.show(0, 320)
    await until(() => selected() === undefined)
  })

  it('passes the cursor to the next remaining row, and undo restores the rows', async () => {
    const { press, run, threads, rows, moveTo } = await open()
    const all = rows()
    moveTo(2)
    press('extendDown', 'extendDown')
    run('thread.trash')
    expect(threads.cursor.id).toBe(all[5])
    expect(rows()).toEqual([...all.slice(0, 2), ...all.slice(5)])
    run('thread.undo')
    expect(rows()).toEqual(all)
  })
})

describe('whole list', () => {
  it('changes by its query, without excluded and later threads', async () => {
    const { press, run, called, threads, rows, selected } = await open()
    press('whole')
    expect(threads.selection.size).toBe(threads.rows?.total)
    press('toggle')
    const [left = ''] = rows()
    expect(selected()).toEqual(rows().slice(1))
    expect(threads.selection.has({ id: 'later', receivedAt: Date.now() + 1e12 })).toBe(false)
    const upTo = threads.rows?.at(0)?.receivedAt
    run('thread.archive')
    // Shown before the engine responds, even for unloaded threads.
    expect(threads.rows?.total).toBe(1)
    expect(rows()).toEqual([left])
    expect(threads.cursor.id).toBe(left)
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([
      { matching: { query: { folders: ['inbox'] }, upTo, except: [left] }, change: { folder: 'archive' } },
    ])
  })

  it('offers only actions that do something', async () => {
    const { commands, commandOf, press, shell, follow } = await open()
    const offered = (): readonly string[] =>
      ['inbox', 'archive', 'trash', 'spam'].filter((id) => commands.can(commandOf(`thread.${id}`)))
    press('whole')
    expect(offered()).toEqual(['archive', 'trash', 'spam'])
    for (const [folder, moves] of [
      ['sent', ['archive', 'trash']],
      ['trash', ['inbox', 'archive', 'spam']],
      ['archive', ['inbox', 'trash', 'spam']],
    ] as const) {
      shell.route.replace({ view: 'folder', inboxId: INBOX.id, folder, threadId: null })
      await follow()
      press('whole')
      expect([folder, offered()]).toEqual([folder, moves])
    }
    // With every row loaded, the rows decide which commands apply.
    shell.route.replace({ view: 'search', inboxId: INBOX.id, query: 'is:read in:archive', threadId: null })
    await follow()
    press('whole')
    expect(commands.can(commandOf('thread.read'))).toBe(false)
    expect(commands.can(commandOf('thread.unread'))).toBe(true)
  })

  it('moves only what it can, with the engine’s count', async () => {
    const { press, run, shell, rows, follow, threads } = await open()
    shell.route.replace({ view: 'search', inboxId: INBOX.id, query: 'in:(inbox, sent)', threadId: null })
    await follow()
    const before = rows()
    const sent = threads.rows?.loaded().filter(({ folder }) => folder === 'sent') ?? []
    expect(sent.length).toBeGreaterThan(2)
    press('whole')
    run('thread.spam')
    // The rows are the same immediately, and after the response and the reload.
    expect(rows()).toEqual(sent.map(({ id }) => id))
    await until(() => threads.rows?.total === sent.length)
    expect(rows()).toEqual(sent.map(({ id }) => id))
    const said = (): readonly string[] => shell.toasts.toasts.map(({ text }) => text)
    await until(() => said().includes(`Marked ${before.length - sent.length} threads as spam`))
    run('thread.undo')
    await until(() => threads.rows?.total === before.length)
    expect(said()).toEqual([`Restored ${before.length - sent.length} threads`])
  })

  it('reappears if the engine changed nothing, without an undo step', async () => {
    let isAnswered = false
    const { session, shell, run, rows } = await openWindow(inbox(null), ending.signal, {
      'thread.change': () => {
        isAnswered = true
        return { changeId: 'one', threads: 0, isWhole: true }
      },
    }).then((opened) => ({ ...opened, rows: () => opened.session.threads.rows?.loaded().map(({ id }) => id) ?? [] }))
    const before = rows()
    run('selection.whole')
    run('thread.archive')
    expect(rows()).toEqual([])
    await until(() => isAnswered && rows().length > 0)
    expect(rows()).toEqual(before)
    expect(shell.toasts.toasts.map(({ text }) => text)).toEqual(['Nothing to change.'])
    expect(session.actions.canUndo).toBe(false)
  })

  it('keeps its length if some threads stay and not all are loaded', async () => {
    const { threads, press, shell, follow } = await open()
    shell.route.replace({ view: 'folder', inboxId: INBOX.id, folder: 'sent', threadId: null })
    await follow()
    press('whole')
    const { chosen } = threads.selection
    if (chosen?.matching === null || chosen === null) throw new Error('all of it is selected')
    const total = threads.rows?.total
    threads.draw(chosen.matching, { folder: 'spam' }, [])
    expect(threads.rows?.total).toBe(total)
    threads.draw(chosen.matching, { folder: 'trash' }, [])
    expect(threads.rows?.total).toBe(0)
  })

  it('reports newer threads, which can be selected singly or with the whole list', async () => {
    vi.setSystemTime(new Date(2026, 2, 10, 10, 32))
    onTestFinished(() => void vi.useRealTimers())
    let there = fixtureThreads(30)
    const opened = await openWindow(inbox(null), ending.signal, {
      'thread.list': listing(() => there),
      'thread.change': () => ({ changeId: 'one', threads: 1, isWhole: true }),
    })
    const { run, called, commands, commandOf } = opened
    const { selection, rows, cursor } = opened.session.threads
    const words = (): string =>
      describeSelection(
        selection,
        { name: 'Inbox', hasMore: false, isPage: false },
        { now: Date.now(), style: { locale: 'en-GB' } },
      )
    run('selection.whole')
    expect(words()).toBe('All 30 threads in Inbox are selected')
    expect(commands.can(commandOf('selection.whole'))).toBe(false)
    const newer = fixtureThreads(3).map((thread, index) => ({
      ...thread,
      id: `newer-${index}`,
      receivedAt: thread.receivedAt + 1e9,
    }))
    there = [...newer, ...there]
    rows?.reread()
    await until(() => rows?.total === 33)
    expect(words()).toBe('All 30 threads that were in Inbox at 10:32 are selected; 3 newer are not')
    expect(selection.size).toBe(30)
    if (rows !== null) cursor.moveTo(rows, 1)
    run('selection.toggle')
    // Of the newer threads, only the one that the user picked is selected, not the one between it and the rest.
    expect(there.slice(0, 4).map((thread) => selection.has(thread))).toEqual([false, true, false, true])
    expect(words()).toBe('31 in Inbox are selected; 1 excluded, 1 newer')
    run('thread.archive')
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([
      { matching: { upTo: there[1]?.receivedAt, except: ['newer-2'] }, change: { folder: 'archive' } },
    ])
    run('selection.whole')
    there = [
      ...newer.map((thread) => ({ ...thread, id: `${thread.id}!`, receivedAt: thread.receivedAt + 1e9 })),
      ...there,
    ]
    rows?.reread()
    await until(() => rows?.total === 36)
    expect(selection.size).toBe(33)
    expect(commands.can(commandOf('selection.whole'))).toBe(true)
    run('selection.whole')
    expect(words()).toBe('All 36 threads in Inbox are selected')
  })

  it('applies labels to unloaded threads too', async () => {
    const { press, run, called, session } = await open()
    await session.mailboxes.loadLabels(INBOX.id)
    press('whole')
    run('label.pick')
    const [label] = session.labelPicker.labels
    if (label === undefined) throw new Error('there is a label')
    const choice = { kind: 'label', label } as const
    // Labels of unloaded threads are unknown.
    expect(session.labelPicker.shownOf(choice)).not.toBe('all')
    session.labelPicker.toggle(choice)
    await session.labelPicker.apply()
    expect(called('thread.change')).toMatchObject([{ matching: { except: [] }, change: { addLabels: [label.id] } }])
  })
})

describe('dragging onto the side bar', () => {
  it('moves threads only to a different, allowed folder', async () => {
    const { commands, session, rows, called } = await open()
    expect(createFolderDrop(commands, 'archive')).toBeNull()
    const [, dragged = ''] = rows()
    session.drag.drag({ pointedId: dragged })
    const possible = FOLDERS.filter((folder) => createFolderDrop(commands, folder)?.isPossible)
    expect(possible).toEqual(['archive', 'spam', 'trash'])
    createFolderDrop(commands, 'archive')?.run()
    session.drag.drag(null)
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: [dragged], change: { folder: 'archive' } }])
    session.drag.drag({ pointedId: 'gone' })
    expect(FOLDERS.some((folder) => createFolderDrop(commands, folder)?.isPossible)).toBe(false)
  })

  it('stars threads, and asks how long to snooze them', async () => {
    const { commands, session, rows, called } = await open()
    expect(createMarkDrop(commands, 'starred')).toBeNull()
    const [, dragged = ''] = rows()
    session.drag.drag({ pointedId: dragged })
    createMarkDrop(commands, 'snoozed')?.run()
    expect(session.picker.asked?.title).toMatch(/^Snooze/)
    session.picker.isOpen = false
    createMarkDrop(commands, 'starred')?.run()
    await until(() => called('thread.change').length === 1)
    expect(called('thread.change')).toMatchObject([{ threadIds: [dragged], change: { star: true } }])
  })

  it('adds a label to the selection in one change, unless all have it', async () => {
    const { commands, session, press, selected, called, shell } = await open()
    await session.mailboxes.loadLabels(INBOX.id)
    press('extendDown', 'extendDown')
    const [first, , ...others] = LABELS
    if (first === undefined) throw new Error('there are labels')
    session.drag.drag({ pointedId: null })
    const carrying = session.threads.selection.chosen?.threads.filter(({ labels }) =>
      labels.some(({ id }) => id === first.id),
    )
    expect(carrying).toHaveLength(1)
    createLabelDrop(commands, first)?.run()
    await until(() => called('thread.change').length === 1)
    const lacking = selected().filter((id) => id !== carrying?.[0]?.id)
    expect(called('thread.change')).toMatchObject([{ threadIds: lacking, change: { addLabels: [first.id] } }])
    expect(shell.toasts.toasts.at(-1)?.text).toBe(`Label “${first.name}” added to 2 threads`)
    expect(createLabelDrop(commands, first)?.isPossible).toBe(false)
    expect(others.every((label) => createLabelDrop(commands, label)?.isPossible)).toBe(true)
  })
})

describe('change of many threads', () => {
  it('shows while running and can be cancelled', async () => {
    let underWay = [{ kind: 'thread', changeId: 'one', total: 500, sent: 20, undoes: null }]
    const { session, called, shell } = await openWindow(inbox(null), ending.signal, {
      'change.underWay': () => underWay,
      'change.cancel': () => {
        underWay = []
        return { threads: 20 }
      },
    })
    await session.largeChanges.load()
    expect(session.largeChanges.underWay).toMatchObject([{ total: 500 }])
    await session.largeChanges.cancel('one')
    expect(called('change.cancel')).toEqual([{ changeId: 'one' }])
    expect(session.largeChanges.underWay).toEqual([])
    expect(shell.toasts.toasts.map(({ text }) => text)).toEqual(['Cancelled. 20 threads had already been changed.'])
  })
})
