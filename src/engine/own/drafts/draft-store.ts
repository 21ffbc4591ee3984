import { join } from 'node:path'
import { parseJsonAs } from '../../../shared/parse-json.ts'
import { createProblem } from '../../../shared/result.ts'
import { DRAFT_FILES_NAME, DRAFTS_DIRECTORY_NAME, OWN_NAME, OWN_SET_ASIDE } from '../account-files.ts'
import { readDatabaseFile } from '../../store/read-database-file.ts'
import { attempt, withStorageErrors } from '../../store/storage-problem.ts'
import type { OwnFile } from '../own-file.ts'
import { OwnTables, type OwnTable } from '../own-table.ts'
import { DraftAttachmentStore, listDirectory } from './draft-attachment-store.ts'
import { isDraftEditable, isSavedOnPlatform, localDraftSchema, type LocalDraft } from './local-draft.ts'

interface StoredDraft {
  readonly id: string
  /** JSON. */
  readonly draft: string
}

const parseDrafts = (stored: readonly StoredDraft[]): readonly LocalDraft[] =>
  stored.flatMap(({ draft }) => parseJsonAs(localDraftSchema, draft) ?? [])

const digestsOf = ({ content, platform, theirs, request }: LocalDraft): readonly (string | null)[] =>
  [content, platform?.seen.content, theirs?.content, request?.content].flatMap(
    (each) => each?.files.map(({ digest }) => digest) ?? [],
  )

const isOnlyHere = (draft: LocalDraft): boolean =>
  draft.state.kind === 'held' || (isDraftEditable(draft) && !isSavedOnPlatform(draft))

/**
 * Counts drafts that exist only on this computer, or are about to be sent, without opening the account.
 * @param isOpen true if the account is open: it counts its messages being sent itself
 */
export const countLocalOnlyDrafts = (accountDirectory: string, isOpen: boolean): number => {
  const stored = readDatabaseFile<readonly StoredDraft[]>(
    join(accountDirectory, OWN_NAME),
    (database) => new OwnTables(database).table<StoredDraft>('drafts').rows(),
    [],
  )
  return parseDrafts(stored).filter(
    (draft) => draft.discardedAt === null && (isOnlyHere(draft) || (!isOpen && draft.state.kind === 'sending')),
  ).length
}

/** Local drafts. Not a cache: text written offline exists nowhere else. */
export class DraftStore {
  readonly bytes: DraftAttachmentStore
  readonly #table: Pick<OwnTable<StoredDraft>, 'put' | 'remove'>
  readonly #changed: (inboxIds: readonly string[]) => void
  readonly #drafts: Map<string, LocalDraft>

  /**
   * @param changed called with a written or removed draft's inbox, and its previous one
   * @param report called if a cleanup fails
   */
  constructor(
    own: Pick<OwnFile, 'table'>,
    accountDirectory: string,
    changed: (inboxIds: readonly string[]) => void,
    report: (thrown: unknown) => void,
  ) {
    const table = own.table<StoredDraft>('drafts')
    this.#table = table
    this.#changed = changed
    this.#drafts = new Map(parseDrafts(table.rows()).map((draft) => [draft.id, draft]))
    this.bytes = new DraftAttachmentStore(join(accountDirectory, DRAFTS_DIRECTORY_NAME, DRAFT_FILES_NAME))
    attempt(() => {
      // The drafts of a damaged file may be repaired manually, and need their attachments.
      const isRepairable = listDirectory(accountDirectory).some((name) => name.startsWith(OWN_SET_ASIDE))
      if (!isRepairable) this.bytes.keepOnly(new Set(this.all().flatMap(digestsOf)))
    }, report)
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
    withStorageErrors(() => this.#table.put({ id: draft.id, draft: JSON.stringify(draft) }))
    this.#drafts.set(draft.id, draft)
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
    withStorageErrors(() => this.#table.remove('id = ?', id))
    this.#drafts.delete(id)
    this.#changed([draft.inboxId])
  }
}
