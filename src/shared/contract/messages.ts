/** The content of a message, and who sent it: bodies, pictures, attachments, originals. */
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
   * A piece of a body that is stored apart from its e-mail (`Bodies.apart`), counted from 0; from the cache.
   * `not_found` if the e-mail has other bodies by now: `emails.changed` announces those.
   */
  'body.read': engine<string>()('owner', () =>
    z
      .object({ of: bodyOwner, body: z.enum(['html', 'text']), version: z.string().max(200), place: z.int().min(0) })
      .strict(),
  ),
  /**
   * A picture that an e-mail names: one that was fetched before, else out of the e-mail itself (`cid:`, a bare name, or
   * the address of one of its parts; `not_found` if it has none), else from the public Internet, without cookies or
   * anything that tells who asks; that is `refused` in spam. `refused` also for what the e-mail does not name, what
   * must not be asked for, what is too large by itself or for one e-mail, and what is no picture. A refused or missing
   * picture is asked for once, and again only with `isAgain`, at the person's wish.
   */
  'picture.read': engine<Picture>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192), isAgain: z.boolean() }).strict(),
  ),
  /** Those of an e-mail's web addresses at which its own parts claim to be. May fetch its original. */
  'picture.located': engine<readonly string[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Saves a picture that a message shows: one that it names, as `picture.read` finds it, or one that stands in its HTML
   * (`data:`). The name is made safe and gets the ending of what its bytes are; `refused` for anything but a picture.
   */
  'picture.save': hostOf<SavedFile>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(LONGEST_PICTURE_ADDRESS) }).strict(),
  ),
  /** Saves an attachment under a safe name; fetches it first if it is not here. */
  'attachment.save': hostOf<SavedFile>()('owner', attachmentName),
  /**
   * Saves all attachments of an e-mail: on the desktop into a folder, without overwriting anything, in a browser as one
   * zip file.
   */
  'attachment.saveAll': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** The attachments of an e-mail; those of a sent one are fetched if unknown. */
  'attachment.list': engine<AttachmentList>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * What attachments contain besides the text: invitations, signed messages, reports, and what of them cannot be read.
   * Fetches those that it reads; each is `unreadable` by itself if it cannot be read.
   */
  'attachment.readings': engine<readonly Reading[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Brings an attachment here: from this computer, else from the platform, else out of the e-mail's original.
   * `attachments.changed` reports progress. `unreachable` if it is not here and the platform cannot be reached,
   * `not_found` if nobody has it, `refused` if it is too large, `cancelled`.
   */
  'attachment.open': engine<OpenedAttachment>()('owner', attachmentName),
  /** A piece of an attachment that is here, in base64, counted from 0. `not_found` if it is gone. */
  'attachment.read': engine<string>()('owner', () =>
    attachmentName().extend({ version: z.string().max(200), place: z.int().min(0) }),
  ),
  /** Cancels fetching an attachment; one that is not being fetched is no error. */
  'attachment.cancel': engine<null>()('owner', attachmentName),
  /** Saves the original file of an e-mail (contract, 6: `raw`), as `original.open` finds it. */
  'original.save': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * The original of an e-mail, as it arrived: from this computer, else from the platform. `not_found` if the platform
   * offers none, `unreachable` if it is not here and cannot be fetched.
   */
  'original.open': engine<OriginalSource>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * A piece of an original as text, counted from 0, that shows every byte: what is not text appears as a symbol.
   * `not_found` if the original has changed: open it again.
   */
  'original.read': engine<string>()('owner', () =>
    z.object({ of: bodyOwner, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /**
   * The platform's check of an e-mail's sender: from the cache, else asked for once. Null if unknown, as for all sent
   * mail.
   */
  'sender.authentication': engine<Authentication | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Whether this is the first mail from its sender: nothing older on this computer is from or to them. Null if that is
   * unknown, and for mail from the account's own inboxes.
   */
  'sender.isNew': engine<boolean | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * The person's choices for the sender of an e-mail. If there are any, the platform is asked whether the e-mail really
   * is from them, unless that is known. `not_found` if the e-mail is not on this computer.
   */
  'senderChoice.of': engine<SenderPolicy>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** All choices for senders and domains, by name. */
  'senderChoice.list': engine<readonly SenderChoice[]>()('open', nothing),
  /** Makes a choice, or withdraws it. `invalid_input` for what is neither an address nor a domain. */
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
  /** Attachments of this e-mail are being fetched, or are here. */
  'attachments.changed': { readonly emailId: string }
  'senderChoices.changed': null
}
