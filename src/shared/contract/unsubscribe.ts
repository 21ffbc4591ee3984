/** Leaving mailing lists. */
import { z } from 'zod'
import type { Unsubscribed, UnsubscribeOffer } from '../unsubscribing.ts'
import { engine } from './command.ts'
import { bodyOwner, id } from './inputs.ts'

export const unsubscribeCommands = {
  /**
   * How to leave the list that an e-mail came by, as far as its headers are on this computer: the platform is not asked.
   * Null if they name no way, or are not here.
   */
  'unsubscribe.of': engine<UnsubscribeOffer | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Asks the list's server (RFC 8058). `url` is the one-click address of `unsubscribe.of`: `refused` if the e-mail names
   * another by now, and for an address that is not on the public Internet. Whatever the server answers, or that it does
   * not, is the outcome and on the disk; `unreachable` only if nothing was sent. Never asked again by itself.
   */
  'unsubscribe.post': engine<Unsubscribed>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192) }).strict(),
  ),
  /** A message to the list was begun: once it is sent, the list counts as asked. `not_found` if it names no address. */
  'unsubscribe.begun': engine<null>()('owner', () => z.object({ of: bodyOwner, draftId: id }).strict()),
}

export interface UnsubscribeEvents {
  /** A list was asked, or what is known of that has changed. */
  'unsubscribed.changed': null
}
