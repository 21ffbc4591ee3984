import { createHash } from 'node:crypto'
import type { InboxName } from '../shared/engine-link.ts'

/** Mail that is on this computer and may be a key's. */
export interface Candidate {
  readonly id: string
  /** Null for a folder that the settings do not know. */
  readonly baseUrl: string | null
  readonly inboxes: readonly InboxName[]
}

/** Owner of a key: a known account, perhaps one of these, or none. */
export type Recognition =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'unsure'; readonly ids: readonly string[] }
  | { readonly kind: 'new' }

/** True for a common inbox: a platform never gives one to two accounts. */
export const shareInbox = (some: readonly InboxName[], others: readonly InboxName[]): boolean =>
  some.some(({ id }) => others.some((other) => other.id === id))

/** `known` by base URL and a common inbox; `unsure` if one side has no inboxes or the base URL is unknown; else `new`. */
export const recogniseAccount = (
  key: { readonly baseUrl: string; readonly inboxes: readonly InboxName[] },
  candidates: readonly Candidate[],
): Recognition => {
  const here = candidates.filter(({ baseUrl }) => baseUrl === key.baseUrl)
  const same = here.find(({ inboxes }) => shareInbox(inboxes, key.inboxes))
  if (same !== undefined) return { kind: 'known', id: same.id }
  const unsure = [
    ...candidates.filter(({ baseUrl, inboxes }) => baseUrl === null && shareInbox(inboxes, key.inboxes)),
    ...here.filter(({ inboxes }) => inboxes.length === 0 || key.inboxes.length === 0),
  ]
  return unsure.length === 0 ? { kind: 'new' } : { kind: 'unsure', ids: unsure.map(({ id }) => id) }
}

/** Recognises a key. A digest of a full-entropy key does not reveal it. */
export const digestKey = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`linnet account\n${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32)

/** A key is sealed with the server that it was entered for. */
export const boundKey = (baseUrl: string, apiKey: string): string => `${baseUrl}\n${apiKey}`

/** The sealed key; null if it was entered for another server, so that editing a base URL in a file does not get it. */
export const keyBoundTo = (baseUrl: string, unsealed: string): string | null => {
  const end = unsealed.indexOf('\n')
  return end >= 0 && unsealed.slice(0, end) === baseUrl ? unsealed.slice(end + 1) : null
}
