import type { BackupManifest } from '../../shared/backup-manifest.ts'
import { threadFile } from '../thread-file.ts'

/** What the thread that makes a backup is told. */
export interface BackupTask {
  readonly accountDirectory: string
  /** Where backups are kept, and how many of this account. */
  readonly folder: string
  readonly keep: number
  /** What the folders of this account's backups begin with. */
  readonly prefix: string
  readonly name: string
  readonly account: BackupManifest['account']
  readonly at: number
}

/** What it says, in this order. */
export type BackupNews =
  /** The cache is copied: now the outbox is to be, into `file`, by whoever holds it. */
  | { readonly kind: 'outbox wanted'; readonly file: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly directory: string; readonly bytes: number; readonly files: number }
  /** `code` of the system or of SQLite. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

/** What it is told when the outbox is copied. */
export interface OutboxCopied {
  readonly unsent: number
}

/** The ending of a folder in which a backup is not whole yet, and of one that is being removed. */
export const UNFINISHED = ['.part', '.removing'] as const

/** The thread's file. @param importer as `threadFile` has it */
export const backupWorkerFile = (importer: string): string => threadFile(importer, 'backup/backup-worker.ts')
