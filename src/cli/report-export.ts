import type { ExportState } from '../shared/export.ts'
import { toSafeJson, sanitizeLine } from './safe-text.ts'
import { EXIT, type ExitCode, type Terminal } from './terminal.ts'

const numbers = new Intl.NumberFormat('en')
const formatCount = (amount: number, one: string): string =>
  `${numbers.format(amount)} ${amount === 1 ? one : `${one}s`}`
const were = (amount: number): string => (amount === 1 ? 'was' : 'were')

const MB = 1024 * 1024
const formatSize = (bytes: number): string =>
  bytes < MB ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / MB)} MB`

export const describeExportProgress = ({ stage, done, total, bytes }: ExportState): string => {
  const of = total === null ? numbers.format(done) : `${numbers.format(done)} of ${numbers.format(total)}`
  if (stage === 'waiting') return 'Waiting for another export'
  if (stage === 'gathering') return total === null ? 'Finding mail' : `Downloaded ${of} threads`
  return `Wrote ${of} messages, ${formatSize(bytes)}`
}

/** Quotes a word for reuse in a shell. */
export const quoteForShell = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const gapsOf = ({ rebuilt, incomplete, missing, missingThreads, isWhole }: ExportState): readonly string[] => [
  ...(rebuilt > 0
    ? [`${formatCount(rebuilt, 'message')} ${were(rebuilt)} rebuilt: no original on this computer.`]
    : []),
  ...(incomplete > 0 ? [`${formatCount(incomplete, 'message')} lacked text or an attachment.`] : []),
  ...(missing > 0 ? [`${formatCount(missing, 'message')} could not be read and ${were(missing)} skipped.`] : []),
  ...(missingThreads > 0
    ? [`Some messages in ${formatCount(missingThreads, 'thread')} are not on this computer.`]
    : []),
  ...(isWhole ? [] : ['The platform may have more of this mail.']),
]

/** Reports an export: the path on stdout, notes for the user. @param wasFetching true if missing mail was fetched */
export const reportExport = (
  state: ExportState,
  { isJson, wasFetching }: { readonly isJson: boolean; readonly wasFetching: boolean },
  terminal: Terminal,
): ExitCode => {
  const { path, format, done, bytes, rebuilt, incomplete, missing, missingThreads, isWhole } = state
  if (isJson) {
    const gaps = { rebuilt, incomplete, missing, missingThreads, isWhole }
    terminal.print(toSafeJson({ type: 'export', path, format, emails: done, bytes, ...gaps }))
  } else terminal.print(sanitizeLine(path))
  terminal.note(`${formatCount(done, 'message')}, ${formatSize(bytes)}.`)
  for (const gap of gapsOf(state)) terminal.note(gap)
  const canHaveMore = incomplete + missing + missingThreads > 0 || !isWhole
  if (canHaveMore && !wasFetching) terminal.note('Use --fetch to download what is missing.')
  return EXIT.done
}

export const reportInterrupted = (terminal: Terminal): ExitCode => {
  terminal.note('Interrupted. No file was written. Run the command again to start over.')
  return EXIT.interrupted
}
