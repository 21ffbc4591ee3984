/** What assistants may read of an account, what they asked for, and what they propose. */
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
  /** What assistants may read: nothing, until a person turns it on. */
  'assistant.access': engine<AssistantAccess>()('refused', nothing),
  /** It holds from their next call on. `storage_failed` if it cannot be kept. */
  'assistant.setAccess': engine<null>()('refused', () => assistantAccess),
  /** What they asked for, newest first. @param before the ID of a call, to go on from; null for the newest */
  'assistant.calls': engine<readonly AssistantCall[]>()('refused', () =>
    z.object({ before: z.int().nullable(), limit: z.int().min(1).max(CALLS_AT_ONCE) }).strict(),
  ),
  'assistant.clearCalls': engine<null>()('refused', nothing),
  /** What they propose and nobody has decided yet, oldest first. */
  'assistant.proposals': engine<readonly Proposal[]>()('joined', nothing),
  /** The threads of a proposal that are known on this computer, in the order of their IDs. */
  'assistant.threads': engine<readonly Thread[]>()('refused', () =>
    z.object({ inboxId: id, threadIds: z.array(id).max(PROPOSAL_BOUNDS.threads) }).strict(),
  ),
  /**
   * Notes what a person has decided. Of several windows one is the first: only that one does what is proposed. A proposal
   * that is decided already, or gone, is no error.
   */
  'assistant.decide': engine<{ readonly wasOpen: boolean }>()('owner', () =>
    z.object({ id, decision: z.enum(DECISIONS) }).strict(),
  ),
  /** Takes decisions back: these wait again. Those that are gone stay gone. */
  'assistant.reopen': engine<null>()('refused', () =>
    z.object({ ids: z.array(id).min(1).max(PROPOSAL_BOUNDS.open) }).strict(),
  ),
  /** A server for assistants has written into the account's file: windows look at it again. */
  'assistant.written': engine<null>()('refused', nothing),
}

export interface AssistantEvents {
  /** Something of the above is another: read again what is shown of it. */
  'assistants.changed': null
}
