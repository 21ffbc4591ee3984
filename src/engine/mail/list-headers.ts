/** Raw mailing list headers of an e-mail. Repeated headers are joined with commas. */
export interface ListHeaders {
  readonly unsubscribe: string
  readonly post: string | null
  readonly listId: string | null
}

/** Maximum accepted lengths, in UTF-16 units. Real values have hundreds. */
const MAX_LENGTHS = { unsubscribe: 16_384, post: 200, listId: 1_000 } as const

const NAMES = { unsubscribe: 'list-unsubscribe', post: 'list-unsubscribe-post', listId: 'list-id' } as const

/** @param headers in any order, possibly repeated @returns null if there is no unsubscribe header */
export const extractListHeaders = (headers: Iterable<readonly [name: string, value: string]>): ListHeaders | null => {
  const found: Partial<Record<keyof ListHeaders, string>> = {}
  for (const [name, value] of headers) {
    const lower = name.trim().toLowerCase()
    for (const key of ['unsubscribe', 'post', 'listId'] as const) {
      const before = found[key]
      if (lower !== NAMES[key] || (before?.length ?? 0) > MAX_LENGTHS[key]) continue
      found[key] = before === undefined ? value : `${before}, ${value}`
    }
  }
  const { unsubscribe, post, listId } = found
  if (unsubscribe === undefined) return null
  return {
    unsubscribe: unsubscribe.slice(0, MAX_LENGTHS.unsubscribe),
    post: post === undefined ? null : post.slice(0, MAX_LENGTHS.post),
    listId: listId === undefined ? null : listId.slice(0, MAX_LENGTHS.listId),
  }
}

/** Metadata key of a thread e-mail's list headers (JSON). Stored separately, since thread responses lack headers. */
export const listHeadersKey = (emailId: string): string => `list headers ${emailId}`
