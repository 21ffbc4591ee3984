import { describe, expect, it } from 'vitest'
import { describeThread } from '../../../src/renderer/features/threads/describe-thread.ts'
import { movesOf } from '../../../src/renderer/features/threads/thread-moves.ts'
import { applyPatch, reverseOf } from '../../../src/renderer/features/threads/thread-patch.ts'
import { firstExpanded } from '../../../src/renderer/features/reader/first-expanded.ts'
import { labelColor } from '../../../src/renderer/features/labels/label-color.ts'
import type { Thread } from '../../../src/shared/model.ts'
import { fixtureEmails, fixtureThreads, LABELS } from './support/fixture-mail.ts'

const style = { locale: 'en-GB', timeZone: 'UTC' }
const [first] = fixtureThreads(1)
if (first === undefined) throw new Error('one thread was asked for')
const thread: Thread = first

describe('the name of a row', () => {
  it('holds sender, subject, date and that it is unread', () => {
    expect(describeThread(thread, style)).toMatch(
      /^Unread, Ada Quill, The webcam shows a black picture, Friday,? 20 November 2026 at 12:00, has an attachment, labels: Billing$/,
    )
  })

  it('names whom a sent thread went to, and says so where there is no subject or no server', () => {
    const sent: Thread = { ...thread, folder: 'sent', read: true, subject: ' ', onServer: false }
    expect(describeThread(sent, style)).toMatch(
      /^To: support@heron\.example, \(no subject\),.*no longer on the server$/,
    )
  })
})

describe('the moves of a thread', () => {
  it('never lead to where it is, and what was sent is neither received nor spam (contract, Thread folders)', () => {
    const targets = (folder: string): readonly string[] => movesOf({ ...thread, folder }).map((move) => move.folder)
    expect(targets('inbox')).toEqual(['archive', 'trash', 'spam'])
    expect(targets('trash')).toEqual(['inbox', 'archive', 'spam'])
    expect(targets('sent')).toEqual(['archive', 'trash'])
  })
})

describe('a change that is drawn at once', () => {
  it('is taken back by its reverse', () => {
    const patch = { read: true, folder: 'archive', removeLabels: ['label-1'], addLabels: ['label-2'] }
    const changed = applyPatch(thread, patch, LABELS)
    expect(changed).toMatchObject({ read: true, folder: 'archive', labels: [{ id: 'label-2' }] })
    expect(applyPatch(changed, reverseOf(thread, patch), LABELS)).toEqual(thread)
  })

  it('does not take off a label that was there before it was put on', () => {
    const patch = { addLabels: ['label-1'] }
    expect(applyPatch(applyPatch(thread, patch, LABELS), reverseOf(thread, patch), LABELS)).toEqual(thread)
  })
})

describe('a conversation', () => {
  it('opens with the newest e-mail and what is unread unfolded, and a short one whole', () => {
    const emails = fixtureEmails({ ...thread, emailCount: 5, read: true })
    const open = firstExpanded(emails.map((email, index) => ({ ...email, read: index !== 2 })))
    expect([...open]).toEqual(['thread-0-email-2', 'thread-0-email-4'])
    expect(firstExpanded(fixtureEmails({ ...thread, emailCount: 2, read: true })).size).toBe(2)
  })
})

describe('a label’s colour', () => {
  it('is a hex code or a token, and nothing else reaches the style sheet', () => {
    expect(labelColor('#E93D82')).toBe('#E93D82')
    expect(labelColor('crimson')).toBe('crimson')
    expect(labelColor('red;background:url(https://evil.example)')).toBe('currentColor')
  })
})
