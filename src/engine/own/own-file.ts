import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { flush } from '../store/durable-file.ts'
import { openDatabase, suspectMarkerOf, type OpenedDatabase } from '../store/open-database.ts'
import { readDatabaseFile } from '../store/read-database-file.ts'
import { isCorruptionError } from '../store/storage-problem.ts'
import { onDamage } from '../store/watch-database.ts'
import type { Clock } from '../timing/clock.ts'
import { createThrottle } from '../timing/throttle.ts'
import { OWN_BACKUP_NAME, OWN_NAME, OWN_SNAPSHOT_NAME } from './account-files.ts'
import type { LocalLists } from './local-list.ts'
import { OwnTables, readRevision, verifyRows, type OwnTable } from './own-table.ts'
import { recoverOwnFile } from './recover-own-file.ts'
import { OWN_FILE, STRIP_BACKUP } from './schema.ts'

/** Maximum delay of a snapshot after a change, in milliseconds. Taking one may need seconds on a slow disk. */
const SNAPSHOT_DELAY_MS = 50_000
/** Pages copied per turn of the event loop. */
const PAGES_PER_TURN = 100

const isFileSound = (database: Database.Database, snapshotRevision: number, wasEndedSuddenly: boolean): boolean => {
  try {
    verifyRows(database, wasEndedSuddenly)
    return readRevision(database) >= snapshotRevision
  } catch (thrown) {
    if (!isCorruptionError(thrown)) throw thrown
    return false
  }
}

/** Makes a copy a single file, syncs it to disk and checks it. @throws `SQLITE_CORRUPT` if the copy is damaged */
const finishCopy = (file: string): void => {
  const descriptor = openSync(file, 'r+')
  try {
    // File format numbers at bytes 18 and 19 (sqlite.org/fileformat2.html): no WAL.
    writeSync(descriptor, Buffer.from([1, 1]), 0, 2, 18)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  const copy = new Database(file)
  try {
    if (copy.pragma('quick_check(1)', { simple: true }) !== 'ok') {
      throw Object.assign(new Error('The copy is damaged.'), { code: 'SQLITE_CORRUPT' })
    }
    verifyRows(copy, false)
  } finally {
    copy.close()
  }
}

interface OwnFileParts {
  readonly directory: string
  /** Called if the file turns out to be damaged later. */
  readonly onCorrupt: () => void
  readonly report: (thrown: unknown) => void
  readonly clock: Pick<Clock, 'after'>
}

/**
 * The user's own data, which exists nowhere else, in one file: what it holds when a write returns is on disk. Snapshots
 * of it follow a minute later at most, and when it closes. If it is damaged, the snapshot and all newer rows that can
 * still be read replace it. Other processes may open the file too, for assistants.
 */
export class OwnFile implements LocalLists {
  /** True if there was no file, or if it was damaged and what could be read was recovered. */
  readonly isNew: boolean
  readonly wasRecovered: boolean
  /** Called with the number of each write. */
  onWrite: (revision: number) => void = () => undefined
  readonly #parts: OwnFileParts
  readonly #opened: OpenedDatabase
  readonly #tables: OwnTables
  readonly #lists: OwnTable<{ readonly name: string; readonly entries: string }>
  readonly #closing = new AbortController()
  readonly #snapshotSoon: () => void
  #snapshotRevision: number
  #copying: Promise<void> = Promise.resolve()
  #isDamaged = false

  /** @throws SQLite's errors */
  constructor(parts: OwnFileParts) {
    const { directory, clock } = parts
    this.#parts = parts
    const file = join(directory, OWN_NAME)
    const snapshot = join(directory, OWN_SNAPSHOT_NAME)
    const backup = join(directory, OWN_BACKUP_NAME)
    this.#snapshotRevision = readDatabaseFile(snapshot, readRevision, 0)
    const wasEndedSuddenly = existsSync(`${file}-wal`) || existsSync(suspectMarkerOf(file))
    let opened = openDatabase(file, OWN_FILE)
    if (opened.setAside === null && !opened.isNew) {
      if (!isFileSound(opened.database, this.#snapshotRevision, wasEndedSuddenly)) {
        opened.close(true)
        opened = openDatabase(file, OWN_FILE, true)
      }
    }
    this.#opened = opened
    const { database, setAside, isNew } = opened
    try {
      const isRestored = setAside === null && readRevision(database) === 0 && existsSync(backup)
      this.wasRecovered = setAside !== null || (isNew && !isRestored && existsSync(snapshot))
      this.isNew = isNew && !isRestored && !this.wasRecovered
      if (isRestored) {
        recoverOwnFile(database, { snapshot: backup, damaged: null })
        database.exec(STRIP_BACKUP)
      } else if (this.wasRecovered) recoverOwnFile(database, { snapshot, damaged: setAside })
      rmSync(backup, { force: true })
      this.#tables = new OwnTables(database, (revision) => {
        this.#snapshotSoon()
        this.onWrite(revision)
      })
      this.#lists = this.table('lists')
      onDamage(database, parts.onCorrupt)
    } catch (thrown) {
      opened.close(true)
      throw thrown
    }
    this.#snapshotSoon = createThrottle(() => void this.#takeSnapshot(), clock, this.#closing.signal, {
      everyMs: SNAPSHOT_DELAY_MS,
      unref: true,
    })
    if (this.revision() !== this.#snapshotRevision) this.#snapshotSoon()
  }

  /** Number of the newest write. */
  revision(): number {
    return readRevision(this.#opened.database)
  }

  table<Row extends object>(name: string): OwnTable<Row> {
    return this.#tables.table<Row>(name)
  }

  /** Runs work in one transaction, which is on disk when this returns. @throws disk errors, leaving all unchanged */
  write<Value>(work: (revision: number) => Value): Value {
    return this.#tables.write(work)
  }

  list(name: string): readonly unknown[] {
    const [row] = this.#lists.rows('WHERE name = ?', name)
    return row === undefined ? [] : (JSON.parse(row.entries) as readonly unknown[])
  }

  writeList(name: string, entries: readonly unknown[]): void {
    this.#lists.put({ name, entries: JSON.stringify(entries) })
  }

  /** @param isDamaged true to check the file when it is next opened, and to keep the snapshot */
  async close(isDamaged?: boolean): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    await this.#copying
    if (isDamaged !== true) await this.#takeSnapshot()
    this.#opened.close(isDamaged === true || this.#isDamaged)
  }

  /** Replaces the snapshot by one that is complete and checked. */
  #takeSnapshot(): Promise<void> {
    const { directory, onCorrupt, report } = this.#parts
    this.#copying = this.#copying.then(async () => {
      const snapshot = join(directory, OWN_SNAPSHOT_NAME)
      const next = `${snapshot}.next`
      try {
        const revision = this.revision()
        if (revision === this.#snapshotRevision) return
        rmSync(next, { force: true })
        await this.#opened.database.backup(next, { progress: () => PAGES_PER_TURN })
        finishCopy(next)
        renameSync(next, snapshot)
        flush(dirname(snapshot))
        this.#snapshotRevision = revision
      } catch (thrown) {
        rmSync(next, { force: true })
        if (isCorruptionError(thrown)) {
          this.#isDamaged = true
          onCorrupt()
        } else {
          report(thrown)
          this.#snapshotSoon()
        }
      }
    })
    return this.#copying
  }
}
