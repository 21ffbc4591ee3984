import { decodeWords } from 'postal-mime'
import { type Folder, folders } from '../storage/threads.ts'

/** Folder by name, ignoring case. Google's export calls the archive `Archived`. */
export function parseFolderName(name: string): Folder | null {
  const wanted = name.toLowerCase()
  return wanted === 'archived' ? 'archive' : (folders.find((folder) => folder === wanted) ?? null)
}

/** Read states among the labels of Google's export. */
const states = new Set(['unread', 'opened'])

/** Splits a value of `X-Gmail-Labels` at commas outside quotes. */
function namesIn(value: string): readonly string[] {
  const text = decodeWords(value.trim())
  return (text.match(/"[^"]*"|[^,"]+/g) ?? []).map((name) => name.replace(/^"|"$/g, '').trim()).filter(Boolean)
}

/**
 * Reads an unfolded `X-Gmail-Labels` header, as in Google's and Linnet's exports. The first folder name is where the
 * message was; the others are labels.
 */
export function parseMailboxLabels(value: string): {
  readonly folder: Folder | null
  readonly labels: readonly string[]
} {
  const names = namesIn(value)
  const at = names.findIndex((name) => parseFolderName(name) !== null)
  return {
    folder: at === -1 ? null : parseFolderName(names[at] ?? ''),
    labels: names.filter((name, index) => index !== at && !states.has(name.toLowerCase())),
  }
}
