import { z } from 'zod'
import type { Problem } from './result.ts'
import { threadQuerySchema } from './thread-query.ts'

/**
 * File extensions. `mbox`: one mailbox file (mboxrd). `zip`: one `.eml` file per e-mail. `jsonl`: one line of JSON per
 * e-mail, only on the command line.
 */
export const EXPORT_FORMATS = ['mbox', 'zip', 'jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The threads of a list with all of their e-mails, or all mail of the account. */
export const exportScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('threads'), query: threadQuerySchema }).strict(),
  z.object({ kind: z.literal('everything') }).strict(),
])
export type ExportScope = z.infer<typeof exportScopeSchema>

export interface ExportRequest {
  readonly mail: ExportScope
  readonly format: ExportFormat
  /** True to fetch missing e-mails from the platform. */
  readonly isFetching: boolean
}

/** An export from a window. */
export const exportSettingsSchema = z
  .object({
    mail: exportScopeSchema,
    format: z.enum(['mbox', 'zip']),
    isFetching: z.boolean(),
    /** Suggested filename, without an extension. */
    name: z.string().max(4_000),
  })
  .strict()
export type ExportSettings = z.infer<typeof exportSettingsSchema>

export interface ExportState {
  readonly id: string
  readonly format: ExportFormat
  /** The final file. Until it is complete, a temporary file next to it is written. */
  readonly path: string
  /**
   * `gathering`: fetching missing e-mails and recording what to export. `stopped`: because of a problem; the partial
   * file is removed.
   */
  readonly stage: 'gathering' | 'writing' | 'stopped' | 'done'
  /** E-mails to export, or threads to fetch while gathering; null if unknown. */
  readonly total: number | null
  /** E-mails written so far, or threads fetched so far while gathering. */
  readonly done: number
  readonly bytes: number
  /** E-mails in the file that were rebuilt from their parts because their raw source is missing. */
  readonly rebuilt: number
  /** E-mails in the file without their text or an attachment. */
  readonly incomplete: number
  /** E-mails that are not in the file because no part of them is stored locally. */
  readonly missing: number
  /** Threads that are missing from the file entirely or in part, because their e-mails are not stored locally. */
  readonly missingThreads: number
  /** True if the platform can't have more mail that matches. */
  readonly isWhole: boolean
  /** Why the export stopped, or null. */
  readonly problem: Problem | null
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}
