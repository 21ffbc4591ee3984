import type { DomainHandlers } from '../../shared/contract.ts'
import type { OwnPart } from '../account-own.ts'

export const createAssistantHandlers = ({ assistants, cache, hub }: OwnPart): DomainHandlers<'assistant'> => {
  const changed = (): void => hub.assistants()
  return {
    'assistant.access': () => assistants.access(),
    'assistant.setAccess': (access) => {
      assistants.setAccess(access)
      changed()
    },
    'assistant.calls': ({ before, limit }) => assistants.calls(before, limit),
    'assistant.clearCalls': () => {
      assistants.clearCalls()
      changed()
    },
    'assistant.proposals': () => assistants.openProposals(),
    'assistant.threads': ({ inboxId, threadIds }) => {
      // Deleted inboxes have no threads to change.
      const inbox = cache.inboxes.get(inboxId)
      return inbox === undefined ? [] : threadIds.flatMap((id) => cache.threads.get(inbox, id) ?? [])
    },
    'assistant.decide': ({ id, decision }) => {
      const wasOpen = assistants.decide(id, decision)
      if (wasOpen) changed()
      return { wasOpen }
    },
    'assistant.reopen': ({ ids }) => {
      for (const id of ids) assistants.reopen(id)
      changed()
    },
    'assistant.written': changed,
  }
}
