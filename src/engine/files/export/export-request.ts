import { z } from 'zod'
import {
  EXPORT_FORMATS,
  exportScopeSchema,
  type ExportScope,
  type ExportFormat,
  type ExportState,
} from '../../../shared/export.ts'
import type { Problem } from '../../../shared/result.ts'

export interface ExportRequest {
  readonly id: string
  readonly mail: ExportScope
  readonly format: ExportFormat
  readonly path: string
  /** Path of the file until it is complete. */
  readonly part: string
  readonly isFetching: boolean
  /** The user agreed to overwrite an existing file. */
  readonly mayReplace: boolean
  /** Linnet's own file, deleted when the export is dismissed. */
  readonly isLent: boolean
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

export type ExportProgress = Pick<
  ExportState,
  'total' | 'done' | 'bytes' | 'rebuilt' | 'incomplete' | 'missing' | 'missingThreads' | 'isWhole'
>

export const INITIAL_EXPORT_PROGRESS: ExportProgress = {
  total: null,
  done: 0,
  bytes: 0,
  rebuilt: 0,
  incomplete: 0,
  missing: 0,
  missingThreads: 0,
  isWhole: true,
}

export const exportRequestSchema: z.ZodType<ExportRequest> = z.object({
  id: z.string(),
  mail: exportScopeSchema,
  format: z.enum(EXPORT_FORMATS),
  path: z.string(),
  part: z.string(),
  isFetching: z.boolean(),
  mayReplace: z.boolean(),
  isLent: z.boolean(),
  startedAt: z.number(),
})

export const exportProgressSchema: z.ZodType<ExportProgress> = z.object({
  total: z.number().nullable(),
  done: z.number(),
  bytes: z.number(),
  rebuilt: z.number(),
  incomplete: z.number(),
  missing: z.number(),
  missingThreads: z.number(),
  isWhole: z.boolean(),
})

export const toExportState = (
  { id, format, path, startedAt }: ExportRequest,
  stage: ExportState['stage'],
  progress: ExportProgress,
  problem: Problem | null = null,
): ExportState => ({ id, format, path, startedAt, stage, problem, ...progress })
