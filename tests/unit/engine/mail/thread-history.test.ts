import { expect, it } from 'vitest'
import { readHistory } from '../../../../src/engine/mail/threads/thread-history.ts'
import type { StoredPayload } from '../../../../src/engine/store/webhook-events.ts'

/** A payload without any of its fields. */
const NOTHING: StoredPayload = {
  ...{ source: null, isOwn: false, inboxId: null, threadId: null, emailId: null, draftId: null, from: null, to: null },
  ...{ added: [], removed: [], assignee: null, assignedBy: null, previousAssignee: null, failure: null },
}

const read = (type: string, payload: Partial<StoredPayload> = {}) =>
  readHistory([{ type, at: 1, payload: { ...NOTHING, ...payload } }], new Map())

it.each([
  ['inbox.thread.folder.updated', { kind: 'moved', to: null }],
  ['inbox.thread.labels.updated', { kind: 'labelled', added: [], removed: [] }],
  ['inbox.thread.assigned', { kind: 'assigned', assignee: null, assignedBy: null }],
  ['inbox.thread.unassigned', { kind: 'unassigned', assignee: null }],
])('reads an event without fields: %s', (type, entry) => {
  expect(read(type)).toEqual([{ at: 1, by: null, ...entry }])
})

it.each(['inbox.draft.created', 'inbox.draft.sent', 'inbox.draft.deleted', 'inbox.thread.created', 'inbox.thread.x'])(
  'has no entry for an event of an unknown source: %s',
  (type) => {
    expect(read(type)).toEqual([])
  },
)

it.each([
  ['agent', 'agent'],
  ['a later source', null],
  ['here', null],
] as const)('takes only known sources from the platform: %s', (source, by) => {
  expect(read('inbox.thread.folder.updated', { source, to: 'trash' })).toMatchObject([{ by }])
})

it('has no name for a label that neither Linnet nor the event knows', () => {
  const labels = { added: [{ id: 'l1', name: null }] }
  expect(read('inbox.thread.labels.updated', labels)).toMatchObject([{ added: [null] }])
})
