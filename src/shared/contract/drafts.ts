/** What is being written, and on its way to be sent. */
import { z } from 'zod'
import { BODY_PIECE } from '../model.ts'
import {
  draftContent,
  WRITING_KINDS,
  writingTarget,
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
   * Drafts of an inbox, or of all of the account: those of this computer and those of the platform, last changed first. The
   * platform's are as they were last read, and read anew in the background unless `isAsKnown`; `drafts.changed` tells of them.
   */
  'draft.list': engine<readonly DraftSummary[]>()('joined', () =>
    z.object({ inboxId: id.optional(), isAsKnown: z.boolean().optional() }).strict(),
  ),
  /** A draft whole. `not_found` where it is gone; one of the platform's is fetched where its text is not here. */
  'draft.open': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  /** Begins a draft; it is on the disk when this is answered. */
  'draft.create': engine<{ readonly draftId: string; readonly revision: number }>()('joined', () =>
    z
      .object({
        inboxId: id,
        kind: z.enum(WRITING_KINDS),
        target: writingTarget.nullable(),
        content: draftContent,
        /** Nobody has written in it: until it is saved it is no draft, but what an open composer holds. */
        isUntouched: z.boolean().optional(),
      })
      .strict(),
  ),
  /**
   * Keeps what is written now; on the disk when this is answered, and on the platform soon after. `inboxId` changes From.
   * @param revision the one that was changed: `conflict` where another window has changed it since
   */
  'draft.save': engine<{ readonly revision: number }>()('owner', () =>
    z.object({ draftId: id, revision: z.int().min(0), content: draftContent, inboxId: id.optional() }).strict(),
  ),
  /** Throws a draft away, here and on the platform; `draft.restore` takes that back for as long as this Linnet runs. */
  'draft.discard': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  'draft.restore': engine<null>()('owner', () => z.object({ draftId: id }).strict()),
  /** Decides where it was changed elsewhere as well: `ours` or `theirs` becomes the draft, `both` keeps theirs as a draft of its own. */
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
        /** Whether it stands in the text. */
        isInline: z.boolean(),
      })
      .strict(),
  ),
  /** Adds the attachments of an e-mail, fetched where they are not here; those that the platform does not take are left out. */
  'draft.addFrom': engine<{ readonly files: readonly DraftFile[]; readonly leftOut: readonly LeftOutFile[] }>()(
    'owner',
    () => z.object({ draftId: id, of: bodyOwner }).strict(),
  ),
  /** A piece of a file of a draft, in base64: of a picture in its text. Null past its end. */
  'draft.readFile': engine<string | null>()('owner', () =>
    z.object({ draftId: id, fileId: id, place: z.int().min(0) }).strict(),
  ),
  /**
   * Sends a draft: after `holdSeconds`, in which it can be taken back, or by the platform at `scheduledAt`. On the disk when
   * this is answered. `refused` with the field in its details where it cannot be sent as it is.
   * @param archive whether its thread is archived with it
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
   * Takes a message back that was not sent yet, was refused, or is scheduled: it is an open draft again. `conflict` where
   * it is sent, or may be.
   */
  'draft.cancelSending': engine<Draft>()('joined', () => z.object({ draftId: id }).strict()),
  /** Has the platform send a scheduled message at another time. */
  'draft.reschedule': engine<null>()('owner', () => z.object({ draftId: id, scheduledAt: z.number() }).strict()),
}

export interface DraftEvents {
  /** Drafts of these inboxes are new, gone, or others than before, or stand elsewhere on their way to be sent. */
  'drafts.changed': { readonly inboxIds: readonly string[] }
  /** The platform has taken a message; its draft is gone. `threadId` is null where its thread is not known (yet). */
  'draft.sent': {
    readonly draftId: string
    readonly inboxId: string
    readonly threadId: string | null
    readonly emailId: string
  }
}
