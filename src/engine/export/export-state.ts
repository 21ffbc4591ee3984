import type { ExportState } from '../../shared/export.ts'
import type { Problem } from '../../shared/result.ts'
import type { Journal } from './journal.ts'
import type { Told } from './run-export.ts'

/** An export as it is told of. @param told of the run that is under way; null where there is none */
export const exportStateOf = (
  journal: Pick<Journal, 'request' | 'progress' | 'count'>,
  stage: ExportState['stage'],
  problem: Problem | null,
  told: Told | null,
): ExportState => {
  const { id, format, path, startedAt } = journal.request
  const kept = told?.progress ?? journal.progress()
  const { bytes, rebuilt, incomplete, missing, missingThreads, isWhole } = kept
  const isGathering = stage === 'gathering'
  return {
    ...{ id, format, path, stage, bytes, rebuilt, incomplete, missing, missingThreads, isWhole, startedAt, problem },
    total: isGathering
      ? (told?.total ?? null)
      : kept.stage === 'done'
        ? kept.done + kept.missing
        : kept.stage === 'writing'
          ? (told?.total ?? journal.count())
          : null,
    done: isGathering ? (told?.done ?? 0) : kept.done,
  }
}
