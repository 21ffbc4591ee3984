import type { Change, ChangeSubject } from '../change.ts'
import type { ChangeType } from '../change-type.ts'

/**
 * The value is an idempotency key, or `NOT`. The queue decides when a draft is sent; its files determine how
 * (`writing/draft-table.ts`).
 */
const FIELD = 'send'
const NOT = ''
const KIND = 'draft'

export const createSendChangeType = (deliver: (draftId: string, signal: AbortSignal) => Promise<void>): ChangeType => ({
  owns: ({ kind, field }) => kind === KIND && field === FIELD,
  valueIn: (state, field) => state.get(field),
  batch: (first) => [first],
  inverse: ({ before }) => before,
  serverState: () => new Map([[FIELD, NOT]]),
  deliver: async ({ id }, _changes, signal) => {
    await deliver(id, signal)
    return { store: () => undefined }
  },
  // Resending with the same key is safe, so no look-up is needed.
  look: () => Promise.resolve(null),
  findMissing: () => Promise.resolve('change'),
  describe: () => 'message',
  describeMissing: () => null,
  isGone: () => undefined,
})

/** @param key null to cancel sending */
export const sendChange = ({ id, scope }: Pick<ChangeSubject, 'id' | 'scope'>, key: string | null): Change => ({
  kind: KIND,
  scope,
  id,
  field: FIELD,
  wanted: key ?? NOT,
})
