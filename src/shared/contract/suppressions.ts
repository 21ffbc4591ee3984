/** The platform's suppression list, address by address. */
import { z } from 'zod'
import { MOST_ADDRESSES, type SuppressionOfAddress } from '../suppressions.ts'
import { engine } from './command.ts'
import { id, type ChangeReceipt } from './inputs.ts'

const address = z.string().trim().min(1).max(512)
/** Of the account of an inbox; left out for that of what is open. */
const inboxId = id.optional()

export const suppressionCommands = {
  /** What this computer knows, at once, in the order of the addresses. */
  'suppression.ofAddresses': engine<readonly SuppressionOfAddress[]>()('owner', () =>
    z.object({ inboxId, addresses: z.array(address).max(MOST_ADDRESSES) }).strict(),
  ),
  /**
   * Asks the platform about those addresses of which it was not asked lately, and answers as `suppression.ofAddresses`. Where it
   * cannot be asked, or has no such list, that is no error: the answer is what is known.
   */
  'suppression.refresh': engine<readonly SuppressionOfAddress[]>()('owner', () =>
    z.object({ inboxId, addresses: z.array(address).max(MOST_ADDRESSES) }).strict(),
  ),
  /**
   * Takes an address off the suppression list, at once here and by the outbox on the platform. Undo puts it back, as added by
   * hand. `invalid_input` for one that is not known to be on it.
   */
  'suppression.remove': engine<ChangeReceipt>()('joined', () => z.object({ inboxId, address }).strict()),
}

export interface SuppressionEvents {
  /** What is known of an address, or waits for it, is another. */
  'suppressions.changed': null
}
