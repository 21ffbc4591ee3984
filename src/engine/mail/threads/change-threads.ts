import type { CommandOutput, ParsedInput } from '../../../shared/contract.ts'
import { canMoveTo } from '../../../shared/thread-moves.ts'
import { isChangedBy, withSideEffects } from '../../../shared/thread-state.ts'
import type { MailParts } from '../parts.ts'
import { MAX_SMALL_CHANGE } from '../../own/outbox/change-queue.ts'
import type { ThreadToChange } from '../../own/outbox/outbox.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import type { CurrentThreadState } from '../../store/threads.ts'
import { resolveSelection, type ThreadSelection } from './selected-threads.ts'
import { createProblem } from '../../../shared/result.ts'

type WantedChange = ParsedInput<'thread.change'>['change']
type Account = Pick<MailParts, 'cache' | 'outbox' | 'searches' | 'threads'>

/** Resolves a change for each thread. @throws ProblemError `not_found` for an unknown label */
const resolveChange = ({ cache, outbox }: Account, inbox: InboxRef, { setLabels, ...change }: WantedChange) => {
  const known = cache.labels.byId(inbox.key)
  const labelIdsNow = (ids: readonly string[] | undefined): readonly string[] | undefined =>
    ids?.map((id) => outbox.labelIdNow(inbox.id, id))
  const addLabels = labelIdsNow(setLabels ?? change.addLabels)
  if (addLabels?.some((id) => known.get(id) === null) === true) {
    throw createProblem('not_found', 'This label no longer exists. Nothing was changed.')
  }
  const named = labelIdsNow(change.removeLabels)
  return (threadId: string, seen: CurrentThreadState): ThreadToChange & { readonly seen: CurrentThreadState } => {
    const removeLabels =
      setLabels === undefined ? named : seen.labelIds.filter((id) => addLabels?.includes(id) !== true)
    return { threadId, seen, change: withSideEffects(seen, { ...change, addLabels, removeLabels }) }
  }
}

const requireThread = ({ cache }: Account, inbox: InboxRef, threadId: string): CurrentThreadState => {
  const thread = cache.threads.currentState(inbox, threadId)
  if (thread === undefined) throw createProblem('not_found', 'This thread no longer exists. Nothing was changed.')
  return thread
}

/** A few threads given by ID are changed all or none. In larger changes, unknown and unsuitable threads are skipped. */
export const changeThreads = async (
  account: Account,
  inbox: InboxRef,
  change: WantedChange,
  names: ThreadSelection,
  signal: AbortSignal,
): Promise<CommandOutput<'thread.change'>> => {
  const { cache, outbox } = account
  if ('threadIds' in names && names.threadIds.length <= MAX_SMALL_CHANGE) {
    const wanted = resolveChange(account, inbox, change)
    const changes = [...new Set(names.threadIds)].map((id) => wanted(id, requireThread(account, inbox, id)))
    const threads = changes.filter(({ seen, change: own }) => isChangedBy(seen, own)).length
    return { changeId: outbox.changeThreads(inbox.id, changes), threads, isWhole: true }
  }
  const { threadIds, upTo, isWhole } = await resolveSelection(account, inbox, names, signal)
  const wanted = resolveChange(account, inbox, change)
  // One after the other, because there may be a million threads.
  const threads = function* (): Generator<ThreadToChange> {
    for (const threadId of threadIds) {
      const thread = cache.threads.currentState(inbox, threadId)
      if (thread === undefined || thread.receivedAt > upTo) continue
      const canMove = change.folder === undefined || thread.folder === change.folder || canMoveTo(thread, change.folder)
      if (canMove) yield wanted(threadId, thread)
    }
  }
  const { changeId, changed } = outbox.changeManyThreads(inbox.id, threads())
  return { changeId, threads: changed, isWhole }
}
