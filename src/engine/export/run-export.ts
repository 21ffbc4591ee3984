import { gatherMail, type GatherSources } from './gather.ts'
import { ExportEntries, type Entry } from './export-entries.ts'
import { NO_PROGRESS, type ExportProgress, type ExportRequest } from './export-request.ts'
import { PartFile, removePartFile } from './part-file.ts'
import { readMessage, type MessageSources, type ReadMessage } from './read-message.ts'
import { createBreathing } from '../timing/turns.ts'
import { createMessageWriter } from './write-messages.ts'

export type ExportSources = GatherSources & MessageSources

/** The shortest time between two reports of progress, milliseconds. */
const TELL_MS = 250
/** Messages read ahead of the one that is written, as their originals may have to be fetched. */
const AHEAD = 4
/** Bytes of messages read ahead: with more, no further one is begun. */
const AHEAD_BYTES = 32 * 1024 * 1024

export type TellProgress = (stage: 'gathering' | 'writing', progress: ExportProgress) => void

const sizeOf = (message: ReadMessage | null): number => {
  if (message === null) return 0
  if (message.content.kind === 'original') return message.content.bytes.byteLength
  const { attachments, html, text } = message.content.email
  const bytes = attachments.reduce((sum, attachment) => sum + (attachment.bytes?.byteLength ?? 0), 0)
  return bytes + (html?.length ?? 0) + (text?.length ?? 0)
}

/** Reads messages in their order, some of them beside each other. */
const readAhead = async function* (
  entries: Iterator<Entry>,
  read: (entry: Entry) => Promise<ReadMessage | null>,
): AsyncGenerator<ReadMessage | null> {
  const coming: Promise<ReadMessage | null>[] = []
  let bytes = 0
  const begin = (): void => {
    while (coming.length === 0 || (coming.length < AHEAD && bytes < AHEAD_BYTES)) {
      const next = entries.next()
      if (next.done === true) return
      const message = read(next.value).then((found) => {
        bytes += sizeOf(found)
        return found
      })
      // The reader gets the failure; it may come earlier.
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

/** Counts a message, written or missing. */
const withMessage = (progress: ExportProgress, message: ReadMessage | null, isRebuilding: boolean): ExportProgress => {
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
  entries: ExportEntries,
  gathered: ExportProgress,
  tell: TellProgress,
): Promise<ExportProgress> => {
  const { signal, isOnline } = sources
  let progress = gathered
  tell('writing', progress)
  const file = await PartFile.open(part)
  try {
    const breathe = createBreathing()
    const writer = createMessageWriter(format, file, breathe)
    const read = (entry: Entry): Promise<ReadMessage | null> =>
      readMessage(sources, entries, entry, writer.wants, isFetching && isOnline() ? 'backfill' : 'onlyHere')
    let toldAt = performance.now()
    for await (const message of readAhead(entries.all(), read)) {
      signal.throwIfAborted()
      if (message !== null) await writer.write(message, progress.done + 1)
      progress = { ...withMessage(progress, message, format !== 'jsonl'), bytes: file.length() }
      if (performance.now() - toldAt > TELL_MS) {
        toldAt = performance.now()
        tell('writing', progress)
      }
      await breathe()
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
 * Writes the part file from the beginning. If cut short, the file goes, and what was fetched stays.
 * @returns the counts of the file, flushed and without its name yet @throws the signal's reason, or the disk's error
 */
export const writeExport = async (
  sources: ExportSources,
  request: ExportRequest,
  tell: TellProgress,
): Promise<ExportProgress> => {
  const entries = new ExportEntries()
  try {
    const gathered = await gatherMail(sources, request, entries, (done, total) =>
      tell('gathering', { ...NO_PROGRESS, done, total }),
    )
    const total = entries.count()
    return await writeEntries(sources, request, entries, { ...NO_PROGRESS, ...gathered, total }, tell)
  } catch (thrown) {
    await removePartFile(request.part).catch(() => undefined)
    throw thrown
  } finally {
    entries.close()
  }
}
