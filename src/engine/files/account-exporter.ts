/**
 * Exports mail straight from an account's folder, even while a window has it open. It changes nothing in the folder and
 * makes no requests. Missing mail is rebuilt or left out, and counted.
 */
import { join } from 'node:path'
import { statSync } from 'node:fs'
import { FOLDERS } from '../../shared/model.ts'
import type { ExportTarget } from '../../shared/engine-api.ts'
import type { ExportState, ExportSettings } from '../../shared/export.ts'
import { ProblemError, createProblem } from '../../shared/result.ts'
import { CACHE_NAME } from '../own/account-files.ts'
import { Attachments } from '../mail/attachments/attachments.ts'
import { partsWorkerFile, parseInWorker } from '../mail/attachments/parse-in-worker.ts'
import { prepareExport, toExportProblem } from './export/prepare-export.ts'
import { serializeContactTable } from './export/contact-table.ts'
import { toExportState } from './export/export-request.ts'
import { finishPartFile } from './export/part-file.ts'
import { writeExport, type ExportSources } from './export/run-export.ts'
import { RawMessages } from '../sync/raw-messages.ts'
import { resolveQuery } from '../store/search-index/search-query.ts'
import { iterateMatchPages } from '../store/search-index/search-threads.ts'
import { openCacheReadOnly, type ReadOnlyCache } from '../store/cache.ts'
import { toStorageError } from '../store/storage-problem.ts'
import { createLocalClock, systemClock } from '../timing/clock.ts'
import { Capabilities } from '../platform/capabilities.ts'
import { formatCrawlName } from '../sync/thread-sync.ts'
import type { BlobRow, BlobRowStore } from '../store/blob-rows.ts'
import {
  type BlobContent,
  blobPath,
  type Blobs,
  computeDigest,
  type BlobMetadata,
  readBlobFile,
} from '../store/blobs.ts'

export { findPartFiles } from './export/part-file.ts'

const failOffline = (): never => {
  throw createProblem('unreachable', 'Offline exports do not contact the platform.')
}

const REMEMBERED_BYTES = 64 * 1024 * 1024

/**
 * Read-only access to blobs that another process may be writing. Results to store, such as parsed attachments, stay in
 * memory for a while.
 */
const createReadOnlyBlobs = (
  accountDirectory: string,
  rows: Pick<BlobRowStore, 'get'>,
): Pick<Blobs, 'get' | 'metadata' | 'has' | 'piece' | 'put'> => {
  const remembered = new Map<string, BlobContent>()
  let bytesRemembered = 0
  const forget = (key: string): void => {
    bytesRemembered -= remembered.get(key)?.bytes.byteLength ?? 0
    remembered.delete(key)
  }

  const isInFile = ({ digest, bytes }: BlobRow): boolean => {
    try {
      return statSync(join(accountDirectory, blobPath(digest))).size === bytes
    } catch {
      return false
    }
  }
  const metadata = (key: string): BlobMetadata | null => {
    const mine = remembered.get(key)
    if (mine !== undefined) return { ...mine, bytes: mine.bytes.byteLength }
    const row = rows.get(key)
    if (row === undefined || !isInFile(row)) return null
    const { digest, bytes, contentType, fetchedAt } = row
    return { digest, bytes, contentType, fetchedAt }
  }
  const get = async (key: string): Promise<BlobContent | null> => {
    const mine = remembered.get(key)
    if (mine !== undefined) return mine
    const found = metadata(key)
    const bytes = found === null ? null : await readBlobFile(accountDirectory, found.digest)
    return found === null || bytes === null ? null : { ...found, bytes }
  }

  return {
    get,
    metadata,
    has: (key) => metadata(key) !== null,
    piece: async (key, from, length) => (await get(key))?.bytes.subarray(from, from + length) ?? null,
    put: async (key, bytes, { contentType }) => {
      const known = { digest: await computeDigest(bytes), contentType, fetchedAt: systemClock.now() }
      forget(key)
      remembered.set(key, { ...known, bytes })
      bytesRemembered += bytes.byteLength
      for (const other of remembered.keys()) {
        if (bytesRemembered <= REMEMBERED_BYTES || other === key) break
        forget(other)
      }
      return { ...known, bytes: bytes.byteLength }
    },
  }
}

/** Offline replacements for an open account's sources. */
const sourcesOf = (directory: string, { cache }: ReadOnlyCache, signal: AbortSignal): ExportSources => {
  const platform = {
    getReceivedEmail: failOffline,
    getSentEmail: failOffline,
    getAttachment: failOffline,
    listAttachments: failOffline,
  }
  const nowhere = {
    ...{ platform, cache, signal, capabilities: new Capabilities() },
    downloads: { fetchFresh: failOffline },
    blobs: createReadOnlyBlobs(directory, cache.blobs),
    // The export counts unreadable mail instead.
    report: () => undefined,
  }
  const rawMessages = new RawMessages(nowhere)
  const isListed = ({ id }: { readonly id: string }, folder: string): boolean =>
    FOLDERS.some((known) => known === folder && cache.listProgress.get(formatCrawlName({ id }, known)).rounds > 0)
  return {
    ...{ cache, platform, rawMessages, signal },
    attachments: new Attachments({
      ...nowhere,
      rawMessages,
      hub: { attachments: () => undefined },
      readParts: (original, ending) =>
        parseInWorker(partsWorkerFile(import.meta.filename), 'original', original, ending),
    }),
    threads: { emails: () => Promise.resolve(false), isListed, mayOfferEmails: () => false },
    searches: {
      everything: (query) => iterateMatchPages(cache.threadSearch, resolveQuery(query, createLocalClock()())),
      isWhole: ({ inboxIds }) =>
        inboxIds.every((id) => {
          const stored = cache.inboxes.get(id)
          const extent = stored && cache.search.extent(stored.key)
          const isAllStored = extent !== undefined && extent.emails >= extent.of
          return isAllStored && FOLDERS.every((folder) => isListed({ id }, folder))
        }),
    },
    outbox: { labelIdNow: (_inboxId, labelId) => labelId },
    isOnline: () => false,
  }
}

/**
 * Exports the mail of an account's folder. An aborted export leaves no file.
 * @throws the signal's reason, or ProblemError: `invalid_input` if the path is taken, `storage_failed` if the mail
 * can't be read or the file can't be written
 */
export const exportStoredMail = async (
  directory: string,
  { mail, format }: Pick<ExportSettings, 'mail' | 'format'>,
  target: Pick<ExportTarget, 'path' | 'mayReplace'>,
  signal: AbortSignal,
  onProgress: (state: ExportState) => void,
): Promise<ExportState> => {
  const opened = openCacheReadOnly(join(directory, CACHE_NAME))
  try {
    const request = await prepareExport({ mail, format, isFetching: false }, target, systemClock.now())
    const progress = await writeExport(sourcesOf(directory, opened, signal), request, (stage, now) =>
      onProgress(toExportState(request, stage, now)),
    )
    const path = await finishPartFile(request.part, request.path, request.mayReplace)
    return toExportState({ ...request, path }, 'done', progress)
  } catch (thrown) {
    signal.throwIfAborted()
    if (thrown instanceof ProblemError) throw thrown
    const why = toExportProblem(thrown, target.path)
    throw why.code === 'storage_failed' ? createProblem(why.code, why.message) : toStorageError(thrown)
  } finally {
    opened.close()
  }
}

/** The contacts of an account's folder as CSV. */
export const exportContactsCsv = async (directory: string): Promise<Uint8Array> => {
  try {
    const opened = openCacheReadOnly(join(directory, CACHE_NAME))
    try {
      return (await serializeContactTable(opened.cache.contacts)).content
    } finally {
      opened.close()
    }
  } catch (thrown) {
    throw toStorageError(thrown)
  }
}
