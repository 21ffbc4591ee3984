/** What the screens know of backups of an account. */

export const BACKUP_SCHEDULES = ['off', 'daily', 'weekly'] as const

/** When backups are made by themselves, how many of them stay, and where. `folder`: null until one is chosen. */
export interface BackupSettings {
  readonly schedule: (typeof BACKUP_SCHEDULES)[number]
  readonly keep: 3 | 7
  readonly folder: string | null
}

/** A backup that is whole. `at`: when it was begun, milliseconds since the epoch. */
export interface LastBackup {
  readonly at: number
  readonly directory: string
  readonly bytes: number
  readonly files: number
}

export interface BackupState extends BackupSettings {
  readonly last: LastBackup | null
  /** Bytes that are copied and checked, of those that are known to be copied; null while none is made. */
  readonly running: { readonly done: number; readonly total: number } | null
}
