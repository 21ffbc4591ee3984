/** Links at which anyone can view an e-mail. */
import { z } from 'zod'
import type { ThreadOfEmail } from '../model.ts'
import { engine } from './command.ts'
import { bodyOwner, id, type BodyOwner } from './inputs.ts'

/** A share link that was made on this computer. Whoever has its address can read the e-mail: it is a secret. */
export interface MadeShareLink {
  readonly id: string
  readonly url: string
  /** The shared e-mail. */
  readonly of: BodyOwner
  readonly subject: string | null
  readonly from: string
  readonly to: readonly string[]
  /** Milliseconds since the epoch, like `expiresAt`, until which it works. */
  readonly madeAt: number
  readonly expiresAt: number
  /** Whether the e-mail is on this computer and can be opened. */
  readonly isHere: boolean
  /** Its thread, if that is here. */
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

export const shareLinkCommands = {
  /**
   * Creates a link at which anyone can view the e-mail (contract, 1). `expiresIn` such as `10m` or `1h 30m`, 48 hours
   * if absent; `invalid_input` for anything else. The link is on the disk before this is answered; `isKept` is false if
   * the disk did not accept it: it is lost when the program ends.
   */
  'shareLink.create': engine<{ readonly link: MadeShareLink; readonly isKept: boolean }>()('owner', () =>
    z.object({ of: bodyOwner, expiresIn: z.string().max(64).optional() }).strict(),
  ),
  /**
   * Links that were made on this computer, newest first; with `typed` those whose subject or people contain each word
   * of it.
   */
  'shareLink.list': engine<readonly MadeShareLink[]>()('open', () => z.object({ typed: z.string().max(256) }).strict()),
  /** Removes a link from the list; it works until it expires. One that is gone is no error. */
  'shareLink.forget': engine<null>()('open', () => z.object({ id }).strict()),
  /** Restores a link that was removed since the account was opened; `not_found` for any other. */
  'shareLink.restore': engine<null>()('open', () => z.object({ id }).strict()),
}

export interface ShareLinkEvents {
  'shareLinks.changed': null
}
