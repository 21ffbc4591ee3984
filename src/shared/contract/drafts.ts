/** Messages being written or sent. Commands that write resolve once the change is on disk. */
import { z } from 'zod'
import { BODY_PIECE } from '../model.ts'
import {
  draftContent,
  WRITING_KINDS,
  writingTarget,
  type RemoteReplies,
  type Draft,
  type DraftFile,
  type DraftState,
  type DraftSummary,
  type LeftOutFile,
} from '../writing.ts'
import { engine } from './command.ts'
import { bodyOwner, id } from './inputs.ts'

export const draftCommands = {
  /**
   * Drafts of an inbox or of the entire account, local and from the platform, last changed first. The platform's drafts
   * come from the cache and are refreshed in the background unless `cacheOnly`; `drafts.changed` announces changes.
   */
  'draft.list': engine<readonly DraftSummary[]>()('joined', () =>
    z.object({ inboxId: id.optional(), cacheOnly: z.boolean().optional() }).strict(),
  ),
  /** A complete draft. `not_found` if it is gone; a platform draft is fetched if its text is not stored locally. */
  'draft.open': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  'draft.create': engine<{ readonly draftId: string; readonly revision: number }>()('joined', () =>
    z
      .object({
        inboxId: id,
        kind: z.enum(WRITING_KINDS),
        target: writingTarget.nullable(),
        content: draftContent,
        /**
         * True if nothing has been typed yet: until its first save, it isn't a draft but only the content of an open
         * composer.
         */
        isUntouched: z.boolean().optional(),
      })
      .strict(),
  ),
  /** Uploaded soon after. `inboxId` changes From. `conflict` if another window has saved since `revision`. */
  'draft.save': engine<{ readonly revision: number }>()('owner', () =>
    z.object({ draftId: id, revision: z.int().min(0), content: draftContent, inboxId: id.optional() }).strict(),
  ),
  /**
   * Brings the thread back at `remindAt` (milliseconds since the epoch, null for never) unless somebody replies. Stored
   * locally only.
   */
  'draft.remind': engine<null>()('owner', () =>
    z.object({ draftId: id, remindAt: z.int().min(0).max(8.64e15).nullable() }).strict(),
  ),
  /** Discards a draft locally and on the platform. `draft.restore` undoes it until Linnet quits. */
  'draft.discard': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  'draft.restore': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  /** `ours` or `theirs` becomes the draft; `both` keeps the other version as a second draft. */
  'draft.settle': engine<Draft>()('joined', () =>
    z.object({ draftId: id, keep: z.enum(['ours', 'theirs', 'both']) }).strict(),
  ),
  /** Uploads a file in chunks of up to BODY_PIECE base64 characters. The composer adds the returned file itself. */
  'draft.addFile': engine<DraftFile | null>()('owner', () =>
    z
      .object({
        draftId: id,
        upload: id,
        place: z.int().min(0),
        base64: z.string().max(BODY_PIECE),
        isLast: z.boolean(),
        filename: z.string().max(1_000),
        contentType: z.string().max(255),
        /** True if the text shows it as an inline picture. */
        isInline: z.boolean(),
      })
      .strict(),
  ),
  /** Adds an e-mail's attachments, fetching missing ones. Files that the platform does not accept are left out. */
  'draft.addFrom': engine<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }>()(
    'owner',
    () => z.object({ draftId: id, of: bodyOwner }).strict(),
  ),
  /** A chunk of a draft's file, in base64, for example of an inline picture. Null past the end. */
  'draft.readFile': engine<string | null>()('owner', () =>
    z.object({ draftId: id, fileId: id, place: z.int().min(0) }).strict(),
  ),
  /**
   * Sends the message after `holdSeconds`, during which the user can undo it, or lets the platform send it at
   * `scheduledAt`. `refused`, with the field in the details, if it can't be sent in its current form. `archive` also
   * archives its thread.
   */
  'draft.send': engine<{ readonly state: DraftState }>()('owner', () =>
    z
      .object({
        draftId: id,
        revision: z.int().min(0),
        holdSeconds: z.int().min(0).max(120),
        archive: z.boolean(),
        scheduledAt: z.number().nullable(),
      })
      .strict(),
  ),
  /**
   * Replies that were sent or started elsewhere in the thread since this reply was started. Waits for the platform for
   * 1.5 s at most unless `cacheOnly`; if that fails, returns the known replies. Empty for a draft that is not a reply.
   */
  'draft.remoteReplies': engine<RemoteReplies>()('owner', () =>
    z.object({ draftId: id, cacheOnly: z.boolean().optional() }).strict(),
  ),
  /** Resends a message unchanged after the connection broke too often. `conflict` if the draft has changed since. */
  'draft.sendAgain': engine<{ readonly state: DraftState }>()('owner', () => z.object({ draftId: id }).strict()),
  /**
   * Stops an unsent, rejected or scheduled message, or aborts its upload. Afterwards the draft is open again, or
   * `refused` if an earlier attempt may have arrived. `conflict` if the message was sent, or may have been.
   */
  'draft.cancelSending': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  'draft.reschedule': engine<null>()('owner', () => z.object({ draftId: id, scheduledAt: z.number() }).strict()),
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
