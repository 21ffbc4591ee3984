import { z } from 'zod'
import { StoredSettings, type LocalLists } from '../../own/local-list.ts'
import type { BackupSettings, LastBackup } from '../../../shared/backups.ts'

interface StoredBackups {
  readonly settings: BackupSettings
  readonly last: LastBackup | null
}

const schema: z.ZodType<StoredBackups> = z.object({
  settings: z.object({
    schedule: z.enum(['off', 'daily', 'weekly']),
    keep: z.union([z.literal(3), z.literal(7)]),
    folder: z.string().min(1).nullable(),
  }),
  last: z
    .object({ at: z.number(), directory: z.string(), bytes: z.number(), files: z.number() })
    .nullable()
    .catch(null),
})

const NO_BACKUPS: StoredBackups = { settings: { schedule: 'off', keep: 7, folder: null }, last: null }

/** Backup settings and the last backup. Not backed up: a restored account needs its own folder. */
export class StoredBackupSettings extends StoredSettings<StoredBackups> {
  constructor(own: LocalLists) {
    super(own, 'backups', schema, NO_BACKUPS)
  }
}
