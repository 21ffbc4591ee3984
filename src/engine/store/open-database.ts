import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createProblem } from '../../shared/result.ts'
import { inspectHeader } from './file-header.ts'
import { watchStatements } from './watch-database.ts'
import { isCorruptionError } from './storage-problem.ts'

/** Matches `column = ?` and `column = @name`. */
const EQUALS_PARAMETER = /(?<= = )(?=[?@])/g
/** Matches `LIMIT ?` and `LIMIT @name`. */
const LIMIT_PARAMETER = /(?<=\bLIMIT )(?=[?@])/g

/**
 * Prevents SQLite from preparing statements again on each run. SQLite inspects the parameter of a `LIMIT`, and in
 * ordered statements the parameter of each `column = ?`, because its value may affect the query plan. It then prepares
 * the statement again whenever that parameter is bound (sqlite.org, "sqlite3_prepare_v3", "influence the choice of
 * query plan"). Turning the parameters into expressions prevents this and changes nothing else. A short query then
 * takes 3 µs instead of 10 to 14, and a page of search results runs hundreds.
 */
export const preventReprepare = (database: Database.Database): void => {
  const prepare = database.prepare.bind(database)
  const prepareOnce = (sql: string): Database.Statement => {
    const limited = sql.replaceAll(LIMIT_PARAMETER, '0 + ')
    return prepare(sql.includes('ORDER BY') ? limited.replaceAll(EQUALS_PARAMETER, '+') : limited)
  }
  Object.assign(database, { prepare: prepareOnce })
}

/** A schema migration to the next version. Never edit one that was released. */
export interface Migration {
  readonly version: number
  readonly sql: string
}

export interface DatabaseFileKind {
  /** SQLite's `application_id`: four letters that identify our files. */
  readonly applicationId: number
  /** In order, starting with version 1. */
  readonly migrations: readonly Migration[]
  /** Syncs to disk at every commit. */
  readonly isDurable: boolean
  /**
   * Called with each finding of `integrity_check`. @returns true if only derived data is affected and will be rebuilt
   */
  readonly repair?: (database: Database.Database, finding: string) => boolean
}

export interface OpenedDatabase {
  readonly database: Database.Database
  /** New path of the unusable file, or null. */
  readonly setAside: string | null
  /** True if there was no usable file before. */
  readonly isNew: boolean
  /** True if the contents were checked because the file is small or wasn't closed properly. */
  readonly wasChecked: boolean
  /** @param isDamaged true if something was unreadable; the file is then checked when it is next opened */
  readonly close: (isDamaged?: boolean) => void
}

const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/**
 * Second copy of the file's version. If it differs from the header's version, the header is damaged, rather than written
 * by a newer Linnet.
 */
const STAMP = 'version_stamp'

/**
 * SQLite stores comments inside `CREATE TABLE`. Without them, rewording one changes neither schema nor page layout.
 * No literal in our schemas contains `--`.
 */
const stripComments = (sql: string): string => sql.replace(/--.*/g, '')

/** The schema without SQLite's own tables, in a form that is the same for every SQLite version. */
const schemaOf = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], string>(
      `SELECT name || ' ' || sql FROM sqlite_schema
       WHERE type IN ('trigger', 'view') OR name NOT GLOB 'sqlite_*' ORDER BY name`,
    )
    .pluck()
    .all()
    .map((sql) => stripComments(sql).replace(/\s+/g, ' ').toLowerCase())

const stampOf = (database: Database.Database): number =>
  number(database.prepare(`SELECT max(version) FROM ${STAMP}`).pluck().get())

const applyMigration = (database: Database.Database, { sql, version }: Migration, applicationId: number): void => {
  database.transaction(() => {
    database.exec(stripComments(sql))
    database.pragma(`user_version = ${version}`)
    database.pragma(`application_id = ${applicationId}`)
    database.exec(`CREATE TABLE IF NOT EXISTS ${STAMP} (version INTEGER NOT NULL) STRICT; DELETE FROM ${STAMP}`)
    database.prepare(`INSERT INTO ${STAMP} (version) VALUES (?)`).run(version)
  })()
}

const withModel = <Value>(
  { migrations, applicationId }: DatabaseFileKind,
  version: number,
  look: (model: Database.Database) => Value,
): Value => {
  const model = new Database(':memory:')
  try {
    for (const migration of migrations)
      if (migration.version <= version) applyMigration(model, migration, applicationId)
    return look(model)
  } finally {
    model.close()
  }
}

const schemaAt = (kind: DatabaseFileKind, version: number): readonly string[] => withModel(kind, version, schemaOf)

/**
 * An empty file of the newest version. Its tables start at the same pages as in all files created with that version.
 */
export const buildEmptyDatabase = (kind: DatabaseFileKind): Buffer =>
  withModel(kind, kind.migrations.at(-1)?.version ?? 0, (model) => model.serialize())

const CACHE_KILOBYTES = 16_000
const CHECKPOINT_PAGES = 4_000
/** Files up to this size, in bytes, are checked at every start, which takes no noticeable time. */
const ALWAYS_CHECKED_BYTES = 16 * 1024 * 1024

/** Time to wait for a lock of another process, which writes for milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

class Unusable extends Error {}

export const suspectMarkerOf = (file: string): string => `${file}-suspect`

/** Marks a file to be checked at the next start. Closing it properly removes the mark. */
const suspect = (file: string): void => {
  try {
    writeFileSync(suspectMarkerOf(file), '')
  } catch {
    // Reading must work when the disk is full.
  }
}

const findIntegrityErrors = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], string>('PRAGMA integrity_check')
    .pluck()
    .all()
    .filter((finding) => finding !== 'ok')

/**
 * Tells a file of a newer Linnet, which must stay untouched, from one with a damaged header. A newer Linnet's file is
 * intact and has its version number in two places. A file with a known version must have that version's schema.
 * @throws Unusable for damaged or foreign files, ProblemError for files of a newer Linnet
 */
const checkFormat = (database: Database.Database, kind: DatabaseFileKind): void => {
  const version = number(database.pragma('user_version', { simple: true }))
  const schema = schemaOf(database)
  if (version === 0 && schema.length === 0) return
  if (number(database.pragma('application_id', { simple: true })) !== kind.applicationId) throw new Unusable('foreign')
  const newest = kind.migrations.at(-1)?.version ?? 0
  const stamp = stampOf(database)
  if (version > newest) {
    if (stamp !== version || database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Unusable('header')
    throw createProblem(
      'storage_failed',
      'This account was last opened by a newer version of Linnet. Update Linnet to open it. Nothing was changed.',
    )
  }
  if (stamp !== version) throw new Unusable('header')
  const expected = schemaAt(kind, version)
  if (schema.length !== expected.length || schema.some((sql, index) => sql !== expected[index])) {
    throw new Unusable('schema')
  }
}

/** True if an error while opening means damage: the statements are valid for every intact file. */
const meansDamage = (thrown: unknown): boolean =>
  thrown instanceof Unusable ||
  isCorruptionError(thrown) ||
  (thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_ERROR')

/** True if the disk is too full for the WAL index, a shared-memory file. */
const lacksDiskSpace = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'SQLITE_IOERR_SHMSIZE'

const openUsable = (file: string, kind: DatabaseFileKind, isHeldAlone = false): Omit<OpenedDatabase, 'setAside'> => {
  const { kind: header, bytes } = inspectHeader(file)
  // Closing the file removes SQLite's WAL and Linnet's marker, so if either exists, there was a crash.
  const mayBeDamaged = existsSync(`${file}-wal`) || existsSync(suspectMarkerOf(file)) || bytes <= ALWAYS_CHECKED_BYTES
  if (header === 'damaged') throw new Unusable('header')
  // Create the file readable only by the user; its WAL inherits the permissions. One of the files holds share links.
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { timeout: BUSY_TIMEOUT_MS })
  preventReprepare(database)
  watchStatements(database)
  try {
    if (isHeldAlone) database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${kind.isDurable ? 'FULL' : 'NORMAL'}`)
    database.pragma('foreign_keys = ON')
    // In a first sync, IDs arrive in random order. With this much cache, each index page is written only once.
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    checkFormat(database, kind)
    const isNew = number(database.pragma('user_version', { simple: true })) === 0
    const wasChecked = !isNew && mayBeDamaged
    if (wasChecked && !findIntegrityErrors(database).every((finding) => kind.repair?.(database, finding) === true)) {
      throw new Unusable('corrupt')
    }
    const version = number(database.pragma('user_version', { simple: true }))
    for (const migration of kind.migrations) {
      if (migration.version > version) applyMigration(database, migration, kind.applicationId)
    }
    suspect(file)
    return {
      database,
      isNew,
      wasChecked,
      close: (isDamaged = false) => {
        if (!database.open) return
        database.close()
        if (!isDamaged) rmSync(suspectMarkerOf(file), { force: true })
      },
    }
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

/**
 * Opens a file even if the disk is full, by locking it so that the WAL index is in memory. The file becomes writable
 * once there is space.
 */
const openDespiteFullDisk = (file: string, kind: DatabaseFileKind): Omit<OpenedDatabase, 'setAside'> => {
  try {
    return openUsable(file, kind)
  } catch (thrown) {
    if (!lacksDiskSpace(thrown)) throw thrown
    return openUsable(file, kind, true)
  }
}

const moveAside = (file: string, now: Date): string => {
  const stem = file.replace(/\.sqlite$/, '')
  const aside = `${stem}.set-aside-${now.toISOString().replace(/[:.]/g, '-')}.sqlite`
  renameSync(file, aside)
  rmSync(suspectMarkerOf(file), { force: true })
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  }
  return aside
}

/**
 * Opens or creates a database file. A damaged or foreign file is renamed, never deleted.
 * @param isKnownDamaged true if the existing file is known to be damaged
 * @throws ProblemError `storage_failed` if a newer Linnet created the file; otherwise SQLite's errors
 */
export const openDatabase = (file: string, kind: DatabaseFileKind, isKnownDamaged = false): OpenedDatabase => {
  try {
    if (isKnownDamaged && existsSync(file)) throw new Unusable('condemned')
    return { ...openDespiteFullDisk(file, kind), setAside: null }
  } catch (thrown) {
    if (!meansDamage(thrown)) throw thrown
    const setAside = moveAside(file, new Date())
    return { ...openDespiteFullDisk(file, kind), isNew: true, setAside }
  }
}

/**
 * Opens a database file for reading, even while another process is writing it. Never changes the file.
 * @throws ProblemError `not_found`, or `storage_failed` if the file is damaged or has another version; otherwise
 * SQLite's errors
 */
export const openDatabaseReadOnly = (file: string, kind: DatabaseFileKind): Database.Database => {
  if (inspectHeader(file).bytes === 0) {
    throw createProblem('not_found', 'This account’s mail is not on this computer yet.')
  }
  // Don't open the connection read-only: it would leave its WAL behind, which looks like a crash.
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  preventReprepare(database)
  try {
    database.pragma('query_only = ON')
    checkFormat(database, kind)
    if (number(database.pragma('user_version', { simple: true })) !== kind.migrations.at(-1)?.version) {
      throw createProblem(
        'storage_failed',
        'This account was last opened by an older version of Linnet. Open it in Linnet once, then try again. Nothing was changed.',
      )
    }
    return database
  } catch (thrown) {
    database.close()
    if (!meansDamage(thrown)) throw thrown
    const message =
      'Linnet’s copy of your mail cannot be read. Open this account in Linnet to repair it; nothing was changed.'
    throw createProblem('storage_failed', message, thrown)
  }
}
