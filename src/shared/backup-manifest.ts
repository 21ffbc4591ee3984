/** What a backup of an account says of itself, in the file `backup.json` of its folder. No key is in it. */
import { z } from 'zod'

export const MANIFEST_NAME = 'backup.json'
/** Another number for another arrangement of files: an older Linnet leaves such a backup alone. */
const VERSION = 1

/** The files of a backup. Restoring any other could let assistants read the account, for example. */
const BACKUP_PATH =
  /^(?:cache\.sqlite|outbox(?:-second)?\.sqlite|keeping\.json|drafts\/[\w-]+\.json|drafts\/files\/[\da-f]{64}|contents\/[\da-f]{2}\/[\da-f]{64})$/

const manifestSchema = z.object({
  account: z.object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    baseUrl: z.string().min(1).max(2048),
    inboxes: z.array(z.object({ id: z.string(), address: z.string() })),
  }),
  /** When it was begun, milliseconds since the epoch. */
  at: z.number(),
  /** Changes in it that the platform had not confirmed. */
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

/** @param digest of a text, the same as of `readManifest` */
export const writeManifest = (backup: BackupManifest, digest: (text: string) => string): string =>
  JSON.stringify({ format: 'linnet-backup', version: VERSION, digest: digest(JSON.stringify(backup)), backup })

/**
 * @returns what a backup says of itself; `foreign` for a file that is no such thing, `damaged` for one that is not as it
 * was written, `newer` for one of a newer Linnet
 */
export const readManifest = (
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
