import type { ExportState } from '../../../shared/export.ts'
import { formatCount, formatBytes, formatNumber } from '../../ui/format-quantity.ts'

export const describeExport = ({ stage, done, total, bytes, problem }: ExportState): string => {
  const of = total === null ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`
  if (stage === 'gathering') return total === null ? 'Looking for your mail' : `Downloading threads: ${of}`
  if (stage === 'writing') return `${of} messages${bytes === 0 ? '' : `, ${formatBytes(bytes)}`}`
  if (problem !== null) return problem.message
  return `${formatCount(done, 'message')}, ${formatBytes(bytes)}`
}

/** Notes on gaps in the exported file, or none. */
export const describeGaps = (state: ExportState): readonly string[] => {
  const { rebuilt, incomplete, missing, missingThreads, isWhole, stage } = state
  if (stage !== 'done') return []
  const are = (count: number): string => (count === 1 ? 'was' : 'were')
  return [
    ...(rebuilt > 0
      ? [`${formatCount(rebuilt, 'message')} ${are(rebuilt)} rebuilt because no original was stored on this computer.`]
      : []),
    ...(incomplete > 0 ? [`Text or an attachment is missing from ${formatCount(incomplete, 'message')}.`] : []),
    ...(missing > 0 ? [`${formatCount(missing, 'message')} could not be read and ${are(missing)} skipped.`] : []),
    ...(missingThreads > 0
      ? [
          `Some messages in ${formatCount(missingThreads, 'thread')} are not on this computer. Go online to download them, then export again.`,
        ]
      : []),
    ...(isWhole ? [] : ['This export may be incomplete. The platform may have more mail.']),
  ]
}

/** Progress from 0 to 1, or null if the total is unknown. */
export const computeExportProgress = ({ done, total, stage }: ExportState): number | null =>
  stage === 'done' ? 1 : total === null || total === 0 ? null : Math.min(1, done / total)

/** Suggested filename, without extension. @param now milliseconds since the epoch */
export const suggestExportFilename = (now: number): string => `Mail ${new Date(now).toISOString().slice(0, 10)}`
