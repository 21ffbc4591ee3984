/** What is in a message, and who sent it: bodies, pictures, attachments, originals. */
import { z } from 'zod'
import {
  SENDER_CHOICES,
  type AttachmentList,
  type Authentication,
  type OpenedAttachment,
  type OriginalSource,
  type Picture,
  type SenderChoice,
  type SenderPolicy,
} from '../model.ts'
import type { Reading } from '../reading.ts'
import { engine, hostOf } from './command.ts'
import { bodyOwner, id, nothing, type SavedFile } from './inputs.ts'

const attachmentName = () => z.object({ of: bodyOwner, attachmentId: id }).strict()

export const messageCommands = {
  /**
   * A piece of a body that is apart from its e-mail (`Bodies.apart`), counted from 0; from the cache. `not_found` where
   * the e-mail has other bodies by now: `emails.changed` tells of those.
   */
  'body.read': engine<string>()('owner', () =>
    z
      .object({ of: bodyOwner, body: z.enum(['html', 'text']), version: z.string().max(200), place: z.int().min(0) })
      .strict(),
  ),
  /**
   * A picture that an e-mail names: what was fetched before, else out of the e-mail itself (`cid:`, a name alone, or the
   * address that one of its parts has; `not_found` where it is not in it), else from the public Internet, without cookies or a word about who asks; that is `refused` in spam. `refused`
   * for what the e-mail does not name, is not to be asked for, too large, too much for one
   * e-mail, or no picture. What was refused, or what its server does not have, is asked for once, and then for `isAgain`,
   * which a person wants.
   */
  'picture.read': engine<Picture>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192), isAgain: z.boolean() }).strict(),
  ),
  /** Of the addresses of the web in an e-mail those at which its own parts say to be. May fetch its original. */
  'picture.located': engine<readonly string[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** Saves an attachment under a safe name; it is fetched where it is not here. */
  'attachment.save': hostOf<SavedFile>()('owner', attachmentName),
  /**
   * Saves all attachments of an e-mail: on the desktop into a folder, where nothing is overwritten, in a browser as one zip
   * file.
   */
  'attachment.saveAll': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** The attachments of an e-mail; those of a sent one are asked for where they are not known yet. */
  'attachment.list': engine<AttachmentList>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * What an e-mail's attachments say beside its text: invitations, messages within signatures, reports, and what of them
   * cannot be read. Has those here that are read; each is `unreadable` by itself where it cannot be.
   */
  'attachment.readings': engine<readonly Reading[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Has an attachment here: from this computer, else from the platform, else out of the e-mail's original.
   * `attachments.changed` tells how far it has come. `unreachable` offline where it is not here, `not_found` where nobody
   * has it, `refused` for one that is too large, `cancelled`.
   */
  'attachment.open': engine<OpenedAttachment>()('owner', attachmentName),
  /** A piece of an attachment that is here, in base64, counted from 0. `not_found` where it is not here any more. */
  'attachment.read': engine<string>()('owner', () =>
    attachmentName().extend({ version: z.string().max(200), place: z.int().min(0) }),
  ),
  /** Ends the fetching of an attachment; one that is not being fetched is no error. */
  'attachment.cancel': engine<null>()('owner', attachmentName),
  /** Saves the original file of an e-mail (contract, 6: `raw`), as `original.open` finds it. */
  'original.save': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * The original of an e-mail, as it came in: read on this computer where it is here, else from the platform. `not_found`
   * where that offers none, `unreachable` where it is not here and cannot be fetched.
   */
  'original.open': engine<OriginalSource>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * A piece of an original as text, counted from 0, in which every byte can be seen: what is no text stands as a sign of
   * its own. `not_found` where the original is another one by now: it is opened anew.
   */
  'original.read': engine<string>()('owner', () =>
    z.object({ of: bodyOwner, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /**
   * What the platform found when it checked the sender of an e-mail: from what is here, else asked for once. Null where
   * that is not known, as for every e-mail that was sent from here.
   */
  'sender.authentication': engine<Authentication | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Whether no mail on this computer is earlier than an e-mail and from its sender, or was sent to them before it. Null
   * where that cannot be told, and for mail from one of the account's own inboxes.
   */
  'sender.isNew': engine<boolean | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * What was chosen for the sender of an e-mail. Where something was, the platform is asked whether the e-mail is the
   * sender's, as far as that is not known. `not_found` where the e-mail is not on this computer.
   */
  'senderChoice.of': engine<SenderPolicy>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** All that was chosen for senders and domains, by their names. */
  'senderChoice.list': engine<readonly SenderChoice[]>()('open', nothing),
  /** Keeps a choice, or takes it back. `invalid_input` for what is neither an address nor a domain. */
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
  /** The attachments of an e-mail are being fetched, or are here. */
  'attachments.changed': { readonly emailId: string }
  'senderChoices.changed': null
}
