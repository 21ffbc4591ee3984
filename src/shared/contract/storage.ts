import { z } from 'zod'
import { BACKUP_SCHEDULES, type BackupSettings, type BackupState, type LastBackup } from '../backups.ts'
import { exportSettingsSchema, type ExportState } from '../export.ts'
import type { StoredMailState } from '../stored-mail.ts'
import type { Account } from '../model.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { directoryPathSchema, idSchema, emptyInputSchema, type SavedFile } from './inputs.ts'

export interface CacheState {
  readonly directory: string
  /** Size of all files, and of the files that can be fetched again. */
  readonly bytes: number
  readonly cacheBytes: number
  /** Threads that exist only locally because the platform has dropped them. */
  readonly localOnlyThreads: number
}

export interface RestoredAccount extends Account {
  /** Changes that were unsent when the backup was made; they are sent once the account has a key. */
  readonly unsent: number
}

export const storageCommands = {
  /** Settings for storing mail locally before the platform drops it, the amount of mail stored, and the progress. */
  'keeping.state': defineEngineCommand<StoredMailState>()('owner', emptyInputSchema),
  /**
   * `days`: how far back to prefetch mail, null for all. `bytes`: limit for files, null for none, 0 for opened files
   * only. Omitted fields are unchanged; nothing is deleted. `storage_failed` if the settings can't be saved.
   */
  'keeping.set': defineEngineCommand<StoredMailState>()('owner', () =>
    z
      .object({
        days: z.int().min(1).max(36_500).nullable().optional(),
        bytes: z.int().min(0).nullable().optional(),
      })
      .strict(),
  ),
  'cache.state': defineEngineCommand<CacheState>()('owner', emptyInputSchema),
  /**
   * Removes the stored mail and fetches it again. Unsent changes, saved searches and all settings stay; threads that
   * the platform has dropped are lost.
   */
  'cache.clear': defineEngineCommand<null>()('owner', emptyInputSchema),
  /** The desktop app lets the user choose the file; a browser uses the data folder. Null if cancelled. */
  'export.start': defineHostCommand<ExportState | null>()(exportSettingsSchema),
  /** Delivers the file of a finished export to the user. On the desktop, the user already has it. */
  'export.save': defineHostCommand<SavedFile>()(() => z.object({ id: idSchema }).strict()),
  /** Exports since Linnet was started that are not dismissed; oldest first. */
  'export.list': defineEngineCommand<readonly ExportState[]>()('refused', emptyInputSchema),
  /**
   * Cancels an export and removes its partial file. A finished export is dismissed, and its file stays. Like
   * `export.save`, returns `not_found` if the export is gone.
   */
  'export.cancel': defineEngineCommand<null>()('owner', () => z.object({ id: idSchema }).strict()),
  /**
   * Restores an account from a backup, without a key, and opens it. `not_found` if the folder has no backup,
   * `storage_failed` if one of its files is damaged, `refused` if the account already exists locally.
   */
  'backup.restore': defineHostCommand<RestoredAccount>()(() => z.object({ folder: directoryPathSchema }).strict()),
  'backup.state': defineEngineCommand<BackupState>()('owner', emptyInputSchema),
  /**
   * Makes a backup in the chosen folder, or in `folder`, and removes earlier backups only once it is complete.
   * `invalid_input` for an impossible folder, `storage_failed` if it can't be written.
   */
  'backup.now': defineEngineCommand<LastBackup>()('owner', () =>
    z.object({ folder: directoryPathSchema.optional() }).strict(),
  ),
  'backup.cancel': defineEngineCommand<null>()('owner', emptyInputSchema),
  'backup.setSchedule': defineEngineCommand<null>()(
    'owner',
    () =>
      z
        .object({
          schedule: z.enum(BACKUP_SCHEDULES),
          keep: z.union([z.literal(3), z.literal(7)]),
          folder: directoryPathSchema.nullable(),
        })
        .strict() satisfies z.ZodType<BackupSettings>,
  ),
}

export interface StorageEvents {
  /** More mail is stored, or the settings have changed. Sent at most once a second. */
  'keeping.changed': null
  'exports.changed': null
  'backup.changed': null
}
