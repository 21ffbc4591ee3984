import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ProblemError } from '../../shared/result.ts'
import { lookAtHeader } from './file-header.ts'
import { timeQueries } from './slow-queries.ts'
import { isCorrupt } from './storage-problem.ts'

/** `column = ?` and `column = @name`. */
const EQUALS_PARAMETER = /(?<= = )(?=[?@])/g
/** `LIMIT ?` and `LIMIT @name`. */
const LIMIT_PARAMETER = /(?<=\bLIMIT )(?=[?@])/g

/**
 * Has statements parsed once, and not each time they are run. SQLite looks into the parameter of a `LIMIT`, and in a
 * statement with an order into that of each `column = ?`, as another value may mean another plan: from then on it makes the
 * statement anew whenever the parameter is bound (sqlite.org, "sqlite3_prepare_v3", "influence the choice of query plan").
 * It does not look into an expression, and nothing else changes. A short query takes 3 µs then instead of 10 to 14, and one
 * page of a search asks hundreds.
 */
export const parseOnce = (database: Database.Database): void => {
  const prepare = database.prepare.bind(database)
  const prepareOnce = (sql: string): Database.Statement => {
    const limited = sql.replaceAll(LIMIT_PARAMETER, '0 + ')
    return prepare(sql.includes('ORDER BY') ? limited.replaceAll(EQUALS_PARAMETER, '+') : limited)
  }
  Object.assign(database, { prepare: prepareOnce })
}

/** A step from one version of a file to the next. Once released it is never edited. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

/** A kind of file that Linnet keeps. */
export interface FileKind {
  /** SQLite's `application_id`: four letters that tell our file from a stranger's. */
  readonly applicationId: number
  /** In order, the first being version 1. */
  readonly migrations: readonly Migration[]
  /** Holds the file for this process alone, and writes through to the disk at every commit. */
  readonly exclusive: boolean
  /**
   * Is told of something that SQLite finds wrong with a file, in its words.
   * @returns whether it concerns only what can be made anew from the rest, and has been seen to
   */
  readonly mend?: (database: Database.Database, finding: string) => boolean
}

export interface OpenedDatabase {
  readonly database: Database.Database
  /** Where a file that could not be used was moved to; null where there was none. */
  readonly setAside: string | null
  /** Whether there was nothing to open before: no file, an empty one, or one that could not be used. */
  readonly isNew: boolean
  /** Whether what it holds was looked through, as it is small or was not closed well. */
  readonly wasChecked: boolean
  /** Closes the file. @param isDamaged something in it could not be read: it is checked when it is next opened */
  readonly close: (isDamaged?: boolean) => void
}

const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** The table in which a file says its version a second time, from the migration on that makes it. */
const STAMP = 'version_stamp'

/** The schema without SQLite's own tables, written the same way whatever version of SQLite wrote it. */
const schemaOf = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], string>(
      `SELECT name || ' ' || sql FROM sqlite_schema
       WHERE type IN ('trigger', 'view') OR name NOT GLOB 'sqlite_*' ORDER BY name`,
    )
    .pluck()
    .all()
    .map((sql) => sql.replace(/\s+/g, ' ').toLowerCase())

const hasStamp = (database: Database.Database): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(STAMP) !== undefined

/** The version that a file says a second time; null for one that is older than this custom. */
const stampOf = (database: Database.Database): number | null =>
  hasStamp(database) ? number(database.prepare(`SELECT max(version) FROM ${STAMP}`).pluck().get()) : null

const step = (database: Database.Database, { sql, version }: Migration, applicationId: number): void => {
  database.transaction(() => {
    database.exec(sql)
    database.pragma(`user_version = ${version}`)
    database.pragma(`application_id = ${applicationId}`)
    if (!hasStamp(database)) return
    database.exec(`DELETE FROM ${STAMP}`)
    database.prepare(`INSERT INTO ${STAMP} (version) VALUES (?)`).run(version)
  })()
}

/** An empty file of this version, in memory. */
const inModel = <Value>(
  { migrations, applicationId }: FileKind,
  version: number,
  look: (model: Database.Database) => Value,
): Value => {
  const model = new Database(':memory:')
  try {
    for (const migration of migrations) if (migration.version <= version) step(model, migration, applicationId)
    return look(model)
  } finally {
    model.close()
  }
}

/** The schema that a file of this version has. */
const schemaAt = (kind: FileKind, version: number): readonly string[] => inModel(kind, version, schemaOf)

/**
 * An empty file of the newest version, byte by byte. Its tables begin at the same pages as in every file that was made
 * by this version.
 */
export const modelFile = (kind: FileKind): Buffer =>
  inModel(kind, kind.migrations.at(-1)?.version ?? 0, (model) => model.serialize())

const CACHE_KILOBYTES = 16_000
const CHECKPOINT_PAGES = 4_000
/** A file of this size is checked whenever it is opened: that takes no longer than a person notices. */
const ALWAYS_CHECKED_BYTES = 16 * 1024 * 1024

class Unusable extends Error {}

const suspicionOf = (file: string): string => `${file}-suspect`

/** Has a file checked when it is next opened, unless it is closed well before. */
const suspect = (file: string): void => {
  try {
    writeFileSync(suspicionOf(file), '')
  } catch {
    // A disk that is full shall not keep anyone from reading.
  }
}

/** What SQLite finds wrong with a file; nothing where all is well. */
const findings = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], string>('PRAGMA integrity_check')
    .pluck()
    .all()
    .filter((finding) => finding !== 'ok')

/**
 * Tells a file of a newer Linnet, which is left alone, from one whose header is damaged: a newer Linnet says its version
 * twice, and what it wrote is whole. A file of a version that is known has the schema of that version.
 * @throws Unusable for a file that is damaged or foreign, ProblemError for one of a newer Linnet
 */
const recognise = (database: Database.Database, kind: FileKind): void => {
  const version = number(database.pragma('user_version', { simple: true }))
  const schema = schemaOf(database)
  if (version === 0 && schema.length === 0) return
  if (number(database.pragma('application_id', { simple: true })) !== kind.applicationId) throw new Unusable('foreign')
  const newest = kind.migrations.at(-1)?.version ?? 0
  const stamp = stampOf(database)
  if (version > newest) {
    if (stamp !== version || database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Unusable('header')
    throw new ProblemError({
      code: 'storage_failed',
      message: 'This account was last opened by a newer Linnet. Update Linnet to open it; nothing was changed.',
    })
  }
  if (stamp !== null && stamp !== version) throw new Unusable('header')
  const expected = schemaAt(kind, version)
  if (schema.length !== expected.length || schema.some((sql, index) => sql !== expected[index])) {
    throw new Unusable('schema')
  }
}

/** Whether an error of opening says that the file is broken: the statements of opening are right for every sound file. */
const meansDamage = (thrown: unknown): boolean =>
  thrown instanceof Unusable ||
  isCorrupt(thrown) ||
  (thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_ERROR')

/** Whether there is no room for the index of the log that processes share, which a file is opened with. */
const lacksRoom = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_IOERR_SHMSIZE'

const openUsable = (file: string, kind: FileKind, isHeldAlone = kind.exclusive): Omit<OpenedDatabase, 'setAside'> => {
  const { kind: header, bytes } = lookAtHeader(file)
  // SQLite removes its log, and Linnet its mark, when the file is closed: what is there was left by a process that was
  // ended.
  const mayBeDamaged = existsSync(`${file}-wal`) || existsSync(suspicionOf(file)) || bytes <= ALWAYS_CHECKED_BYTES
  if (header === 'damaged') throw new Unusable('header')
  // For its owner alone, and its log after it: share links are in one of them.
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { timeout: 500 })
  parseOnce(database)
  timeQueries(database)
  try {
    if (isHeldAlone) database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${kind.exclusive ? 'FULL' : 'NORMAL'}`)
    database.pragma('foreign_keys = ON')
    // The IDs of a first sync come in no order: with room for the index in memory, its pages are written once, not often.
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    recognise(database, kind)
    const isNew = number(database.pragma('user_version', { simple: true })) === 0
    const wasChecked = !isNew && mayBeDamaged
    if (wasChecked && !findings(database).every((finding) => kind.mend?.(database, finding) === true)) {
      throw new Unusable('corrupt')
    }
    const version = number(database.pragma('user_version', { simple: true }))
    for (const migration of kind.migrations) {
      if (migration.version > version) step(database, migration, kind.applicationId)
    }
    // Takes the lock now, not at the first write.
    if (kind.exclusive) database.exec('BEGIN EXCLUSIVE; COMMIT')
    suspect(file)
    return {
      database,
      isNew,
      wasChecked,
      close: (isDamaged = false) => {
        if (!database.open) return
        database.close()
        if (!isDamaged) rmSync(suspicionOf(file), { force: true })
      },
    }
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

/**
 * Opens a file, on a full disk too: held for this process alone, as its log's index lies in memory then. It can be read,
 * and takes writes again as soon as there is room.
 */
const openWhereRoom = (file: string, kind: FileKind): Omit<OpenedDatabase, 'setAside'> => {
  try {
    return openUsable(file, kind)
  } catch (thrown) {
    if (kind.exclusive || !lacksRoom(thrown)) throw thrown
    return openUsable(file, kind, true)
  }
}

const moveAside = (file: string, now: Date): string => {
  const stem = file.replace(/\.sqlite$/, '')
  const aside = `${stem}.set-aside-${now.toISOString().replace(/[:.]/g, '-')}.sqlite`
  renameSync(file, aside)
  rmSync(suspicionOf(file), { force: true })
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  }
  return aside
}

/**
 * Opens a file of Linnet's, or makes it. A file that is broken, or that something else made, is moved aside under a new
 * name and never deleted. A small file is checked each time, a large one where it was not closed well.
 * @param isCondemned what is there is known to be broken
 * @throws ProblemError `storage_failed` where the file was made by a newer Linnet; SQLite's errors for everything else
 */
export const openDatabase = (file: string, kind: FileKind, isCondemned = false): OpenedDatabase => {
  try {
    if (isCondemned && existsSync(file)) throw new Unusable('condemned')
    return { ...openWhereRoom(file, kind), setAside: null }
  } catch (thrown) {
    if (!meansDamage(thrown)) throw thrown
    const setAside = moveAside(file, new Date())
    return { ...openWhereRoom(file, kind), isNew: true, setAside }
  }
}

/** How long a reader waits for a file that another process has for itself, in milliseconds. */
const READER_WAITS_MS = 5_000

/**
 * Opens a file of Linnet's to read it, beside whoever writes it or alone. Nothing in it is changed, brought to a newer
 * version, mended or moved aside.
 * @throws ProblemError `not_found` where there is none, `storage_failed` for one of another version, or that is damaged;
 * SQLite's errors for everything else
 */
export const openDatabaseToRead = (file: string, kind: FileKind): Database.Database => {
  if (lookAtHeader(file).bytes === 0) {
    throw new ProblemError({ code: 'not_found', message: 'There is no mail of this account on this computer yet.' })
  }
  // A connection that may not write at all would leave its log behind, which looks as if a process had been ended.
  const database = new Database(file, { fileMustExist: true, timeout: READER_WAITS_MS })
  parseOnce(database)
  try {
    database.pragma('query_only = ON')
    recognise(database, kind)
    if (number(database.pragma('user_version', { simple: true })) !== kind.migrations.at(-1)?.version) {
      throw new ProblemError({
        code: 'storage_failed',
        message: 'This account was last opened by an older Linnet. Open it in Linnet once; nothing was changed.',
      })
    }
    return database
  } catch (thrown) {
    database.close()
    if (!meansDamage(thrown)) throw thrown
    const message =
      'Linnet’s copy of your mail cannot be read. Open this account in Linnet to repair it; nothing was changed.'
    throw new ProblemError({ code: 'storage_failed', message }, { cause: thrown })
  }
}
