import { z } from 'zod'
import type { Authentication } from '../authentication.ts'
import {
  LONGEST_PICTURE_ADDRESS,
  type AttachmentList,
  type OpenedAttachment,
  type OriginalSource,
  type Picture,
} from '../attachments.ts'
import { SENDER_CHOICES, type SenderChoice, type SenderPolicy } from '../sender-choices.ts'
import type { Reading } from '../reading.ts'
import { engine, hostOf } from './command.ts'
import { bodyOwner, id, nothing, type SavedFile } from './inputs.ts'

const attachmentName = () => z.object({ of: bodyOwner, attachmentId: id }).strict()

export const messageCommands = {
  /**
   * A chunk, counted from 0, of a body that is returned separately (`Bodies.apart`). `not_found` once `emails.changed`
   * announces a new version.
   */
  'body.read': engine<string>()('owner', () =>
    z
      .object({ of: bodyOwner, body: z.enum(['html', 'text']), version: z.string().max(200), place: z.int().min(0) })
      .strict(),
  ),
  /**
   * A picture that an e-mail refers to: from the cache, else from the e-mail itself (`cid:`, a bare name, or the
   * address of one of its parts; `not_found` if it has none), else from the public Internet, without cookies or
   * anything that identifies the user; in spam, that is `refused`. Also `refused` if the e-mail doesn't refer to the
   * picture, the address is forbidden, the picture is too large alone or in total for its e-mail, or it isn't a
   * picture. A refused or missing picture is requested only once, and again only with `isRetry`, when the user asks for
   * it.
   */
  'picture.read': engine<Picture>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192), isRetry: z.boolean() }).strict(),
  ),
  /** Web addresses in the e-mail that its own parts declare as their location. May fetch the raw source. */
  'picture.located': engine<readonly string[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Saves a picture that a message shows: one that the message refers to, found as in `picture.read`, or one embedded
   * in its HTML (`data:`). The name is made safe and gets the extension that matches the bytes; `refused` for anything
   * but a picture.
   */
  'picture.save': hostOf<SavedFile>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(LONGEST_PICTURE_ADDRESS) }).strict(),
  ),
  /** Saves an attachment under a safe name, fetching it first if missing. */
  'attachment.save': hostOf<SavedFile>()('owner', attachmentName),
  /** The desktop app saves them into a folder and overwrites nothing; a browser gets one zip file. */
  'attachment.saveAll': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** The attachments of an e-mail. For a sent e-mail, they are fetched if unknown. */
  'attachment.list': engine<AttachmentList>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** Parsed attachments: invitations, signed messages, reports. Fetches them; each can be `unreadable` on its own. */
  'attachment.readings': engine<readonly Reading[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Opens an attachment stored locally, or fetches it from the platform or the raw source. `attachments.changed`
   * reports progress. `unreachable` if it can't be fetched, `not_found` if it doesn't exist anywhere, `refused` if too
   * large, `cancelled` after `attachment.cancel`.
   */
  'attachment.open': engine<OpenedAttachment>()('owner', attachmentName),
  /** A chunk of a stored attachment, in base64, counted from 0. `not_found` if it is gone. */
  'attachment.read': engine<string>()('owner', () =>
    attachmentName().extend({ version: z.string().max(200), place: z.int().min(0) }),
  ),
  /** Cancels fetching an attachment; no error if it isn't being fetched. */
  'attachment.cancel': engine<null>()('owner', attachmentName),
  /** Saves the raw source of an e-mail (contract, 6: `raw`), found like `original.open`. */
  'original.save': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * The raw source of an e-mail, stored or fetched. `not_found` if the platform doesn't offer it, `unreachable` if it
   * can't be fetched.
   */
  'original.open': engine<OriginalSource>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * A chunk of the raw source as text, counted from 0; bytes that aren't text appear as symbols. `not_found` once the
   * source has changed: open it again.
   */
  'original.read': engine<string>()('owner', () =>
    z.object({ of: bodyOwner, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /** Results of the platform's sender check, cached or requested once. Null if unknown, as for all sent mail. */
  'sender.authentication': engine<Authentication | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * True for the first mail from a sender: no older local mail is from or to that address. Null if unknown, and for
   * mail from the account's own inboxes.
   */
  'sender.isNew': engine<boolean | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * The user's choices for the sender of an e-mail. If there are any, the platform verifies the sender, unless already
   * known. `not_found` if the e-mail isn't stored.
   */
  'senderChoice.of': engine<SenderPolicy>()('owner', () => z.object({ of: bodyOwner }).strict()),
  'senderChoice.list': engine<readonly SenderChoice[]>()('open', nothing),
  /** Sets or removes a choice. `invalid_input` for anything but an address or a domain. */
  'senderChoice.set': engine<null>()('open', () =>
    z
      .object({
        about: z.enum(SENDER_CHOICES.about),
        who: z.enum(SENDER_CHOICES.who),
        name: z.string().min(1).max(1_000),
        isOn: z.boolean(),
      })
      .strict(),
  ),
}

export interface MessageEvents {
  /** Fetching an attachment of this e-mail has progressed or finished. */
  'attachments.changed': { readonly emailId: string }
  'senderChoices.changed': null
}
