import { describe, expect, it } from 'vitest'
import { formatSubject } from '../../../src/renderer/features/threads/correspondent.ts'
import { canMoveTo } from '../../../src/shared/thread-moves.ts'
import { toThreadState, withChange } from '../../../src/renderer/features/threads/pending-changes.svelte.ts'
import { reverseStateChange } from '../../../src/shared/thread-state.ts'
import {
  chooseExpandedEmails,
  findOpeningIndex,
} from '../../../src/renderer/features/threads/conversation-folds.svelte.ts'
import { readBodies } from '../../../src/renderer/features/bodies/read-bodies.ts'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import type { Transport } from '../../../src/shared/contract.ts'
import { MOVE_TARGETS, type Thread } from '../../../src/shared/model.ts'
import type { Problem } from '../../../src/shared/result.ts'
import { fixtureEmails, fixtureThreads, LABELS } from './support/fixture-mail.ts'

const [first] = fixtureThreads(1)
if (first === undefined) throw new Error('one thread was asked for')
const thread: Thread = first

describe('subject', () => {
  it('is replaced by a phrase if missing', () => {
    expect(formatSubject(' ')).toBe('(no subject)')
    expect(formatSubject(null)).toBe('(no subject)')
    expect(formatSubject(' Lunch ')).toBe('Lunch')
  })
})

describe('moves of a thread', () => {
  it('exclude its own folder, and inbox and spam for sent mail (platform.md 7.2)', () => {
    const targets = (folder: string): readonly string[] =>
      MOVE_TARGETS.filter((target) => canMoveTo({ folder }, target))
    expect(targets('inbox')).toEqual(['archive', 'spam', 'trash'])
    expect(targets('trash')).toEqual(['inbox', 'archive', 'spam'])
    expect(targets('sent')).toEqual(['archive', 'trash'])
  })
})

describe('pending patch', () => {
  it('is undone by its reverse', () => {
    const patch = { read: true, folder: 'archive', removeLabels: ['label-1'], addLabels: ['label-2'] }
    const changed = withChange(thread, { change: patch, labels: LABELS })
    expect(changed).toMatchObject({ read: true, folder: 'archive', labels: [{ id: 'label-2' }] })
    expect(withChange(changed, { change: reverseStateChange(toThreadState(thread), patch), labels: LABELS })).toEqual(
      thread,
    )
  })

  it('keeps a label that was already set when its addition is undone', () => {
    const patch = { addLabels: ['label-1'] }
    const changed = withChange(thread, { change: patch, labels: LABELS })
    expect(withChange(changed, { change: reverseStateChange(toThreadState(thread), patch), labels: LABELS })).toEqual(
      thread,
    )
  })
})

describe('expanded e-mails of a conversation', () => {
  it('are the newest and unread ones, or all if it is short', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 5, read: true })
    const open = chooseExpandedEmails(
      emails.map((email, index) => ({ ...email, read: index !== 2 })),
      null,
    )
    expect([...open]).toEqual(['thread-0-email-2', 'thread-0-email-4'])
    expect(chooseExpandedEmails(fixtureEmails({ ...thread, emailCount: 2, read: true }), null).size).toBe(2)
  })

  it('are bounded, and include the first shown and the newest', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 300, read: false }).map((email) => ({
      ...email,
      read: false,
    }))
    const ids = emails.map(({ id }) => id)
    expect([...chooseExpandedEmails(emails, null)].toSorted()).toEqual([ids[0], ...ids.slice(-7)].toSorted())
    const large = emails.map((email) => ({ ...email, html: 'x'.repeat(500_000) }))
    expect([...chooseExpandedEmails(large, null)]).toEqual([ids[0]])
    const apart = emails.map((email) => ({
      ...email,
      html: null,
      text: null,
      apart: { html: 2, text: 0, version: 'first', beginning: '' },
    }))
    expect([...chooseExpandedEmails(apart, null)]).toEqual([ids[0]])
  })
})

describe('bodies stored apart from their e-mail', () => {
  const of = { list: 'received', emailId: 'large' } as const
  const pieces = { html: ['<p>one ', 'two</p>'], text: ['one two'] }
  const apart = { html: 2, text: 1, version: 'first', beginning: 'one' }
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

  it('are read in parts and joined', async () => {
    const { asked, backend } = backendWith(() => null)
    const read = await readBodies(backend, of, apart, new AbortController().signal)
    expect(read).toEqual({ ok: true, data: { html: '<p>one two</p>', text: 'one two', apart: null } })
    expect(asked).toEqual(['body.read html 0', 'body.read html 1', 'body.read text 0'])
  })

  it('are no longer requested after leaving the message or a missing part', async () => {
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

describe('start of a conversation', () => {
  it('is the first unread e-mail, or else the newest', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 5, read: true })
    expect(
      findOpeningIndex(
        emails.map((email, index) => ({ ...email, read: index < 2 })),
        null,
      ),
    ).toBe(2)
    expect(findOpeningIndex(emails, null)).toBe(4)
    expect(findOpeningIndex([], null)).toBe(-1)
  })

  it('is the e-mail matched by a search, which is expanded too', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 300, read: false }).map((email) => ({
      ...email,
      read: false,
    }))
    const matchedId = emails[7]?.id ?? null
    expect(findOpeningIndex(emails, matchedId)).toBe(7)
    expect([...chooseExpandedEmails(emails, matchedId)]).toHaveLength(8)
    expect(chooseExpandedEmails(emails, matchedId).has(matchedId ?? '')).toBe(true)
    expect(findOpeningIndex(emails, 'gone')).toBe(findOpeningIndex(emails, null))
    expect(chooseExpandedEmails(emails, 'gone')).toEqual(chooseExpandedEmails(emails, null))
  })
})
