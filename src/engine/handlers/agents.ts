import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { Agents } from '../mail/agents/agents.ts'
import type { OpenAccount } from '../account.ts'
import { withMessage } from '../platform/problem.ts'

export const createAgentHandlers = ({
  current,
  inboxOf,
  freshness,
  callOptions,
}: AccountAccess): DomainHandlers<'agent'> => {
  const byAccount = new WeakMap<OpenAccount, Agents>()
  const agentsNow = (): Agents => {
    const account = current()
    const agents = byAccount.get(account) ?? new Agents(account)
    byAccount.set(account, agents)
    return agents
  }
  return {
    'agent.get': async ({ inboxId, cacheOnly = false }) => {
      const { id } = inboxOf(inboxId)
      const agents = agentsNow()
      if (!cacheOnly) {
        try {
          await agents.refresh(id, callOptions())
        } catch (thrown) {
          if (agents.of(id, freshness).settings === null) {
            throw withMessage(thrown, {
              unreachable:
                'You are offline, and the agent’s settings are not on this computer yet. Go online to load them.',
            })
          }
        }
      }
      return agents.of(id, freshness)
    },
    'agent.set': ({ inboxId, change, expected }) =>
      agentsNow().set(inboxOf(inboxId).id, change, expected, callOptions()),
  }
}
