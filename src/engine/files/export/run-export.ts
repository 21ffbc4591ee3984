import { gatherMail, type GatherSources } from './gather-mail.ts'
import { ExportEntryStore, type ExportEntry } from './export-entries.ts'
import { INITIAL_EXPORT_PROGRESS, type ExportProgress, type ExportRequest } from './export-request.ts'
import { PartFile, removePartFile } from './part-file.ts'
import { readMessage, type MessageSources, type ExportableMessage } from './read-message.ts'
import { createYielder } from '../../timing/turns.ts'
import { createMessageWriter } from './write-messages.ts'

export type ExportSources = GatherSources & MessageSources

/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 250
/** Messages to read ahead, as originals may need fetching. */
const AHEAD = 4
/** Read-ahead limit in bytes: once reached, no further message is started. */
const AHEAD_BYTES = 32 * 1024 * 1024

export type OnExportProgress = (stage: 'gathering' | 'writing', progress: ExportProgress) => void

const sizeOf = (message: ExportableMessage | null): number => {
  if (message === null) return 0
  if (message.content.kind === 'original') return message.content.bytes.byteLength
  const { attachments, html, text } = message.content.email
  const bytes = attachments.reduce((sum, attachment) => sum + (attachment.bytes?.byteLength ?? 0), 0)
  return bytes + (html?.length ?? 0) + (text?.length ?? 0)
}

/** Reads messages concurrently, in order. */
const readAhead = async function* (
  entries: Iterator<ExportEntry>,
  read: (entry: ExportEntry) => Promise<ExportableMessage | null>,
): AsyncGenerator<ExportableMessage | null> {
  const coming: Promise<ExportableMessage | null>[] = []
  let bytes = 0
  const begin = (): void => {
    while (coming.length === 0 || (coming.length < AHEAD && bytes < AHEAD_BYTES)) {
      const next = entries.next()
      if (next.done === true) return
      const message = read(next.value).then((found) => {
        bytes += sizeOf(found)
        return found
      })
      // Avoids an unhandled rejection before the reader awaits it.
      message.catch(() => undefined)
      coming.push(message)
    }
  }
  for (;;) {
    begin()
    const next = coming[0]
    if (next === undefined) return
    const message = await next
    void coming.shift()
    yield message
    bytes -= sizeOf(message)
  }
}

const addToProgress = (
  progress: ExportProgress,
  message: ExportableMessage | null,
  isRebuilding: boolean,
): ExportProgress => {
  if (message === null) return { ...progress, missing: progress.missing + 1 }
  const email = message.content.kind === 'parts' ? message.content.email : null
  return {
    ...progress,
    done: progress.done + 1,
    rebuilt: progress.rebuilt + Number(email !== null && isRebuilding),
    incomplete: progress.incomplete + Number(email?.isIncomplete === true),
  }
}

const writeEntries = async (
  sources: ExportSources,
  { part, format, isFetching }: ExportRequest,
  entries: ExportEntryStore,
  gathered: ExportProgress,
  onProgress: OnExportProgress,
): Promise<ExportProgress> => {
  const { signal, isOnline } = sources
  let progress = gathered
  onProgress('writing', progress)
  const file = await PartFile.open(part)
  try {
    const yieldTurn = createYielder()
    const writer = createMessageWriter(format, file, yieldTurn)
    const read = (entry: ExportEntry): Promise<ExportableMessage | null> =>
      readMessage(sources, entries, entry, writer.wants, isFetching && isOnline() ? 'backfill' : 'localOnly')
    let reportedAt = performance.now()
    for await (const message of readAhead(entries.all(), read)) {
      signal.throwIfAborted()
      if (message !== null) await writer.write(message, progress.done + 1)
      progress = { ...addToProgress(progress, message, format !== 'jsonl'), bytes: file.length() }
      if (performance.now() - reportedAt > PROGRESS_INTERVAL_MS) {
        reportedAt = performance.now()
        onProgress('writing', progress)
      }
      await yieldTurn()
    }
    await writer.end()
    await file.settle()
    signal.throwIfAborted()
    return { ...progress, bytes: file.length() }
  } finally {
    await file.close().catch(() => undefined)
  }
}

/**
 * Writes the part file. On interruption it is deleted, but fetched mail stays.
 * @returns the counts for the file, which is flushed but not yet renamed @throws the signal's reason, or the disk's
 * error
 */
export const writeExport = async (
  sources: ExportSources,
  request: ExportRequest,
  onProgress: OnExportProgress,
): Promise<ExportProgress> => {
  const entries = new ExportEntryStore()
  try {
    const gathered = await gatherMail(sources, request, entries, (done, total) =>
      onProgress('gathering', { ...INITIAL_EXPORT_PROGRESS, done, total }),
    )
    const total = entries.count()
    return await writeEntries(sources, request, entries, { ...INITIAL_EXPORT_PROGRESS, ...gathered, total }, onProgress)
  } catch (thrown) {
    await removePartFile(request.part).catch(() => undefined)
    throw thrown
  } finally {
    entries.close()
  }
}
