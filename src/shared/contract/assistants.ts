/** Access of assistants to an account, their requests, and their proposals. */
import { z } from 'zod'
import {
  assistantAccess,
  CALLS_AT_ONCE,
  DECISIONS,
  PROPOSAL_BOUNDS,
  type AssistantAccess,
  type AssistantCall,
  type Proposal,
} from '../assistants.ts'
import type { Thread } from '../model.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const assistantCommands = {
  /** Data that assistants may read. Nothing until the user turns it on. */
  'assistant.access': engine<AssistantAccess>()('refused', nothing),
  /** Takes effect from the assistants' next call. `storage_failed` if it can't be saved. */
  'assistant.setAccess': engine<null>()('refused', () => assistantAccess),
  /** Requests by assistants, newest first. @param before the ID of a call, to continue from; null for the newest */
  'assistant.calls': engine<readonly AssistantCall[]>()('refused', () =>
    z.object({ before: z.int().nullable(), limit: z.int().min(1).max(CALLS_AT_ONCE) }).strict(),
  ),
  'assistant.clearCalls': engine<null>()('refused', nothing),
  /** Undecided proposals, oldest first. */
  'assistant.proposals': engine<readonly Proposal[]>()('joined', nothing),
  /** Locally known threads of a proposal, in the order of the given IDs. */
  'assistant.threads': engine<readonly Thread[]>()('refused', () =>
    z.object({ inboxId: id, threadIds: z.array(id).max(PROPOSAL_BOUNDS.threads) }).strict(),
  ),
  /**
   * Records the decision. Only the window that gets `wasOpen` carries it out. No error if the proposal is already
   * decided or gone.
   */
  'assistant.decide': engine<{ readonly wasOpen: boolean }>()('owner', () =>
    z.object({ id, decision: z.enum(DECISIONS) }).strict(),
  ),
  /** Reverts decisions, so these proposals are pending again. Deleted proposals stay deleted. */
  'assistant.reopen': engine<null>()('refused', () =>
    z.object({ ids: z.array(id).min(1).max(PROPOSAL_BOUNDS.open) }).strict(),
  ),
  /** Called after an MCP server has written to the account's file, so that windows reload. */
  'assistant.written': engine<null>()('refused', nothing),
}

export interface AssistantEvents {
  /** Access, calls or proposals of assistants have changed: reload what is shown. */
  'assistants.changed': null
}
