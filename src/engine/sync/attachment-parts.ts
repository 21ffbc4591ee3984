import { normalizeContentId } from '../../shared/embedded-picture.ts'

export interface AttachmentPart {
  readonly filename: string | null
  readonly contentId: string | null
  /** `Content-Location`, or null. */
  readonly contentLocation: string | null
  /** Lower case, without parameters except a calendar's charset. */
  readonly contentType: string
  /** True for a file within an attached message: some platforms list those, others only the message. */
  readonly isNested: boolean
  readonly bytes: Uint8Array
}

/** Part nesting limit; no mail program nests deeper. */
export const MAX_PART_DEPTH = 200

/** Metadata known before the download. */
export interface WantedAttachment {
  readonly filename: string | null
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

/** Matching criteria, best first. Each returns a comparison key or null. */
const MATCH_CRITERIA: readonly ((of: {
  contentId?: string | null
  filename: string | null
  size: number | null
}) => string | null)[] = [
  ({ contentId }) => normalizeContentId(contentId) || null,
  ({ filename, size }) => (nameOf(filename) === '' || size === null ? null : `${size} ${nameOf(filename)}`),
  ({ filename }) => nameOf(filename) || null,
]

const hasOtherName = ({ filename }: WantedAttachment, part: AttachmentPart): boolean => {
  const [name, other] = [nameOf(filename), nameOf(part.filename)]
  return name !== '' && other !== '' && name !== other
}

/** True if the metadata rules out a match. */
const isMismatch = (wanted: WantedAttachment, part: AttachmentPart): boolean => {
  const [type, other] = [typeOf(wanted.contentType), typeOf(part.contentType)]
  return (
    hasOtherName(wanted, part) ||
    (wanted.size !== null && wanted.size !== part.bytes.byteLength) ||
    (type !== '' && other !== '' && type !== other)
  )
}

/**
 * Finds a listed attachment among the original's parts, by content ID, name and size, name, size, or position in lists
 * of equal length. Position also decides between equal matches. Returns null rather than the wrong bytes.
 */
export const findAttachmentPart = (
  list: readonly WantedAttachment[],
  place: number,
  parts: readonly AttachmentPart[],
): AttachmentPart | null => {
  const wanted = list[place]
  if (wanted === undefined) return null
  for (const sign of MATCH_CRITERIA) {
    const name = sign(wanted)
    if (name === null) continue
    const alike = parts.filter((part) => sign({ ...part, size: part.bytes.byteLength }) === name)
    const before = list.slice(0, place).filter((other) => sign(other) === name).length
    const found = alike[Math.min(before, alike.length - 1)]
    if (found !== undefined) return found
  }
  const { size } = wanted
  const alike = parts.filter((part) => part.bytes.byteLength === size && !hasOtherName(wanted, part))
  const before = list.slice(0, place).filter((other) => other.size === size).length
  const bySize = alike[Math.min(before, alike.length - 1)]
  if (bySize !== undefined) return bySize
  const own = parts.filter(({ isNested }) => !isNested)
  const byPlace = list.length === own.length ? own[place] : undefined
  return byPlace === undefined || isMismatch(wanted, byPlace) ? null : byPlace
}
