import type { MailPlatform } from '../../api/mail-platform.ts'
import type { CallOptions } from '../../api/requests.ts'
import { lacksOperation } from '../../api/platform-problem.ts'
import type { EventHub } from '../../event-hub.ts'
import type { Cache } from '../../store/cache.ts'
import type { Absence } from '../../sync/absence.ts'
import type { Change, SubjectState, WaitingChange } from '../change.ts'
import type { ChangeRules } from '../change-type.ts'

/** What the types of changes speak to. */
export interface ChangeParts {
  readonly platform: MailPlatform
  readonly cache: () => Cache
  readonly hub: Pick<EventHub, 'contacts' | 'labels' | 'threads' | 'topics'>
  readonly absence: Pick<Absence, 'ofThread' | 'inboxExists'>
  /** Brings a draft that is to be sent to the platform. @throws where it is to be tried again */
  readonly deliverDraft: (draftId: string, signal: AbortSignal) => Promise<void>
}

/** Changes go as `screen`: what a person did is on the screen already, so what they look at now goes first. */
export const asScreen = (signal: AbortSignal): CallOptions => ({ priority: 'screen', signal })

/**
 * How the platform is called for changes: as `screen`, save for those of a large change, which go beside sync. Many of them
 * are to hold up neither what a person looks at nor what they change by itself.
 */
export const asNeeded = (changes: readonly Pick<Change, 'large'>[], signal: AbortSignal): CallOptions => ({
  priority: changes.length > 0 && changes.every(({ large }) => large !== undefined) ? 'sync' : 'screen',
  signal,
})

/** What was confirmed is newer than any answer that was asked for before it. */
export const NEWEST = Number.POSITIVE_INFINITY

/** The answer; null where the platform says that what was asked for, or the way of asking, does not exist. */
export const unlessGone = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (thrown) {
    if (lacksOperation(thrown)) return null
    throw thrown
  }
}

/**
 * Lays a newer change of one field over the one that waits: the newer takes its place. What the platform already has need
 * not be sent, unless something else is on its way there: archive, then un-archive, sends nothing.
 * @param server the platform's own value, where it is known
 * @returns null where nothing is left to send
 */
export const lastWins = (
  waiting: WaitingChange | undefined,
  next: Change,
  server: string | undefined,
): WaitingChange | null => {
  const sending = waiting?.sending ?? null
  if (sending === null && next.wanted === server) return null
  const { kind, scope, id, field, wanted, large } = next
  return { kind, scope, id, field, wanted, sending, large }
}

/** The rules of fields that know nothing of each other: of each, the newest change is the one that counts. */
export const independentFields = (
  valueIn: ChangeRules['valueIn'],
): Pick<ChangeRules, 'valueIn' | 'shown' | 'fold'> => ({
  valueIn,
  shown: (waiting, field, server) => waiting.get(field)?.wanted ?? valueIn(server(), field),
  fold: (waiting, next, server) => [
    { target: next, change: lastWins(waiting.get(next.field), next, valueIn(server, next.field)) },
  ],
})

/** The value as the platform has it, or not at all. */
export const valueAsIs = (state: SubjectState, field: string): string | undefined => state.get(field)
