import { toProblem } from '../../shared/result.ts'
import { gatherMail, type GatherSources } from './gather.ts'
import { NO_PROGRESS, type Entry, type EntryPlace, type ExportProgress, type Journal } from './journal.ts'
import { createPartFile, findFinished, finishPartFile, openPartFile, type PartFile } from './part-file.ts'
import { readMessage, type MessageSources, type ReadMessage } from './read-message.ts'
import { createBreathing } from '../timing/turns.ts'
import { createMessageWriter } from './write-messages.ts'
import type { ZippedFile } from './zip.ts'

export type ExportSources = GatherSources & MessageSources

/** What is certain to be on the disk is kept this often, milliseconds, or after so many bytes. */
const KEEP_MS = 250
const KEEP_BYTES = 16 * 1024 * 1024
/** Messages that are read ahead of the one that is written, as their originals may have to be fetched. */
const AHEAD = 4
/** Bytes of messages that were read ahead: with more, no further one is begun. */
const AHEAD_BYTES = 32 * 1024 * 1024
/** Entries that are read of the journal at once. */
const ENTRIES = 100

/** How far it is told to have come: what is on the disk, and what is on its way there. */
export interface Told {
  readonly stage: 'gathering' | 'writing'
  readonly done: number
  readonly total: number | null
  readonly progress: ExportProgress
}

const entriesOf = function* (journal: Journal, from: EntryPlace | null): Generator<Entry> {
  for (let page = journal.after(from, ENTRIES); page.length > 0;) {
    yield* page
    page = journal.after(page.at(-1) ?? null, ENTRIES)
  }
}

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
): AsyncGenerator<readonly [Entry, ReadMessage | null]> {
  const coming: { readonly entry: Entry; readonly message: Promise<ReadMessage | null> }[] = []
  let bytes = 0
  const begin = (): void => {
    while (coming.length === 0 || (coming.length < AHEAD && bytes < AHEAD_BYTES)) {
      const next = entries.next()
      if (next.done === true) return
      const entry = next.value
      const message = read(entry).then((found) => {
        bytes += sizeOf(found)
        return found
      })
      // Whoever waits for it hears of its failure; it may fail before that.
      message.catch(() => undefined)
      coming.push({ entry, message })
    }
  }
  for (;;) {
    begin()
    const next = coming[0]
    if (next === undefined) return
    const message = await next.message
    coming.shift()
    yield [next.entry, message]
    bytes -= sizeOf(message)
  }
}

const openPart = async (journal: Journal): Promise<PartFile> => {
  const { part } = journal.request
  const opened = await openPartFile(part, journal.progress().bytes)
  if (opened !== null) return opened
  // Somebody has removed it, or put another one there: it is written anew from the beginning.
  const { progress } = journal
  journal.keep({
    ...NO_PROGRESS,
    ...{ stage: 'writing', missingThreads: progress().missingThreads, isWhole: progress().isWhole },
  })
  await createPartFile(part).catch((thrown: unknown) => {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  })
  const made = await openPartFile(part, 0)
  if (made === null) throw new Error('A file that was just made can be opened.')
  return made
}

/**
 * Goes on with an export from where its journal says that it was, up to its end.
 * @returns the path of the file
 * @throws the signal's reason where it is ended, and what the disk throws: it can be gone on with after either
 */
export const runExport = async (
  sources: ExportSources,
  journal: Journal,
  tell: (told: Told) => void,
): Promise<string> => {
  const { signal, isOnline } = sources
  const { request } = journal
  if (journal.progress().stage === 'gathering') {
    const gathered = await gatherMail(sources, journal, (done, total) =>
      tell({ stage: 'gathering', done, total, progress: journal.progress() }),
    )
    journal.keep({ ...NO_PROGRESS, stage: 'writing', ...gathered })
  }

  const finish = (path: string): string => {
    journal.end({ ...journal.progress(), stage: 'done' }, path)
    return path
  }
  const giveName = async (): Promise<string> =>
    finish(await finishPartFile(request.part, request.path, request.mayReplace))
  if (journal.progress().isWritten) {
    // An end between the name and the note of it: the file has the name, or is still to get it.
    const written = await openPartFile(request.part, journal.progress().bytes)
    await written?.close()
    if (written !== null) return giveName()
    const path = await findFinished(request.path, journal.progress().bytes)
    if (path !== null) return finish(path)
  }

  const total = journal.count()
  const part = await openPart(journal)
  try {
    const breathe = createBreathing()
    const writer = createMessageWriter(request.format, part, breathe)
    let progress = journal.progress()
    let zipped: ZippedFile[] = []
    let keptAt = performance.now()
    const tellNow = (): void => tell({ stage: 'writing', done: progress.done, total, progress })
    const keep = async (): Promise<void> => {
      await part.settle()
      progress = { ...progress, bytes: part.length() }
      journal.keep(progress, zipped)
      zipped = []
      keptAt = performance.now()
      tellNow()
    }
    tellNow()
    const read = (entry: Entry): Promise<ReadMessage | null> =>
      readMessage(sources, journal, entry, writer.wants, request.isFetching && isOnline() ? 'backfill' : 'onlyHere')
    for await (const [{ at, seq }, message] of readAhead(entriesOf(journal, progress.last), read)) {
      signal.throwIfAborted()
      const last = { at, seq }
      if (message === null) progress = { ...progress, last, missing: progress.missing + 1 }
      else {
        const file = await writer.write(message, progress.done + 1)
        if (file !== null) zipped.push(file)
        const email = message.content.kind === 'parts' ? message.content.email : null
        progress = {
          ...progress,
          last,
          done: progress.done + 1,
          rebuilt: progress.rebuilt + Number(email !== null && request.format !== 'jsonl'),
          incomplete: progress.incomplete + Number(email?.isIncomplete === true),
        }
      }
      const isDue = performance.now() - keptAt > KEEP_MS || part.length() - journal.progress().bytes > KEEP_BYTES
      if (isDue) await keep()
      else await breathe()
    }
    await keep()
    await writer.end(journal.zipped())
    await part.settle()
    signal.throwIfAborted()
    journal.keep({ ...progress, bytes: part.length(), isWritten: true })
  } finally {
    // What was not kept is taken off when it is gone on with.
    await part.close().catch(() => undefined)
  }
  return giveName()
}

/** What keeps an export from going on, in a person's words. */
export const pauseProblem = (thrown: unknown, path: string): ReturnType<typeof toProblem> => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const advice =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
      ? 'The disk is full. Free some space, then resume.'
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? 'Linnet has no permission to write there.'
        : code === 'ENOENT' || code === 'ENOTDIR'
          ? 'The folder is gone. Put it back, or start another export.'
          : code === 'EIO' || code === 'EFBIG' || code === 'EMFILE'
            ? 'The disk could not be written.'
            : null
  if (advice === null) return toProblem(thrown)
  const message = `The export to ${path} is paused. ${advice} What is written stays.`
  return { code: 'storage_failed', message, details: { reason: code } }
}
