import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportStoredMail, exportContactsCsv } from '../engine/files/account-exporter.ts'
import type { ExportScope, ExportFormat, ExportState } from '../shared/export.ts'
import { FOLDERS, type Folder, type Inbox } from '../shared/model.ts'
import { parseSearch } from '../shared/search/parse-search.ts'
import { createFolderQuery } from '../shared/thread-query.ts'
import type { LocalAccount } from './local-accounts.ts'
import { InterruptedError, runInterruptible } from './interruption.ts'
import { sanitizeLine, toSafeJson } from './safe-text.ts'
import { getSearchClock, matchesInbox, readAccount, toSearchError } from './inbox-searches.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

const numbers = new Intl.NumberFormat('en')
const formatCount = (amount: number, one: string): string =>
  `${numbers.format(amount)} ${amount === 1 ? one : `${one}s`}`
const were = (amount: number): string => (amount === 1 ? 'was' : 'were')

const MB = 1024 * 1024
const formatSize = (bytes: number): string =>
  bytes < MB ? `${Math.ceil(bytes / 1024)} KB` : `${Math.round(bytes / MB)} MB`

/** An export's counts and file. */
type ExportReport = Omit<ExportState, 'id' | 'stage' | 'problem' | 'startedAt'>

export const describeExportProgress = ({
  stage,
  done,
  total,
  bytes,
}: Pick<ExportState, 'stage' | 'done' | 'total' | 'bytes'>): string => {
  const of = total === null ? numbers.format(done) : `${numbers.format(done)} of ${numbers.format(total)}`
  if (stage === 'gathering') return total === null ? 'Finding mail' : `Downloaded ${of} threads`
  return `Wrote ${of} messages, ${formatSize(bytes)}`
}

/** Quotes a word for reuse in a shell. */
const quoteForShell = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

const gapsOf = ({ rebuilt, incomplete, missing, missingThreads, isWhole }: ExportReport): readonly string[] => [
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
  state: ExportReport,
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

export type ExportSelection =
  | { readonly kind: 'everything' }
  | { readonly kind: 'folder'; readonly folder: Folder }
  | { readonly kind: 'search'; readonly text: string }

export interface ExportOptions {
  readonly mail: ExportSelection
  readonly path: string
  readonly format: ExportFormat
  /** Address of the inbox; undefined if there is only one. */
  readonly inbox: string | undefined
  readonly canReplace: boolean
  readonly isJson: boolean
}

/** @throws CommandError for an unknown folder */
export const parseFolderOption = (typed: string): Folder => {
  const folder = FOLDERS.find((known) => known === typed.toLowerCase())
  if (folder !== undefined) return folder
  throw new CommandError(`--folder takes ${FOLDERS.join(', ')}, not “${sanitizeLine(typed)}”.`, EXIT.usage)
}

/** @throws CommandError if several inboxes match, or none */
const chooseInbox = (inboxes: readonly Inbox[], typed: string | undefined): Inbox => {
  const meant = inboxes.filter((inbox) => typed === undefined || matchesInbox(inbox, typed))
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only
  if (only === undefined) {
    throw new CommandError(
      typed === undefined ? 'This account has no inboxes yet.' : `There is no inbox “${sanitizeLine(typed)}” here.`,
      EXIT.nothing,
    )
  }
  throw new CommandError(
    'This account has several inboxes. Name one of them, or export --everything:',
    EXIT.usage,
    meant.map(({ emailAddress }) => `  --inbox ${quoteForShell(sanitizeLine(emailAddress))}`),
  )
}

/** Translates the typed options for the engine. @throws CommandError */
export const resolveExportedMail = (
  account: LocalAccount,
  { mail, inbox: typed }: Pick<ExportOptions, 'mail' | 'inbox'>,
): ExportScope => {
  if (mail.kind === 'everything') return { kind: 'everything' }
  return readAccount(account, (reader) => {
    const { id } = chooseInbox(reader.inboxes(), typed)
    if (mail.kind === 'folder') return { kind: 'threads', query: createFolderQuery(id, mail.folder) }
    const search = parseSearch(mail.text, { ...getSearchClock(), labels: reader.searchLabels(id) })
    if (search.faults.length > 0) throw toSearchError(search)
    return { kind: 'threads', query: { ...search.filter, inboxIds: [id] } }
  })
}

const FILE_EXISTS_MESSAGE = 'This file already exists; nothing was replaced. Choose another name, or use --replace.'

class NothingFound extends Error {}

/** `linnet export`: writes local mail to a file, offline, even while another program has the account open. */
export const exportMail = async (
  account: LocalAccount,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { format, canReplace, isJson } = options
  const mail = resolveExportedMail(account, options)
  const target = { path: resolve(options.path), mayReplace: canReplace }
  if (!canReplace && existsSync(target.path)) {
    throw new CommandError(FILE_EXISTS_MESSAGE, EXIT.failed)
  }
  try {
    const { path, progress } = await runInterruptible((ending) =>
      exportStoredMail(account.directory, { mail, format }, target, ending.signal, (stage, now) => {
        if (stage === 'writing' && now.total === 0) ending.abort(new NothingFound())
        else terminal.progress(describeExportProgress({ stage, ...now }))
      }),
    )
    return reportExport({ path, format, ...progress }, { isJson, wasFetching: false }, terminal)
  } catch (thrown) {
    if (thrown instanceof InterruptedError) return reportInterrupted(terminal)
    if (!(thrown instanceof NothingFound)) throw thrown
    terminal.note('Nothing on this computer matches. No file was written.')
    return EXIT.nothing
  }
}

/** `linnet export --contacts`: writes the local contacts as CSV to a file or to another program. */
export const exportContacts = async (
  { directory }: LocalAccount,
  { path, canReplace }: { readonly path: string | undefined; readonly canReplace: boolean },
  terminal: Terminal,
): Promise<ExitCode> => {
  if (path === undefined && terminal.columns !== null) {
    throw new CommandError('Choose the file for the contacts with --to FILE.', EXIT.usage)
  }
  const bytes = await exportContactsCsv(directory)
  if (path === undefined) {
    terminal.write(bytes)
    return EXIT.done
  }
  const file = resolve(path)
  try {
    await writeFile(file, bytes, { mode: 0o600, flag: canReplace ? 'w' : 'wx' })
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    throw new CommandError(
      code === 'EEXIST' ? FILE_EXISTS_MESSAGE : `The contacts could not be written to ${sanitizeLine(file)} (${code}).`,
      EXIT.failed,
    )
  }
  terminal.print(sanitizeLine(file))
  return EXIT.done
}
