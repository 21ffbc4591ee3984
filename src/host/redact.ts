import { homedir } from 'node:os'

const MAX_LENGTH = 2_000

const CODE_FILE = /([\w.-]+\.[cm]?[jt]s(?::\d+)*)\)?[,.]?$/

/** One word of a line: what looks like an address, a URL, a path, a key or an ID goes, the file of a stack keeps its name. */
const redactWord = (word: string): string => {
  if (/[^\x20-\x7e]/.test(word)) return '[text]'
  if (word.includes('@')) return '[address]'
  if (/[\\/]/.test(word) && !/^\d+\/\d+$/.test(word)) {
    return CODE_FILE.exec(word)?.[1] ?? (word.includes('://') ? '[url]' : '[path]')
  }
  return word.replaceAll(/[\w-]{20,}/g, (run) => (/\d/.test(run) ? '[id]' : run)).replaceAll(/\bre_[\w-]+/g, '[key]')
}

/**
 * The second net behind the types of `shared/log.ts`: removes private text, rather too much than too little, in
 * linear time. @param folders private paths, besides the home folder
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
