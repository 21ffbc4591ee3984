import { join } from 'node:path'
import { z } from 'zod'
import { createListFile } from '../store/list-file.ts'
import type { BackupSettings, LastBackup } from '../../shared/backups.ts'

/** The file in an account's folder that says when backups are made, and where. It is in no backup itself. */
export const BACKUPS_NAME = 'backups.json'

/** What is kept about backups of an account. */
export interface KeptBackups {
  readonly settings: BackupSettings
  readonly last: LastBackup | null
}

const schema: z.ZodType<KeptBackups> = z.object({
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

const NO_BACKUPS: KeptBackups = { settings: { schedule: 'off', keep: 7, folder: null }, last: null }

/** @returns the file's way in and out; what cannot be read is as if nothing had been chosen */
export const openBackupSettings = (directory: string) => {
  const file = createListFile(join(directory, BACKUPS_NAME), 'backups', schema)
  let kept = file.read().entries[0] ?? NO_BACKUPS
  return {
    get: (): KeptBackups => kept,
    /** @throws what the disk throws */
    set: (change: Partial<KeptBackups>): void => {
      const next = { ...kept, ...change }
      file.write([next])
      kept = next
    },
  }
}
