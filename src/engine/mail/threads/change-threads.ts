import type { CommandOutput, ParsedInput } from '../../../shared/contract.ts'
import { canMoveTo } from '../../../shared/thread-moves.ts'
import { isChangedBy, withSideEffects } from '../../../shared/thread-state.ts'
import type { MailParts } from '../parts.ts'
import type { SeenThread } from '../../own/outbox/outbox.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import type { CurrentThreadState } from '../../store/threads.ts'
import { resolveSelection, type ThreadSelection } from './selected-threads.ts'
import { createProblem } from '../../../shared/result.ts'

/** Maximum threads to change in one turn of the engine's thread; larger changes are split. */
const MAX_PER_TURN = 20

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
  return (threadId: string, seen: CurrentThreadState): SeenThread => {
    // A thread may still have the former ID of a label being set, which is the same label.
    const removeLabels =
      setLabels === undefined ? named : labelIdsNow(seen.labelIds)?.filter((id) => addLabels?.includes(id) !== true)
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
): Promise<CommandOutput<'thread.change'>> => {
  const { cache, outbox } = account
  const wanted = resolveChange(account, inbox, change)
  if ('threadIds' in names && names.threadIds.length <= MAX_PER_TURN) {
    const changes = [...new Set(names.threadIds)].map((id) => wanted(id, requireThread(account, inbox, id)))
    const threads = changes.filter(({ seen, change: own }) => isChangedBy(seen, own)).length
    return { changeId: outbox.changeThreads(inbox.id, changes), threads, isWhole: true }
  }
  const { pages, upTo, isWhole } = resolveSelection(account, inbox, names)
  const wantedPages = function* (): Iterable<readonly SeenThread[]> {
    for (const ids of pages) {
      yield ids.flatMap((threadId) => {
        const thread = cache.threads.currentState(inbox, threadId)
        const fits =
          thread !== undefined &&
          thread.receivedAt <= upTo &&
          (change.folder === undefined || thread.folder === change.folder || canMoveTo(thread, change.folder))
        return fits ? [wanted(threadId, thread)] : []
      })
    }
  }
  const { changeId, changed } = await outbox.changeManyThreads(inbox.id, wantedPages())
  return { changeId, threads: changed, isWhole }
}
