import type { CallOptions } from '../../../platform/requests.ts'
import type { FetchedThreadState } from '../../../platform/resources/threads.ts'
import {
  catchMissing,
  isNotFound,
  lacksOperation,
  UnreadableResponseError,
} from '../../../platform/platform-problem.ts'
import type { ThreadStateChange } from '../../../../shared/thread-state.ts'
import type { Change, SubjectField, ChangeSubject, WaitingChange } from '../change.ts'
import { COMMON_RULES, describeMissing, type ChangeTypeRules, type ChangeType } from '../change-type.ts'
import { callOptionsFor, type ChangeDependencies } from './change-dependencies.ts'
import { changeLabels, toLabelExistenceField } from './label.ts'
import { toLabelField, THREAD_GONE, threadSubject, type ThreadChangeBase } from './thread-change-base.ts'
import { createProblem } from '../../../../shared/result.ts'

/** Maximum labels added per request (platform.md 8.10). */
const MAX_ADDED = 10

/** At this many requests or more, replace the thread's whole label set instead (one read and one write). */
const MIN_REQUESTS_TO_REPLACE = 3

const PREFIX = toLabelField('')
const labelIdOf = (field: string): string => field.slice(PREFIX.length)
const labelGoneError = (): Error => createProblem('not_found', 'This label is no longer on the platform.')
const isAddition = ({ wanted }: Pick<Change, 'wanted'>): boolean => wanted === 'true'

/** Additions share a request; each removal needs its own (platform.md 8.12). */
const batchAdditions: ChangeTypeRules['batch'] = (first, candidates) =>
  isAddition(first) ? candidates.filter(isAddition).slice(0, MAX_ADDED) : [first]

/** Number of requests if each removal needs its own. */
const requestsFor = (changes: readonly WaitingChange[]): number => {
  const added = changes.filter(isAddition).length
  return changes.length - added + Math.ceil(added / MAX_ADDED)
}

/** A thread's labels, each a field with `true` or `false`. */
export const threadLabelRules: ChangeTypeRules = {
  ...COMMON_RULES,
  kind: 'thread',
  owns: ({ kind, field }) => kind === 'thread' && field.startsWith(PREFIX),
  // An empty state means that the thread isn't cached, so its labels are unknown.
  valueIn: (state, field) => state.get(field) ?? (state.size === 0 ? undefined : 'false'),
  batch: (first, candidates) =>
    requestsFor(candidates) >= MIN_REQUESTS_TO_REPLACE ? candidates : batchAdditions(first, candidates),
  // A label being created has no ID on the platform yet.
  waitsFor: ({ scope, field }) => toLabelExistenceField(scope, labelIdOf(field)),
  withId: (field, id) => ({ ...field, field: toLabelField(id) }),
}

export const buildThreadLabelOverlay = (
  waiting: readonly WaitingChange[],
): Required<Pick<ThreadStateChange, 'addLabels' | 'removeLabels'>> => {
  const labels = waiting.filter(threadLabelRules.owns)
  const idsOf = (changes: readonly WaitingChange[]): readonly string[] => changes.map(({ field }) => labelIdOf(field))
  return {
    addLabels: idsOf(labels.filter(isAddition)),
    removeLabels: idsOf(labels.filter((change) => !isAddition(change))),
  }
}

export const createThreadLabelChangeType = (
  { platform, cache, hub }: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>,
  thread: ThreadChangeBase,
): ChangeType => {
  /** False once the platform has rejected replacing all labels; from then on, labels are changed individually. */
  let canSet = true

  /** A label that isn't there counts as removed, whatever the response (unknown: platform.md 8.13). */
  const remove = async (
    { scope, id }: ChangeSubject,
    labelId: string,
    how: CallOptions,
  ): Promise<FetchedThreadState> => {
    try {
      return await platform.removeThreadLabel(scope, id, labelId, how)
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      const summary = await platform.getThread(scope, id, how)
      if ((summary.labels ?? []).some((label) => label.id === labelId)) throw thrown
      return summary
    }
  }
  const add = (
    { scope, id }: ChangeSubject,
    labelIds: readonly string[],
    how: CallOptions,
  ): Promise<FetchedThreadState> => platform.addThreadLabels(scope, id, labelIds, how)

  /**
   * Replaces all labels of a thread. That would also overwrite labels set by others, so it first reads the thread and
   * keeps all labels that the changes don't name.
   */
  const set = async (
    { scope, id }: ChangeSubject,
    changes: readonly WaitingChange[],
    how: CallOptions,
  ): Promise<FetchedThreadState> => {
    try {
      const labels = new Set(await platform.getLabelsToSet(scope, id, how))
      for (const change of changes) {
        if (isAddition(change)) labels.add(labelIdOf(change.field))
        else labels.delete(labelIdOf(change.field))
      }
      return await platform.setThreadLabels(scope, id, [...labels], how)
    } catch (thrown) {
      if (lacksOperation(thrown) || thrown instanceof UnreadableResponseError) canSet = false
      throw thrown
    }
  }

  const isObsolete = ({ scope, field }: SubjectField): boolean => {
    const inbox = cache.inboxes.get(scope)
    return inbox !== undefined && cache.labels.byId(inbox.key).get(labelIdOf(field)) === null
  }

  return {
    ...threadLabelRules,
    batch: (first, candidates) => (canSet ? threadLabelRules.batch : batchAdditions)(first, candidates),
    ...thread.common,
    describeMissing: describeMissing(THREAD_GONE, 'the platform no longer has this label.'),
    isObsolete,
    deliver: async (subject, changes, signal) => {
      const [first] = changes
      const here = thread.deliverHere(subject, buildThreadLabelOverlay(changes))
      if (here !== null) {
        if (changes.some((change) => isAddition(change) && isObsolete(change))) throw labelGoneError()
        return here
      }
      const how = callOptionsFor(changes, signal)
      const ids = changes.map(({ field }) => labelIdOf(field))
      // The response lists every label of the thread (platform.md 8.9).
      if (requestsFor(changes) >= MIN_REQUESTS_TO_REPLACE)
        return thread.store(subject, await set(subject, changes, how))
      const state =
        first === undefined || isAddition(first)
          ? await add(subject, ids, how)
          : await remove(subject, labelIdOf(first.field), how)
      return thread.store(subject, state)
    },
    findMissing: (subject, changes, signal) =>
      thread.findMissing(subject, callOptionsFor(changes, signal), async () => {
        if (!changes.every(isAddition)) return 'nothing'
        // The thread exists, so only a label can be missing.
        const labels = await catchMissing(platform.listLabels(subject.scope, callOptionsFor(changes, signal)))
        if (labels === null) return 'nothing'
        const inbox = cache.inboxes.get(subject.scope)
        if (inbox !== undefined)
          changeLabels(cache.labels, hub, inbox, () => cache.labels.replaceAll(inbox.key, labels))
        return changes.every(({ field }) => labels.some(({ id }) => id === labelIdOf(field))) ? 'nothing' : 'change'
      }),
  }
}

export const buildThreadLabelChanges = (
  inboxId: string,
  threadId: string,
  { addLabels = [], removeLabels = [] }: Pick<ThreadStateChange, 'addLabels' | 'removeLabels'>,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  const change = (wanted: boolean) => (id: string) => ({ ...thread, field: toLabelField(id), wanted: String(wanted) })
  return [...addLabels.map(change(true)), ...removeLabels.map(change(false))]
}
