import { bareContentId } from '../../shared/carried-picture.ts'

/** An attachment in the original of an e-mail. */
export interface AttachmentPart {
  readonly filename: string | null
  /** Null where it has none. */
  readonly contentId: string | null
  /** The address that it says to be at; null where it says none. */
  readonly contentLocation: string | null
  /** As its head says, in small letters, without parameters but the charset of a calendar. */
  readonly contentType: string
  /** Whether it is a file within a letter that the e-mail carries: some platforms list those, others the letter alone. */
  readonly isWithin: boolean
  readonly bytes: Uint8Array
}

/** Parts in parts: more than any program makes. */
export const MOST_NESTED = 200

/** What is known of an attachment before its bytes are here. */
export interface WantedAttachment {
  readonly filename: string | null
  /** Bytes. */
  readonly size: number | null
  readonly contentId?: string | null
  readonly contentType?: string | null
}

const nameOf = (filename: string | null): string => (filename ?? '').normalize('NFC').trim()

const typeOf = (contentType: string | null | undefined): string =>
  (contentType ?? '')
    .replace(/;[^]*$/, '')
    .trim()
    .toLowerCase()

/** In the order in which they tell one part from another best; each names a thing, or null for one that it cannot name. */
const SIGNS: readonly ((of: {
  contentId?: string | null
  filename: string | null
  size: number | null
}) => string | null)[] = [
  ({ contentId }) => bareContentId(contentId) || null,
  ({ filename, size }) => (nameOf(filename) === '' || size === null ? null : `${size} ${nameOf(filename)}`),
  ({ filename }) => nameOf(filename) || null,
]

const isNamedOtherwise = ({ filename }: WantedAttachment, part: AttachmentPart): boolean => {
  const [name, other] = [nameOf(filename), nameOf(part.filename)]
  return name !== '' && other !== '' && name !== other
}

/** Whether what is known of two says that they are not the same. */
const isAnother = (wanted: WantedAttachment, part: AttachmentPart): boolean => {
  const [type, other] = [typeOf(wanted.contentType), typeOf(part.contentType)]
  return (
    isNamedOtherwise(wanted, part) ||
    (wanted.size !== null && wanted.size !== part.bytes.byteLength) ||
    (type !== '' && other !== '' && type !== other)
  )
}

/**
 * Finds an attachment of the platform's list among the parts of the original, whose list may hold more: by its content
 * ID, else its name and size, its name, its size, and last by its place where both lists are as long. Of several that
 * are alike, the one that stands at the same place among them. Never one that is known to be another: rather none than
 * other bytes under its name.
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
  const { size } = wanted
  const alike = parts.filter((part) => part.bytes.byteLength === size && !isNamedOtherwise(wanted, part))
  const before = list.slice(0, place).filter((other) => other.size === size).length
  const bySize = alike[Math.min(before, alike.length - 1)]
  if (bySize !== undefined) return bySize
  const own = parts.filter(({ isWithin }) => !isWithin)
  const byPlace = list.length === own.length ? own[place] : undefined
  return byPlace === undefined || isAnother(wanted, byPlace) ? null : byPlace
}
