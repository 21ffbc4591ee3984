/**
 * Process to be killed: an engine that syncs, and a user who changes one thread after another, including stars, snoozes
 * and mutes, and renames a saved search. Each change and name is printed before it is requested and after the engine
 * has accepted it.
 */
import type { CommandInput } from '../../../src/shared/contract.ts'
import { SNOOZED_FOLDER } from '../../../src/shared/thread-marks.ts'
import { createFolderQuery, createMarkQuery } from '../../../src/shared/thread-query.ts'
import { lifeArguments, openKillableEngine, random, print } from './killable-engine.ts'
import { stateOfThread } from './state-of-thread.ts'

const [inboxId = ''] = lifeArguments
const { ask } = await openKillableEngine()

const FOLDERS = ['inbox', 'archive', 'trash'] as const
const later = (): number => Date.UTC(2100, 0, 1) + random.below(1_000_000)

type State = ReturnType<typeof stateOfThread>
type Change = CommandInput<'thread.change'>['change'] & Partial<State>

const randomChange = (state: State): Change => {
  const read = !state.read
  const folder = random.pick(FOLDERS.filter((name) => name !== state.folder)) ?? 'inbox'
  const remindAt = state.remindAt === null || random.chance(0.5) ? later() : null
  const snoozedUntil = state.snoozedUntil === null || random.chance(0.5) ? later() : null
  const marks: readonly Change[] = [
    ...[{ star: !state.star }, { mute: !state.mute }, { remindAt }],
    ...(state.folder === 'inbox' ? [{ snoozedUntil }, { snoozedUntil, star: true }] : []),
  ]
  const ofPlatform: readonly Change[] = [{ read }, { folder }, { read, folder }]
  return random.pick(random.chance(0.5) ? marks : ofPlatform) ?? { read }
}

/**
 * A change with its side effects (docs/snoozing.md): muting a thread archives it or cancels its return to the inbox.
 * @param isOfInbox true if the thread is in the inbox or snoozed
 */
const withRest = (change: Change, isOfInbox: boolean): Change => {
  const folder = change.mute === true && isOfInbox ? 'archive' : change.folder
  return {
    ...change,
    ...(folder !== undefined && { folder, snoozedUntil: null }),
    ...(folder === 'inbox' && { mute: false }),
  }
}

for (;;) {
  const query = random.pick([
    ...FOLDERS.map((name) => createFolderQuery(inboxId, name)),
    createMarkQuery(inboxId, 'snoozed'),
  ])
  const listed = await ask('thread.list', { query: query ?? createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 10 })
  const thread = listed.ok ? random.pick(listed.data.items) : undefined
  if (thread !== undefined) {
    const state = stateOfThread(thread)
    const wanted = randomChange(state)
    const change = withRest(wanted, thread.folder === 'inbox' || thread.folder === SNOOZED_FOLDER)
    print('ask', { threadId: thread.id, change })
    const answer = await ask('thread.change', { inboxId, threadIds: [thread.id], change: wanted })
    print(answer.ok ? 'taken' : 'failed', answer.ok ? { threadId: thread.id, change } : answer.error)
    if (answer.ok && random.chance(0.5)) {
      const { changeId } = answer.data
      const before = Object.entries(state).filter(([field]) => field in change)
      const back = { threadId: thread.id, change: Object.fromEntries(before) }
      print('ask', back)
      const undone = await ask('change.undo', { changeId })
      if (!undone.ok) print('failed', undone.error)
      // When a thread returns to the inbox, the platform may choose another folder. Then there is nothing to undo.
      else if (undone.data.undone) print('taken', back)
    }
  }
  if (thread !== undefined && random.chance(0.3)) {
    const name = random.word()
    print('name', { name })
    const answer = await ask('savedSearch.save', { inboxId, name, text: 'is:unread' })
    print(answer.ok ? 'named' : 'failed', answer.ok ? { name } : answer.error)
  }
  await new Promise((resolve) => setTimeout(resolve, 3))
}
