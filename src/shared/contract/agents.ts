/** The agent of an inbox. */
import { z } from 'zod'
import { AGENT_INSTRUCTIONS, type AgentOfInbox, type AgentSettings } from '../agent.ts'
import { engine } from './command.ts'
import { id } from './inputs.ts'

/** Longer than any may be: the limit is explained in the answer. */
const instructions = z
  .string()
  .max(10 * AGENT_INSTRUCTIONS)
  .nullable()
const word = z.string().min(1).max(64)
const settings = {
  instructions,
  tone: word.nullable(),
  actions: z.array(word).max(50),
}

export const agentCommands = {
  /**
   * The settings of an inbox's agent: asked for at the platform unless `isAsKnown`. `unreachable` where it cannot be asked and
   * nothing is known here; with something known that is the answer, with its age.
   */
  'agent.get': engine<AgentOfInbox>()('owner', () =>
    z.object({ inboxId: id, isAsKnown: z.boolean().optional() }).strict(),
  ),
  /**
   * Changes them on the platform, at once or not at all: what an agent does meanwhile cannot wait in the outbox. `conflict` where
   * they are not as `expected`, the settings that the person has seen; `unreachable` offline; `invalid_input` beyond the limits.
   */
  'agent.set': engine<AgentSettings>()('owner', () =>
    z
      .object({
        inboxId: id,
        change: z.object(settings).partial().strict(),
        expected: z.object(settings).strict(),
      })
      .strict(),
  ),
}
