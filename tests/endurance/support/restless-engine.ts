/**
 * A process that is to be ended: an engine that syncs, and a person who changes one thread after the other and calls a
 * saved search by one name after the other. Every change is said on the standard output before it is asked for and after
 * the engine has taken it, and so is every name.
 */
import { folderQuery } from '../../../src/shared/thread-query.ts'
import { lifeArguments, openLife, random, say } from './life.ts'

const [inboxId = ''] = lifeArguments
const { ask } = await openLife()

for (;;) {
  const folder = random.pick(['inbox', 'archive', 'trash'] as const) ?? 'inbox'
  const listed = await ask('thread.list', { query: folderQuery(inboxId, folder), offset: 0, limit: 10 })
  const thread = listed.ok ? random.pick(listed.data.items) : undefined
  if (thread !== undefined) {
    const other =
      random.pick((['inbox', 'archive', 'trash'] as const).filter((name) => name !== thread.folder)) ?? 'inbox'
    const change = random.pick([{ read: !thread.read }, { folder: other }, { read: !thread.read, folder: other }]) ?? {
      read: !thread.read,
    }
    say('ask', { threadId: thread.id, change })
    const answer = await ask('thread.change', { inboxId, threadIds: [thread.id], change })
    say(answer.ok ? 'taken' : 'failed', answer.ok ? { threadId: thread.id, change } : answer.error)
    if (answer.ok && random.chance(0.5)) {
      const { changeId } = answer.data
      const back = {
        threadId: thread.id,
        change: {
          ...('read' in change && { read: thread.read }),
          ...('folder' in change && { folder: thread.folder }),
        },
      }
      say('ask', back)
      const undone = await ask('change.undo', { changeId })
      if (!undone.ok) say('failed', undone.error)
      // The platform files what comes back to the inbox as it sees fit: then there is nothing to undo.
      else if (undone.data.undone) say('taken', back)
    }
  }
  if (thread !== undefined && random.chance(0.3)) {
    const name = random.word()
    say('name', { name })
    const answer = await ask('savedSearch.save', { inboxId, name, text: 'is:unread' })
    say(answer.ok ? 'named' : 'failed', answer.ok ? { name } : answer.error)
  }
  await new Promise((resolve) => setTimeout(resolve, 3))
}
