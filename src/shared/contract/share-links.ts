import { z } from 'zod'
import type { ThreadOfEmail } from '../model.ts'
import { defineEngineCommand } from './command.ts'
import { bodyOwnerSchema, idSchema, type BodyOwner } from './inputs.ts'

/** A share link created on this computer. Its address is a secret: anyone who has it can read the e-mail. */
export interface CreatedShareLink {
  readonly id: string
  readonly url: string
  readonly of: BodyOwner
  readonly subject: string | null
  readonly from: string
  readonly to: readonly string[]
  /** Creation time, milliseconds since the epoch. */
  readonly madeAt: number
  /** When the link stops working, milliseconds since the epoch. */
  readonly expiresAt: number
  /** True if the e-mail is stored locally and can be opened. */
  readonly isHere: boolean
  readonly inThread: ThreadOfEmail | 'unknown' | null
}

export const shareLinkCommands = {
  /**
   * Creates a link with which anyone can view the e-mail (platform.md 17.1). `expiresIn` is a duration such as `10m`,
   * 48 hours by default; `invalid_input` for anything else. `isKept` is false if the link couldn't be saved and will be
   * lost at quit.
   */
  'shareLink.create': defineEngineCommand<{ readonly link: CreatedShareLink; readonly isKept: boolean }>()(
    'owner',
    () => z.object({ of: bodyOwnerSchema, expiresIn: z.string().max(64).optional() }).strict(),
  ),
  /** Share links, newest first. With `typed`, only links whose subject or people contain each of the words. */
  'shareLink.list': defineEngineCommand<readonly CreatedShareLink[]>()('owner', () =>
    z.object({ typed: z.string().max(256) }).strict(),
  ),
  /** Removes a link from the list, but it still works until it expires. No error if it is already gone. */
  'shareLink.forget': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
  /** Restores a link that was removed since the account was opened; `not_found` for any other link. */
  'shareLink.restore': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
}

export interface ShareLinkEvents {
  'shareLinks.changed': null
}
