import { hasAnyAccess, NO_ASSISTANT_ACCESS } from '../../shared/assistants.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import type { OwnPart } from '../account-own.ts'
import { AssistantFile } from '../own/assistant-file.ts'

/** Opens the file per call: it is rarely used, and an open file could block removing the account. */
const withFile = <Value>(directory: string, work: (file: AssistantFile) => Value): Value => {
  const file = AssistantFile.open(directory)
  try {
    return work(file)
  } finally {
    file.close()
  }
}

export const createAssistantHandlers = (directory: string, { cache, hub }: OwnPart): DomainHandlers<'assistant'> => {
  /** @param without result for an account that has never given access */
  const read = <Value>(without: Value, work: (file: AssistantFile) => Value): Value => {
    return AssistantFile.isIn(directory) ? withFile(directory, work) : without
  }
  const changed = (): void => hub.assistants()
  return {
    'assistant.access': () => read(NO_ASSISTANT_ACCESS, (file) => file.access()),
    'assistant.setAccess': (access) => {
      // Without any earlier access, don't create a file just to deny it.
      if (!hasAnyAccess(access) && !AssistantFile.isIn(directory)) return
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
      // Deleted inboxes have no threads to change.
      const inbox = cache.inboxes.get(inboxId)
      return inbox === undefined ? [] : threadIds.flatMap((id) => cache.threads.get(inbox, id) ?? [])
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
