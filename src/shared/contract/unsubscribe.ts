import { z } from 'zod'
import type { UnsubscribeRecord, UnsubscribeOffer } from '../unsubscribe.ts'
import { defineEngineCommand } from './command.ts'
import { bodyOwnerSchema, idSchema } from './inputs.ts'

export const unsubscribeCommands = {
  /**
   * Ways to unsubscribe, read from stored headers without a request. Null if the headers name none, or are not stored.
   */
  'unsubscribe.of': defineEngineCommand<UnsubscribeOffer | null>()('owner', () =>
    z.object({ of: bodyOwnerSchema }).strict(),
  ),
  /**
   * Sends the one-click request to the list's server (RFC 8058). `refused` if the e-mail no longer names `url`, or its
   * host isn't on the public Internet. Any outcome, even a missing response, is returned and stored on disk;
   * `unreachable` only if nothing was sent. Never retried automatically.
   */
  'unsubscribe.post': defineEngineCommand<UnsubscribeRecord>()('owner', () =>
    z.object({ of: bodyOwnerSchema, url: z.string().min(1).max(8_192) }).strict(),
  ),
  /**
   * Call after starting a message to the list; once the message is sent, the list counts as asked to unsubscribe the
   * user. `not_found` if the list has no address.
   */
  'unsubscribe.begun': defineEngineCommand<null>()('owner', () =>
    z.object({ of: bodyOwnerSchema, draftId: idSchema }).strict(),
  ),
}

export interface UnsubscribeEvents {
  'unsubscribed.changed': null
}
