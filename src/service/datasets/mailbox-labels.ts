import { decodeWords } from 'postal-mime'
import { type Folder, folders } from '../storage/threads.ts'

/** The folder of a name, whatever its case; Google's export calls one of them otherwise. */
export function folderNamed(name: string): Folder | null {
  const wanted = name.toLowerCase()
  return wanted === 'archived' ? 'archive' : (folders.find((folder) => folder === wanted) ?? null)
}

/** What Google's export says of whether a message was read, among its labels. */
const states = new Set(['unread', 'opened'])

/** The names in a value of `X-Gmail-Labels`: commas part them, but for those in quotes. */
function namesIn(value: string): readonly string[] {
  const text = decodeWords(value.trim())
  return (text.match(/"[^"]*"|[^,"]+/g) ?? []).map((name) => name.replace(/^"|"$/g, '').trim()).filter(Boolean)
}

/**
 * Reads the value of the header `X-Gmail-Labels`, unfolded, as Google's export and Linnet's write it: the first name of a
 * folder is where the message lay, the others are labels.
 */
export function readMailboxLabels(value: string): {
  readonly folder: Folder | null
  readonly labels: readonly string[]
} {
  const names = namesIn(value)
  const at = names.findIndex((name) => folderNamed(name) !== null)
  return {
    folder: at === -1 ? null : folderNamed(names[at] ?? ''),
    labels: names.filter((name, index) => index !== at && !states.has(name.toLowerCase())),
  }
}
