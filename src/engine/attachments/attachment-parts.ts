import { bareContentId } from '../../shared/carried-picture.ts'

/** An attachment in the original of an e-mail. */
export interface AttachmentPart {
  readonly filename: string | null
  /** Null where it has none. */
  readonly contentId: string | null
  readonly bytes: Uint8Array
}

/** What is known of an attachment before its bytes are here. */
export interface WantedAttachment {
  readonly filename: string | null
  /** Bytes. */
  readonly size: number | null
  readonly contentId?: string | null
}

const nameOf = (filename: string | null): string => (filename ?? '').normalize('NFC').trim()

/** In the order in which they tell one part from another best; each names a thing, or null for one that it cannot name. */
const SIGNS: readonly ((of: {
  contentId?: string | null
  filename: string | null
  size: number | null
}) => string | null)[] = [
  ({ contentId }) => bareContentId(contentId) || null,
  ({ filename, size }) => (nameOf(filename) === '' || size === null ? null : `${size} ${nameOf(filename)}`),
  ({ filename }) => nameOf(filename) || null,
  ({ size }) => (size === null ? null : String(size)),
]

/**
 * Finds an attachment of the platform's list among the parts of the original, whose list may hold more: by its content
 * ID, else its name and size, its name, its size, and last by its place where both lists are as long. Of several that
 * are alike, the one that stands at the same place among them.
 * @param place of the attachment in the list
 */
export const findPart = (
  list: readonly WantedAttachment[],
  place: number,
  parts: readonly AttachmentPart[],
): AttachmentPart | null => {
  const wanted = list[place]
  if (wanted === undefined) return null
  for (const sign of SIGNS) {
    const name = sign(wanted)
    if (name === null) continue
    const alike = parts.filter((part) => sign({ ...part, size: part.bytes.byteLength }) === name)
    const before = list.slice(0, place).filter((other) => sign(other) === name).length
    const found = alike[Math.min(before, alike.length - 1)]
    if (found !== undefined) return found
  }
  return (list.length === parts.length ? parts[place] : undefined) ?? null
}
