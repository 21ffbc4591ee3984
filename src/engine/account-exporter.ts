/**
 * Exports an account's mail from its folder alone, beside a window that has it open or without any: nothing in the folder
 * is changed and nobody is asked. What is not on this computer is rebuilt or left out, and counted. The journal lies beside
 * the file that is written, so that an export that was ended is gone on with by whoever has the two.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDERS } from '../shared/model.ts'
import type { ExportTarget } from '../shared/engine-link.ts'
import type { ExportState, ExportWish } from '../shared/export.ts'
import type { ProblemError } from '../shared/result.ts'
import { CACHE_NAME } from './account-files.ts'
import { Attachments } from './attachments/attachments.ts'
import { partsWorkerFile, readParts } from './attachments/read-parts.ts'
import { readContents } from './contents/read-contents.ts'
import { beginExport } from './export/begin-export.ts'
import { writeContactTable } from './export/contact-table.ts'
import { exportStateOf } from './export/export-state.ts'
import { openJournal, removeJournal, type Journal } from './export/journal.ts'
import { removePartFile } from './export/part-file.ts'
import { pauseProblem, runExport, type ExportSources, type Told } from './export/run-export.ts'
import { Originals } from './originals/originals.ts'
import { problem } from './saying.ts'
import { clockHere } from './search/clock-here.ts'
import { searchOnComputer } from './search/search-on-computer.ts'
import { openCacheToRead, type ReadCache } from './store/cache.ts'
import { inStorageWords } from './store/storage-problem.ts'
import { createAbilities } from './sync/abilities.ts'
import { walkName } from './sync/thread-sync.ts'

/** An export of what is on this computer. */
export interface ExportHere {
  readonly state: () => ExportState
  /**
   * Goes on with it up to its end; its journal is removed then.
   * @param tell is told how far it has come
   * @throws the signal's reason, or a ProblemError: it can be gone on with after either
   */
  readonly run: (signal: AbortSignal, tell: (state: ExportState) => void) => Promise<ExportState>
  /** What was written stays, to be gone on with. */
  readonly close: () => void
  /** Removes what was written of one that is not done. */
  readonly cancel: () => Promise<void>
}

/** Threads that a search gives at once. */
const PAGE = 200

/** Where what belongs to an unfinished export to a path lies. */
const partOf = (path: string): string => `${path}.part`
const journalOf = (path: string): string => `${path}.linnet-export`

const notUnfinished = (path: string): ProblemError => problem('not_found', `There is no unfinished export to ${path}.`)

const neverAsked = (): never => {
  throw problem('unreachable', 'The platform is not asked.')
}

/** What is read of an account's folder, in the place of what an open account has. */
const sourcesOf = (directory: string, { cache }: ReadCache, signal: AbortSignal): ExportSources => {
  const platform = {
    getReceivedEmail: neverAsked,
    getSentEmail: neverAsked,
    getAttachment: neverAsked,
    listAttachments: neverAsked,
  }
  const nowhere = {
    ...{ platform, cache, signal, abilities: createAbilities() },
    baseUrl: new URL('https://platform.invalid'),
    contents: readContents(directory, cache.contents),
    // What cannot be read is counted.
    report: () => undefined,
  }
  const originals = new Originals(nowhere)
  const local = searchOnComputer(cache)
  const isListed = ({ id }: { readonly id: string }, folder: string): boolean =>
    FOLDERS.some((known) => known === folder && cache.walks.get(walkName({ id }, known)).rounds > 0)
  return {
    ...{ cache, platform, originals, signal },
    attachments: new Attachments({
      ...nowhere,
      originals,
      hub: { attachments: () => undefined },
      readParts: (original, ending) => readParts(partsWorkerFile(import.meta.filename), original, ending),
    }),
    threads: { emails: () => Promise.resolve(false), isListed, mayOfferEmails: () => false },
    searches: {
      everything: function* (inbox, query) {
        const clock = clockHere()()
        for (let page = local.page(inbox, query, clock, null, PAGE); ;) {
          yield page.matches.map(({ threadId }) => threadId)
          const last = page.matches.at(-1)
          if (page.isEnd || last === undefined) return
          page = local.page(inbox, query, clock, last, PAGE)
        }
      },
      isWhole: ({ inboxIds }) =>
        inboxIds.every((id) => {
          const stored = cache.inboxes.get(id)
          const extent = stored && local.extent({ key: stored.key, id })
          const isAllHere = extent !== undefined && extent !== null && extent.emails >= extent.of
          return isAllHere && FOLDERS.every((folder) => isListed({ id }, folder))
        }),
    },
    outbox: { labelIdNow: (_inboxId, labelId) => labelId },
    isOnline: () => false,
  }
}

const openHere = (directory: string, journal: Journal): ExportHere => {
  const { path } = journal.request
  let told: Told | null = null
  let stage: ExportState['stage'] = 'paused'
  let isClosed = false
  /** Whether another process has come to its end: it notes that in the journal, and puts that away. */
  const isFinished = (): boolean => !existsSync(journalOf(path)) || journal.progress().stage === 'done'
  const state = (): ExportState => exportStateOf(journal, stage, null, told)
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    try {
      journal.close()
    } catch (thrown) {
      // Of one that another process has removed nothing is left to be written.
      if (existsSync(journalOf(path))) throw thrown
    }
  }
  return {
    state,
    run: async (signal, tell) => {
      if (isFinished()) {
        close()
        removeJournal(journalOf(path))
        throw notUnfinished(path)
      }
      try {
        const opened = openCacheToRead(join(directory, CACHE_NAME))
        try {
          await runExport(sourcesOf(directory, opened, signal), journal, (now) => {
            told = now
            stage = now.stage
            tell(state())
          })
        } finally {
          opened.close()
          told = null
          stage = 'paused'
        }
      } catch (thrown) {
        signal.throwIfAborted()
        if (!existsSync(journalOf(path))) throw notUnfinished(path)
        const why = pauseProblem(thrown, path)
        throw why.code === 'storage_failed' ? problem(why.code, why.message) : inStorageWords(thrown)
      }
      stage = 'done'
      const done = state()
      close()
      removeJournal(journalOf(path))
      return done
    },
    close,
    cancel: async () => {
      close()
      await removePartFile(partOf(path))
      removeJournal(journalOf(path))
    },
  }
}

/**
 * Begins an export of the mail of an account's folder.
 * @throws ProblemError `invalid_input` for a path that is taken, or has an export that was not finished; `storage_failed`
 * where nothing can be written
 */
export const beginExportHere = async (
  directory: string,
  { mail, format }: Pick<ExportWish, 'mail' | 'format'>,
  target: Pick<ExportTarget, 'path' | 'mayReplace'>,
): Promise<ExportHere> => {
  const { path } = target
  if (existsSync(journalOf(path))) {
    throw problem('invalid_input', `An export to ${path} is not finished. Resume it, or remove ${journalOf(path)}.`)
  }
  if (existsSync(partOf(path))) {
    throw problem('invalid_input', `The export needs the file name ${partOf(path)}. Move that file away first.`)
  }
  // Before anything is made: whether there is mail that can be read.
  openCacheToRead(join(directory, CACHE_NAME)).close()
  const journal = await beginExport({ mail, format, isFetching: false }, target, {
    ...{ id: randomUUID(), part: partOf(path), journalFile: journalOf(path), accountDirectory: directory },
  })
  return openHere(directory, journal)
}

/**
 * Opens an export to a path that was ended, to go on with it.
 * @throws ProblemError `not_found` where there is none, `storage_failed` where its journal cannot be read, or another
 * process goes on with it (`details.cause` begins with `SQLITE_BUSY`)
 */
export const resumeExportHere = (path: string): ExportHere => {
  const file = journalOf(path)
  if (!existsSync(file)) throw notUnfinished(path)
  let journal: Journal | null
  try {
    journal = openJournal(file, null, true)
  } catch (thrown) {
    // The process that went on with it may have finished it just now.
    throw existsSync(file) ? inStorageWords(thrown) : notUnfinished(path)
  }
  const directory = journal?.request.accountDirectory
  if (journal !== null && directory !== undefined) return openHere(directory, journal)
  journal?.close()
  if (journal === null && !existsSync(partOf(path))) {
    // It was finished between the look and the opening, which has left an empty file.
    removeJournal(file)
    throw notUnfinished(path)
  }
  throw problem('storage_failed', `The progress of the export to ${path} is unreadable. Start it again.`)
}

/** The contacts of an account’s folder as a table (CSV). */
export const readContactTable = async (directory: string): Promise<Uint8Array> => {
  try {
    const opened = openCacheToRead(join(directory, CACHE_NAME))
    try {
      return (await writeContactTable(opened.cache.contacts)).content
    } finally {
      opened.close()
    }
  } catch (thrown) {
    throw inStorageWords(thrown)
  }
}
