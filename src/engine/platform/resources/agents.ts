import { z } from 'zod'
import type { AgentSettingsChange, AgentSettings } from '../../../shared/agent.ts'
import { apiPath } from '../api-path.ts'
import { wireListOf, createResponseParser, wireText } from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

/** Limits for what is read and stored, higher than the limits of the platform (platform.md 16.3). */
const MAX_INSTRUCTIONS = 20_000
const MAX_WORD = 64
const MAX_ACTIONS = 50

const wireAgent = z.looseObject({ instructions: wireText, tone: wireText, actions: wireListOf(z.string()) })

const parseAgent = createResponseParser(wireAgent, ({ instructions, tone, actions }): AgentSettings => ({
  instructions: instructions?.slice(0, MAX_INSTRUCTIONS) ?? null,
  tone: tone?.slice(0, MAX_WORD) ?? null,
  actions: [...new Set((actions ?? []).map((action) => action.slice(0, MAX_WORD)))].slice(0, MAX_ACTIONS),
}))

export const createAgentCalls = (requests: Requests) => ({
  /** See platform.md 16.1. */
  getAgent: async (inboxId: string, options: CallOptions): Promise<AgentSettings> =>
    parseAgent(await requests.get(apiPath`/inboxes/${inboxId}/agent`, options)),

  /** Omitted fields stay, null clears, and `actions` replaces the list (platform.md 16.1). */
  setAgent: async (inboxId: string, change: AgentSettingsChange, options: CallOptions): Promise<void> => {
    await requests.patch(apiPath`/inboxes/${inboxId}/agent`, change, options)
  },
})
