import { isNotFound } from '../../../platform/platform-problem.ts'
import { SUPPRESSIONS_UNSUPPORTED } from '../../find-suppression.ts'
import type { Suppression } from '../../../../shared/suppressions.ts'
import type { Change, ChangeSubject, SubjectState, WaitingChange } from '../change.ts'
import type { ChangeTypeRules, ChangeType } from '../change-type.ts'
import { screenOptions, type ChangeDependencies } from './change-dependencies.ts'

/** The platform sends nothing to a suppressed address (`canonicalizeAddress`). */
const FIELD = 'suppressed'
const YES = 'yes'
const NO = 'no'

const KIND = 'suppression'
export const suppressionSubject = (address: string): ChangeSubject => ({ kind: KIND, scope: '', id: address })

const stateOf = (suppression: Suppression | null): SubjectState => new Map([[FIELD, suppression === null ? NO : YES]])

const suppressionRules: ChangeTypeRules = {
  kind: KIND,
  owns: ({ kind, field }) => kind === KIND && field === FIELD,
  valueIn: (state, field) => state.get(field),
  batch: (first) => [first],
  inverse: ({ before }) => before,
}

export const createSuppressionChangeType = (
  { platform, cache, hub, findSuppression }: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub' | 'findSuppression'>,
  now: () => number,
): ChangeType => {
  const storing = (address: string, suppression: Suppression | null) => (): void => {
    cache().suppressions.put(address, suppression, now())
    hub.suppressions()
  }
  /** @throws `otherwise` if the platform no longer offers the list */
  const lookAt = async (address: string, signal: AbortSignal, otherwise: unknown): Promise<Suppression | null> => {
    const found = await findSuppression(address, screenOptions(signal))
    if (found === SUPPRESSIONS_UNSUPPORTED) throw otherwise
    return found
  }

  return {
    ...suppressionRules,
    serverState: ({ id }) => {
      const known = cache().suppressions.get(id)
      return known === undefined ? new Map() : stateOf(known.suppression)
    },
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { store: () => undefined }
      if (change.wanted === YES) {
        await platform.addSuppression(id, screenOptions(signal))
        // The response has only an ID, and an address that someone else suppressed in the meantime keeps its origin.
        const found = await findSuppression(id, screenOptions(signal)).catch(() => SUPPRESSIONS_UNSUPPORTED)
        const added = { origin: 'manual', since: now() }
        return {
          store: storing(id, found === SUPPRESSIONS_UNSUPPORTED || found === null ? added : (found as Suppression)),
        }
      }
      try {
        await platform.removeSuppression(id, screenOptions(signal))
      } catch (thrown) {
        // Someone else has removed it, unless the list itself is gone.
        if (!isNotFound(thrown) || (await lookAt(id, signal, thrown)) !== null) throw thrown
      }
      return { store: storing(id, null) }
    },
    look: async ({ id }, _changes, signal) => {
      const found = await findSuppression(id, screenOptions(signal))
      return found === SUPPRESSIONS_UNSUPPORTED ? null : { state: stateOf(found), store: storing(id, found) }
    },
    // Nothing has to exist for this change, so a not-found response means that the operation is missing.
    findMissing: () => Promise.resolve('change'),
    show: () => hub.suppressions(),
    describe: ({ id }, [wanted]) =>
      (wanted === YES ? `addition of ${id} to` : `removal of ${id} from`) + ' the suppression list',
    describeMissing: ({ problem }) =>
      problem.code === 'not_found' ? 'the platform does not support this kind of change.' : null,
    isGone: () => undefined,
  }
}

export const buildSuppressionChange = (address: string, isSuppressed: boolean): Change => ({
  ...suppressionSubject(address),
  field: FIELD,
  wanted: isSuppressed ? YES : NO,
})

export const buildSuppressionOverlay = (waiting: readonly WaitingChange[]): boolean | undefined => {
  const change = waiting.find(({ field }) => field === FIELD)
  return change === undefined ? undefined : change.wanted === YES
}
