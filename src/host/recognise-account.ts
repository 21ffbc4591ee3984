import { createHash } from 'node:crypto'
import type { InboxName } from '../shared/engine-link.ts'

/** Mail that is on this computer and may be a key's. */
export interface Candidate {
  readonly id: string
  /** Null for a folder that the settings do not know. */
  readonly baseUrl: string | null
  readonly inboxes: readonly InboxName[]
}

/** Whose key it is: a known account's, perhaps one of these, or none's. */
export type Recognition =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'unsure'; readonly ids: readonly string[] }
  | { readonly kind: 'new' }

/** Whether both lists hold an inbox; a platform gives no inbox to two accounts. */
export const shareInbox = (some: readonly InboxName[], others: readonly InboxName[]): boolean =>
  some.some(({ id }) => others.some((other) => other.id === id))

/**
 * Finds the account that a key belongs to. One with the same base URL and an inbox in common is it. It is unsure where
 * one side has no inboxes to compare, and for a folder whose base URL nobody knows: a person is asked. Inboxes that are
 * all different are another account's.
 */
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

/** By which a key is known again; the digest of a key of full entropy does not give it away. */
export const digestKey = (baseUrl: string, apiKey: string): string =>
  createHash('sha256').update(`linnet account\n${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32)

/** What is sealed of a key: the server that it was entered for goes with it. */
export const boundKey = (baseUrl: string, apiKey: string): string => `${baseUrl}\n${apiKey}`

/**
 * The key in what was sealed, for the server that it was entered for: whoever changes a base URL in a file does not get it.
 * @returns null for another server
 */
export const keyBoundTo = (baseUrl: string, unsealed: string): string | null => {
  const end = unsealed.indexOf('\n')
  return end >= 0 && unsealed.slice(0, end) === baseUrl ? unsealed.slice(end + 1) : null
}
