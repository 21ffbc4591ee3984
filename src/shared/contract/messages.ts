import { z } from 'zod'
import type { Authentication } from '../authentication.ts'
import {
  MAX_PICTURE_URI_CHARS,
  type AttachmentList,
  type OpenedAttachment,
  type RawSource,
  type Picture,
} from '../attachments.ts'
import { SENDER_CHOICES, type SenderChoice, type SenderPolicy } from '../sender-choices.ts'
import type { ParsedAttachment } from '../parsed-attachment.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { bodyOwnerSchema, idSchema, emptyInputSchema, type SavedFile } from './inputs.ts'

const attachmentName = () => z.object({ of: bodyOwnerSchema, attachmentId: idSchema }).strict()

export const messageCommands = {
  /**
   * A chunk, counted from 0, of a body that is returned separately (`Bodies.apart`). `not_found` once `emails.changed`
   * announces a new version.
   */
  'body.read': defineEngineCommand<string>()('owner', () =>
    z
      .object({
        of: bodyOwnerSchema,
        body: z.enum(['html', 'text']),
        version: z.string().max(200),
        place: z.int().min(0),
      })
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
  'picture.read': defineEngineCommand<Picture>()('owner', () =>
    z.object({ of: bodyOwnerSchema, url: z.string().min(1).max(8_192), isRetry: z.boolean() }).strict(),
  ),
  /** Web addresses in the e-mail that its own parts declare as their location. May fetch the raw source. */
  'picture.located': defineEngineCommand<readonly string[]>()('owner', () =>
    z.object({ of: bodyOwnerSchema }).strict(),
  ),
  /**
   * Saves a picture that a message shows: one that the message refers to, found as in `picture.read`, or one embedded
   * in its HTML (`data:`). The name is made safe and gets the extension that matches the bytes; `refused` for anything
   * but a picture.
   */
  'picture.save': defineHostCommand<SavedFile>()(() =>
    z.object({ of: bodyOwnerSchema, url: z.string().min(1).max(MAX_PICTURE_URI_CHARS) }).strict(),
  ),
  /** Saves an attachment under a safe name, fetching it first if missing. */
  'attachment.save': defineHostCommand<SavedFile>()(attachmentName),
  /** The desktop app saves them into a folder and overwrites nothing; a browser gets one zip file. */
  'attachment.saveAll': defineHostCommand<SavedFile>()(() => z.object({ of: bodyOwnerSchema }).strict()),
  /**
   * Drags an attachment, or the raw message if `attachmentId` is null, out of the calling window as a file in a place
   * that the host chooses. False if the drag was cancelled before it started. `not_found` in a browser.
   */
  'fileDrag.start': defineHostCommand<boolean>()(() =>
    attachmentName().extend({ attachmentId: idSchema.nullable() }).strict(),
  ),
  /** Call when the pointer is released, because a drag that started later would have no end. */
  'fileDrag.cancel': defineHostCommand<null>()(emptyInputSchema),
  /** The attachments of an e-mail. For a sent e-mail, they are fetched if unknown. */
  'attachment.list': defineEngineCommand<AttachmentList>()('owner', () => z.object({ of: bodyOwnerSchema }).strict()),
  /** Parsed attachments: invitations, signed messages, reports. Fetches them; each can be `unreadable` on its own. */
  'attachment.readings': defineEngineCommand<readonly ParsedAttachment[]>()('owner', () =>
    z.object({ of: bodyOwnerSchema }).strict(),
  ),
  /**
   * Opens an attachment stored locally, or fetches it from the platform or the raw source. `attachments.changed`
   * reports progress. `unreachable` if it can't be fetched, `not_found` if it doesn't exist anywhere, `refused` if too
   * large, `cancelled` after `attachment.cancel`.
   */
  'attachment.open': defineEngineCommand<OpenedAttachment>()('owner', attachmentName),
  /** A chunk of a stored attachment, in base64, counted from 0. `not_found` if it is gone. */
  'attachment.read': defineEngineCommand<string>()('owner', () =>
    attachmentName().extend({ version: z.string().max(200), place: z.int().min(0) }),
  ),
  /** Cancels fetching an attachment; no error if it isn't being fetched. */
  'attachment.cancel': defineEngineCommand<null>()('owner', attachmentName),
  /** Saves the raw source of an e-mail (platform.md 21.6), found like `original.open`. */
  'original.save': defineHostCommand<SavedFile>()(() => z.object({ of: bodyOwnerSchema }).strict()),
  /**
   * The raw source of an e-mail, stored or fetched. `not_found` if the platform doesn't offer it, `unreachable` if it
   * can't be fetched.
   */
  'original.open': defineEngineCommand<RawSource>()('owner', () => z.object({ of: bodyOwnerSchema }).strict()),
  /**
   * A chunk of the raw source as text, counted from 0; bytes that aren't text appear as symbols. `not_found` once the
   * source has changed: open it again.
   */
  'original.read': defineEngineCommand<string>()('owner', () =>
    z.object({ of: bodyOwnerSchema, version: z.string().max(200), place: z.int().min(0) }).strict(),
  ),
  /** Results of the platform's sender check, cached or requested once. Null if unknown, as for all sent mail. */
  'sender.authentication': defineEngineCommand<Authentication | null>()('owner', () =>
    z.object({ of: bodyOwnerSchema }).strict(),
  ),
  /**
   * True for the first mail from a sender: no older local mail is from or to that address. Null if unknown, and for
   * mail from the account's own inboxes.
   */
  'sender.isNew': defineEngineCommand<boolean | null>()('owner', () => z.object({ of: bodyOwnerSchema }).strict()),
  /**
   * The user's choices for the sender of an e-mail. If there are any, the platform verifies the sender, unless already
   * known. `not_found` if the e-mail isn't stored.
   */
  'senderChoice.of': defineEngineCommand<SenderPolicy>()('owner', () => z.object({ of: bodyOwnerSchema }).strict()),
  'senderChoice.list': defineEngineCommand<readonly SenderChoice[]>()('owner', emptyInputSchema),
  /** Sets or removes a choice. `invalid_input` for anything but an address or a domain. */
  'senderChoice.set': defineEngineCommand<null>()('owner', () =>
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
