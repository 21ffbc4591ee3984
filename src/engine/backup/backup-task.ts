import type { BackupManifest } from '../../shared/backup-manifest.ts'
import { threadFile } from '../thread-file.ts'

export interface BackupTask {
  readonly accountDirectory: string
  /** The folder of all backups, and how many of this account it keeps. */
  readonly folder: string
  readonly keep: number
  /** Of the names of this account's backups. */
  readonly prefix: string
  readonly name: string
  readonly account: BackupManifest['account']
  readonly at: number
}

/** Its messages, in this order. */
export type BackupNews =
  /** The cache is copied; now copy the outbox, which the engine's thread holds, into `file`. */
  | { readonly kind: 'outbox wanted'; readonly file: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly directory: string; readonly bytes: number; readonly files: number }
  /** `code` of the system or of SQLite. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

export interface OutboxCopied {
  readonly unsent: number
}

/** Endings of a backup's folder: not complete yet, and being removed. */
export const UNFINISHED = ['.part', '.removing'] as const

/** The thread's file. @param importer as `threadFile` has it */
export const backupWorkerFile = (importer: string): string => threadFile(importer, 'backup/backup-worker.ts')
