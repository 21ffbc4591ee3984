// @vitest-environment jsdom
import { flushSync } from 'svelte'
import { describe, expect, it } from 'vitest'
import { sendReplyAndArchive } from '../../../src/renderer/features/writing/composer-form.svelte.ts'
import { createEmptyContent } from '../../../src/renderer/features/writing/draft-content.ts'
import type { DraftContent, DraftFile, DraftState, Draft } from '../../../src/shared/drafts.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { SYNCED_DRAFT } from './support/synced-draft.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

interface Kept {
  readonly content: DraftContent
  readonly threadId: string | null
  readonly state: DraftState
  readonly revision: number
  readonly isThrownAway: boolean
}

/** A fake engine of drafts; a sent one can be undone until `leave`. */
const createDrafts = () => {
  const drafts = new Map<string, Kept>()
  const gone = failing({ code: 'not_found', message: 'This draft no longer exists.' })
  const draftOf = (id: string): Kept => {
    const draft = drafts.get(id)
    return draft === undefined || draft.isThrownAway ? gone() : draft
  }
  const put = (id: string, change: Partial<Kept>): void => {
    const draft = drafts.get(id)
    if (draft !== undefined) drafts.set(id, { ...draft, ...change })
  }
  const whole = (id: string): Draft => {
    const { content, state, revision, threadId } = draftOf(id)
    return {
      ...{ id, inboxId: INBOX.id, kind: threadId === null ? 'new' : 'reply', to: [], subject: content.subject },
      ...{ target: threadId === null ? null : { threadId, emailId: 'email-1' }, snippet: '' },
      ...SYNCED_DRAFT,
      ...{ content, state, revision, original: null },
    }
  }
  const handlers: FixtureHandlers = {
    'draft.list': () =>
      [...drafts].flatMap(([id, { isThrownAway, revision }]) => (isThrownAway || revision === 0 ? [] : [whole(id)])),
    'draft.create': ({ content, target }) => {
      const id = `draft-${drafts.size}`
      const threadId = target?.threadId ?? null
      drafts.set(id, { content, threadId, state: { kind: 'open' }, revision: 0, isThrownAway: false })
      return { draftId: id, revision: 0 }
    },
    'draft.open': ({ draftId }) => whole(draftId),
    'draft.save': ({ draftId, content, revision }) => {
      put(draftId, { content, revision: revision + 1 })
      return { revision: revision + 1 }
    },
    'draft.discard': ({ draftId }) => {
      put(draftId, { isThrownAway: true })
      return null
    },
    'draft.restore': ({ draftId }) => {
      put(draftId, { isThrownAway: false })
      return null
    },
    'draft.send': ({ draftId, revision, scheduledAt, content }) => {
      if (draftOf(draftId).revision !== revision) throw new ProblemError({ code: 'conflict', message: 'Changed.' })
      const state: DraftState = scheduledAt === null ? { kind: 'held', at: 0 } : { kind: 'scheduled', at: scheduledAt }
      put(draftId, { state, ...(content !== undefined && { content, revision: revision + 1 }) })
      return { state }
    },
    'draft.reschedule': ({ draftId, scheduledAt }) => {
      put(draftId, { state: { kind: 'scheduled', at: scheduledAt } })
      return null
    },
    'draft.cancelSending': ({ draftId }) => {
      draftOf(draftId)
      put(draftId, { state: { kind: 'open' } })
      return whole(draftId)
    },
  }
  return { drafts, handlers, leave: (id: string) => drafts.delete(id) }
}

const open = async (threadId: string | null = null) => {
  const engine = createDrafts()
  const window = await openWindow(inbox(threadId), ending.signal, engine.handlers)
  const { session, shell } = window
  const write = async (subject: string, html: string) => {
    await session.writing.start(INBOX.id)
    const composing = session.writing.composers.all.at(-1)
    if (composing === undefined) throw new Error('a composer is open')
    composing.editing.set({ subject })
    composing.editing.attach({ read: () => html, insert: () => undefined, focus: () => undefined, caret: () => 3 })
    composing.editing.bodyChanged()
    return composing
  }
  const answer = async (id: string) => {
    await session.writing.answer('reply', {
      ...{ inboxId: INBOX.id, threadId: id },
      email: (await emailOf(session)) ?? expect.unreachable(),
    })
    return session.writing.composers.all.at(-1) ?? expect.unreachable('no composer is open')
  }
  const emailOf = async ({ conversation }: typeof session) => {
    await until(() => conversation.conversation !== null)
    return conversation.conversation?.emails.at(-1)
  }
  const said = (): string | undefined => shell.toasts.shown?.text
  const writes = () => session.writing.composers.all.map(({ editing }) => editing.content.subject)
  return { ...window, ...engine, write, answer, said, writes }
}

describe('undo across sending, discarding and archiving', () => {
  it('reverts the newest action first, and reopens a message with its text and caret', async () => {
    const { session, run, write, said, writes, follow } = await open()
    run('thread.archive')
    const message = await write('Ropes', '<p>Two of them.</p>')
    expect(await session.writing.sending.send(message, { archive: false, scheduledAt: null })).toBe(true)
    expect([said(), writes()]).toEqual(['Sending “Ropes”…', []])
    const other = await write('Paint', '<p>A can.</p>')
    await session.writing.discard(other.draftId)
    expect([said(), writes()]).toEqual(['Discarded draft “Paint”', []])

    run('thread.undo')
    await until(() => writes().length === 1)
    expect([said(), writes()]).toEqual(['Restored draft “Paint”', ['Paint']])
    run('thread.undo')
    await until(() => writes().length === 2)
    expect(writes()).toEqual(['Paint', 'Ropes'])
    const [, back] = session.writing.composers.all
    expect(back?.editing.content.text).toContain('Two of them.')
    const carets: (number | undefined)[] = []
    const focus = (caret?: number): void => void carets.push(caret)
    back?.editing.attach({ read: () => '', insert: () => undefined, focus, caret: () => 0 })
    expect(carets).toEqual([3])

    run('thread.undo')
    await follow()
    expect(said()).toBe('Restored “The webcam shows a black picture”')
    run('thread.undo')
    expect(said()).toBe('There is nothing to undo.')
  })

  it('reports an already sent message once, then continues with older actions', async () => {
    const { session, run, write, said, leave, emit } = await open()
    run('thread.archive')
    for (const isTold of [false, true]) {
      const message = await write('Ropes', '<p>Two of them.</p>')
      await session.writing.sending.send(message, { archive: false, scheduledAt: null })
      const { draftId } = message
      leave(draftId)
      if (isTold) {
        emit({ name: 'draft.sent', payload: { draftId, inboxId: INBOX.id, threadId: null, emailId: 'e' } })
        await until(() => said() === 'Message sent')
        expect(session.writing.composers.all).toEqual([])
      }
      run('thread.undo')
      await until(() => said() === 'Already sent: “Ropes”')
      expect(session.threads.rows?.indexOf('thread-0')).toBe(-1)
    }
    run('thread.undo')
    await until(() => session.threads.rows?.indexOf('thread-0') === 0)
    expect(said()).toBe('Restored “The webcam shows a black picture”')
  })

  it('opens the next thread after “Send and archive”, and returns on undo', async () => {
    const { session, shell, commands, run, answer, said, writes, follow } = await open('thread-0')
    const reply = await answer('thread-0')
    const html = '<p>It is free.</p>'
    reply.editing.attach({ read: () => html, insert: () => undefined, focus: () => undefined, caret: () => 0 })
    reply.editing.bodyChanged()
    sendReplyAndArchive(commands.context, reply)
    expect(writes()).toEqual([])
    expect(session.threads.rows?.indexOf('thread-0')).toBe(-1)
    expect(shell.route.current).toEqual(inbox('thread-1'))
    await follow()
    expect(session.threads.cursor.id).toBe('thread-1')
    expect(said()).toMatch(/^Sending “Re: /)
    expect(shell.toasts.toasts).toHaveLength(1)
    run('thread.undo')
    await until(() => writes().length === 1)
    await follow()
    expect(shell.route.current).toEqual(inbox('thread-0'))
    expect(session.threads.cursor.id).toBe('thread-0')
    expect(session.threads.rows?.indexOf('thread-0')).toBe(0)
    expect(session.writing.composers.inThread('thread-0')?.editing.content.text).toContain('It is free.')
    expect(session.conversation.moved).toBeNull()
  })
})

describe('undo for attached files', () => {
  const file = (id: string): DraftFile => ({
    ...{ id, filename: `${id}.pdf`, contentType: 'application/pdf', size: 10 },
    ...{ digest: 'd'.repeat(64), contentId: null, platformId: null },
  })
  const withFiles = async () => {
    const opened = await open()
    const files = ['plan', 'crane', 'rope'].map(file)
    await opened.session.writing.start(INBOX.id, { subject: 'Papers', files })
    const message = opened.session.writing.composers.all.at(-1) ?? expect.unreachable('a composer is open')
    const names = (): readonly string[] =>
      opened.session.writing.composers.all.flatMap(({ editing }) => editing.content.files.map(({ id }) => id))
    return { ...opened, message, names }
  }

  it('puts a removed file back in place, and redo removes it again', async () => {
    const { session, run, message, names, said } = await withFiles()
    await session.writing.removeFile(message, 'crane')
    expect([names(), said()]).toEqual([['plan', 'rope'], 'Removed “crane.pdf”'])
    run('thread.undo')
    await until(() => names().length === 3)
    expect([names(), said()]).toEqual([['plan', 'crane', 'rope'], 'Attached “crane.pdf” again'])
    run('thread.redo')
    await until(() => names().length === 2)
    expect(names()).toEqual(['plan', 'rope'])
    expect(await message.keep()).toBe(true)
  })

  it('restores files to a closed or discarded draft, but not to a sent one', async () => {
    const { session, run, message, names, said, leave } = await withFiles()
    await session.writing.removeFile(message, 'crane')
    await session.writing.close(message)
    run('thread.undo')
    await until(() => names().length === 3)
    const [again] = session.writing.composers.all
    if (again === undefined) throw new Error('it is open again')
    await session.writing.discard(again.draftId)
    expect(names()).toEqual([])
    run('thread.undo')
    await until(() => names().length === 3)
    const [back] = session.writing.composers.all
    if (back === undefined) throw new Error('it is open again')
    await session.writing.removeFile(back, 'plan')
    await session.writing.sending.send(back, { archive: false, scheduledAt: null })
    leave(back.draftId)
    run('thread.undo')
    await until(() => said() === 'Already sent: “Papers”')
    run('thread.undo')
    await until(() => said() === 'This draft no longer exists.')
    expect(session.writing.composers.all).toEqual([])
  })
})

describe('undo for scheduled messages', () => {
  const [MON, TUE] = [Date.parse('2030-01-07T09:00'), Date.parse('2030-01-08T09:00')]

  it('reopens or reschedules the message, with its thread and cursor', async () => {
    const { session, shell, run, write, said, writes, drafts, follow } = await open('thread-2')
    const message = await write('Tide table', '<p>For next week.</p>')
    const { draftId } = message
    const stateOf = () => drafts.get(draftId)?.state
    const summary = async () => {
      await session.writing.load()
      return session.writing.outbox.find(({ id }) => id === draftId) ?? expect.unreachable('it is scheduled')
    }
    await session.writing.sending.send(message, { archive: false, scheduledAt: MON })
    expect([stateOf(), said(), writes()]).toEqual([{ kind: 'scheduled', at: MON }, 'Scheduled “Tide table”', []])

    session.threads.goTo('thread-4')
    await session.writing.sending.reschedule(await summary(), TUE)
    expect([stateOf(), said()]).toEqual([{ kind: 'scheduled', at: TUE }, 'Rescheduled “Tide table”'])
    shell.route.go({ view: 'outbox', id: null })
    await follow()
    run('thread.undo')
    await follow()
    await until(() => JSON.stringify(stateOf()) === JSON.stringify({ kind: 'scheduled', at: MON }))
    expect([shell.route.current, session.threads.cursor.id]).toEqual([inbox('thread-2'), 'thread-4'])
    expect(said()).toBe('Moved “Tide table” back to its earlier time')

    await summary()
    await session.writing.sending.revert(draftId)
    expect([stateOf(), writes(), said()]).toEqual([{ kind: 'open' }, ['Tide table'], 'Cancelled “Tide table”'])
    run('thread.undo')
    await until(() => stateOf()?.kind === 'scheduled')
    await until(() => writes().length === 0)
    expect([stateOf(), said()]).toEqual([{ kind: 'scheduled', at: MON }, 'Scheduled “Tide table” again'])
    run('thread.redo')
    await until(() => writes().length === 1)
    expect(stateOf()).toEqual({ kind: 'open' })

    // Undo must not send later edits.
    session.writing.composers.all[0]?.editing.set({ subject: 'Tide tables' })
    run('thread.undo')
    await until(() => said() === 'Can’t undo: the draft has changed since then.')
    expect([stateOf(), writes()]).toEqual([{ kind: 'open' }, ['Tide tables']])
  })
})

describe('composer closed while being edited', () => {
  it('saves its text even if its view unmounts meanwhile', async () => {
    const { session, write, drafts } = await open()
    const message = await write('Ropes', '<p>Two of them.</p>')
    // Detaches the editor of a minimised message, as the form does.
    const stop = $effect.root(() => {
      $effect(() => {
        if (message.isMinimised) return
        return () => {
          message.editing.attach(null)
          void message.keep()
        }
      })
    })
    flushSync()
    await session.writing.close(message)
    expect(drafts.get(message.draftId)?.content.text).toBe('Two of them.')
    stop()
  })
})

describe('blank composer', () => {
  it('leaves no draft, tab or toast when minimised', async () => {
    const { session, answer, drafts, said } = await open('thread-0')
    await session.writing.start(INBOX.id)
    const [message] = session.writing.composers.all
    if (message !== undefined) await session.writing.minimise(message)
    const reply = await answer('thread-0')
    await session.writing.minimise(reply)
    expect(session.writing.composers.all).toEqual([])
    expect([...drafts.values()].map(({ isThrownAway }) => isThrownAway)).toEqual([true, true])
    expect(said()).toBeUndefined()
  })

  it('is blank after all text is deleted, but not with a recipient or subject', async () => {
    const { session, answer, write } = await open('thread-0')
    const reply = await answer('thread-0')
    let html = '<p>It</p>'
    reply.editing.attach({ read: () => html, insert: () => undefined, focus: () => undefined, caret: () => 0 })
    reply.editing.bodyChanged()
    await reply.keep()
    expect(reply.isBlank).toBe(false)
    html = '<p></p>'
    reply.editing.bodyChanged()
    expect(reply.isBlank).toBe(true)
    reply.editing.addRecipients('cc', [{ name: null, address: 'ben@pier.example' }])
    expect(reply.isBlank).toBe(false)
    const message = await write('Ropes', '')
    expect(message.isBlank).toBe(false)
    await session.writing.minimise(message)
    expect(session.writing.composers.all).toContain(message)
  })
})

describe('undo of a thread change', () => {
  it('restores the list, cursor, selection and open thread', async () => {
    const { session, shell, run, follow } = await open('thread-2')
    const selected = (): readonly string[] => session.threads.selection.chosen?.threads.map(({ id }) => id) ?? []
    const some = session.threads.rows?.loaded().slice(2, 5) ?? []
    const last = some.at(-1)?.id ?? ''
    for (const row of some) session.threads.selection.toggle(row)
    session.threads.goTo(last)
    const before = selected()
    run('thread.archive')
    await follow()
    expect([selected(), shell.toasts.shown?.text]).toEqual([[], 'Archived 3 threads'])
    shell.route.go({ view: 'search', inboxId: INBOX.id, query: 'invoice', threadId: null })
    await follow()
    shell.route.go({ view: 'settings' })
    await follow()
    run('thread.undo')
    await follow()
    await until(() => session.threads.rows?.indexOf(last) !== -1)
    expect(shell.route.current).toEqual(inbox('thread-2'))
    expect([selected(), session.threads.cursor.id]).toEqual([before, last])
    expect(shell.toasts.shown?.text).toBe('Restored 3 threads')
    run('thread.redo')
    await follow()
    expect(shell.route.current).toEqual({ view: 'settings' })
  })
})

describe('list of drafts', () => {
  it('supports the keys of every list, including undo of a discard', async () => {
    const { session, shell, run, write, writes, follow } = await open()
    for (const subject of ['Ropes', 'Paint', 'Berths']) await session.writing.close(await write(subject, '<p>…</p>'))
    shell.route.go({ view: 'drafts', id: null })
    await session.writing.load()
    await follow()
    const { list, cursor } = session.writing.lists.drafts
    expect([list.phase, list.total, cursor.row(list)?.subject]).toEqual(['ready', 3, 'Ropes'])
    run('list.next')
    expect(cursor.row(list)?.subject).toBe('Paint')
    run('writing.discard')
    await until(() => list.total === 3 && shell.toasts.shown?.text === 'Discarded draft “Paint”')
    await session.writing.load()
    expect(list.total).toBe(2)
    cursor.settle(list)
    expect(cursor.row(list)?.subject).toBe('Berths')
    run('thread.undo')
    await until(() => list.total === 3 && cursor.row(list)?.subject === 'Paint')
    expect(writes()).toEqual([])
    run('writing.continue')
    await until(() => writes().length === 1)
    expect(writes()).toEqual(['Paint'])
    expect(shell.route.current).toEqual({ view: 'drafts', id: cursor.id })
  })
})

const emptied = createEmptyContent()
describe('mailto: link', () => {
  it('leaves nothing if its message was not edited', async () => {
    const { session } = await open()
    await session.writing.start(INBOX.id, { ...emptied, to: [{ name: null, address: 'a@b.example' }], text: 'Hello' })
    const [message] = session.writing.composers.all
    expect(message?.isBlank).toBe(true)
  })
})
