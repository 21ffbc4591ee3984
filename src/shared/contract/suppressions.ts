import { z } from 'zod'
import { MAX_ADDRESSES_PER_REQUEST, type AddressSuppression } from '../suppressions.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, type ChangeReceipt } from './inputs.ts'

const address = z.string().trim().min(1).max(512)
/** Selects the account that owns the inbox; if omitted, the account of the open thread. */
const inboxId = idSchema.optional()

export const suppressionCommands = {
  /** Locally known suppressions, without a request, in the order of the addresses. */
  'suppression.ofAddresses': defineEngineCommand<readonly AddressSuppression[]>()('owner', () =>
    z.object({ inboxId, addresses: z.array(address).max(MAX_ADDRESSES_PER_REQUEST) }).strict(),
  ),
  /**
   * Requests addresses that weren't requested lately. On failure, or if the platform has no suppression list, returns
   * what is known.
   */
  'suppression.refresh': defineEngineCommand<readonly AddressSuppression[]>()('owner', () =>
    z.object({ inboxId, addresses: z.array(address).max(MAX_ADDRESSES_PER_REQUEST) }).strict(),
  ),
  /**
   * Removes an address, applied locally at once and queued. Undo adds it again as `manual`. `invalid_input` unless the
   * address is known to be listed.
   */
  'suppression.remove': defineEngineCommand<ChangeReceipt>()('owner', () => z.object({ inboxId, address }).strict()),
}

export interface SuppressionEvents {
  'suppressions.changed': null
}
