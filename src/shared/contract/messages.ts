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
  /** A chunk, from 0, of a separate body (`Bodies.apart`). `not_found` once `emails.changed` announces new ones. */
  'body.read': engine<string>()('owner', () =>
    z
      .object({ of: bodyOwner, body: z.enum(['html', 'text']), version: z.string().max(200), place: z.int().min(0) })
      .strict(),
  ),
  /**
   * A picture that an e-mail names: from the cache, else from the e-mail itself (`cid:`, a bare name, or the address of
   * one of its parts; `not_found` if it has none), else from the public Internet, without cookies or anything that
   * identifies the user; that is `refused` in spam. Also `refused` if the e-mail does not name it, the address is
   * forbidden, it is too large alone or for one e-mail, or it isn't a picture. A refused or missing picture is
   * requested once, and again only with `isRetry`, when the user asks for it.
   */
  'picture.read': engine<Picture>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(8_192), isRetry: z.boolean() }).strict(),
  ),
  /** The e-mail's web addresses that its own parts claim as their location. May fetch its raw source. */
  'picture.located': engine<readonly string[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Saves a picture that a message shows: one that it names, found like `picture.read`, or one in its HTML (`data:`).
   * The name is made safe, with the extension that matches its bytes; `refused` for anything but a picture.
   */
  'picture.save': hostOf<SavedFile>()('owner', () =>
    z.object({ of: bodyOwner, url: z.string().min(1).max(LONGEST_PICTURE_ADDRESS) }).strict(),
  ),
  /** Saves an attachment under a safe name, fetching it first if missing. */
  'attachment.save': hostOf<SavedFile>()('owner', attachmentName),
  /** The desktop app saves into a folder, without overwriting anything; a browser gets one zip file. */
  'attachment.saveAll': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** The attachments of an e-mail; those of a sent one are fetched if unknown. */
  'attachment.list': engine<AttachmentList>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** Parsed attachments: invitations, signed messages, reports. Fetches them; one can be `unreadable` on its own. */
  'attachment.readings': engine<readonly Reading[]>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * Fetches an attachment: from this computer, the platform, or the raw source. `attachments.changed` reports progress.
   * `unreachable` if it can't be fetched, `not_found` if it's nowhere, `refused` if too large, `cancelled`.
   */
  'attachment.open': engine<OpenedAttachment>()('owner', attachmentName),
  /** A chunk of a stored attachment, in base64, counted from 0. `not_found` if it is gone. */
  'attachment.read': engine<string>()('owner', () =>
    attachmentName().extend({ version: z.string().max(200), place: z.int().min(0) }),
  ),
  /** Cancels fetching an attachment; no error if none is being fetched. */
  'attachment.cancel': engine<null>()('owner', attachmentName),
  /** Saves the raw source of an e-mail (contract, 6: `raw`), found like `original.open`. */
  'original.save': hostOf<SavedFile>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** The e-mail as it arrived, stored or fetched. `not_found` if not offered, `unreachable` if it can't be fetched. */
  'original.open': engine<OriginalSource>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** A chunk as text, from 0; bytes that aren't text show as symbols. `not_found` once it changed: open it again. */
  'original.read': engine<string>()('owner', () =>
    z.object({ of: bodyOwner, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /** The platform's check, cached or requested once. Null if unknown, as for all sent mail. */
  'sender.authentication': engine<Authentication | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /**
   * True for the first mail from its sender: nothing older on this computer is from or to them. Null if unknown, and
   * for mail from the account's own inboxes.
   */
  'sender.isNew': engine<boolean | null>()('owner', () => z.object({ of: bodyOwner }).strict()),
  /** If there are choices, the platform verifies the sender, unless known. `not_found` if the e-mail isn't stored. */
  'senderChoice.of': engine<SenderPolicy>()('owner', () => z.object({ of: bodyOwner }).strict()),
  'senderChoice.list': engine<readonly SenderChoice[]>()('open', nothing),
  /** Makes or withdraws a choice. `invalid_input` for anything but an address or a domain. */
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
  /** An attachment of this e-mail has made progress or is available. */
  'attachments.changed': { readonly emailId: string }
  'senderChoices.changed': null
}
