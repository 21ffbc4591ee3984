import { homedir } from 'node:os'

const MAX_LENGTH = 2_000

const CODE_FILE = /([\w.-]+\.[cm]?[jt]s(?::\d+)*)\)?[,.]?$/

/** Redacts addresses, URLs, paths, keys and IDs. File names in stack traces stay. */
const redactWord = (word: string): string => {
  if (/[^\x20-\x7e]/.test(word)) return '[text]'
  if (word.includes('@')) return '[address]'
  if (/[\\/]/.test(word) && !/^\d+\/\d+$/.test(word)) {
    return CODE_FILE.exec(word)?.[1] ?? (word.includes('://') ? '[url]' : '[path]')
  }
  return word.replaceAll(/[\w-]{20,}/g, (run) => (/\d/.test(run) ? '[id]' : run)).replaceAll(/\bre_[\w-]+/g, '[key]')
}

/**
 * Second safety net behind the types of `shared/log.ts`. Removes private text, too much rather than too little, in
 * linear time. @param folders private paths besides the home folder
 */
export const redact = (text: string, folders: readonly string[] = []): string => {
  const known = [...folders, homedir()].filter((folder) => folder.length > 1)
  return known
    .reduce((line, folder) => line.replaceAll(folder, '/'), text.slice(0, MAX_LENGTH))
    .replaceAll(/"[^"]*"?|'[^']*'?|`[^`]*`?|“[^”]*”?|‘[^’]*’?|«[^»]*»?/g, '[text]')
    .split(/\s+/)
    .map(redactWord)
    .join(' ')
}
