export const BACKUP_SCHEDULES = ['off', 'daily', 'weekly'] as const

/** Schedule, number of backups to keep, and folder (null until chosen). */
export interface BackupSettings {
  readonly schedule: (typeof BACKUP_SCHEDULES)[number]
  readonly keep: 3 | 7
  readonly folder: string | null
}

/** A complete backup. `at`: its start, milliseconds since the epoch. */
export interface LastBackup {
  readonly at: number
  readonly directory: string
  readonly bytes: number
  readonly files: number
}

export interface BackupState extends BackupSettings {
  readonly last: LastBackup | null
  /** Bytes copied and checked, of the known total; null while no backup runs. */
  readonly running: { readonly done: number; readonly total: number } | null
}
