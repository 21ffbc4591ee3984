import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { MANIFEST_NAME, parseManifest, type BackupManifest } from '../shared/backup-manifest.ts'
import { ProblemError, type Problem } from '../shared/result.ts'
import type { StoredAccounts } from './stored-accounts.ts'
import { ensureDirectory } from './data-directory.ts'

const failed = (code: Problem['code'], message: string, cause?: unknown): ProblemError =>
  new ProblemError({ code, message }, { cause })

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** @throws ProblemError `not_found` if there is no backup, `storage_failed` if it is damaged or from a newer Linnet */
export const openBackup = async (folder: string): Promise<BackupManifest> => {
  if (/\.(?:part|removing)$/.test(folder)) {
    throw failed('storage_failed', `${folder} is an unfinished backup. Choose another one.`)
  }
  const text = await readFile(join(folder, MANIFEST_NAME), 'utf8').catch((cause: unknown) => {
    throw failed(
      'not_found',
      `There is no backup in ${folder}. Choose the folder that contains ${MANIFEST_NAME}.`,
      cause,
    )
  })
  const manifest = parseManifest(text, sha256)
  if (typeof manifest === 'object') return manifest
  throw {
    foreign: () =>
      failed(
        'not_found',
        `${MANIFEST_NAME} in ${folder} was not created by Linnet. Choose a folder with a Linnet backup.`,
      ),
    damaged: () =>
      failed(
        'storage_failed',
        `This backup is damaged: ${MANIFEST_NAME} does not match its checksum or lists unexpected files. Nothing was changed.`,
      ),
    newer: () =>
      failed(
        'storage_failed',
        'This backup was created by a newer version of Linnet. Update Linnet to restore it; nothing was changed.',
      ),
  }[manifest]()
}

/** Copies a file and verifies the copy. @throws ProblemError naming the file */
const copyAndVerify = async (
  folder: string,
  into: string,
  { path, sha256: expected }: BackupManifest['files'][number],
): Promise<void> => {
  const target = join(into, path)
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyFile(join(folder, path), target)
    if ((await digestFile(target)) === expected) return
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (/^(?:ENOSPC|EDQUOT)/.test(code)) {
      throw failed(
        'storage_failed',
        'There is not enough disk space to restore this backup. Free up some space, then try again; nothing was changed.',
        cause,
      )
    }
    if (code !== 'ENOENT') {
      throw failed('storage_failed', `${path} in this backup could not be read or copied. Nothing was changed.`, cause)
    }
    throw failed('storage_failed', `This backup is damaged: ${path} is missing. Nothing was changed.`, cause)
  }
  throw failed('storage_failed', `This backup is damaged: ${path} does not match its checksum. Nothing was changed.`)
}

export interface RestoredAccount {
  readonly id: string
  readonly baseUrl: string
  readonly addresses: readonly string[]
  readonly unsent: number
  /** Folder that the previous account was moved to, or null. */
  readonly setAside: string | null
}

/**
 * Copies and checks a backup's files, then adds the account without a key. A failure changes nothing.
 * @param canReplace moves the existing account aside, which must be closed; without it `refused` is thrown
 */
export const restoreBackup = async (
  typed: string,
  dataDirectory: string,
  settings: Pick<StoredAccounts, 'find' | 'keep' | 'nextColor'>,
  { canReplace, now = new Date() }: { readonly canReplace: boolean; readonly now?: Date },
): Promise<RestoredAccount> => {
  const folder = resolve(typed)
  const { account, files, unsent } = await openBackup(folder)
  const { id, baseUrl, inboxes } = account
  const directory = join(dataDirectory, 'accounts', id)
  const addresses = inboxes.map(({ address }) => address)
  const isHere = settings.find(id) !== null || existsSync(directory)
  if (isHere && !canReplace) {
    const name = addresses[0] ?? baseUrl
    throw failed(
      'refused',
      `The account in this backup (${name}) is already on this computer and was not changed. Restore the backup to another data folder, or replace the account from the command line (docs/backup.md).`,
    )
  }
  const part = join(dataDirectory, 'restoring', id)
  await rm(part, { recursive: true, force: true })
  await ensureDirectory(part)
  try {
    for (const file of files) await copyAndVerify(folder, part, file)
    await ensureDirectory(join(dataDirectory, 'accounts'))
    const aside = join(dataDirectory, 'set-aside', `${id}-${now.toISOString().replace(/[:.]/g, '-')}`)
    const setAside = existsSync(directory) ? aside : null
    if (setAside !== null) {
      await ensureDirectory(dirname(aside))
      await rename(directory, aside)
    }
    await rename(part, directory)
    const before = settings.find(id)
    const known = before?.kind === 'platform' ? before : null
    // A key may go only to the server it was entered for, not to one named by a backup.
    const isSameServer = known?.baseUrl === baseUrl
    settings.keep({
      ...{ id, kind: 'platform', baseUrl, inboxes, isConnected: true },
      name: known?.name ?? null,
      color: known?.color ?? settings.nextColor(),
      keyDigest: isSameServer ? known.keyDigest : null,
      sealedKey: isSameServer ? known.sealedKey : null,
    })
    return { id, baseUrl, addresses, unsent, setAside }
  } finally {
    await rm(join(dataDirectory, 'restoring'), { recursive: true, force: true })
  }
}
