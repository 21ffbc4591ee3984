import { describe, expect, it } from 'vitest'
import { subjectOf } from '../../../src/renderer/features/threads/correspondent.ts'
import { canMoveTo } from '../../../src/shared/thread-moves.ts'
import { stateOf, withChange } from '../../../src/renderer/features/threads/pending-changes.svelte.ts'
import { reverseOf } from '../../../src/shared/thread-state.ts'
import { firstExpanded, firstShown } from '../../../src/renderer/features/threads/conversation-folds.svelte.ts'
import { readBodies } from '../../../src/renderer/features/bodies/read-bodies.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import type { Transport } from '../../../src/shared/contract.ts'
import { MOVE_TARGETS, type Thread } from '../../../src/shared/model.ts'
import type { Problem } from '../../../src/shared/result.ts'
import { fixtureEmails, fixtureThreads, LABELS } from './support/fixture-mail.ts'

const [first] = fixtureThreads(1)
if (first === undefined) throw new Error('one thread was asked for')
const thread: Thread = first

describe('a subject', () => {
  it('that is missing is said in words', () => {
    expect(subjectOf(' ')).toBe('(no subject)')
    expect(subjectOf(null)).toBe('(no subject)')
    expect(subjectOf(' Lunch ')).toBe('Lunch')
  })
})

describe('the moves of a thread', () => {
  it('never lead to where it is, and what was sent is neither received nor spam (contract, Thread folders)', () => {
    const targets = (folder: string): readonly string[] =>
      MOVE_TARGETS.filter((target) => canMoveTo({ folder }, target))
    expect(targets('inbox')).toEqual(['archive', 'spam', 'trash'])
    expect(targets('trash')).toEqual(['inbox', 'archive', 'spam'])
    expect(targets('sent')).toEqual(['archive', 'trash'])
  })
})

describe('a change that is drawn at once', () => {
  it('is taken back by its reverse', () => {
    const patch = { read: true, folder: 'archive', removeLabels: ['label-1'], addLabels: ['label-2'] }
    const changed = withChange(thread, { change: patch, labels: LABELS })
    expect(changed).toMatchObject({ read: true, folder: 'archive', labels: [{ id: 'label-2' }] })
    expect(withChange(changed, { change: reverseOf(stateOf(thread), patch), labels: LABELS })).toEqual(thread)
  })

  it('does not take off a label that was there before it was put on', () => {
    const patch = { addLabels: ['label-1'] }
    const changed = withChange(thread, { change: patch, labels: LABELS })
    expect(withChange(changed, { change: reverseOf(stateOf(thread), patch), labels: LABELS })).toEqual(thread)
  })
})

describe('a conversation', () => {
  it('opens with the newest e-mail and what is unread unfolded, and a short one whole', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 5, read: true })
    const open = firstExpanded(
      emails.map((email, index) => ({ ...email, read: index !== 2 })),
      null,
    )
    expect([...open]).toEqual(['thread-0-email-2', 'thread-0-email-4'])
    expect(firstExpanded(fixtureEmails({ ...thread, emailCount: 2, read: true }), null).size).toBe(2)
  })

  it('unfolds no more e-mails at once than a person reads: the one that it opens at and the newest', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 300, read: false }).map((email) => ({
      ...email,
      read: false,
    }))
    const ids = emails.map(({ id }) => id)
    expect([...firstExpanded(emails, null)].toSorted()).toEqual([ids[0], ...ids.slice(-7)].toSorted())
    const large = emails.map((email) => ({ ...email, html: 'x'.repeat(500_000) }))
    expect([...firstExpanded(large, null)]).toEqual([ids[0]])
    const apart = emails.map((email) => ({
      ...email,
      html: null,
      text: null,
      apart: { html: 2, text: 0, version: 'first', beginning: '' },
    }))
    expect([...firstExpanded(apart, null)]).toEqual([ids[0]])
  })
})

describe('bodies that did not come with their e-mail', () => {
  const of = { list: 'received', emailId: 'large' } as const
  const pieces = { html: ['<p>one ', 'two</p>'], text: ['one two'] }
  const apart = { html: 2, text: 1, version: 'first', beginning: 'one' }
  /** A backend that has the pieces, and what it was asked for. */
  const backendWith = (onCall: (place: number) => Problem | null) => {
    const asked: string[] = []
    const transport: Transport = {
      call: (name, input) => {
        const { body, place } = input as { body: 'html' | 'text'; place: number }
        asked.push(`${name} ${body} ${place}`)
        const error = onCall(asked.length)
        return Promise.resolve(error === null ? { ok: true, data: pieces[body][place] } : { ok: false, error })
      },
      subscribe: () => () => undefined,
    }
    return { asked, backend: createBackend(transport) }
  }

  it('are read piece by piece and put together', async () => {
    const { asked, backend } = backendWith(() => null)
    const read = await readBodies(backend, of, apart, new AbortController().signal)
    expect(read).toEqual({ ok: true, data: { html: '<p>one two</p>', text: 'one two', apart: null } })
    expect(asked).toEqual(['body.read html 0', 'body.read html 1', 'body.read text 0'])
  })

  it('are asked for no longer once the message was left, or where a piece is not there', async () => {
    const leaving = new AbortController()
    const left = backendWith(() => {
      leaving.abort()
      return null
    })
    expect(await readBodies(left.backend, of, apart, leaving.signal)).toBeNull()
    expect(left.asked).toHaveLength(1)
    const error = { code: 'not_found', message: 'Gone.' } as const
    const gone = backendWith(() => error)
    expect(await readBodies(gone.backend, of, apart, new AbortController().signal)).toEqual({ ok: false, error })
    expect(gone.asked).toHaveLength(1)
  })
})

describe('a conversation starts', () => {
  it('at the first e-mail that was not read yet, and at the newest where all were', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 5, read: true })
    expect(
      firstShown(
        emails.map((email, index) => ({ ...email, read: index < 2 })),
        null,
      ),
    ).toBe(2)
    expect(firstShown(emails, null)).toBe(4)
    expect(firstShown([], null)).toBe(-1)
  })

  it('at the e-mail for which a search found it, which is unfolded, too', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 300, read: false }).map((email) => ({
      ...email,
      read: false,
    }))
    const matchedId = emails[7]?.id ?? null
    expect(firstShown(emails, matchedId)).toBe(7)
    expect([...firstExpanded(emails, matchedId)]).toHaveLength(8)
    expect(firstExpanded(emails, matchedId).has(matchedId ?? '')).toBe(true)
    // One that is not there, or not any more, changes nothing.
    expect(firstShown(emails, 'gone')).toBe(firstShown(emails, null))
    expect(firstExpanded(emails, 'gone')).toEqual(firstExpanded(emails, null))
  })
})
