import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../../shared/result.ts'
import { DRAFT_FILES_NAME, DRAFTS_NAME } from '../account-files.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import { createListFile, type ListFile } from '../store/list-file.ts'
import { canChange, isOnPlatform, keptDraft, type KeptDraft } from './kept-draft.ts'

/**
 * The drafts of this computer: nobody else has what was written offline, so that each is kept in a pair of files of its
 * own. They are no cache.
 */
export interface DraftFiles {
  /** All of them, also those that were thrown away and of which the platform is still to be told. */
  readonly all: () => readonly KeptDraft[]
  readonly get: (id: string) => KeptDraft | undefined
  /** The draft is on the disk when this returns. @throws ProblemError `storage_failed`: the draft is then as it was */
  readonly put: (draft: KeptDraft) => void
  /** Removing what is not there is no error. @throws ProblemError `storage_failed` */
  readonly remove: (id: string) => void
  /** Keeps the bytes of a file; they are on the disk when this returns. @returns their digest */
  readonly keepBytes: (bytes: Uint8Array) => string
  /** The bytes of a digest; null where they are not there, or not as they were put. */
  readonly bytes: (digest: string) => Uint8Array | null
  /** Where the bytes of a digest are. */
  readonly filePath: (digest: string) => string
  /** What became of the files since they were written; null where they are as they were left. */
  readonly harm: Problem | null
}

/** How many drafts of an account's folder are not on the platform as they are here, or are about to be sent, without opening the account. */
export const countDraftsOnlyHere = (accountDirectory: string): number => {
  const directory = join(accountDirectory, DRAFTS_NAME)
  if (!existsSync(directory)) return 0
  const drafts = readdirSync(directory)
    .filter((name) => name.endsWith('.json') && !name.endsWith('-second.json'))
    .flatMap((name) => createListFile(join(directory, name), 'draft', keptDraft).read().entries)
  // Messages in the outbox are counted there.
  const isOnlyHere = (draft: KeptDraft): boolean =>
    draft.state.kind === 'held' || (canChange(draft) && !isOnPlatform(draft))
  return drafts.filter((draft) => draft.discardedAt === null && isOnlyHere(draft)).length
}

/** How many drafts there are, remembered in another place than their files: a folder that was deleted says nothing. */
export interface DraftReminder {
  readonly count: () => number
  readonly remember: (count: number) => void
}

const WORDS = {
  missing: 'Some of your drafts’ files were missing. The platform’s versions are shown; later text may be lost.',
  lost: 'One of your drafts was damaged and set aside. The platform’s version is shown; later text may be lost.',
  mended: 'One of the two files of a draft was damaged or missing. The other one is complete: nothing is lost.',
} as const

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const isDigest = (name: string): boolean => /^[\da-f]{64}$/.test(name)

/** The name of a draft's files: its ID where that can be one, as the platform's are its own. */
const nameOf = (id: string): string =>
  /^[\da-z][\da-z-]{0,63}$/.test(id) && !id.endsWith('-second')
    ? id
    : `named-${digestOf(new TextEncoder().encode(id)).slice(0, 32)}`

/** What was renamed or removed in a folder stays so after a loss of power. */
const syncFolder = (directory: string): void => {
  // Windows opens no folders, and writes down a renaming by itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Where a file may fail: what was done before it stands. */
const inWords = <Value>(work: () => Value): Value => {
  try {
    return work()
  } catch (thrown) {
    throw inStorageWords(thrown)
  }
}

type Harm = keyof typeof WORDS
const WORST: readonly Harm[] = ['missing', 'lost', 'mended']

/**
 * Opens the drafts of an account: what one file of a pair has lost the other one mends, and what neither has is set aside.
 * @param accountDirectory the account's folder
 * @param changed is told of each draft that is written or removed, with its inbox, and that of before
 * @param report is given what was thrown where a second copy cannot be made, or something not be tidied
 */
export const openDraftFiles = (
  accountDirectory: string,
  changed: (inboxIds: readonly string[]) => void,
  report: (thrown: unknown) => void,
  reminder: DraftReminder,
): DraftFiles => {
  const directory = join(accountDirectory, DRAFTS_NAME)
  const filesDirectory = join(directory, DRAFT_FILES_NAME)

  const attempt = (work: () => void): void => {
    try {
      work()
    } catch (thrown) {
      report(thrown)
    }
  }
  const makeFolders = (): void => void mkdirSync(filesDirectory, { recursive: true, mode: 0o700 })
  // A disk that is full keeps nobody from the mail that is here.
  attempt(makeFolders)
  const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? inWords(() => readdirSync(folder)) : [])
  const pathsOf = (name: string): readonly [string, string] => [
    join(directory, `${name}.json`),
    join(directory, `${name}-second.json`),
  ]
  const pairOf = (name: string): readonly [ListFile<KeptDraft>, ListFile<KeptDraft>] => {
    const [first, second] = pathsOf(name)
    return [createListFile(first, 'draft', keptDraft), createListFile(second, 'draft', keptDraft)]
  }
  const writePair = (name: string, draft: KeptDraft): void => {
    makeFolders()
    const [first, second] = pairOf(name)
    // The first file decides, and the second one catches up.
    first.write([draft])
    attempt(() => second.write([draft]))
    attempt(() => syncFolder(directory))
  }

  const drafts = new Map<string, KeptDraft>()
  const harms = new Set<Harm>()
  const setAside = (path: string): void => {
    const now = new Date().toISOString().replace(/[:.]/g, '-')
    attempt(() => renameSync(path, path.replace(/\.json$/, `.set-aside-${now}`)))
  }
  const open = (name: string): void => {
    const paths = pathsOf(name)
    const found = pairOf(name).map((file) => file.read())
    const states = found.map(({ state }) => state)
    const draft = found.find(({ state, entries }) => state === 'whole' && entries.length === 1)?.entries[0]
    const isAsLeft = states[0] === 'whole' && states[1] !== 'damaged'
    states.forEach((state, place) => {
      const path = paths[place]
      if (state === 'damaged' && path !== undefined) setAside(path)
    })
    if (draft === undefined) {
      harms.add('lost')
      return
    }
    drafts.set(draft.id, draft)
    if (!isAsLeft) harms.add('mended')
    const isSecondBehind = JSON.stringify(found[1]?.entries) !== JSON.stringify([draft])
    if (!isAsLeft || isSecondBehind) attempt(() => writePair(name, draft))
  }
  const entries = namesIn(directory)
  const names = new Set(
    entries.flatMap((entry) => (entry.endsWith('.json') ? [entry.replace(/(?:-second)?\.json$/, '')] : [])),
  )
  for (const name of names) open(name)
  for (const entry of entries) {
    // What a process that was ended has left unfinished.
    if (entry.endsWith('.next')) attempt(() => rmSync(join(directory, entry), { force: true }))
  }
  if (names.size < reminder.count()) harms.add('missing')
  const remember = (count: number): void => attempt(() => reminder.remember(count))
  remember(drafts.size)

  /** Nothing is being added yet: what no draft names was left by those that are gone. */
  const sweep = (): void => {
    // Where a draft was lost, somebody may mend it with what is set aside, and wants its files.
    if (harms.has('lost') || entries.some((entry) => entry.includes('.set-aside-'))) return
    const named = new Set(
      [...drafts.values()].flatMap(({ content, platform, theirs, request }) =>
        [content, platform?.seen.content, theirs?.content, request?.content].flatMap(
          (each) => each?.files.map(({ digest }) => digest) ?? [],
        ),
      ),
    )
    for (const name of namesIn(filesDirectory)) {
      if (!named.has(name)) rmSync(join(filesDirectory, name), { force: true })
    }
  }
  attempt(sweep)

  const worst = WORST.find((harm) => harms.has(harm))
  return {
    harm: worst === undefined ? null : { code: 'storage_failed', message: WORDS[worst] },
    all: () => [...drafts.values()],
    get: (id) => drafts.get(id),
    put: (draft) => {
      // What could not be read again is not written.
      keptDraft.parse(draft)
      const before = drafts.get(draft.id)
      inWords(() => writePair(nameOf(draft.id), draft))
      drafts.set(draft.id, draft)
      if (before === undefined) remember(drafts.size)
      changed([...new Set([draft.inboxId, before?.inboxId ?? draft.inboxId])])
    },
    remove: (id) => {
      const draft = drafts.get(id)
      if (draft === undefined) return
      // One fewer is expected before it is gone: an end between the two is no loss.
      remember(drafts.size - 1)
      const [first, second] = pathsOf(nameOf(id))
      inWords(() => {
        // A second file alone would be taken for what is left of a pair.
        rmSync(second, { force: true })
        rmSync(first, { force: true })
      })
      attempt(() => syncFolder(directory))
      drafts.delete(id)
      changed([draft.inboxId])
    },
    keepBytes: (bytes) =>
      inWords(() => {
        makeFolders()
        const digest = digestOf(bytes)
        const part = join(filesDirectory, `${randomUUID()}.part`)
        try {
          const descriptor = openSync(part, 'wx', 0o600)
          try {
            writeFileSync(descriptor, bytes)
            fsyncSync(descriptor)
          } finally {
            closeSync(descriptor)
          }
          renameSync(part, join(filesDirectory, digest))
          syncFolder(filesDirectory)
        } catch (thrown) {
          rmSync(part, { force: true })
          throw thrown
        }
        return digest
      }),
    filePath: (digest) => join(filesDirectory, digest),
    bytes: (digest) => {
      if (!isDigest(digest)) return null
      try {
        const bytes = readFileSync(join(filesDirectory, digest))
        return digestOf(bytes) === digest ? bytes : null
      } catch (thrown) {
        if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null
        throw inStorageWords(thrown)
      }
    },
  }
}
