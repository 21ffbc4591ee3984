/** Manifest of an account backup, stored as `backup.json` in its folder. Contains no key. */
import { z } from 'zod'

export const MANIFEST_NAME = 'backup.json'
/** Increase it when the file layout changes: an older Linnet ignores backups with a newer version. */
const VERSION = 1

/** Paths that a backup may contain. Restoring any other file could, for example, let assistants read the account. */
const BACKUP_PATH = /^(?:cache\.sqlite|own-backup\.sqlite|drafts\/files\/[\da-f]{64}|blobs\/[\da-f]{2}\/[\da-f]{64})$/

const manifestSchema = z.object({
  account: z.object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    baseUrl: z.string().min(1).max(2048),
    inboxes: z.array(z.object({ id: z.string(), address: z.string() })),
  }),
  /** Start of the backup, milliseconds since the epoch. */
  at: z.number(),
  /** Changes in the backup that the platform had not confirmed. */
  unsent: z.int().min(0),
  files: z.array(
    z.object({
      path: z.string().regex(BACKUP_PATH),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[\da-f]{64}$/),
    }),
  ),
})
export type BackupManifest = z.infer<typeof manifestSchema>

const envelopeSchema = z.object({
  format: z.literal('linnet-backup'),
  version: z.int().min(1),
  digest: z.string(),
  backup: z.unknown(),
})

/** @param digest hash function for a text, the same as for `parseManifest` */
export const serializeManifest = (backup: BackupManifest, digest: (text: string) => string): string =>
  JSON.stringify({ format: 'linnet-backup', version: VERSION, digest: digest(JSON.stringify(backup)), backup })

/** @returns the manifest; `foreign` for other files, `damaged` if modified, `newer` if written by a newer Linnet */
export const parseManifest = (
  text: string,
  digest: (text: string) => string,
): BackupManifest | 'foreign' | 'damaged' | 'newer' => {
  let envelope: z.infer<typeof envelopeSchema>
  try {
    const read = envelopeSchema.safeParse(JSON.parse(text))
    if (!read.success) return 'foreign'
    envelope = read.data
  } catch {
    return text.startsWith('{"format":"linnet-backup"') ? 'damaged' : 'foreign'
  }
  if (envelope.version > VERSION) return 'newer'
  const backup = manifestSchema.safeParse(envelope.backup).data
  return backup !== undefined && envelope.digest === digest(JSON.stringify(envelope.backup)) ? backup : 'damaged'
}
