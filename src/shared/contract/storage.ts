/** What is kept of the mail on this computer, and copies of it: exports and backups. */
import { z } from 'zod'
import { BACKUP_SCHEDULES, type BackupSettings, type BackupState, type LastBackup } from '../backups.ts'
import { exportWish, type ExportState } from '../export.ts'
import type { KeepingState } from '../keeping.ts'
import type { Account } from '../model.ts'
import { engine, host, hostOf } from './command.ts'
import { folderPath, id, nothing, type SavedFile } from './inputs.ts'

/** What an account occupies on this computer. */
export interface CacheState {
  readonly directory: string
  /** Of all files in it, and of those that can be fetched again. */
  readonly bytes: number
  readonly cacheBytes: number
  /** Threads that exist only here, because the platform has dropped them. */
  readonly goneThreads: number
}

export interface RestoredAccount extends Account {
  /** Changes that were unsent when the backup was made: they are sent once the account has a key. */
  readonly unsent: number
}

export const storageCommands = {
  /** How much mail is kept before the platform drops it, how much that is, and how far it has come. */
  'keeping.state': engine<KeepingState>()('open', nothing),
  /**
   * How many days back mail is fetched in advance, null for all, and the most bytes of files, null for no bound and 0
   * for opened ones only. Absent fields stay. No choice deletes anything. `storage_failed` if the disk does not accept
   * it.
   */
  'keeping.set': engine<KeepingState>()('open', () =>
    z
      .object({
        days: z.int().min(1).max(36_500).nullable().optional(),
        bytes: z.int().min(0).nullable().optional(),
      })
      .strict(),
  ),
  /** What the account occupies on this computer. */
  'cache.state': engine<CacheState>()('open', nothing),
  /**
   * Removes the mail that is kept here and fetches it again. Unsent changes, saved searches and all settings stay;
   * threads that the platform has dropped are lost.
   */
  'cache.clear': engine<null>()('open', nothing),
  /**
   * Begins an export: on the desktop into a file that the person chooses, in a browser into the data folder. Null if
   * they cancel.
   */
  'export.start': hostOf<ExportState | null>()('open', exportWish),
  /** Gives a finished export's file to the person; on the desktop they have it already. */
  'export.save': hostOf<SavedFile>()('open', () => z.object({ id }).strict()),
  /** Exports that wait, run or have stopped, or are done and not dismissed, oldest first. */
  'export.list': engine<readonly ExportState[]>()('joined', nothing),
  /** Starts an export that has stopped again, from its beginning, even after a restart. `not_found`, for both, if it is gone. */
  'export.restart': engine<null>()('open', () => z.object({ id }).strict()),
  /** Cancels an export and removes what was written; one that is done is dismissed, and its file stays. */
  'export.cancel': engine<null>()('open', () => z.object({ id }).strict()),
  /**
   * Restores an account from a backup, without a key, and opens it. `not_found` if the folder has none,
   * `storage_failed` if one of its files is damaged, `refused` if the account is here already.
   */
  'backup.restore': host<RestoredAccount>()(() => z.object({ folder: folderPath }).strict()),
  /** When backups are made, the last one, and the progress of a running one. */
  'backup.state': engine<BackupState>()('open', nothing),
  /**
   * Makes a backup in the chosen folder, or in another; answered when it is complete. Earlier ones are removed only
   * then. `invalid_input` for an impossible folder, `storage_failed` if the disk does not accept it.
   */
  'backup.now': engine<LastBackup>()('open', () => z.object({ folder: folderPath.optional() }).strict()),
  'backup.cancel': engine<null>()('open', nothing),
  'backup.setSchedule': engine<null>()(
    'open',
    () =>
      z
        .object({
          schedule: z.enum(BACKUP_SCHEDULES),
          keep: z.union([z.literal(3), z.literal(7)]),
          folder: folderPath.nullable(),
        })
        .strict() satisfies z.ZodType<BackupSettings>,
  ),
}

export interface StorageEvents {
  /** More mail is kept, or the choices have changed; at most once a second. */
  'keeping.changed': null
  /** Exports have begun, progressed, stopped, or are over. */
  'exports.changed': null
  /** A backup is running, or the schedule has changed. */
  'backup.changed': null
}
