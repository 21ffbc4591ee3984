/** Messages that are being written, or on their way. */
import { z } from 'zod'
import { BODY_PIECE } from '../model.ts'
import {
  draftContent,
  WRITING_KINDS,
  writingTarget,
  type AnsweredElsewhere,
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
   * Drafts of an inbox or of the whole account, from this computer and the platform, last changed first. The platform's
   * are as last read, and read again in the background unless `isAsKnown`; `drafts.changed` announces them.
   */
  'draft.list': engine<readonly DraftSummary[]>()('joined', () =>
    z.object({ inboxId: id.optional(), isAsKnown: z.boolean().optional() }).strict(),
  ),
  /** A whole draft. `not_found` if it is gone; one of the platform is fetched if its text is not here. */
  'draft.open': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  /** Begins a draft; on the disk when this is answered. */
  'draft.create': engine<{ readonly draftId: string; readonly revision: number }>()('joined', () =>
    z
      .object({
        inboxId: id,
        kind: z.enum(WRITING_KINDS),
        target: writingTarget.nullable(),
        content: draftContent,
        /** Nothing was typed yet: until it is saved it is not a draft, but what an open composer holds. */
        isUntouched: z.boolean().optional(),
      })
      .strict(),
  ),
  /**
   * Saves a draft; on the disk when this is answered, and on the platform soon after. `inboxId` changes From.
   * @param revision the one that was edited: `conflict` if another window has saved since
   */
  'draft.save': engine<{ readonly revision: number }>()('owner', () =>
    z.object({ draftId: id, revision: z.int().min(0), content: draftContent, inboxId: id.optional() }).strict(),
  ),
  /**
   * Has the thread of a message come back unless somebody answers it; on the disk when this is answered, and never told to
   * the platform.
   * @param remindAt milliseconds since the epoch; null for never
   */
  'draft.remind': engine<null>()('owner', () =>
    z.object({ draftId: id, remindAt: z.int().min(0).max(8.64e15).nullable() }).strict(),
  ),
  /** Discards a draft, here and on the platform; `draft.restore` undoes that for as long as this Linnet runs. */
  'draft.discard': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  'draft.restore': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  /**
   * Resolves a draft that was also changed elsewhere: `ours` or `theirs` becomes the draft, `both` keeps theirs as a
   * second draft.
   */
  'draft.settle': engine<Draft>()('joined', () =>
    z.object({ draftId: id, keep: z.enum(['ours', 'theirs', 'both']) }).strict(),
  ),
  /**
   * Adds a file piece by piece, each base64 of at most BODY_PIECE characters; the last one answers with the file. The
   * composer adds it to the content itself.
   */
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
        /** Whether it is shown in the text. */
        isInline: z.boolean(),
      })
      .strict(),
  ),
  /**
   * Adds the attachments of an e-mail, fetching those that are not here; those that the platform does not accept are
   * left out.
   */
  'draft.addFrom': engine<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }>()(
    'owner',
    () => z.object({ draftId: id, of: bodyOwner }).strict(),
  ),
  /** A piece of a draft's file, in base64: of a picture in its text. Null past its end. */
  'draft.readFile': engine<string | null>()('owner', () =>
    z.object({ draftId: id, fileId: id, place: z.int().min(0) }).strict(),
  ),
  /**
   * Sends a draft: after `holdSeconds`, until which it can be taken back, or by the platform at `scheduledAt`. On the
   * disk when this is answered. `refused` with the field in its details if it cannot be sent as it is.
   * @param archive whether to archive its thread too
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
   * What was answered or begun elsewhere in the thread of a reply since it was begun. The platform is asked for a moment
   * (1.5 s at most) unless `isAsKnown`; where it cannot be, the answer is what is known. Nothing of a draft that is no reply.
   */
  'draft.answeredElsewhere': engine<AnsweredElsewhere>()('owner', () =>
    z.object({ draftId: id, isAsKnown: z.boolean().optional() }).strict(),
  ),
  /** Sends a message again that the line broke off too often, as it was. `conflict` if it was changed since. */
  'draft.sendAgain': engine<{ readonly state: DraftState }>()('owner', () => z.object({ draftId: id }).strict()),
  /**
   * Takes back a message that was not sent yet, was refused, or is scheduled, and stops one whose files are on their way:
   * it is an open draft again, or refused where an earlier try may have arrived. `conflict` if it was sent, or may have been.
   */
  'draft.cancelSending': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  /** Reschedules a message with the platform. */
  'draft.reschedule': engine<null>()('owner', () => z.object({ draftId: id, scheduledAt: z.number() }).strict()),
}

export interface DraftEvents {
  /** Drafts of these inboxes are new, gone or changed, or are at another step of being sent. */
  'drafts.changed': { readonly inboxIds: readonly string[] }
  /** The platform has accepted a message; its draft is gone. `threadId` is null if its thread is unknown (yet). */
  'draft.sent': {
    readonly draftId: string
    readonly inboxId: string
    readonly threadId: string | null
    readonly emailId: string
  }
}
