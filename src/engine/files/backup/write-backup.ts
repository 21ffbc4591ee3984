/**
 * Writes a backup folder laid out like the account's, verifying each file. It has a temporary name until complete.
 * The copy of the cache comes before that of the user's own data, which must not be older than what the cache shows.
 * Newer changes appear when the account is opened.
 */
import { createHash } from 'node:crypto'
import {
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Database from 'better-sqlite3'
import {
  MANIFEST_NAME,
  parseManifest,
  serializeManifest,
  type BackupManifest,
} from '../../../shared/backup-manifest.ts'
import { ok, ProblemError, type Problem, type Result } from '../../../shared/result.ts'
import { classifyDiskError, getErrorCode } from '../../../shared/storage-problem.ts'
import {
  CACHE_NAME,
  DRAFT_FILES_NAME,
  DRAFTS_DIRECTORY_NAME,
  OWN_BACKUP_NAME,
  OWN_NAME,
} from '../../own/account-files.ts'
import { verifyRows } from '../../own/own-table.ts'
import { OWN_FILE, STRIP_BACKUP } from '../../own/schema.ts'
import { blobPath } from '../../store/blobs.ts'
import { CACHE_FILE_KIND } from '../../store/cache.ts'
import { openDatabaseReadOnly } from '../../store/open-database.ts'
import { flush } from '../../store/durable-file.ts'
import { attempt } from '../../store/storage-problem.ts'

type BackupFile = BackupManifest['files'][number]

export interface BackupTask {
  readonly accountDirectory: string
  /** Folder of all backups, and how many of this account to keep. */
  readonly folder: string
  readonly keep: number
  /** Prefix of this account's backup names. */
  readonly prefix: string
  readonly name: string
  readonly account: BackupManifest['account']
  readonly at: number
}

export interface BackupHost {
  /** Called with the bytes copied and verified, and the total. */
  readonly onCopied: (done: number, total: number) => void
}

export interface WrittenBackup {
  readonly directory: string
  readonly bytes: number
  readonly files: number
}

/** Suffixes of a backup folder that is incomplete or being removed. */
const UNFINISHED_SUFFIXES = ['.part', '.removing'] as const

/** Tells what to do about an error of the disk or SQLite. */
export const toBackupProblem = (thrown: unknown, folder: string): Problem => {
  if (thrown instanceof ProblemError) return thrown.problem
  const [what, advice] = {
    full: [`Not enough space for a backup in ${folder}.`, 'Free up some space, or choose another folder.'],
    missing: [`The backup folder ${folder} is missing.`, 'Plug its disk in, or choose another folder.'],
    forbidden: [`Linnet has no permission to write to ${folder}.`, 'Choose another folder.'],
    broken: [`The backup in ${folder} was not written correctly.`, 'Check that disk, or choose another.'],
  }[classifyDiskError(thrown) ?? 'broken']
  const message = `${what} Your mail and earlier backups are safe. ${advice}`
  return { code: 'storage_failed', message, details: { cause: getErrorCode(thrown) } }
}

/** Pages copied between checks for cancellation. */
const PAGES_AT_ONCE = 2_000
const CHUNK_BYTES = 1024 * 1024
/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 100

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: CHUNK_BYTES }), hash)
  return hash.digest('hex')
}

/** Copies a snapshot of the cache while it may be written. @returns digests of the blobs that it refers to */
const copyCache = async (from: string, to: string): Promise<readonly string[]> => {
  const database = openDatabaseReadOnly(from, CACHE_FILE_KIND)
  try {
    database.exec('BEGIN')
    const digests = database.prepare<[], string>('SELECT DISTINCT digest FROM blobs ORDER BY digest').pluck().all()
    await database.backup(to, { progress: () => PAGES_AT_ONCE })
    database.exec('COMMIT')
    return digests
  } finally {
    database.close()
  }
}

const UNSENT = `SELECT (SELECT count(*) FROM pending_changes) +
  (SELECT count(*) FROM drafts WHERE draft ->> '$.state.kind' IN ('sending', 'sent'))`

/** Copies the user's own data while it may be written. @returns number of unsent changes @throws if a row is damaged */
const copyOwnData = async (from: string, to: string): Promise<number> => {
  const database = openDatabaseReadOnly(from, OWN_FILE)
  try {
    await database.backup(to)
  } finally {
    database.close()
  }
  const copy = new Database(to)
  try {
    verifyRows(copy, true)
    copy.exec(`${STRIP_BACKUP} VACUUM`)
    return Number(copy.prepare(UNSENT).pluck().get())
  } finally {
    copy.close()
  }
}

/** @throws if SQLite finds the copy damaged */
const checkDatabase = (file: string): void => {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    if (database.pragma('quick_check(1)', { simple: true }) === 'ok') return
  } finally {
    database.close()
    // A read-only connection leaves these files behind.
    for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true })
  }
  throw Object.assign(new Error(`${file} failed its integrity check`), { code: 'SQLITE_CORRUPT' })
}

/** Complete backups of the account, newest first. */
const listBackups = ({ folder, account }: BackupTask): readonly { readonly directory: string; readonly at: number }[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('Linnet '))
    .flatMap(({ name }) => {
      if (UNFINISHED_SUFFIXES.some((ending) => name.endsWith(ending))) return []
      const directory = join(folder, name)
      try {
        const manifest = parseManifest(readFileSync(join(directory, MANIFEST_NAME), 'utf8'), sha256)
        return typeof manifest === 'object' && manifest.account.id === account.id
          ? [{ directory, at: manifest.at }]
          : []
      } catch {
        return []
      }
    })
    .toSorted((a, b) => b.at - a.at)

/** Renames first, so a crash can't leave a folder that looks complete. */
const removeBackup = (directory: string): void => {
  const leaving = `${directory}.removing`
  renameSync(directory, leaving)
  rmSync(leaving, { recursive: true, force: true })
}

export const removeUnfinishedBackups = ({ folder, prefix }: Pick<BackupTask, 'folder' | 'prefix'>): void => {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !UNFINISHED_SUFFIXES.some((ending) => name.endsWith(ending))) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

/** @returns false if the file disappeared */
const copyIfThere = (from: string, to: string): boolean => {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    return true
  } catch (thrown) {
    if (getErrorCode(thrown) === 'ENOENT') return false
    throw thrown
  }
}

const freeName = (folder: string, name: string): string => {
  const taken = new Set(readdirSync(folder))
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name} (${number})`
    if (!taken.has(free) && !taken.has(`${free}.part`)) return free
  }
}

/** @throws disk and SQLite errors; old backups stay intact */
const writeFiles = async (task: BackupTask, { onCopied }: BackupHost): Promise<WrittenBackup> => {
  const { accountDirectory, folder, keep, account, at } = task
  // Don't recreate a missing folder: its disk may be unplugged.
  statSync(folder)
  removeUnfinishedBackups(task)
  const earlier = listBackups(task)
  const directory = join(folder, freeName(folder, task.name))
  const part = `${directory}.part`
  mkdirSync(part, { mode: 0o700 })
  const files: BackupFile[] = []
  let [done, total, reportedAt] = [0, statSync(join(accountDirectory, CACHE_NAME)).size, -Infinity]
  const addDone = (bytes: number): void => {
    done += bytes
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = performance.now()
    onCopied(Math.min(done, total), total)
  }
  addDone(0)
  const keepFile = async (path: string): Promise<void> => {
    const target = join(part, path)
    flush(target)
    const bytes = statSync(target).size
    files.push({ path: path.replaceAll('\\', '/'), bytes, sha256: await digestFile(target) })
    addDone(bytes)
  }

  const digests = await copyCache(join(accountDirectory, CACHE_NAME), join(part, CACHE_NAME))
  const unsent = await copyOwnData(join(accountDirectory, OWN_NAME), join(part, OWN_BACKUP_NAME))
  const databases = [CACHE_NAME, OWN_BACKUP_NAME]
  const contents = digests.flatMap((digest) => {
    const path = blobPath(digest)
    const bytes = statSync(join(accountDirectory, path), { throwIfNoEntry: false })?.size
    // Files removed since the snapshot count as missing, as they do in Linnet.
    return bytes === undefined ? [] : [{ digest, path, bytes }]
  })
  const sizes = [...databases.map((name) => statSync(join(part, name)).size), ...contents.map(({ bytes }) => bytes)]
  total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  for (const name of databases) {
    checkDatabase(join(part, name))
    await keepFile(name)
  }
  const drafts = join(DRAFTS_DIRECTORY_NAME, DRAFT_FILES_NAME)
  if (existsSync(join(accountDirectory, drafts))) {
    mkdirSync(join(part, drafts), { recursive: true, mode: 0o700 })
    for (const name of readdirSync(join(accountDirectory, drafts)).filter((each) => /^[\da-f]{64}$/.test(each))) {
      const path = join(drafts, name)
      // Drafts may disappear in the meantime.
      if (copyIfThere(join(accountDirectory, path), join(part, path))) await keepFile(path)
    }
  }

  const [previous] = earlier
  /** Hard-links intact blobs from the previous backup, since blobs never change, and copies the others. */
  const putContent = async (path: string, digest: string): Promise<boolean> => {
    const target = join(part, path)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    if (previous !== undefined) {
      try {
        linkSync(join(previous.directory, path), target)
        if ((await digestFile(target)) === digest) return true
        rmSync(target)
      } catch {
        // The previous backup lacks the blob, or the disk has no hard links.
      }
    }
    if (!copyIfThere(join(accountDirectory, path), target)) return false
    flush(target)
    if ((await digestFile(target)) === digest) return true
    // The account's own file is already damaged; Linnet treats it as missing.
    rmSync(target)
    return false
  }
  for (const { path, digest, bytes } of contents) {
    if (await putContent(path, digest)) files.push({ path: path.replaceAll('\\', '/'), bytes, sha256: digest })
    addDone(bytes)
  }

  writeFileSync(join(part, MANIFEST_NAME), serializeManifest({ account, at, unsent, files }, sha256), { mode: 0o600 })
  flush(join(part, MANIFEST_NAME))
  flush(part)
  renameSync(part, directory)
  flush(folder)
  // If this fails, it is retried after the next backup.
  for (const old of earlier.slice(Math.max(0, keep - 1))) attempt(() => removeBackup(old.directory))
  return { directory, bytes: files.reduce((sum, file) => sum + file.bytes, 0), files: files.length }
}

/** Writes a backup and removes the oldest ones. Fails with `storage_failed`; old backups then stay intact. */
export const writeBackup = async (task: BackupTask, host: BackupHost): Promise<Result<WrittenBackup>> => {
  try {
    return ok(await writeFiles(task, host))
  } catch (thrown) {
    return { ok: false, error: toBackupProblem(thrown, task.folder) }
  }
}
