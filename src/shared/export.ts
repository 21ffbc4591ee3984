/** What is said of taking mail out of Linnet, between the screens, the host and the engine. */
import { z } from 'zod'
import type { Problem } from './result.ts'
import { threadQuerySchema } from './thread-query.ts'

/** `mbox`: one mailbox file (mboxrd). `zip`: an `.eml` file for each e-mail. `jsonl`: a line of JSON for each. */
export const EXPORT_FORMATS = ['mbox', 'zip', 'jsonl'] as const
export const EXPORT_ENDINGS = { mbox: 'mbox', zip: 'zip', jsonl: 'jsonl' } as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The threads of a list with all of their e-mails, or all mail of the account. */
export const exportedMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('threads'), query: threadQuerySchema }).strict(),
  z.object({ kind: z.literal('everything') }).strict(),
])
export type ExportedMail = z.infer<typeof exportedMail>

export const exportWish = z
  .object({
    mail: exportedMail,
    format: z.enum(EXPORT_FORMATS),
    /** Whether what is not here is asked of the platform. */
    isFetching: z.boolean(),
    /** What the file is called at first, without an ending. */
    name: z.string().max(4_000),
  })
  .strict()
export type ExportWish = z.infer<typeof exportWish>

/** An export, and how far it has come. */
export interface ExportState {
  readonly id: string
  readonly format: ExportFormat
  /** The file that it becomes; until it is whole another one beside it is written. */
  readonly path: string
  /**
   * `waiting`: for another one. `gathering`: e-mails that are not here are fetched, and all that is meant is noted down.
   * `stopped`: by a problem, or by the end of Linnet. Nothing of it is left; it can be started again.
   */
  readonly stage: 'waiting' | 'gathering' | 'writing' | 'stopped' | 'done'
  /** E-mails that are meant; while it gathers, threads whose e-mails are fetched; null while that is not known. */
  readonly total: number | null
  /** E-mails that are in the file; while it gathers, threads that were fetched. */
  readonly done: number
  /** Of the file. */
  readonly bytes: number
  /** Of the e-mails in the file: those that were put together of their parts, as there is no original of them. */
  readonly rebuilt: number
  /** Those of which the text, or an attachment, is missing. */
  readonly incomplete: number
  /** E-mails that are not in the file, as nothing of them is here. */
  readonly missing: number
  /** Threads that are not in the file, or not all of them, as their e-mails are not here. */
  readonly missingThreads: number
  /** Whether the platform cannot have more of what was meant. */
  readonly isWhole: boolean
  /** Why it has stopped; null if Linnet ended, or if it has not. */
  readonly problem: Problem | null
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}
