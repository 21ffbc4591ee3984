import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { ProblemError } from '../../shared/result.ts'
import { timeQueries } from './slow-queries.ts'
import { isCorrupt } from './storage-problem.ts'

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
}

export interface OpenedDatabase {
  readonly database: Database.Database
  /** Where a file that could not be used was moved to; null where there was none. */
  readonly setAside: string | null
}

const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

const isForeign = (database: Database.Database, kind: FileKind): boolean =>
  number(database.pragma('application_id', { simple: true })) !== kind.applicationId &&
  number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) > 0

/** Brings a file to the newest version, one transaction a step. */
const migrate = (database: Database.Database, { applicationId, migrations }: FileKind): void => {
  const version = number(database.pragma('user_version', { simple: true }))
  const newest = migrations.at(-1)?.version ?? 0
  if (version > newest) {
    throw new ProblemError({
      code: 'storage_failed',
      message: 'This account was last opened by a newer Linnet. Update Linnet to open it; nothing was changed.',
    })
  }
  for (const step of migrations.filter((migration) => migration.version > version)) {
    database.transaction(() => {
      database.exec(step.sql)
      database.pragma(`user_version = ${step.version}`)
      database.pragma(`application_id = ${applicationId}`)
    })()
  }
}

const CACHE_KILOBYTES = 16_000
const CHECKPOINT_PAGES = 4_000

class Unusable extends Error {}

const suspicionOf = (file: string): string => `${file}-suspect`

/** Has a file checked when it is next opened: something in it could not be read. */
export const suspect = (file: string): void => writeFileSync(suspicionOf(file), '')

const openUsable = (file: string, kind: FileKind): Database.Database => {
  // SQLite removes its log when the last connection closes: one that is there was left by a process that was ended.
  const mayBeDamaged = existsSync(`${file}-wal`) || existsSync(suspicionOf(file))
  const database = new Database(file, { timeout: 500 })
  timeQueries(database)
  try {
    if (kind.exclusive) database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${kind.exclusive ? 'FULL' : 'NORMAL'}`)
    database.pragma('foreign_keys = ON')
    // The IDs of a first sync come in no order: with room for the index in memory, its pages are written once, not often.
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    if (isForeign(database, kind)) throw new Unusable('foreign')
    if (mayBeDamaged && database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Unusable('corrupt')
    rmSync(suspicionOf(file), { force: true })
    migrate(database, kind)
    // Takes the lock now, not at the first write.
    if (kind.exclusive) database.exec('BEGIN EXCLUSIVE; COMMIT')
    return database
  } catch (thrown) {
    database.close()
    throw thrown
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
 * name and never deleted. After an unclean end the file is checked first (issue: a cache to live in).
 * @throws ProblemError `storage_failed` where the file was made by a newer Linnet; SQLite's errors for everything else
 */
export const openDatabase = (file: string, kind: FileKind): OpenedDatabase => {
  try {
    return { database: openUsable(file, kind), setAside: null }
  } catch (thrown) {
    if (!(thrown instanceof Unusable) && !isCorrupt(thrown)) throw thrown
    const setAside = moveAside(file, new Date())
    return { database: openUsable(file, kind), setAside }
  }
}
