/** Access of assistants to an account, their requests, and their proposals. */
import { z } from 'zod'
import {
  assistantAccessSchema,
  MAX_CALLS_PER_PAGE,
  PROPOSAL_DECISIONS,
  PROPOSAL_LIMITS,
  type AssistantAccess,
  type AssistantCall,
  type Proposal,
} from '../assistants.ts'
import type { Thread } from '../model.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

export const assistantCommands = {
  /** Data that assistants may read. Nothing until the user turns it on. */
  'assistant.access': defineEngineCommand<AssistantAccess>()('refused', emptyInputSchema),
  /** Takes effect from the assistants' next call. `storage_failed` if it can't be saved. */
  'assistant.setAccess': defineEngineCommand<null>()('refused', () => assistantAccessSchema),
  /** Requests by assistants, newest first. @param before the ID of a call, to continue from; null for the newest */
  'assistant.calls': defineEngineCommand<readonly AssistantCall[]>()('refused', () =>
    z.object({ before: z.int().nullable(), limit: z.int().min(1).max(MAX_CALLS_PER_PAGE) }).strict(),
  ),
  'assistant.clearCalls': defineEngineCommand<null>()('refused', emptyInputSchema),
  /** Undecided proposals, oldest first. */
  'assistant.proposals': defineEngineCommand<readonly Proposal[]>()('merged', emptyInputSchema),
  /** Locally known threads of a proposal, in the order of the given IDs. */
  'assistant.threads': defineEngineCommand<readonly Thread[]>()('refused', () =>
    z.object({ inboxId: idSchema, threadIds: z.array(idSchema).max(PROPOSAL_LIMITS.threads) }).strict(),
  ),
  /**
   * Records the decision. Only the window that gets `wasOpen` carries it out. No error if the proposal is already
   * decided or gone.
   */
  'assistant.decide': defineEngineCommand<{ readonly wasOpen: boolean }>()('owner', () =>
    z.object({ id: idSchema, decision: z.enum(PROPOSAL_DECISIONS) }).strict(),
  ),
  /** Reverts decisions, so these proposals are pending again. Deleted proposals stay deleted. */
  'assistant.reopen': defineEngineCommand<null>()('refused', () =>
    z.object({ ids: z.array(idSchema).min(1).max(PROPOSAL_LIMITS.open) }).strict(),
  ),
  /** Called after an MCP server has written to the account's file, so that windows reload. */
  'assistant.written': defineEngineCommand<null>()('refused', emptyInputSchema),
}

export interface AssistantEvents {
  /** Access, calls or proposals of assistants have changed: reload what is shown. */
  'assistants.changed': null
}
