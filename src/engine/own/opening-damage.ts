import type { Problem } from '../../shared/result.ts'
import type { OpenedOutbox, OutboxPosition } from './outbox/outbox-file.ts'

/** The contents of the outbox files, in the user's terms. */
const LOCAL_DATA = 'your unsent changes, saved searches, canned replies and share links'

/** Compares the outbox with its own record and with the cache's record of it. */
const outboxProblem = (
  { damage, mark }: OpenedOutbox,
  { generation, pending, listed }: OutboxPosition,
): Problem | null => {
  if (damage === 'lost') {
    const message = `The files with ${LOCAL_DATA} were damaged and set aside. Linnet recovered what it could. Check whether anything is missing.`
    return { code: 'storage_failed', message, details: { pending } }
  }
  const isOlder = mark().generation < generation
  if (isOlder && (pending > 0 || mark().pending > 0 || listed > 0)) {
    const message = `The files with ${LOCAL_DATA} were missing or out of date. Check whether anything was lost.`
    return { code: 'storage_failed', message, details: { pending } }
  }
  if (damage === 'repaired') {
    const message = `One of the two files with ${LOCAL_DATA} was damaged or missing. The other one is complete, so nothing was lost.`
    return { code: 'storage_failed', message }
  }
  return null
}

/** The folder was deleted, so there is no record of what was pending. */
const DIRECTORY_MISSING: Problem = {
  code: 'storage_failed',
  message:
    'Linnet’s folder for this account was missing. Unsent changes and drafts may be lost. Check your latest ones. Your mail is downloading again.',
}

const CACHE_MESSAGES = {
  damaged:
    'Linnet’s copy of your mail was damaged and set aside. Linnet will recover what it can and download the rest again.',
  missing: 'Linnet’s copy of your mail was missing. Your mail is downloading again.',
} as const

/** Problems to show after opening an account's files. @param found `cache`: why it is new, or null */
export const listOpeningProblems = (found: {
  readonly isFolderGone: boolean
  readonly outbox: OpenedOutbox
  readonly remembered: OutboxPosition
  readonly cache: keyof typeof CACHE_MESSAGES | null
  readonly drafts: Problem | null
}): readonly (Problem & { readonly id: string })[] => {
  const problems: Readonly<Record<string, Problem | null>> = {
    'outbox-damaged': found.isFolderGone ? DIRECTORY_MISSING : outboxProblem(found.outbox, found.remembered),
    'cache-damaged': found.cache && { code: 'storage_failed', message: CACHE_MESSAGES[found.cache] },
    'drafts-damaged': found.drafts,
  }
  return Object.entries(problems).flatMap(([id, problem]) => (problem === null ? [] : [{ ...problem, id }]))
}
