import { isReadable, NO_ACCESS } from '../../shared/assistants.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { AssistantFile } from './assistant-file.ts'

/** The file is opened for one call: it is seldom asked, and an account that is removed is not held up by it. */
const withFile = <Value>(directory: string, work: (file: AssistantFile) => Value): Value => {
  const file = AssistantFile.open(directory)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

export const assistantHandlers = ({ current, inboxOf }: AccountAccess): HandlersOf<'assistant'> => {
  /** @param without the answer for an account of which nobody has turned anything on yet */
  const read = <Value>(without: Value, work: (file: AssistantFile) => Value): Value => {
    const { directory } = current()
    return AssistantFile.isIn(directory) ? withFile(directory, work) : without
  }
  const changed = (): void => current().hub.assistants()
  return {
    'assistant.access': () => read(NO_ACCESS, (file) => file.access()),
    'assistant.setAccess': (access) => {
      const { directory } = current()
      // An account that never let anybody read has no file to say so.
      if (!isReadable(access) && !AssistantFile.isIn(directory)) return
      withFile(directory, (file) => file.setAccess(access))
      changed()
    },
    'assistant.calls': ({ before, limit }) => read([], (file) => file.calls(before, limit)),
    'assistant.clearCalls': () => {
      read(null, (file) => file.clearCalls())
      changed()
    },
    'assistant.proposals': () => read([], (file) => file.openProposals()),
    'assistant.threads': ({ inboxId, threadIds }) => {
      const { cache } = current()
      // An inbox that is gone has no threads to change.
      if (cache.inboxes.get(inboxId) === undefined) return []
      const inbox = inboxOf(inboxId)
      return threadIds.flatMap((id) => cache.threads.get(inbox, id) ?? [])
    },
    'assistant.decide': ({ id, decision }) => {
      const wasOpen = read(false, (file) => file.decide(id, decision))
      if (wasOpen) changed()
      return { wasOpen }
    },
    'assistant.reopen': ({ ids }) => {
      read(null, (file) => ids.forEach((id) => file.reopen(id)))
      changed()
    },
    'assistant.written': changed,
  }
}
