/** What is kept of the mail on this computer, and what is made of it: exports and backups. */
import { z } from 'zod'
import { BACKUP_SCHEDULES, type BackupSettings, type BackupState, type LastBackup } from '../backups.ts'
import { exportWish, type ExportState } from '../export.ts'
import type { Account, KeepingState } from '../model.ts'
import { engine, host, hostOf } from './command.ts'
import { folderPath, id, nothing, type SavedFile } from './inputs.ts'

/** What is kept of an account on this computer. */
export interface CacheState {
  /** The folder. */
  readonly directory: string
  /** Of all files in it, and of those that can be fetched again. */
  readonly bytes: number
  readonly cacheBytes: number
  /** Threads that are nowhere else, as the platform does not have them any more. */
  readonly goneThreads: number
}

/** An account that was made of a backup. */
export interface RestoredAccount extends Account {
  /** Changes that had not been sent when the backup was made: they are sent once the account has a key. */
  readonly unsent: number
}

export const storageCommands = {
  /** What is kept of the mail before the platform drops it, how much that is, and how far it has come. */
  'keeping.state': engine<KeepingState>()('open', nothing),
  /**
   * How many days back mail is fetched without being asked for, null for all, and the most bytes of files, null for no
   * bound and 0 to keep only what is opened. What is left out stays. Nothing is deleted by any choice. `storage_failed`
   * where the disk does not take it.
   */
  'keeping.set': engine<KeepingState>()('open', () =>
    z
      .object({
        days: z.int().min(1).max(36_500).nullable().optional(),
        bytes: z.int().min(0).nullable().optional(),
      })
      .strict(),
  ),
  /** What is kept of the account on this computer. */
  'cache.state': engine<CacheState>()('open', nothing),
  /**
   * Removes the mail that is kept here and fetches it anew. Changes that were not sent yet, searches that were saved and all
   * settings stay; threads that the platform does not have any more are lost.
   */
  'cache.clear': engine<null>()('open', nothing),
  /**
   * Begins an export: on the desktop into a file that the person chooses, in a browser into the data folder. Null where they
   * thought better of it.
   */
  'export.start': hostOf<ExportState | null>()('open', exportWish),
  /** Brings the file of an export that is done to the person, who has it already on the desktop. */
  'export.save': hostOf<SavedFile>()('open', () => z.object({ id }).strict()),
  /** Exports that are under way, paused, or done and not put away, oldest first. */
  'export.list': engine<readonly ExportState[]>()('joined', nothing),
  /** Stops an export for now: what was written is kept. `not_found` as of all three where it is not there any more. */
  'export.pause': engine<null>()('open', () => z.object({ id }).strict()),
  /** Goes on with an export where it was, also after an end of Linnet. */
  'export.resume': engine<null>()('open', () => z.object({ id }).strict()),
  /** Ends an export and removes what was written; one that is done is put away, and its file stays. */
  'export.cancel': engine<null>()('open', () => z.object({ id }).strict()),
  /**
   * Makes an account of a backup, without a key, and opens it. `not_found` where there is none in the folder, `storage_failed`
   * where a file of it is not as it was written, `refused` where the account is here already.
   */
  'backup.restore': host<RestoredAccount>()(() => z.object({ folder: folderPath }).strict()),
  /** When backups are made, the last one, and how far the one that is being made has come. */
  'backup.state': engine<BackupState>()('open', nothing),
  /**
   * Makes a backup in the folder that was chosen, or in another one; answered when it is whole. `invalid_input` for a folder
   * that cannot be, `storage_failed` where the disk does not take it. Earlier ones go only then.
   */
  'backup.now': engine<LastBackup>()('open', () => z.object({ folder: folderPath.optional() }).strict()),
  /** Ends the one that is being made; none is no error. */
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
  /** More mail is kept, or other choices hold; at most once a second. */
  'keeping.changed': null
  /** Exports have gone on, begun, stopped, or are over. */
  'exports.changed': null
  /** A backup is being made, or the schedule is another. */
  'backup.changed': null
}
