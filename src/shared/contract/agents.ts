import { z } from 'zod'
import { MAX_AGENT_INSTRUCTION_CHARS, type InboxAgent, type AgentSettings } from '../agent.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema } from './inputs.ts'

/** Deliberately above the real limit: the engine checks that limit and explains it in its response. */
const instructions = z
  .string()
  .max(10 * MAX_AGENT_INSTRUCTION_CHARS)
  .nullable()
const word = z.string().min(1).max(64)
const settings = {
  instructions,
  tone: word.nullable(),
  actions: z.array(word).max(50),
}

export const agentCommands = {
  /**
   * Fetches the settings unless `cacheOnly`. If that fails, returns the last known settings with their age, or else
   * `unreachable`.
   */
  'agent.get': defineEngineCommand<InboxAgent>()('owner', () =>
    z.object({ inboxId: idSchema, cacheOnly: z.boolean().optional() }).strict(),
  ),
  /**
   * Changes the settings on the platform, immediately or not at all: the agent keeps acting on the current settings, so
   * a change must not wait in the outbox. `conflict` if they differ from `expected`, the settings that the user saw;
   * `unreachable` offline; `invalid_input` beyond the limits.
   */
  'agent.set': defineEngineCommand<AgentSettings>()('owner', () =>
    z
      .object({
        inboxId: idSchema,
        change: z.object(settings).partial().strict(),
        expected: z.object(settings).strict(),
      })
      .strict(),
  ),
}
