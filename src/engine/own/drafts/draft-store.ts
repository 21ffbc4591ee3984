import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, createProblem } from '../../../shared/result.ts'
import { DRAFT_FILES_NAME, DRAFTS_DIRECTORY_NAME } from '../account-files.ts'
import { ListFile } from '../../store/list-file.ts'
import { attempt, toStorageError } from '../../store/storage-problem.ts'
import { digestOf, DraftAttachmentStore, listDirectory, syncDirectory } from './draft-attachment-store.ts'
import { isDraftEditable, isSavedOnPlatform, localDraftSchema, type LocalDraft } from './local-draft.ts'

/** Number of drafts, stored outside their folder to detect its deletion. */
export interface DraftCountRecord {
  readonly count: () => number
  readonly remember: (count: number) => void
}

const DAMAGE_MESSAGES = {
  missing: 'Some drafts were missing on this computer. The platform’s versions are shown; newer changes may be lost.',
  lost: 'One of your drafts was damaged and set aside. The platform’s version is shown; newer changes may be lost.',
  repaired: 'One of the two files of a draft was damaged or missing. The other one is complete, so nothing was lost.',
} as const
type Damage = keyof typeof DAMAGE_MESSAGES
const WORST_FIRST: readonly Damage[] = ['missing', 'lost', 'repaired']

/**
 * File name of a draft: its ID, or a digest of it if the ID isn't a safe file name, since the platform chooses its own
 * IDs.
 */
const nameOf = (id: string): string =>
  /^[\da-z][\da-z-]{0,63}$/.test(id) && !id.endsWith('-second')
    ? id
    : `named-${digestOf(new TextEncoder().encode(id)).slice(0, 32)}`

/** The two copies of a draft. The first one is authoritative. */
const copiesOf = (directory: string, name: string) =>
  ['', '-second'].map((suffix) => {
    const path = join(directory, `${name}${suffix}.json`)
    return { path, file: new ListFile(path, 'draft', localDraftSchema) }
  })

/** Runs disk operations with user-facing errors. Earlier operations are not undone. */
const withStorageErrors = <Value>(work: () => Value): Value => {
  try {
    return work()
  } catch (thrown) {
    throw toStorageError(thrown)
  }
}

const digestsOf = ({ content, platform, theirs, request }: LocalDraft): readonly (string | null)[] =>
  [content, platform?.seen.content, theirs?.content, request?.content].flatMap(
    (each) => each?.files.map(({ digest }) => digest) ?? [],
  )

/**
 * Counts drafts that exist only on this computer, or are about to be sent, without opening the account.
 * @param isOpen true if the account is open: it counts its messages being sent itself
 */
export const countLocalOnlyDrafts = (accountDirectory: string, isOpen: boolean): number => {
  const directory = join(accountDirectory, DRAFTS_DIRECTORY_NAME)
  const drafts = listDirectory(directory)
    .filter((name) => name.endsWith('.json') && !name.endsWith('-second.json'))
    .flatMap((name) => new ListFile(join(directory, name), 'draft', localDraftSchema).read().entries)
  const isOnlyHere = (draft: LocalDraft): boolean =>
    draft.state.kind === 'held' ||
    (!isOpen && draft.state.kind === 'sending') ||
    (isDraftEditable(draft) && !isSavedOnPlatform(draft))
  return drafts.filter((draft) => draft.discardedAt === null && isOnlyHere(draft)).length
}

/** Local drafts, each stored in a pair of files. Not a cache: text written offline exists nowhere else. */
export class DraftStore {
  readonly bytes: DraftAttachmentStore
  readonly #directory: string
  readonly #changed: (inboxIds: readonly string[]) => void
  readonly #report: (thrown: unknown) => void
  readonly #reminder: DraftCountRecord
  readonly #drafts = new Map<string, LocalDraft>()
  readonly #damages = new Set<Damage>()

  /**
   * An intact file repairs the other of its pair; if both are damaged, they are set aside.
   * @param changed called with a written or removed draft's inbox, and its previous one
   * @param report called if a second copy or a cleanup fails
   */
  constructor(
    accountDirectory: string,
    changed: (inboxIds: readonly string[]) => void,
    report: (thrown: unknown) => void,
    reminder: DraftCountRecord,
  ) {
    this.#directory = join(accountDirectory, DRAFTS_DIRECTORY_NAME)
    this.bytes = new DraftAttachmentStore(join(this.#directory, DRAFT_FILES_NAME))
    this.#changed = changed
    this.#report = report
    this.#reminder = reminder
    // Reading must work when the disk is full.
    this.#attempt(() => this.bytes.makeFolder())
    const entries = withStorageErrors(() => listDirectory(this.#directory))
    const names = new Set(
      entries.flatMap((entry) => (entry.endsWith('.json') ? [entry.replace(/(?:-second)?\.json$/, '')] : [])),
    )
    for (const name of names) this.#open(name)
    for (const entry of entries) {
      // Left behind by a crash.
      if (entry.endsWith('.next')) this.#attempt(() => rmSync(join(this.#directory, entry), { force: true }))
    }
    if (names.size < reminder.count()) this.#damages.add('missing')
    this.#remember(this.#drafts.size)
    // Damaged or set-aside files may be repaired manually, and need their attachments.
    const isRepairable = this.#damages.has('lost') || entries.some((entry) => entry.includes('.set-aside-'))
    if (!isRepairable) this.#attempt(() => this.bytes.keepOnly(new Set(this.all().flatMap(digestsOf))))
  }

  get damage(): Problem | null {
    const worst = WORST_FIRST.find((damage) => this.#damages.has(damage))
    return worst === undefined ? null : { code: 'storage_failed', message: DAMAGE_MESSAGES[worst] }
  }

  /** All drafts, including discarded ones that still have to be removed from the platform. */
  all(): readonly LocalDraft[] {
    return [...this.#drafts.values()]
  }

  get(id: string): LocalDraft | undefined {
    return this.#drafts.get(id)
  }

  /** Finds a draft unless discarded. @throws ProblemError `not_found` */
  find(id: string): LocalDraft {
    const draft = this.#drafts.get(id)
    if (draft?.discardedAt !== null) throw createProblem('not_found', 'This draft no longer exists.')
    return draft
  }

  /** Writes a draft to disk. @throws ProblemError `storage_failed`; the draft is then unchanged */
  put(draft: LocalDraft): void {
    // Never write what couldn't be read again.
    localDraftSchema.parse(draft)
    const before = this.#drafts.get(draft.id)
    withStorageErrors(() => this.#writePair(nameOf(draft.id), draft))
    this.#drafts.set(draft.id, draft)
    if (before === undefined) this.#remember(this.#drafts.size)
    this.#changed([...new Set([draft.inboxId, before?.inboxId ?? draft.inboxId])])
  }

  /** Changes parts of a draft; does nothing if it was removed. @throws ProblemError `storage_failed` */
  learn(id: string, learned: Partial<LocalDraft>): void {
    const draft = this.#drafts.get(id)
    if (draft !== undefined) this.put({ ...draft, ...learned })
  }

  /** Does nothing if the draft doesn't exist. @throws ProblemError `storage_failed` */
  remove(id: string): void {
    const draft = this.#drafts.get(id)
    if (draft === undefined) return
    // Lower the count first, so that a crash in between doesn't look like a loss.
    this.#remember(this.#drafts.size - 1)
    withStorageErrors(() => {
      // A second file alone would bring the draft back as a damaged pair.
      for (const { path } of copiesOf(this.#directory, nameOf(id)).toReversed()) rmSync(path, { force: true })
    })
    this.#attempt(() => syncDirectory(this.#directory))
    this.#drafts.delete(id)
    this.#changed([draft.inboxId])
  }

  #open(name: string): void {
    const copies = copiesOf(this.#directory, name).map(({ path, file }) => ({ path, ...file.read() }))
    for (const { path, state } of copies) if (state === 'damaged') this.#setAside(path)
    const draft = copies.find(({ state, entries }) => state === 'whole' && entries.length === 1)?.entries[0]
    if (draft === undefined) {
      this.#damages.add('lost')
      return
    }
    this.#drafts.set(draft.id, draft)
    const [first, second] = copies
    const isAsLeft = first?.state === 'whole' && second?.state !== 'damaged'
    if (!isAsLeft) this.#damages.add('repaired')
    const isSecondBehind = JSON.stringify(second?.entries) !== JSON.stringify([draft])
    if (!isAsLeft || isSecondBehind) this.#attempt(() => this.#writePair(name, draft))
  }

  #setAside(path: string): void {
    const now = new Date().toISOString().replace(/[:.]/g, '-')
    this.#attempt(() => renameSync(path, path.replace(/\.json$/, `.set-aside-${now}`)))
  }

  #writePair(name: string, draft: LocalDraft): void {
    this.bytes.makeFolder()
    const [first, second] = copiesOf(this.#directory, name)
    first?.file.write([draft])
    this.#attempt(() => second?.file.write([draft]))
    this.#attempt(() => syncDirectory(this.#directory))
  }

  #remember(count: number): void {
    this.#attempt(() => this.#reminder.remember(count))
  }

  #attempt(work: () => void): void {
    attempt(work, this.#report)
  }
}
