import { closeSync, fdatasyncSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { ExportFormat, ExportScope, ExportState } from '../../../shared/export.ts'
import { ok, ProblemError, type Problem, type Result } from '../../../shared/result.ts'
import { classifyDiskError, getErrorCode, toStorageProblem } from '../../../shared/storage-problem.ts'
import { CACHE_NAME } from '../../own/account-files.ts'
import { openCacheReadOnly, type ReadOnlyCache } from '../../store/cache.ts'
import { StoredFiles } from '../stored-files.ts'
import { ExportEntryStore, type ExportEntry } from './export-entries.ts'
import { FORMATS } from './formats.ts'
import { gatherMail } from './gather-mail.ts'
import { readMessage, type ExportedEmail } from './read-message.ts'

export interface ExportTask {
  /** The account's folder. */
  readonly directory: string
  readonly partsWorker: string
  readonly mail: ExportScope
  /** For a search: threads that only the platform has found, and whether it has found all. */
  readonly searched: { readonly ids: readonly string[]; readonly isWhole: boolean }
  readonly format: ExportFormat
  readonly isFetching: boolean
  /** The user's file, for messages. */
  readonly path: string
  /** The file to write, which exists and is empty. */
  readonly part: string
}

export type ExportProgress = Pick<
  ExportState,
  'total' | 'done' | 'bytes' | 'rebuilt' | 'incomplete' | 'missing' | 'missingThreads' | 'isWhole'
>

export const INITIAL_EXPORT_PROGRESS: ExportProgress = {
  ...{ total: null, done: 0, bytes: 0, rebuilt: 0, incomplete: 0, missing: 0, missingThreads: 0, isWhole: true },
}

export interface ExportHost {
  readonly onExported: (stage: 'gathering' | 'writing', progress: ExportProgress) => void
  /** Fetches a thread's e-mails, as far as possible. */
  readonly fetchThread: (inboxId: string, threadId: string) => Promise<void>
  /** Fetches what is missing of an e-mail. @returns true if nothing failed */
  readonly fetchEmail: (of: BodyOwner, wanted: 'original' | 'parts') => Promise<boolean>
}

/** Messages read at once, as their originals may need fetching. */
const READ_AT_ONCE = 4
/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 200
/** Bytes between flushes: a single flush at the end would block other files. */
const FLUSH_INTERVAL_BYTES = 16 * 1024 * 1024

const ADVICE = {
  full: 'The disk is full. Free up some space, then start again.',
  forbidden: 'Linnet can’t write to this folder. Export to another one.',
  missing: 'The folder no longer exists. Restore it, then start again.',
  broken: 'Linnet could not write to the disk. Check the disk, or export to another one.',
} as const

/** Null for an unexpected error. */
export const toExportProblem = (thrown: unknown, path: string): Problem | null => {
  if (thrown instanceof ProblemError) return thrown.problem
  const kind = classifyDiskError(thrown)
  if (kind === null) return toStorageProblem(thrown)
  const message = `The export to ${path} has stopped. ${ADVICE[kind]}`
  return { code: 'storage_failed', message, details: { reason: getErrorCode(thrown) } }
}

const ownerOf = ({ list, inboxId, threadId, emailId }: ExportEntry): BodyOwner =>
  list === 'threads' ? { list, inboxId: inboxId ?? '', threadId: threadId ?? '', emailId } : { list, emailId }

/** Writes and flushes a file. @param onWritten called with the bytes written so far */
const writePieces = async (
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  onWritten: (bytes: number) => void,
): Promise<void> => {
  const file = openSync(path, 'r+')
  try {
    let [written, flushed] = [0, 0]
    for await (const piece of pieces) {
      writeFileSync(file, piece)
      written += piece.byteLength
      onWritten(written)
      if (written - flushed < FLUSH_INTERVAL_BYTES) continue
      fdatasyncSync(file)
      flushed = written
    }
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

const exportMail = async (
  cache: ReadOnlyCache['cache'],
  entries: ExportEntryStore,
  task: ExportTask,
  host: ExportHost,
): Promise<ExportProgress> => {
  const { directory, partsWorker, format, isFetching, part } = task
  let progress = INITIAL_EXPORT_PROGRESS
  let reportedAt = -Infinity
  const report = (stage: 'gathering' | 'writing'): void => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = performance.now()
    host.onExported(stage, progress)
  }
  const gathered = await gatherMail(cache, task, entries, isFetching ? host.fetchThread : null, (done, total) => {
    progress = { ...progress, done, total }
    report('gathering')
  })
  progress = { ...INITIAL_EXPORT_PROGRESS, ...gathered, total: entries.count() }
  host.onExported('writing', progress)

  const { wants, write } = FORMATS[format]
  // The thread is terminated to stop it.
  const files = new StoredFiles({ directory, cache, partsWorker, signal: new AbortController().signal })
  const read = async (entry: ExportEntry): Promise<ExportedEmail | null> => {
    const stored = await readMessage(cache, files, entry, wants, false)
    const isWhole = stored?.isIncomplete === false
    const isOriginalMissing = wants === 'original' && stored?.original === null && stored.direction === 'inbound'
    if (!isFetching || (isWhole && !isOriginalMissing)) return stored
    return readMessage(cache, files, entry, wants, await host.fetchEmail(ownerOf(entry), wants))
  }
  const messages = async function* (): AsyncGenerator<ExportedEmail> {
    for (const page of entries.pages(READ_AT_ONCE)) {
      for (const email of await Promise.all(page.map(read))) {
        if (email === null) {
          progress = { ...progress, missing: progress.missing + 1 }
          continue
        }
        yield email
        progress = {
          ...progress,
          done: progress.done + 1,
          rebuilt: progress.rebuilt + Number(email.original === null && wants === 'original'),
          incomplete: progress.incomplete + Number(email.isIncomplete),
        }
        report('writing')
      }
    }
  }
  await writePieces(part, write(messages()), (bytes) => (progress = { ...progress, bytes }))
  return progress
}

/** Writes an export from what is stored and what the host fetches. @returns the counts of the file, which is on disk */
export const writeExport = async (task: ExportTask, host: ExportHost): Promise<Result<ExportProgress>> => {
  const entries = new ExportEntryStore()
  try {
    const opened = openCacheReadOnly(join(task.directory, CACHE_NAME))
    try {
      return ok(await exportMail(opened.cache, entries, task, host))
    } finally {
      opened.close()
    }
  } catch (thrown) {
    const problem = toExportProblem(thrown, task.path)
    if (problem === null) throw thrown
    return { ok: false, error: problem }
  } finally {
    entries.close()
  }
}
