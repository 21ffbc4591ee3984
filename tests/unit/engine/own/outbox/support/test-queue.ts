import { onTestFinished } from 'vitest'
import type { SubjectField, SubjectState, WaitingChange } from '../../../../../../src/engine/own/outbox/change.ts'
import type {
  ChangeTypeRules,
  ChangeType,
  RejectedChange,
} from '../../../../../../src/engine/own/outbox/change-type.ts'
import { threadLabelRules } from '../../../../../../src/engine/own/outbox/changes/thread-labels.ts'
import { threadStateRules } from '../../../../../../src/engine/own/outbox/changes/thread-state.ts'
import type { OutboxFile } from '../../../../../../src/engine/own/outbox/outbox-file.ts'
import { ChangeQueue } from '../../../../../../src/engine/own/outbox/change-queue.ts'
import { systemClock, type Clock } from '../../../../../../src/engine/timing/clock.ts'
import { openOutbox } from '../../../../../support/own-file.ts'
import { temporaryDirectory } from '../../../../../support/temporary-directory.ts'

const thread = { kind: 'thread', scope: 'inbox-1', id: 'thread-1' } as const

/** A change type's access to the platform, faked by a test. */
export type Reach = Pick<ChangeType, 'serverState' | 'deliver' | 'look' | 'findMissing' | 'isLocalOnly' | 'show'>

export const openFile = (): OutboxFile => openOutbox(temporaryDirectory())

/** A queue of real thread changes on the test's own platform. */
export const openQueue = (
  file: OutboxFile,
  reach: Reach,
  rules: readonly ChangeTypeRules[] = [threadStateRules, threadLabelRules],
  clock: Clock = systemClock,
): { readonly queue: ChangeQueue; readonly refusals: RejectedChange[]; readonly failures: unknown[] } => {
  const refusals: RejectedChange[] = []
  const failures: unknown[] = []
  const types = rules.map((each): ChangeType => ({
    ...each,
    ...reach,
    describe: () => 'change',
    describeMissing: () => null,
  }))
  const queue = new ChangeQueue(
    file,
    types,
    {
      shown: () => undefined,
      refused: (_subject, _type, refusal) => void refusals.push(refusal),
      replaced: () => undefined,
      progressed: () => undefined,
      failed: (thrown) => void failures.push(thrown),
    },
    clock,
  )
  return { queue, refusals, failures }
}

export const startQueue = (queue: ChangeQueue): void => {
  const ending = new AbortController()
  onTestFinished(async () => {
    ending.abort()
    await queue.ended()
  })
  queue.start(ending.signal)
}

export const stateOf = (values: Readonly<Record<string, string>>): SubjectState => new Map(Object.entries(values))

export const fieldsOf = (changes: readonly WaitingChange[]): Readonly<Record<string, string>> =>
  Object.fromEntries(changes.map(({ field, wanted }) => [field, wanted]))

export const waiting = (field: string, wanted: string, sending: string | null = null): WaitingChange => ({
  ...thread,
  field,
  wanted,
  sending,
})

export const target = (field: string): SubjectField => ({ ...thread, field })
