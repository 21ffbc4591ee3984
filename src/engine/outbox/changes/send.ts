import type { Change, Subject } from '../change.ts'
import type { ChangeType } from '../change-type.ts'

/**
 * That a draft is to be sent: the value is its Idempotency-Key, or `NOT` where that is not wanted any more. How it is sent,
 * and how far that is, stands in the draft's own files (writing/send-drafts.ts): the queue says when.
 */
const FIELD = 'send'
const NOT = ''
const KIND = 'draft'

export const createSendChanges = (deliver: (draftId: string, signal: AbortSignal) => Promise<void>): ChangeType => ({
  owns: ({ kind, field }) => kind === KIND && field === FIELD,
  valueIn: (state, field) => state.get(field),
  together: (first) => [first],
  inverse: ({ before }) => before,
  serverState: () => new Map([[FIELD, NOT]]),
  deliver: async ({ id }, _changes, signal) => {
    await deliver(id, signal)
    return { keep: () => undefined }
  },
  // With the same key it can be asked again: that is the look.
  look: () => Promise.resolve(null),
  inquire: () => Promise.resolve('change'),
  words: () => 'message',
  goneWords: () => null,
  isGone: () => undefined,
})

/** The change that has a draft sent. @param key null where it is not to be sent any more */
export const sendChange = ({ id, scope }: Pick<Subject, 'id' | 'scope'>, key: string | null): Change => ({
  kind: KIND,
  scope,
  id,
  field: FIELD,
  wanted: key ?? NOT,
})
