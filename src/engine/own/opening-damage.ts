import type { Problem } from '../../shared/result.ts'

const OWN_LOST =
  'Linnet’s file with your unsent changes, drafts, rules and lists was damaged or missing. Linnet recovered what it could. Check whether your latest changes are there.'

/** The folder was deleted, so there is no record of what was pending. */
const DIRECTORY_MISSING =
  'Linnet’s folder for this account was missing. Unsent changes and drafts may be lost. Check your latest ones. Your mail is downloading again.'

const CACHE_MESSAGES = {
  damaged:
    'Linnet’s copy of your mail was damaged and set aside. Linnet will recover what it can and download the rest again.',
  missing: 'Linnet’s copy of your mail was missing. Your mail is downloading again.',
} as const

/** Problems to show after opening an account's files. @param found `cache`: why it is new, or null */
export const listOpeningProblems = (found: {
  readonly isFolderGone: boolean
  readonly isOwnLost: boolean
  readonly cache: keyof typeof CACHE_MESSAGES | null
}): readonly (Problem & { readonly id: string })[] => {
  const messages = {
    'own-damaged': found.isFolderGone ? DIRECTORY_MISSING : found.isOwnLost ? OWN_LOST : null,
    'cache-damaged': found.cache && CACHE_MESSAGES[found.cache],
  }
  return Object.entries(messages).flatMap(([id, message]) =>
    message === null ? [] : [{ id, code: 'storage_failed', message }],
  )
}
