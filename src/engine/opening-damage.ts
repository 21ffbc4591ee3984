import type { Problem } from '../shared/result.ts'
import type { readOutboxFact } from './account-files.ts'
import type { OpenedOutbox } from './outbox/outbox-file.ts'

/** Compares the outbox with its own account of itself, and with what the cache remembers of it. */
const outboxProblem = (
  { harm, mark }: OpenedOutbox,
  { generation, pending }: ReturnType<typeof readOutboxFact>,
): Problem | null => {
  const isOlder = mark().generation < generation
  if (isOlder && (pending > 0 || mark().pending > 0)) {
    const message =
      'The files with your unsent changes were missing, or older than they should be. Unsent changes may be missing: check your latest ones.'
    return { code: 'storage_failed', message, details: { pending } }
  }
  if (harm === 'lost') {
    const message =
      'The files with your unsent changes were damaged and set aside. Linnet recovered what it could; unsent changes may be missing.'
    return { code: 'storage_failed', message }
  }
  if (harm === 'mended') {
    const message =
      'One of the two files with your unsent changes was damaged or missing. The other one is complete: nothing is lost.'
    return { code: 'storage_failed', message }
  }
  return null
}

/** Nothing is left that could say what waited, as the folder was deleted. */
const FOLDER_GONE: Problem = {
  code: 'storage_failed',
  message:
    'Linnet’s folder for this account was missing. Unsent changes and drafts may be missing: check your latest ones. Your mail is downloading again.',
}

const CACHE_WORDS = {
  damaged:
    'Linnet’s copy of your mail was damaged and set aside. Linnet keeps what it can read and downloads the rest again.',
  missing: 'Linnet’s copy of your mail was missing. Your mail is downloading again.',
} as const

/**
 * What the person should know of the files of an account that were opened.
 * @param found `cache`: whether it is another than before, and why; `lists`: what became of lists in files of their own,
 *   by the ID of the problem
 */
export const openingProblems = (found: {
  readonly isFolderGone: boolean
  readonly outbox: OpenedOutbox
  readonly remembered: ReturnType<typeof readOutboxFact>
  readonly cache: keyof typeof CACHE_WORDS | null
  readonly lists: Readonly<Record<string, Problem | null>>
}): readonly (Problem & { readonly id: string })[] => {
  const problems: Readonly<Record<string, Problem | null>> = {
    'outbox-damaged': found.isFolderGone ? FOLDER_GONE : outboxProblem(found.outbox, found.remembered),
    'cache-damaged': found.cache && { code: 'storage_failed', message: CACHE_WORDS[found.cache] },
    ...found.lists,
  }
  return Object.entries(problems).flatMap(([id, problem]) => (problem === null ? [] : [{ ...problem, id }]))
}
