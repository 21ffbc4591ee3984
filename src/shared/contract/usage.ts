import { z } from 'zod'
import type { KnownUsage } from '../usage.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema } from './inputs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const usageCommands = {
  /**
   * The account's usage. Requested if older than `maxAge` milliseconds, or always if `maxAge` is 0. With `timeoutMs`,
   * returns the known usage after that many milliseconds, even if the request fails. Without it, a failed request is an
   * error: `unreachable` offline.
   */
  'usage.get': defineEngineCommand<KnownUsage>()('owner', () =>
    z
      .object({
        inboxId: idSchema.optional(),
        maxAge: z.int().min(0).max(DAY_MS),
        timeoutMs: z.int().min(0).max(DAY_MS).optional(),
      })
      .strict(),
  ),
}
