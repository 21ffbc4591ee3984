import { createHash } from 'node:crypto'
import type { InboxIdentity } from '../shared/engine-api.ts'

/** Stored mail that a key may belong to. */
export interface AccountCandidate {
  readonly id: string
  /** Null for a folder missing from the settings. */
  readonly baseUrl: string | null
  readonly inboxes: readonly InboxIdentity[]
}

export type AccountMatch =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'unsure'; readonly ids: readonly string[] }
  | { readonly kind: 'new' }

/** True if they share an inbox. A platform never gives one inbox to two accounts. */
export const hasCommonInbox = (some: readonly InboxIdentity[], others: readonly InboxIdentity[]): boolean =>
  some.some(({ id }) => others.some((other) => other.id === id))

/** `known` if base URL and an inbox match; `unsure` if a side has no inboxes or no base URL is known; else `new`. */
export const matchAccount = (
  key: { readonly baseUrl: string; readonly inboxes: readonly InboxIdentity[] },
  candidates: readonly AccountCandidate[],
): AccountMatch => {
  const here = candidates.filter(({ baseUrl }) => baseUrl === key.baseUrl)
  const same = here.find(({ inboxes }) => hasCommonInbox(inboxes, key.inboxes))
  if (same !== undefined) return { kind: 'known', id: same.id }
  const unsure = [
    ...candidates.filter(({ baseUrl, inboxes }) => baseUrl === null && hasCommonInbox(inboxes, key.inboxes)),
    ...here.filter(({ inboxes }) => inboxes.length === 0 || key.inboxes.length === 0),
  ]
  return unsure.length === 0 ? { kind: 'new' } : { kind: 'unsure', ids: unsure.map(({ id }) => id) }
}

/** Digest used to recognise a key. It doesn't reveal a full-entropy key. */
export const digestKey = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`linnet account\n${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32)

export const formatBoundKey = (baseUrl: string, apiKey: string): string => `${baseUrl}\n${apiKey}`

/** The unsealed key, or null if it is for another server. Editing a base URL in the file can't redirect a key. */
export const parseBoundKey = (baseUrl: string, unsealed: string): string | null => {
  const end = unsealed.indexOf('\n')
  return end >= 0 && unsealed.slice(0, end) === baseUrl ? unsealed.slice(end + 1) : null
}
