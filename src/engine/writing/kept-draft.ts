import { z } from 'zod'
import { draftContent, WRITING_KINDS, writingTarget } from '../../shared/writing.ts'
import { sending } from './sending.ts'

const id = z.string().min(1).max(512)

const refusal = z.object({
  field: z.enum(['from', 'to', 'subject', 'files', 'body', 'schedule', 'message']),
  message: z.string(),
  isLineBroken: z.literal(true).optional(),
})

/** Tries that broke while a draft's files went out. */
const broken = z.object({
  /** Of which files: how many bytes they have. Others are tried anew. */
  bytes: z.int().min(0),
  /** Since a person sent it. */
  tries: z.int().min(0),
  isStopped: z.literal(true).optional(),
  /** Whether any was handed on to its end, and only its answer is missing. */
  mayHaveArrived: z.boolean(),
})
export type Broken = z.infer<typeof broken>

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('held'), at: z.number() }),
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('sending') }),
  z.object({ kind: z.literal('scheduled'), at: z.number() }),
  z.object({ kind: z.literal('refused'), reason: refusal }),
])

/** A draft as the platform had it when it was last seen there. */
const seenThere = z.object({
  /** Milliseconds since the epoch; null where the platform does not say. */
  updatedAt: z.number().nullable(),
  content: draftContent,
})
export type SeenThere = z.infer<typeof seenThere>

/** What the writer of a reply could see of its thread when they began. */
const begun = z.object({
  /** The newest e-mail, and when it came by the platform's clock. */
  emailId: id,
  receivedAt: z.number(),
  /** Drafts of others, as they were. */
  drafts: z.array(z.object({ id, updatedAt: z.number().nullable() })),
})
export type Begun = z.infer<typeof begun>

export const keptDraft = z.object({
  id,
  inboxId: id,
  kind: z.enum(WRITING_KINDS),
  target: writingTarget.nullable(),
  content: draftContent,
  /** Grows with each change of the content on this computer. */
  revision: z.int().min(0),
  state,
  /** Whether it was begun on this computer. */
  isOurs: z.boolean(),
  /** Left out where it is no reply. */
  begun: begun.optional(),
  /** What the platform has of it; null where it has nothing. */
  platform: z
    .object({
      id,
      /** The inbox in which it is there: another one than the draft's where From was changed since. */
      inboxId: id,
      /** The revision that it has; null where what it has is somebody else's. */
      revision: z.int().min(0).nullable(),
      seen: seenThere,
    })
    .nullable(),
  /** What the platform has instead of what was last seen there: the person decides. */
  theirs: seenThere.nullable(),
  /**
   * What the platform was asked to keep, as long as its answer has not come: asked for again under the same key, it makes no
   * second draft.
   */
  request: z
    .object({ key: z.string(), inboxId: id, content: draftContent, revision: z.int().min(0), at: z.number() })
    .nullable(),
  /**
   * Whether the platform keeps it as a draft of its own although it answers an e-mail: the one unsent answer that an e-mail
   * has there is another draft's (platform facts 3.7), or what it answers is not there any more.
   */
  standsAlone: z.boolean().default(false),
  /** Which revision the platform does not keep, and why; null where it has refused none. */
  notKept: z
    .object({ revision: z.int().min(0), reason: refusal })
    .nullable()
    .default(null),
  /** How it is sent, from when the person said so until the platform has it, or they change what the line broke off. */
  sending: sending.nullable(),
  /** When its thread comes back unless somebody answers, milliseconds since the epoch; left out for never. */
  remindAt: z.number().optional(),
  /** Left out where none has broken since the platform last took it. */
  broken: broken.optional(),
  /**
   * A composer was opened with it, and nobody has written in it yet: it is listed nowhere, the platform is not told, and it goes
   * with the next start.
   */
  isUntouched: z.literal(true).optional(),
  /** When a person threw it away; null for one that stands. */
  discardedAt: z.number().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** A draft of this computer, with all that Linnet has to know of it after an end at any moment. */
export type KeptDraft = z.infer<typeof keptDraft>

/** Whether it is a person's to change: it is not on its way to be sent. */
export const canChange = ({ state }: KeptDraft): boolean => state.kind === 'open' || state.kind === 'refused'

/** Whether all that is written here is on the platform. */
export const isOnPlatform = ({ platform, revision, inboxId }: KeptDraft): boolean =>
  platform?.revision === revision && platform.inboxId === inboxId
