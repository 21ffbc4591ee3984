import { z } from 'zod'
import {
  draftContentSchema,
  DRAFT_KINDS,
  draftTargetSchema,
  type DraftContent,
  type DraftState,
} from '../../../shared/drafts.ts'
import { sendRecordSchema } from './send-record.ts'

const id = z.string().min(1).max(512)

const refusal = z.object({
  field: z.enum(['from', 'to', 'subject', 'files', 'body', 'schedule', 'message']),
  message: z.string(),
  isLineBroken: z.literal(true).optional(),
})

/** Interrupted upload tries of a draft with files. */
const broken = z.object({
  /** Total size of the files tried. Files of another size start over. */
  bytes: z.int().min(0),
  /** Tries since the user last pressed Send. */
  tries: z.int().min(0),
  isStopped: z.literal(true).optional(),
  /** True if any try uploaded everything and only its response is missing. */
  mayHaveArrived: z.boolean(),
})
export type FailedUploads = z.infer<typeof broken>

const objection = z.object({
  replies: z.object({
    answers: z
      .array(z.object({ emailId: id, from: z.string(), at: z.number(), snippet: z.string().nullable() }))
      .readonly(),
    drafts: z.array(z.object({ changedAt: z.number().nullable(), snippet: z.string().nullable() })).readonly(),
  }),
  quota: z.string().nullable(),
  isScheduled: z.boolean(),
})

/** `draft-table.ts` defines the transitions. */
const state = z.union([
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('held'), at: z.number() }),
  z.object({ kind: z.literal('held'), at: z.null(), objection }),
  /** In the outbox. `sending.askedAt` says if a request may have reached the platform. */
  z.object({ kind: z.literal('sending') }),
  z.object({
    kind: z.literal('scheduled'),
    at: z.number(),
    emailId: id,
    /** True once the user has asked to cancel it. Saved before the request, as its response may be lost. */
    isCancelAsked: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('refused'), reason: refusal }),
  /** The platform has it; the thread, the delivery record and the platform's draft still have to be updated. */
  z.object({ kind: z.literal('sent'), emailId: id }),
])

/** Last seen platform version of a draft. */
const seenVersion = z.object({
  /** Milliseconds since the epoch, or null if the platform doesn't report it. */
  updatedAt: z.number().nullable(),
  content: draftContentSchema,
})
export type SeenVersion = z.infer<typeof seenVersion>

/** The part of the thread that was visible when a reply was started. */
const begun = z.object({
  /** The newest e-mail, and when it arrived by the platform's clock. */
  emailId: id,
  receivedAt: z.number(),
  /** Other people's drafts at that time. */
  drafts: z.array(z.object({ id, updatedAt: z.number().nullable() })),
  /** Replies by others that the user has been told about. */
  told: z.object({ emailIds: z.array(id), drafts: z.boolean() }).optional(),
})
export type ReplyStart = z.infer<typeof begun>

export const localDraftSchema = z.object({
  id,
  inboxId: id,
  kind: z.enum(DRAFT_KINDS),
  target: draftTargetSchema.nullable(),
  content: draftContentSchema,
  /** Incremented by every local change of the content. */
  revision: z.int().min(0),
  state,
  /** True if the draft was started on this computer. */
  isOurs: z.boolean(),
  begun: begun.optional(),
  /** The platform's copy, or null. */
  platform: z
    .object({
      id,
      /** The inbox that holds the copy. Differs from the draft's after a change of From. */
      inboxId: id,
      /** The local revision that the copy has, or null if someone else wrote it. */
      revision: z.int().min(0).nullable(),
      seen: seenVersion,
    })
    .nullable(),
  /** A newer platform version that conflicts with `seen`. The user decides. */
  theirs: seenVersion.nullable(),
  /** The save request still without a response. Repeating it with the same key creates no second draft. */
  request: z
    .object({ key: z.string(), inboxId: id, content: draftContentSchema, revision: z.int().min(0), at: z.number() })
    .nullable(),
  /** True for a reply kept as a separate draft: its e-mail has another unsent reply (platform.md 14.5) or is gone. */
  standsAlone: z.boolean(),
  /** The revision the platform rejected and why, or null. */
  notKept: z.object({ revision: z.int().min(0), reason: refusal }).nullable(),
  /**
   * Set when the user presses Send; cleared by an edit, or when the message is taken back or rejected.
   */
  sending: sendRecordSchema.nullable(),
  /** Time when the thread returns unless someone replies, milliseconds since the epoch. Omitted for never. */
  remindAt: z.number().optional(),
  /** Omitted if no upload failed since the platform last accepted the draft. */
  broken: broken.optional(),
  /** Opened in a composer but never edited. Such a draft isn't listed or uploaded, and the next start deletes it. */
  isUntouched: z.literal(true).optional(),
  discardedAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** A local draft with everything needed to resume after a crash at any moment. */
export type LocalDraft = z.infer<typeof localDraftSchema>

/** The state as windows show it. */
export const toDraftState = ({ state, sending }: LocalDraft): DraftState => {
  switch (state.kind) {
    case 'sending':
      return { kind: 'sending', mayHaveLeft: sending?.askedAt !== null }
    case 'sent':
      return { kind: 'sending', mayHaveLeft: true }
    case 'scheduled':
      return { kind: 'scheduled', at: state.at }
    case 'open':
    case 'held':
    case 'refused':
      return state
  }
}

export const isDraftEditable = ({ state }: LocalDraft): boolean => state.kind === 'open' || state.kind === 'refused'

/** True until the platform has the message and its draft is removed. */
export const isBeingSent = (draft: LocalDraft | undefined): boolean =>
  draft?.state.kind === 'sending' || draft?.state.kind === 'sent'

/** Returns true if the platform has the latest revision. */
export const isSavedOnPlatform = ({ platform, revision, inboxId }: LocalDraft): boolean =>
  platform?.revision === revision && platform.inboxId === inboxId

/** Failed uploads after which the user is asked. */
export const MAX_BROKEN = 2

/** Size of a draft's files in bytes, or of its text if it has none. */
export const measureDraftBytes = ({ files, html, text, quote }: DraftContent): number =>
  files.length > 0
    ? files.reduce((sum, { size }) => sum + size, 0)
    : html.length + text.length + (quote?.html.length ?? 0) + (quote?.text.length ?? 0)

/** True if uploads have stopped until the user resends or changes the files. */
export const hasGivenUp = ({ content, broken }: Pick<LocalDraft, 'content' | 'broken'>): boolean =>
  broken !== undefined && broken.tries >= MAX_BROKEN && broken.bytes === measureDraftBytes(content)

/** Drafts changed more recently than this count as being saved, not as waiting. */
const SAVING_GRACE_MS = 5_000

/** Returns true if there is nothing to save. The platform rejects empty drafts (platform.md 14.4). */
export const isDraftEmpty = ({ to, cc, bcc, subject, html, text, files }: DraftContent): boolean =>
  to.length + cc.length + bcc.length + files.length === 0 && `${subject}${html}${text}`.trim() === ''

/** True if the platform doesn't have the latest state yet and the user needn't act first. */
const isUnsynced = (draft: LocalDraft): boolean => {
  const { discardedAt, platform, request, theirs, notKept, revision, content } = draft
  if (discardedAt !== null) return request !== null || (platform !== null && theirs === null)
  if (
    !isDraftEditable(draft) ||
    hasGivenUp(draft) ||
    isSavedOnPlatform(draft) ||
    theirs !== null ||
    notKept?.revision === revision
  )
    return false
  return platform !== null || request !== null || (draft.isUntouched !== true && !isDraftEmpty(content))
}

/** Number of messages held for undo, and of drafts waiting to be saved to or deleted from the platform. */
export const countWaitingDrafts = (all: readonly LocalDraft[], isOnline: boolean, now: number): number =>
  all.filter((draft) => {
    if (draft.state.kind === 'held') return draft.state.at !== null
    const since = draft.discardedAt ?? draft.updatedAt
    return isUnsynced(draft) && (!isOnline || now - since >= SAVING_GRACE_MS)
  }).length
