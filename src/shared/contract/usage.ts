/** What an account has used of what its platform allows. */
import { z } from 'zod'
import type { KnownUsage } from '../usage.ts'
import { engine } from './command.ts'
import { id } from './inputs.ts'

/** Longer than anybody waits, or an answer is of use. */
const DAY_MS = 24 * 60 * 60 * 1000

export const usageCommands = {
  /**
   * What is used, of the account that has an inbox. The platform is asked where what is known is older than `maxAge`
   * milliseconds; it is always asked where that is 0. With `patience`, what is known is answered after so many
   * milliseconds whatever became of the question. Without, a failure is the answer where nothing is known, and
   * `unreachable` offline.
   */
  'usage.get': engine<KnownUsage>()('owner', () =>
    z
      .object({
        inboxId: id.optional(),
        maxAge: z.int().min(0).max(DAY_MS),
        patience: z.int().min(0).max(DAY_MS).optional(),
      })
      .strict(),
  ),
}
