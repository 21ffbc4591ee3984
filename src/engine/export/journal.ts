import { rmSync } from 'node:fs'
import { z } from 'zod'
import { EXPORT_FORMATS, exportedMail, type ExportedMail, type ExportFormat } from '../../shared/export.ts'
import { openDatabase, type FileKind } from '../store/open-database.ts'
import { bareMessageId } from '../store/same-message.ts'
import type { ZippedFile } from './zip.ts'

/** What was asked for, and where it goes. */
export interface ExportRequest {
  readonly id: string
  readonly mail: ExportedMail
  readonly format: ExportFormat
  readonly path: string
  /** The file that is written until it is whole. */
  readonly part: string
  readonly isFetching: boolean
  /** Whether a file at the path may be replaced: the person has said so. */
  readonly mayReplace: boolean
  /** Whether the file goes when the export is put away, as it is Linnet's own. */
  readonly isLent: boolean
  /** The account's folder, where the journal lies elsewhere. */
  readonly accountDirectory?: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** How far an export has come on the disk. */
export interface ExportProgress {
  readonly stage: 'gathering' | 'writing' | 'done'
  /** The last entry that is in the file; null for none. */
  readonly last: EntryPlace | null
  /** Bytes of the part file that are certain to be on the disk. */
  readonly bytes: number
  readonly done: number
  readonly rebuilt: number
  readonly incomplete: number
  readonly missing: number
  readonly missingThreads: number
  readonly isWhole: boolean
  /** Whether all of it is written, and only its name is still to be given. */
  readonly isWritten: boolean
}

export interface EntryPlace {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly seq: number
}

/** An e-mail that is to be exported. */
export interface Entry extends EntryPlace {
  readonly list: 'threads' | 'received' | 'sent'
  /** Null in the account's own lists, as is `threadId`. */
  readonly inboxId: string | null
  readonly threadId: string | null
  readonly emailId: string
  readonly messageId: string | null
}

/** An e-mail to be noted down, with what tells whether two are the same message. */
export interface NotedEmail extends Omit<Entry, 'seq'> {
  readonly from: string | null
  readonly subject: string | null
}

/**
 * What an export is to hold, decided once, and how far it has come: a file of its own in the account's folder, so that an end
 * at any moment leaves an export that can be gone on with. What the part file has beyond `bytes` is not known to be whole.
 */
export interface Journal {
  readonly request: ExportRequest
  readonly progress: () => ExportProgress
  readonly count: () => number
  /** Forgets what was noted down before: it is noted anew. */
  readonly clear: () => void
  /**
   * Notes e-mails down. Those of the account's own lists that are in a thread, by their ID or as the same message, are left
   * out, so that those of threads come first.
   */
  readonly note: (emails: readonly NotedEmail[]) => void
  /** The entries after a place, oldest first. */
  readonly after: (last: EntryPlace | null, limit: number) => readonly Entry[]
  /** Message-IDs of the e-mails of a thread before one of them, oldest first. */
  readonly before: (entry: Entry, limit: number) => readonly string[]
  /** Keeps how far it has come, with the files that a zip archive has got since; all of it, or none. */
  readonly keep: (progress: ExportProgress, zipped?: readonly ZippedFile[]) => void
  readonly zipped: () => Iterable<ZippedFile>
  /** The export is whole: what it was made of is forgotten. */
  readonly end: (progress: ExportProgress, path: string) => void
  readonly close: () => void
}

const JOURNAL_FILE: FileKind = {
  // `LNNX`.
  applicationId: 0x4c4e_4e58,
  migrations: [
    {
      version: 1,
      sql: `
        CREATE TABLE export (one INTEGER PRIMARY KEY CHECK (one = 1), request TEXT NOT NULL, progress TEXT NOT NULL) STRICT;

        CREATE TABLE entries (
          seq INTEGER PRIMARY KEY,
          at INTEGER NOT NULL,
          list TEXT NOT NULL,
          inbox_id TEXT,
          thread_id TEXT,
          email_id TEXT NOT NULL,
          message_id TEXT,
          -- What tells one message from another, of e-mails in threads: null where it has no Message-ID.
          same_as TEXT
        ) STRICT;
        CREATE INDEX entries_in_order ON entries (at, seq);
        CREATE INDEX entries_of_thread ON entries (thread_id, at, seq) WHERE thread_id IS NOT NULL;
        CREATE INDEX entries_by_id ON entries (email_id) WHERE list = 'threads';
        CREATE INDEX entries_by_message ON entries (same_as) WHERE list = 'threads';

        CREATE TABLE zipped (
          seq INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          crc INTEGER NOT NULL,
          bytes INTEGER NOT NULL,
          packed_bytes INTEGER NOT NULL,
          method INTEGER NOT NULL,
          "offset" INTEGER NOT NULL,
          at INTEGER NOT NULL
        ) STRICT;`,
    },
  ],
  exclusive: false,
}

const requestSchema: z.ZodType<ExportRequest> = z.object({
  id: z.string(),
  mail: exportedMail,
  format: z.enum(EXPORT_FORMATS),
  path: z.string(),
  part: z.string(),
  isFetching: z.boolean(),
  mayReplace: z.boolean(),
  isLent: z.boolean(),
  accountDirectory: z.string().optional(),
  startedAt: z.number(),
})
const progressSchema: z.ZodType<ExportProgress> = z.object({
  stage: z.enum(['gathering', 'writing', 'done']),
  last: z.object({ at: z.number(), seq: z.number() }).nullable(),
  bytes: z.number(),
  done: z.number(),
  rebuilt: z.number(),
  incomplete: z.number(),
  missing: z.number(),
  missingThreads: z.number(),
  isWhole: z.boolean(),
  isWritten: z.boolean(),
})

export const NO_PROGRESS: ExportProgress = {
  stage: 'gathering',
  last: null,
  bytes: 0,
  done: 0,
  rebuilt: 0,
  incomplete: 0,
  missing: 0,
  missingThreads: 0,
  isWhole: true,
  isWritten: false,
}

/** Files of an archive that are read at once. */
const PAGE = 500

/** As `store/same-message.ts` tells messages apart; null for one without a Message-ID. */
const sameAs = ({ messageId, from, subject }: NotedEmail): string | null => {
  const name = bareMessageId(messageId)
  if (name === '') return null
  const address = (/<([^<>]*)>\s*$/.exec(from ?? '')?.[1] ?? from ?? '').trim().toLowerCase()
  return JSON.stringify([name, address, (subject ?? '').trim()])
}

interface Row {
  readonly seq: number
  readonly at: number
  readonly list: Entry['list']
  readonly inbox_id: string | null
  readonly thread_id: string | null
  readonly email_id: string
  readonly message_id: string | null
}

const toEntry = ({ seq, at, list, inbox_id, thread_id, email_id, message_id }: Row): Entry => ({
  ...{ seq, at, list },
  inboxId: inbox_id,
  threadId: thread_id,
  emailId: email_id,
  messageId: message_id,
})

/**
 * Opens the journal of an export, or begins one.
 * @param request of a new one; null to go on with what is there
 * @param exclusive whether another process may come to the same journal: it is refused then (`SQLITE_BUSY`)
 * @returns null where nothing can be gone on with
 */
export const openJournal = (file: string, request: ExportRequest | null, exclusive = false): Journal | null => {
  const { database, close } = openDatabase(file, { ...JOURNAL_FILE, exclusive })
  const insertExport = database.prepare<[string, string]>(
    'INSERT INTO export (one, request, progress) VALUES (1, ?, ?)',
  )
  const selectExport = database.prepare<[], { request: string; progress: string }>('SELECT * FROM export')
  const updateRequest = database.prepare<[string]>('UPDATE export SET request = ?')
  const updateProgress = database.prepare<[string]>('UPDATE export SET progress = ?')
  const countEntries = database.prepare<[], number>('SELECT count(*) FROM entries').pluck()
  const insertOfThread = database.prepare<
    [number, string, string | null, string | null, string, string | null, string | null]
  >('INSERT INTO entries (at, list, inbox_id, thread_id, email_id, message_id, same_as) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const selectInThread = database.prepare<[string, string | null]>(
    `SELECT 1 FROM entries WHERE list = 'threads' AND email_id = ?
     UNION ALL SELECT 1 FROM entries WHERE list = 'threads' AND same_as = ? LIMIT 1`,
  )
  const selectAfter = database.prepare<[number, number, number], Row>(
    'SELECT * FROM entries WHERE (at, seq) > (?, ?) ORDER BY at, seq LIMIT ?',
  )
  const selectBefore = database
    .prepare<[string | null, number, number, string | null, number], string>(
      `SELECT message_id FROM entries WHERE thread_id = ? AND (at, seq) < (?, ?) AND inbox_id = ? AND message_id IS NOT NULL
       ORDER BY at DESC, seq DESC LIMIT ?`,
    )
    .pluck()
  const insertZipped = database.prepare<[ZippedFile]>(
    `INSERT INTO zipped (name, crc, bytes, packed_bytes, method, "offset", at)
     VALUES (@name, @crc, @bytes, @packedBytes, @method, @offset, @at)`,
  )
  const selectZipped = database.prepare<[number, number], ZippedFile & { readonly seq: number }>(
    `SELECT seq, name, crc, bytes, packed_bytes AS packedBytes, method, "offset", at FROM zipped WHERE seq > ?
     ORDER BY seq LIMIT ?`,
  )

  if (request !== null) insertExport.run(JSON.stringify(request), JSON.stringify(NO_PROGRESS))
  const row = selectExport.get()
  const parse = <Value>(schema: z.ZodType<Value>, text: string | undefined): Value | undefined => {
    try {
      return schema.safeParse(JSON.parse(text ?? 'null')).data
    } catch {
      return undefined
    }
  }
  const kept = parse(requestSchema, row?.request)
  let progress = parse(progressSchema, row?.progress)
  if (kept === undefined || progress === undefined) {
    close()
    return null
  }
  let current = kept
  const keep = (next: ExportProgress): void => {
    updateProgress.run(JSON.stringify(next))
    progress = next
  }
  const transact = (work: () => void): void => {
    const before = progress
    try {
      database.transaction(work)()
    } catch (thrown) {
      progress = before
      throw thrown
    }
  }

  return {
    get request() {
      return current
    },
    progress: () => progress ?? NO_PROGRESS,
    count: () => countEntries.get() ?? 0,
    clear: () => database.exec('DELETE FROM entries; DELETE FROM zipped'),
    note: (emails) =>
      transact(() => {
        for (const email of emails) {
          const same = sameAs(email)
          const { at, list, inboxId, threadId, emailId, messageId } = email
          if (list !== 'threads' && selectInThread.get(emailId, same) !== undefined) continue
          insertOfThread.run(at, list, inboxId, threadId, emailId, messageId, list === 'threads' ? same : null)
        }
      }),
    after: (last, limit) => selectAfter.all(last?.at ?? Number.MIN_SAFE_INTEGER, last?.seq ?? 0, limit).map(toEntry),
    before: ({ threadId, at, seq, inboxId }, limit) => selectBefore.all(threadId, at, seq, inboxId, limit).toReversed(),
    keep: (next, zipped = []) =>
      transact(() => {
        for (const file of zipped) insertZipped.run(file)
        keep(next)
      }),
    zipped: function* () {
      for (let page = selectZipped.all(0, PAGE); page.length > 0;) {
        yield* page
        page = selectZipped.all(page.at(-1)?.seq ?? 0, PAGE)
      }
    },
    end: (next, path) => {
      transact(() => {
        keep(next)
        current = { ...current, path }
        updateRequest.run(JSON.stringify(current))
        database.exec('DELETE FROM entries; DELETE FROM zipped')
      })
      database.exec('VACUUM')
    },
    close: () => close(),
  }
}

/** Removes a journal, which is closed. */
export const removeJournal = (file: string): void => {
  for (const ending of ['', '-wal', '-shm', '-suspect']) rmSync(file + ending, { force: true })
}
