/** Messages being written or sent. Commands that write resolve once the change is on disk. */
import { z } from 'zod'
import { MAX_CHUNK_LENGTH } from '../model.ts'
import {
  draftContentSchema,
  DRAFT_KINDS,
  draftTargetSchema,
  type Elsewhere,
  type Draft,
  type DraftFile,
  type DraftState,
  type DraftSummary,
  type LeftOutFile,
} from '../drafts.ts'
import { defineEngineCommand } from './command.ts'
import { bodyOwnerSchema, idSchema } from './inputs.ts'

export const draftCommands = {
  /**
   * Drafts of an inbox or of the entire account, local and from the platform, last changed first. The platform's drafts
   * come from the cache and are refreshed in the background unless `cacheOnly`; `drafts.changed` announces changes.
   */
  'draft.list': defineEngineCommand<readonly DraftSummary[]>()('merged', () =>
    z.object({ inboxId: idSchema.optional(), cacheOnly: z.boolean().optional() }).strict(),
  ),
  /** A complete draft. `not_found` if it is gone; a platform draft is fetched if its text is not stored locally. */
  'draft.open': defineEngineCommand<Draft>()('owner', () => z.object({ draftId: idSchema }).strict()),
  'draft.create': defineEngineCommand<{ readonly draftId: string; readonly revision: number }>()('owner', () =>
    z
      .object({
        inboxId: idSchema,
        kind: z.enum(DRAFT_KINDS),
        target: draftTargetSchema.nullable(),
        content: draftContentSchema,
        /**
         * True if nothing has been typed yet: until its first save, it isn't a draft but only the content of an open
         * composer.
         */
        isUntouched: z.boolean().optional(),
      })
      .strict(),
  ),
  /** Uploaded soon after. `inboxId` changes From. `conflict` if another window has saved since `revision`. */
  'draft.save': defineEngineCommand<{ readonly revision: number }>()('owner', () =>
    z
      .object({
        draftId: idSchema,
        revision: z.int().min(0),
        content: draftContentSchema,
        inboxId: idSchema.optional(),
      })
      .strict(),
  ),
  /**
   * Brings the thread back at `remindAt` (milliseconds since the epoch, null for never) unless somebody replies. Stored
   * locally only.
   */
  'draft.remind': defineEngineCommand<null>()('owner', () =>
    z.object({ draftId: idSchema, remindAt: z.int().min(0).max(8.64e15).nullable() }).strict(),
  ),
  /** Discards a draft locally and on the platform. `draft.restore` undoes it until Linnet quits. */
  'draft.discard': defineEngineCommand<null>()('owner', () => z.object({ draftId: idSchema }).strict()),
  'draft.restore': defineEngineCommand<null>()('owner', () => z.object({ draftId: idSchema }).strict()),
  /** `ours` or `theirs` becomes the draft; `both` keeps the other version as a second draft. */
  'draft.settle': defineEngineCommand<Draft>()('owner', () =>
    z.object({ draftId: idSchema, keep: z.enum(['ours', 'theirs', 'both']) }).strict(),
  ),
  /** Uploads a file in chunks of up to MAX_CHUNK_LENGTH base64 characters. The composer adds the returned file itself. */
  'draft.addFile': defineEngineCommand<DraftFile | null>()('owner', () =>
    z
      .object({
        draftId: idSchema,
        upload: idSchema,
        place: z.int().min(0),
        base64: z.string().max(MAX_CHUNK_LENGTH),
        isLast: z.boolean(),
        filename: z.string().max(1_000),
        contentType: z.string().max(255),
        /** True if the text shows it as an inline picture. */
        isInline: z.boolean(),
      })
      .strict(),
  ),
  /** Adds an e-mail's attachments, fetching missing ones. Files that the platform does not accept are left out. */
  'draft.addFrom': defineEngineCommand<{
    readonly files: readonly DraftFile[]
    readonly leftOut: readonly LeftOutFile[]
  }>()('owner', () => z.object({ draftId: idSchema, of: bodyOwnerSchema }).strict()),
  /** A chunk of a draft's file, in base64, for example of an inline picture. Null past the end. */
  'draft.readFile': defineEngineCommand<string | null>()('owner', () =>
    z.object({ draftId: idSchema, fileId: idSchema, place: z.int().min(0) }).strict(),
  ),
  /**
   * Sends the message after `holdSeconds`, during which the user can undo it, or lets the platform send it at
   * `scheduledAt`. `refused`, with the field in the details, if it can't be sent in its current form. `archive` also
   * archives its thread. With `asksFirst`, the message is held for the user's consent if somebody else has replied since
   * it was started, or if it exceeds the quota; `draft.sendAgain` gives the consent. `content` and `inboxId` are saved in
   * the same step, as by `draft.save`.
   */
  'draft.send': defineEngineCommand<{ readonly state: DraftState }>()('owner', () =>
    z
      .object({
        draftId: idSchema,
        revision: z.int().min(0),
        holdSeconds: z.int().min(0).max(120),
        archive: z.boolean(),
        scheduledAt: z.number().nullable(),
        asksFirst: z.boolean().optional(),
        content: draftContentSchema.optional(),
        inboxId: idSchema.optional(),
      })
      .strict(),
  ),
  /**
   * Changes that others have made: another version of the draft, and sent or begun replies in its thread. Waits for
   * the platform for 3 s at most unless `cacheOnly`; if that fails, returns what is known. With `isSeen`, the user has
   * looked at the replies, so they are no objection to sending any more.
   */
  'draft.elsewhere': defineEngineCommand<Elsewhere>()('owner', () =>
    z.object({ draftId: idSchema, cacheOnly: z.boolean().optional(), isSeen: z.boolean().optional() }).strict(),
  ),
  /**
   * Sends a message unchanged despite an objection, or again after the connection broke too often. `conflict` if the
   * draft has changed since.
   */
  'draft.sendAgain': defineEngineCommand<{ readonly state: DraftState }>()('owner', () =>
    z.object({ draftId: idSchema }).strict(),
  ),
  /**
   * Stops an unsent, rejected or scheduled message, or aborts its upload. Afterwards the draft is open again, or
   * `refused` if an earlier attempt may have arrived. `conflict` if the message was sent, or may have been.
   */
  'draft.cancelSending': defineEngineCommand<Draft>()('owner', () => z.object({ draftId: idSchema }).strict()),
  'draft.reschedule': defineEngineCommand<null>()('owner', () =>
    z.object({ draftId: idSchema, scheduledAt: z.number() }).strict(),
  ),
}

export interface DraftEvents {
  /** Drafts of these inboxes were added, removed or changed, or reached another stage of sending. */
  'drafts.changed': { readonly inboxIds: readonly string[] }
  /** The platform has accepted a message, and its draft is gone. `threadId` is null while the thread is unknown. */
  'draft.sent': {
    readonly draftId: string
    readonly inboxId: string
    readonly threadId: string | null
    readonly emailId: string
  }
}
