import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exportHere, findParts, readContactTable } from '../engine/account-exporter.ts'
import { openAccountReader } from '../engine/account-reader.ts'
import type { ExportedMail, ExportFormat } from '../shared/export.ts'
import { FOLDERS, type Folder, type Inbox } from '../shared/model.ts'
import { parseSearch } from '../shared/search/parse-search.ts'
import { folderQuery } from '../shared/thread-query.ts'
import type { AccountHere } from './accounts-here.ts'
import { describeProgress, quoted, tellDone, tellInterrupted } from './export-words.ts'
import { Interrupted, untilInterrupted } from './interruption.ts'
import { safeLine } from './safe-text.ts'
import { clock, searchFaultError } from './inbox-searches.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export type WantedMail =
  | { readonly kind: 'everything' }
  | { readonly kind: 'folder'; readonly folder: Folder }
  | { readonly kind: 'search'; readonly text: string }

export interface ExportOptions {
  readonly mail: WantedMail
  readonly path: string
  readonly format: ExportFormat
  /** The address of the inbox that is meant; undefined where there is one. */
  readonly inbox: string | undefined
  readonly canReplace: boolean
  readonly isJson: boolean
}

/** @throws CommandError for a folder that there is not */
export const readFolder = (typed: string): Folder => {
  const folder = FOLDERS.find((known) => known === typed.toLowerCase())
  if (folder !== undefined) return folder
  throw new CommandError(`--folder takes ${FOLDERS.join(', ')}, not “${safeLine(typed)}”.`, EXIT.usage)
}

/** The one inbox that is meant. @throws CommandError where that may be several, or is none */
const chooseInbox = (inboxes: readonly Inbox[], typed: string | undefined): Inbox => {
  const meant = inboxes.filter(
    ({ id, emailAddress }) => typed === undefined || id === typed || emailAddress.toLowerCase() === typed.toLowerCase(),
  )
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only
  if (only === undefined) {
    throw new CommandError(
      typed === undefined ? 'This account has no inboxes yet.' : `There is no inbox “${safeLine(typed)}” here.`,
      EXIT.nothing,
    )
  }
  throw new CommandError(
    'This account has several inboxes. Name one of them, or export --everything:',
    EXIT.usage,
    meant.map(({ emailAddress }) => `  --inbox ${quoted(safeLine(emailAddress))}`),
  )
}

/** The mail that is meant, in the engine's words. @throws CommandError */
export const chooseMail = (
  { directory }: AccountHere,
  { mail, inbox: typed }: Pick<ExportOptions, 'mail' | 'inbox'>,
): ExportedMail => {
  if (mail.kind === 'everything') return { kind: 'everything' }
  const reader = openAccountReader(directory)
  try {
    const { id } = chooseInbox(reader.inboxes(), typed)
    if (mail.kind === 'folder') return { kind: 'threads', query: folderQuery(id, mail.folder) }
    const search = parseSearch(mail.text, { ...clock(), labels: reader.labels(id) })
    if (search.faults.length > 0) throw searchFaultError(search)
    return { kind: 'threads', query: { ...search.filter, inboxIds: [id] } }
  } finally {
    reader.close()
  }
}

const TAKEN = 'This file already exists; nothing was replaced. Choose another name, or use --replace.'

/** Ends an export that has nothing to write. */
class NothingFound extends Error {}

/** `linnet export`: mail of this computer into a file, with no network and beside whoever else has the account open. */
export const exportMail = async (
  account: AccountHere,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { format, canReplace, isJson } = options
  const mail = chooseMail(account, options)
  const target = { path: resolve(options.path), mayReplace: canReplace }
  if (!canReplace && existsSync(target.path)) {
    throw new CommandError(TAKEN, EXIT.failed)
  }
  for (const part of await findParts(target.path)) {
    terminal.note(`${part} is of an export that was cut short, or still runs. Delete it if none runs.`)
  }
  try {
    const state = await untilInterrupted((ending) =>
      exportHere(account.directory, { mail, format }, target, ending.signal, (now) => {
        if (now.stage === 'writing' && now.total === 0) ending.abort(new NothingFound())
        else terminal.progress(describeProgress(now))
      }),
    )
    return tellDone(state, { isJson, wasFetching: false }, terminal)
  } catch (thrown) {
    if (thrown instanceof Interrupted) return tellInterrupted(terminal)
    if (!(thrown instanceof NothingFound)) throw thrown
    terminal.note('Nothing on this computer matches. No file was written.')
    return EXIT.nothing
  }
}

/** `linnet export --contacts`: the contacts of this computer as a table (CSV), into a file or to another program. */
export const exportContacts = async (
  { directory }: AccountHere,
  { path, canReplace }: { readonly path: string | undefined; readonly canReplace: boolean },
  terminal: Terminal,
): Promise<ExitCode> => {
  if (path === undefined && terminal.columns !== null) {
    throw new CommandError('Choose the file for the contacts with --to FILE.', EXIT.usage)
  }
  const bytes = await readContactTable(directory)
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
      code === 'EEXIST' ? TAKEN : `The contacts could not be written to ${safeLine(file)} (${code}).`,
      EXIT.failed,
    )
  }
  terminal.print(safeLine(file))
  return EXIT.done
}
