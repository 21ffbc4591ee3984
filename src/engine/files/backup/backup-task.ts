import type { BackupManifest } from '../../../shared/backup-manifest.ts'
import { resolveWorkerScript } from '../../timing/worker-script.ts'

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

/** Messages from the worker, in this order. */
export type BackupMessage =
  /** The cache is copied; now copy the outbox, which the engine's thread holds, into `file`. */
  | { readonly kind: 'outbox wanted'; readonly file: string }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly directory: string; readonly bytes: number; readonly files: number }
  /** `code` from the system or SQLite. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

export interface OutboxCopiedMessage {
  readonly unsent: number
}

/** Suffixes of a backup folder that is incomplete or being removed. */
export const UNFINISHED_SUFFIXES = ['.part', '.removing'] as const

export const backupWorkerFile = (importer: string): string =>
  resolveWorkerScript(importer, 'files/backup/backup-worker.ts')
