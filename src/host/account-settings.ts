import { z } from 'zod'
import type { InboxName } from '../shared/engine-link.ts'
import { ProblemError } from '../shared/result.ts'
import { digestSettings } from './settings-check.ts'
import type { SettingsStore } from './settings-file.ts'

/** The version of the accounts in the settings; the first version of Linnet wrote none. */
const VERSION = 2

const demoSchema = z.object({ id: z.literal('demo'), kind: z.literal('demo') })
const platformSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  kind: z.literal('platform'),
  baseUrl: z.string().min(1),
  inboxes: z.array(z.object({ id: z.string(), address: z.string() })).catch([]),
  keyDigest: z.string().nullable().catch(null),
  sealedKey: z.string().nullable().catch(null),
})
const accountSchema = z.discriminatedUnion('kind', [demoSchema, platformSchema])

/** What the first version of Linnet kept: one account, whose folder was named by its base URL and its key. */
const firstVersionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('platform'), baseUrl: z.string(), encryptedKey: z.string() }),
])

/** An account of a platform, as a host remembers it between two starts. */
export interface PlatformRecord {
  /** Random, and the name of its folder: it outlives every key. */
  readonly id: string
  readonly kind: 'platform'
  readonly baseUrl: string
  /** Those that were last seen: by them another key is known to be this account's. */
  readonly inboxes: readonly InboxName[]
  /** A digest of the key that was last accepted, by which it is known again without the network. */
  readonly keyDigest: string | null
  /** The key as the vault sealed it; null where it does not keep keys, or the person had it forgotten. */
  readonly sealedKey: string | null
}
/** The demo has no key: each start of it mints a new one. */
export interface DemoRecord {
  readonly id: 'demo'
  readonly kind: 'demo'
}
export type AccountRecord = PlatformRecord | DemoRecord

export const DEMO_RECORD: DemoRecord = { id: 'demo', kind: 'demo' }

/** The accounts in the settings. Every change is on the disk when it returns. */
export interface AccountSettings {
  readonly all: () => readonly AccountRecord[]
  readonly find: (id: string) => AccountRecord | null
  readonly platforms: () => readonly PlatformRecord[]
  /** The account that opens at the start. */
  readonly current: () => string | null
  /** Keeps an account in the place of its older self, and says which one opens at the start. */
  readonly keep: (record: AccountRecord, current?: string | null) => void
  readonly forget: (id: string) => void
  /** Keeps the first version's account as one of these. */
  readonly adopt: (record: AccountRecord) => void
  readonly setCurrent: (id: string | null) => void
  /** What the first version of Linnet left here, until it is adopted. */
  readonly firstVersion: () => z.infer<typeof firstVersionSchema> | null
}

const isFromNewer = (version: unknown): boolean => typeof version === 'number' && version > VERSION

/**
 * Whether settings are as they were written. What an older Linnet wrote has no digest: its shape alone can tell. A newer
 * one may have another shape.
 */
export const areSettingsSound = (values: Readonly<Record<string, unknown>>): boolean => {
  const { version, accounts = [], current = null, digest } = values
  if (digest !== undefined && digest !== digestSettings({ version, accounts, current })) return false
  if (isFromNewer(version)) return true
  return (
    (version === undefined || version === VERSION) &&
    z.array(accountSchema).safeParse(accounts).success &&
    (current === null || typeof current === 'string')
  )
}

/**
 * Reads the accounts out of a host's settings.
 * @throws ProblemError `storage_failed` for settings of a newer Linnet, which stay as they are
 */
export const openAccountSettings = (store: SettingsStore): AccountSettings => {
  if (isFromNewer(store.get('version'))) {
    throw new ProblemError({
      code: 'storage_failed',
      message: 'This data folder was last used by a newer Linnet. Update Linnet to open it; nothing was changed.',
    })
  }
  // Read anew each time: another Linnet with the same data folder may have written since. An account that cannot be read
  // is left out, not deleted: its folder stays, and is recognised like any other.
  const all = (): readonly AccountRecord[] => {
    const stored = store.get('accounts')
    return (Array.isArray(stored) ? stored : []).flatMap((entry) => accountSchema.safeParse(entry).data ?? [])
  }
  const current = (): string | null => z.string().nullable().catch(null).parse(store.get('current'))
  const write = (accounts: readonly AccountRecord[], nextCurrent: string | null): void => {
    const guarded = { version: VERSION, accounts, current: nextCurrent }
    store.set({ ...guarded, digest: digestSettings(guarded) })
  }

  const keep = (record: AccountRecord, nextCurrent = current()): void =>
    write([...all().filter(({ id }) => id !== record.id), record], nextCurrent)

  return {
    all,
    find: (id) => all().find((account) => account.id === id) ?? null,
    platforms: () => all().filter((account) => account.kind === 'platform'),
    current,
    keep,
    forget: (id) =>
      write(
        all().filter((account) => account.id !== id),
        current() === id ? null : current(),
      ),
    setCurrent: (id) => write(all(), id),
    adopt: (record) => {
      keep(record, current() ?? record.id)
      store.set({ account: null })
    },
    firstVersion: () => firstVersionSchema.safeParse(store.get('account')).data ?? null,
  }
}
