import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { saying } from '../saying.ts'

export const agentHandlers = ({ current, inboxOf, freshness, asked }: AccountAccess): HandlersOf<'agent'> => ({
  'agent.get': async ({ inboxId, isAsKnown = false }) => {
    const { id } = inboxOf(inboxId)
    const { agents } = current()
    if (!isAsKnown) {
      try {
        await agents.refresh(id, asked())
      } catch (thrown) {
        if (agents.of(id, freshness).settings === null) {
          throw saying(thrown, { unreachable: 'You are offline, and the agent’s settings are not on this computer.' })
        }
      }
    }
    return agents.of(id, freshness)
  },
  'agent.set': ({ inboxId, change, expected }) => current().agents.set(inboxOf(inboxId).id, change, expected, asked()),
})
