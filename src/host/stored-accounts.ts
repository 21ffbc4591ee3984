import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { InboxIdentity } from '../shared/engine-api.ts'
import { moveBefore } from '../shared/move-before.ts'
import { pickLeastUsedColor, PALETTE } from '../shared/palette.ts'
import { ProblemError, createProblem } from '../shared/result.ts'
import { toStorageProblem } from '../shared/storage-problem.ts'
import type { SettingsStore } from './settings-file.ts'

const VERSION = 1

const ownChoices = {
  name: z.string().nullable(),
  color: z.string().regex(/^#[\dA-F]{6}$/),
  isConnected: z.boolean(),
}
const demoSchema = z.object({ id: z.literal('demo'), kind: z.literal('demo'), ...ownChoices })
const platformSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  kind: z.literal('platform'),
  baseUrl: z.string().min(1),
  inboxes: z.array(z.object({ id: z.string(), address: z.string() })),
  keyDigest: z.string().nullable(),
  sealedKey: z.string().nullable(),
  ...ownChoices,
})
const accountSchema = z.discriminatedUnion('kind', [demoSchema, platformSchema])

interface OwnChoices {
  /** Chosen by the user, or null. */
  readonly name: string | null
  /** `#RRGGBB`, in capitals. */
  readonly color: string
  /** True if it opens at start. */
  readonly isConnected: boolean
}

export interface PlatformAccountRecord extends OwnChoices {
  /** Random, also the folder name. Outlives every key. */
  readonly id: string
  readonly kind: 'platform'
  readonly baseUrl: string
  /** The account's inboxes when last seen, used to recognise another of its keys. */
  readonly inboxes: readonly InboxIdentity[]
  /** Digest of the last accepted key, to recognise it offline. */
  readonly keyDigest: string | null
  /** The key sealed by the vault. Null if the vault doesn't store keys or the user deleted it. */
  readonly sealedKey: string | null
}
/** The demo has no stored key: each start creates a new one. */
export interface DemoAccountRecord extends OwnChoices {
  readonly id: 'demo'
  readonly kind: 'demo'
}
export type AccountRecord = PlatformAccountRecord | DemoAccountRecord

export const DEMO_ACCOUNT_ID = 'demo'

/** Ordered so that neighbouring accounts differ at a glance. */
const COLORS = ['Iris', 'Teal', 'Orange', 'Plum', 'Grass', 'Crimson', 'Cyan', 'Bronze'].flatMap(
  (wanted) => PALETTE.find(({ name }) => name === wanted)?.color ?? [],
)

/** Guards against corruption, not tampering: one wrong letter could leak a key or show an empty mailbox. */
export const digestSettings = ({ version, accounts }: Readonly<Record<'version' | 'accounts', unknown>>): string =>
  createHash('sha256')
    .update(JSON.stringify([version, accounts]))
    .digest('hex')
    .slice(0, 32)

const isFromNewer = (version: unknown): boolean => typeof version === 'number' && version > VERSION

/** True if the settings are undamaged or have no accounts. A newer Linnet's settings may have another shape. */
export const areSettingsSound = (values: Readonly<Record<string, unknown>>): boolean => {
  const { version, accounts, digest } = values
  if (version === undefined && accounts === undefined && digest === undefined) return true
  if (digest === undefined ? !isFromNewer(version) : digest !== digestSettings({ version, accounts })) return false
  return isFromNewer(version) || (version === VERSION && z.array(accountSchema).safeParse(accounts).success)
}

/** The accounts in a host's settings. Every change is on disk when it returns. */
export class StoredAccounts {
  readonly #store: SettingsStore

  /** @throws ProblemError `storage_failed` for a newer Linnet's settings, which stay unchanged */
  constructor(store: SettingsStore) {
    this.#store = store
    if (!isFromNewer(store.get('version'))) return
    throw createProblem(
      'storage_failed',
      'This data folder was last used by a newer version of Linnet. Update Linnet to open it; nothing was changed.',
    )
  }

  /** In order; re-read on each call, as another Linnet may write. Skips unreadable records, recognised later. */
  all(): readonly AccountRecord[] {
    const stored = this.#store.get('accounts')
    return (Array.isArray(stored) ? stored : []).flatMap((entry) => accountSchema.safeParse(entry).data ?? [])
  }

  find(id: string): AccountRecord | null {
    return this.all().find((account) => account.id === id) ?? null
  }

  platforms(): readonly PlatformAccountRecord[] {
    return this.all().filter((account) => account.kind === 'platform')
  }

  nextColor(): string {
    const used = this.all().map(({ color }) => color)
    return pickLeastUsedColor(used, COLORS)
  }

  /** Replaces an account's record, or appends it. @throws ProblemError `storage_failed` */
  keep(record: AccountRecord): void {
    const before = this.all()
    const known = before.find(({ id }) => id === record.id)
    // Skip the write when nothing changed, so an account opens on a full disk.
    if (isDeepStrictEqual(known, record)) return
    const isKnown = known !== undefined
    this.#write(isKnown ? before.map((each) => (each.id === record.id ? record : each)) : [...before, record])
  }

  /** Moves an account before another one, or to the end if `before` is null or unknown. */
  move(id: string, before: string | null): void {
    const moved = this.find(id)
    if (moved !== null) this.#write(moveBefore(this.all(), moved, before))
  }

  forget(id: string): void {
    this.#write(this.all().filter((account) => account.id !== id))
  }

  #write(accounts: readonly AccountRecord[]): void {
    const guarded = { version: VERSION, accounts }
    try {
      this.#store.set({ ...guarded, digest: digestSettings(guarded) })
    } catch (thrown) {
      const problem = toStorageProblem(thrown)
      throw problem === null ? thrown : new ProblemError(problem, { cause: thrown })
    }
  }
}
