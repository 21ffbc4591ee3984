/**
 * The IDs under which the screens have what several accounts hold, so that all that shows one account's mail shows theirs
 * as well: each says whose it is, and no two are the same, whatever the platforms have called them. They are the window's
 * own, in addresses and in memory, and never go through the host's door.
 */

/** Stands in place of an account in an address, and of an inbox in a list: all inboxes of all accounts. */
export const ACROSS = 'all'

export interface ThreadPlace {
  readonly accountId: string
  readonly inboxId: string
  readonly threadId: string
}

const join = (parts: readonly string[]): string => parts.map(encodeURIComponent).join(',')

/** Null for what no `join` has made. */
const split = (text: string): readonly string[] | null => {
  try {
    return text.split(',').map(decodeURIComponent)
  } catch {
    return null
  }
}

export const threadIdAcross = ({ accountId, inboxId, threadId }: ThreadPlace): string =>
  join([accountId, inboxId, threadId])

/** Null for the ID of something else, as an address may have one that a person typed. */
export const placeOfThread = (id: string): ThreadPlace | null => {
  const [accountId, inboxId, threadId, ...rest] = split(id) ?? []
  return accountId === undefined || inboxId === undefined || threadId === undefined || rest.length > 0
    ? null
    : { accountId, inboxId, threadId }
}

/** An inbox of an account, where the inboxes of all are to be told apart: From of a draft. */
export const inboxIdAcross = (accountId: string, inboxId: string): string => join([accountId, inboxId])

/** Null for the ID of something else, `ACROSS` among it. */
export const placeOfInbox = (id: string): Omit<ThreadPlace, 'threadId'> | null => {
  const [accountId, inboxId, ...rest] = split(id) ?? []
  return accountId === undefined || inboxId === undefined || rest.length > 0 ? null : { accountId, inboxId }
}

/** Labels of one name are one label here: what is worked on together is called alike. */
export const labelIdAcross = (name: string): string => join(['label', name])

/** The name of a label by its ID here; null for the ID of something else. */
export const labelNameOf = (id: string): string | null => {
  const [marker, name, ...rest] = split(id) ?? []
  return marker === 'label' && name !== undefined && rest.length === 0 ? name : null
}

/** Something of one account: a change that can be undone, a problem. */
export interface OfAccount {
  readonly accountId: string
  readonly id: string
}

/** One ID for what consists of parts in several accounts; of no part as well. */
export const joinIds = (parts: readonly OfAccount[]): string =>
  parts.length === 0 ? 'nothing' : parts.map(({ accountId, id }) => join([accountId, id])).join(' ')

/** The parts of `joinIds`, in their order; none for what it did not make. */
export const splitIds = (joined: string): readonly OfAccount[] =>
  joined.split(' ').flatMap((text) => {
    const [accountId, id, ...rest] = split(text) ?? []
    return accountId === undefined || id === undefined || rest.length > 0 ? [] : [{ accountId, id }]
  })

/** By which the making of a label that no inbox has yet is undone. */
export const madeLabelId = (name: string, color: string): string => join(['made', name, color])

/** Null for the ID of another change. */
export const labelOfMadeId = (id: string): { readonly name: string; readonly color: string } | null => {
  const [marker, name, color] = split(id) ?? []
  return marker !== 'made' || name === undefined || color === undefined ? null : { name, color }
}
