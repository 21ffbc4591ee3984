import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { InboxName } from '../shared/engine-link.ts'
import { leastUsedColor, PALETTE } from '../shared/palette.ts'
import { ProblemError } from '../shared/result.ts'
import { storageProblem } from '../shared/storage-words.ts'
import { digestSettings } from './settings-check.ts'
import type { SettingsStore } from './settings-file.ts'

/** The version of the accounts in the settings; the first version of Linnet wrote none. */
const VERSION = 3
/** In this version one account was open at a time, which `current` named; none had a name or a colour. */
const ONE_AT_A_TIME = 2

const ownChoices = {
  name: z.string().nullable().catch(null),
  color: z
    .string()
    .regex(/^#[\dA-F]{6}$/)
    .nullable()
    .catch(null),
  isConnected: z.boolean().nullable().catch(null),
}
const demoSchema = z.object({ id: z.literal('demo'), kind: z.literal('demo'), ...ownChoices })
const platformSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  kind: z.literal('platform'),
  baseUrl: z.string().min(1),
  inboxes: z.array(z.object({ id: z.string(), address: z.string() })).catch([]),
  keyDigest: z.string().nullable().catch(null),
  sealedKey: z.string().nullable().catch(null),
  ...ownChoices,
})
const accountSchema = z.discriminatedUnion('kind', [demoSchema, platformSchema])

/** What the first version of Linnet kept: one account, whose folder was named by its base URL and its key. */
const firstVersionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('platform'), baseUrl: z.string(), encryptedKey: z.string() }),
])

/** What a host remembers of any account between two starts. */
interface OwnChoices {
  /** As the person calls it; null where it has no name of its own. */
  readonly name: string | null
  /** `#RRGGBB`, in capitals. */
  readonly color: string
  /** Whether it opens at the start. */
  readonly isConnected: boolean
}

/** An account of a platform. */
export interface PlatformRecord extends OwnChoices {
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
export interface DemoRecord extends OwnChoices {
  readonly id: 'demo'
  readonly kind: 'demo'
}
export type AccountRecord = PlatformRecord | DemoRecord

export const DEMO_ID = 'demo'

/** Accounts are to be told apart at a glance: neighbours in this order are far from each other. */
const COLORS = ['Iris', 'Teal', 'Orange', 'Plum', 'Grass', 'Crimson', 'Cyan', 'Bronze'].flatMap(
  (wanted) => PALETTE.find(({ name }) => name === wanted)?.color ?? [],
)

/** The accounts in the settings. Every change is on the disk when it returns. */
export interface AccountSettings {
  /** In the person's order. */
  readonly all: () => readonly AccountRecord[]
  readonly find: (id: string) => AccountRecord | null
  readonly platforms: () => readonly PlatformRecord[]
  /** A colour for an account that is new. */
  readonly nextColor: () => string
  /** Keeps an account in the place of its older self, or after all others. @throws ProblemError `storage_failed` */
  readonly keep: (record: AccountRecord) => void
  /** Puts an account before another one; at the end where that is null or not there. */
  readonly move: (id: string, before: string | null) => void
  readonly forget: (id: string) => void
  /** Keeps the first version's account as one of these. */
  readonly adopt: (record: AccountRecord) => void
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
    (version === undefined || version === ONE_AT_A_TIME || version === VERSION) &&
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
    const current = store.get('version') === VERSION ? null : store.get('current')
    const read = (Array.isArray(stored) ? stored : []).flatMap((entry) => accountSchema.safeParse(entry).data ?? [])
    const taken = read.flatMap(({ color }) => color ?? [])
    return read.map((account) => {
      const color = account.color ?? leastUsedColor(taken, COLORS)
      if (account.color === null) taken.push(color)
      return { ...account, color, isConnected: account.isConnected ?? account.id === current }
    })
  }
  const write = (accounts: readonly AccountRecord[]): void => {
    const guarded = { version: VERSION, accounts, current: null }
    try {
      store.set({ ...guarded, digest: digestSettings(guarded) })
    } catch (thrown) {
      const problem = storageProblem(thrown)
      throw problem === null ? thrown : new ProblemError(problem, { cause: thrown })
    }
  }

  const keep = (record: AccountRecord): void => {
    const before = all()
    const known = before.find(({ id }) => id === record.id)
    // What is kept already needs no disk that takes more: an account opens on a full one.
    if (isDeepStrictEqual(known, record)) return
    const isKnown = known !== undefined
    write(isKnown ? before.map((each) => (each.id === record.id ? record : each)) : [...before, record])
  }

  return {
    all,
    find: (id) => all().find((account) => account.id === id) ?? null,
    platforms: () => all().filter((account) => account.kind === 'platform'),
    nextColor: () =>
      leastUsedColor(
        all().map(({ color }) => color),
        COLORS,
      ),
    keep,
    move: (id, before) => {
      const moved = all().filter((account) => account.id === id)
      const others = all().filter((account) => account.id !== id)
      const place = others.findIndex((account) => account.id === before)
      write(place === -1 ? [...others, ...moved] : others.toSpliced(place, 0, ...moved))
    },
    forget: (id) => write(all().filter((account) => account.id !== id)),
    adopt: (record) => {
      keep(record)
      store.set({ account: null })
    },
    firstVersion: () => firstVersionSchema.safeParse(store.get('account')).data ?? null,
  }
}
