/**
 * Writes a backup folder laid out like the account's, verifying each file. It has a temporary name until complete.
 * The cache snapshot comes before the outbox. An older outbox would lack changes that the cache shows; a newer one only
 * adds changes that appear when the account is opened.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import {
  MANIFEST_NAME,
  parseManifest,
  serializeManifest,
  type BackupManifest,
} from '../../../shared/backup-manifest.ts'
import { ok, ProblemError, type Problem, type Result } from '../../../shared/result.ts'
import { getErrorCode } from '../../../shared/storage-problem.ts'
import {
  CACHE_NAME,
  DRAFT_FILES_NAME,
  DRAFTS_DIRECTORY_NAME,
  OUTBOX_NAME,
  OUTBOX_SECOND_NAME,
} from '../../own/account-files.ts'
import { blobPath } from '../../store/blobs.ts'
import { CACHE_FILE_KIND } from '../../store/cache.ts'
import { openDatabaseReadOnly } from '../../store/open-database.ts'

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
  /** Copies the outbox, which the engine's thread holds, after the cache. @returns the number of unsent changes */
  readonly copyOutbox: (file: string) => Promise<number>
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

const UNAFFECTED_NOTE = 'Your mail and earlier backups are safe.'

/** Tells what to do about an error of the disk or SQLite. */
export const toBackupProblem = (thrown: unknown, folder: string): Problem => {
  if (thrown instanceof ProblemError) return thrown.problem
  const code = getErrorCode(thrown)
  const withMessage = (message: string): Problem => ({ code: 'storage_failed', message, details: { cause: code } })
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    return withMessage(
      `Not enough space for a backup in ${folder}. ${UNAFFECTED_NOTE} Free up some space, or choose another folder.`,
    )
  }
  if (/^(?:ENOENT|ENOTDIR|ENODEV|ENXIO)/.test(code)) {
    return withMessage(
      `The backup folder ${folder} is missing. ${UNAFFECTED_NOTE} Plug its disk in, or choose another folder.`,
    )
  }
  if (/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code)) {
    return withMessage(`Linnet has no permission to write to ${folder}. ${UNAFFECTED_NOTE} Choose another folder.`)
  }
  return withMessage(
    `The backup in ${folder} was not written correctly. ${UNAFFECTED_NOTE} Check that disk, or choose another.`,
  )
}

/** Pages copied between checks for cancellation. */
const PAGES_AT_ONCE = 2_000
const CHUNK_BYTES = 1024 * 1024
/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 100

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestFile = (file: string): Pick<BackupFile, 'bytes' | 'sha256'> => {
  const descriptor = openSync(file, 'r')
  try {
    const hash = createHash('sha256')
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let bytes = 0
    for (;;) {
      const read = readSync(descriptor, buffer, 0, CHUNK_BYTES, null)
      if (read === 0) return { bytes, sha256: hash.digest('hex') }
      hash.update(buffer.subarray(0, read))
      bytes += read
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Flushes a file before anything refers to it. */
const flush = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (thrown) {
    // Some systems can't flush folders, or files opened for reading.
    if (!['EINVAL', 'EPERM', 'EISDIR', 'EBADF'].includes(getErrorCode(thrown))) throw thrown
  } finally {
    closeSync(descriptor)
  }
}

/** Copies a snapshot of the cache while it may be written. @returns digests of the blobs that it refers to */
const copyCache = async (from: string, to: string): Promise<readonly string[]> => {
  const database = openDatabaseReadOnly(from, CACHE_FILE_KIND)
  try {
    database.exec('BEGIN')
    const digests = database.prepare<[], string>('SELECT DISTINCT digest FROM contents ORDER BY digest').pluck().all()
    await database.backup(to, { progress: () => PAGES_AT_ONCE })
    database.exec('COMMIT')
    return digests
  } finally {
    database.close()
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

const freeName = (folder: string, name: string): string => {
  const taken = new Set(readdirSync(folder))
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name} (${number})`
    if (!taken.has(free) && !taken.has(`${free}.part`)) return free
  }
}

/** Copies the matching files. Drafts may disappear in the meantime. */
const copyFiles = (
  accountDirectory: string,
  part: string,
  folder: string,
  named: RegExp,
  keepFile: (path: string) => void,
): void => {
  const source = join(accountDirectory, folder)
  if (!existsSync(source)) return
  mkdirSync(join(part, folder), { recursive: true, mode: 0o700 })
  for (const name of readdirSync(source)) {
    if (!named.test(name)) continue
    const path = join(folder, name)
    try {
      copyFileSync(join(accountDirectory, path), join(part, path))
    } catch (thrown) {
      if (getErrorCode(thrown) === 'ENOENT') continue
      throw thrown
    }
    keepFile(path)
  }
}

/** @throws disk and SQLite errors; old backups stay intact */
const writeFiles = async (task: BackupTask, { copyOutbox, onCopied }: BackupHost): Promise<WrittenBackup> => {
  let reportedAt = -Infinity
  const progress = (now: number, of: number): void => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = performance.now()
    onCopied(Math.min(now, of), of)
  }
  const { accountDirectory, folder, keep, account, at } = task
  // Don't recreate a missing folder: its disk may be unplugged.
  statSync(folder)
  removeUnfinishedBackups(task)
  const earlier = listBackups(task)
  const directory = join(folder, freeName(folder, task.name))
  const part = `${directory}.part`
  mkdirSync(part, { mode: 0o700 })
  try {
    const files: BackupFile[] = []
    let [done, total] = [0, statSync(join(accountDirectory, CACHE_NAME)).size]
    progress(done, total)
    const keepFile = (path: string): void => {
      flush(join(part, path))
      const file = { path: path.replaceAll('\\', '/'), ...digestFile(join(part, path)) }
      files.push(file)
      done += file.bytes
      progress(done, total)
    }

    const digests = await copyCache(join(accountDirectory, CACHE_NAME), join(part, CACHE_NAME))
    const unsent = await copyOutbox(join(part, OUTBOX_NAME))
    copyFileSync(join(part, OUTBOX_NAME), join(part, OUTBOX_SECOND_NAME))
    const contents = digests.flatMap((digest) => {
      const path = blobPath(digest)
      const bytes = statSync(join(accountDirectory, path), { throwIfNoEntry: false })?.size
      // Files removed since the snapshot count as missing, as they do in Linnet.
      return bytes === undefined ? [] : [{ digest, path, bytes }]
    })
    total = [CACHE_NAME, OUTBOX_NAME, OUTBOX_SECOND_NAME].reduce(
      (sum, name) => sum + statSync(join(part, name)).size,
      0,
    )
    total += contents.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const name of [CACHE_NAME, OUTBOX_NAME, OUTBOX_SECOND_NAME]) {
      checkDatabase(join(part, name))
      keepFile(name)
    }
    copyFiles(accountDirectory, part, '', /^keeping\.json$/, keepFile)
    // Drafts before their files, so all files that a draft refers to exist.
    copyFiles(accountDirectory, part, DRAFTS_DIRECTORY_NAME, /^[\w-]+\.json$/, keepFile)
    copyFiles(accountDirectory, part, join(DRAFTS_DIRECTORY_NAME, DRAFT_FILES_NAME), /^[\da-f]{64}$/, keepFile)

    const [previous] = earlier
    /** Hard-links intact blobs from the previous backup, since blobs never change, and copies the others. */
    const putContent = (path: string, digest: string): boolean => {
      const target = join(part, path)
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      if (previous !== undefined) {
        try {
          linkSync(join(previous.directory, path), target)
          if (digestFile(target).sha256 === digest) return true
          rmSync(target)
        } catch {
          // The previous backup lacks the blob, or the disk has no hard links.
        }
      }
      try {
        copyFileSync(join(accountDirectory, path), target, constants.COPYFILE_FICLONE)
      } catch (thrown) {
        if (getErrorCode(thrown) === 'ENOENT') return false
        throw thrown
      }
      flush(target)
      if (digestFile(target).sha256 === digest) return true
      // The account's own file is already damaged; Linnet treats it as missing.
      rmSync(target)
      return false
    }
    for (const { path, digest, bytes } of contents) {
      if (putContent(path, digest)) files.push({ path: path.replaceAll('\\', '/'), bytes, sha256: digest })
      done += bytes
      progress(done, total)
    }

    writeFileSync(join(part, MANIFEST_NAME), serializeManifest({ account, at, unsent, files }, sha256), { mode: 0o600 })
    flush(join(part, MANIFEST_NAME))
    flush(part)
    renameSync(part, directory)
    flush(folder)
    for (const { directory: old } of earlier.slice(Math.max(0, keep - 1))) {
      // If this fails, it is retried after the next backup.
      try {
        removeBackup(old)
      } catch {
        continue
      }
    }
    return { directory, bytes: files.reduce((sum, file) => sum + file.bytes, 0), files: files.length }
  } catch (thrown) {
    rmSync(part, { recursive: true, force: true })
    throw thrown
  }
}

/** Writes a backup and removes the oldest ones. Fails with `storage_failed`; old backups then stay intact. */
export const writeBackup = async (task: BackupTask, host: BackupHost): Promise<Result<WrittenBackup>> => {
  try {
    return ok(await writeFiles(task, host))
  } catch (thrown) {
    return { ok: false, error: toBackupProblem(thrown, task.folder) }
  }
}
