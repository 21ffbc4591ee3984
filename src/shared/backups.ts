export const BACKUP_SCHEDULES = ['off', 'daily', 'weekly'] as const

/** Backup schedule, number of backups to keep, and target folder (null until chosen). */
export interface BackupSettings {
  readonly schedule: (typeof BACKUP_SCHEDULES)[number]
  readonly keep: 3 | 7
  readonly folder: string | null
}

/** A complete backup. `at` is its start time in milliseconds since the epoch. */
export interface LastBackup {
  readonly at: number
  readonly directory: string
  readonly bytes: number
  readonly files: number
}

export interface BackupState extends BackupSettings {
  readonly last: LastBackup | null
  /** Bytes copied and checked so far, and the known total; null while no backup is running. */
  readonly running: { readonly done: number; readonly total: number } | null
}
