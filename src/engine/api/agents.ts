import { z } from 'zod'
import type { AgentChange, AgentSettings } from '../../shared/agent.ts'
import { path } from './path.ts'
import { each, readWith, text } from './read-response.ts'
import type { CallOptions, Requests } from './requests.ts'

/** Limits for what is read and stored, higher than the limits of the platform (platform facts 3.9). */
const MAX_INSTRUCTIONS = 20_000
const MAX_WORD = 64
const MAX_ACTIONS = 50

const wireAgent = z.looseObject({ instructions: text, tone: text, actions: each(z.string()) })

const readAgent = readWith(wireAgent, ({ instructions, tone, actions }): AgentSettings => ({
  instructions: instructions?.slice(0, MAX_INSTRUCTIONS) ?? null,
  tone: tone?.slice(0, MAX_WORD) ?? null,
  actions: [...new Set((actions ?? []).map((action) => action.slice(0, MAX_WORD)))].slice(0, MAX_ACTIONS),
}))

export const agentCalls = (requests: Requests) => ({
  /** See platform facts 3.9. */
  getAgent: async (inboxId: string, options: CallOptions): Promise<AgentSettings> =>
    readAgent(await requests.get(path`/inboxes/${inboxId}/agent`, options)),

  /** Platform facts 3.9: omitted fields stay, null clears, and `actions` replaces the list. */
  setAgent: async (inboxId: string, change: AgentChange, options: CallOptions): Promise<void> => {
    await requests.patch(path`/inboxes/${inboxId}/agent`, change, options)
  },
})
