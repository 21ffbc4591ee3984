/**
 * IDs for calls and events that concern several accounts. Each includes its account, so they are unique whatever the
 * platforms use, and screens for one account work for all. The engine translates them (`engine/handlers/all-inboxes`).
 */

/** Replaces the account in a call, an event and an address, and the inbox in a list: all inboxes of all accounts. */
export const ALL_INBOXES = 'all'

export interface ThreadIdParts {
  readonly accountId: string
  readonly inboxId: string
  readonly threadId: string
}

const join = (parts: readonly string[]): string => parts.map(encodeURIComponent).join(',')

/** Null if `join` did not create it. */
const split = (text: string): readonly string[] | null => {
  try {
    return text.split(',').map(decodeURIComponent)
  } catch {
    return null
  }
}

export const toUnifiedThreadId = ({ accountId, inboxId, threadId }: ThreadIdParts): string =>
  join([accountId, inboxId, threadId])

/** Null for any other ID: users can type one into an address. */
export const parseUnifiedThreadId = (id: string): ThreadIdParts | null => {
  const [accountId, inboxId, threadId, ...rest] = split(id) ?? []
  return accountId === undefined || inboxId === undefined || threadId === undefined || rest.length > 0
    ? null
    : { accountId, inboxId, threadId }
}

/** ID of an account's inbox in the combined view, for a draft's From. */
export const toUnifiedInboxId = (accountId: string, inboxId: string): string => join([accountId, inboxId])

/** Null for any other ID, including `ALL_INBOXES`. */
export const parseUnifiedInboxId = (id: string): Omit<ThreadIdParts, 'threadId'> | null => {
  const [accountId, inboxId, ...rest] = split(id) ?? []
  return accountId === undefined || inboxId === undefined || rest.length > 0 ? null : { accountId, inboxId }
}

/** Labels of the same name are combined, on the assumption that they mean the same. */
export const toUnifiedLabelId = (name: string): string => join(['label', name])

export const labelNameOf = (id: string): string | null => {
  const [marker, name, ...rest] = split(id) ?? []
  return marker === 'label' && name !== undefined && rest.length === 0 ? name : null
}

/** Object of one account, such as an undoable change or a problem. */
export interface AccountScopedId {
  readonly accountId: string
  readonly id: string
}

/** Joins parts from several accounts into one ID. The list may be empty. */
export const joinIds = (parts: readonly AccountScopedId[]): string =>
  parts.length === 0 ? 'nothing' : parts.map(({ accountId, id }) => join([accountId, id])).join(' ')

/** Parts of a `joinIds` ID, in order; empty for any other ID. */
export const splitIds = (joined: string): readonly AccountScopedId[] =>
  joined.split(' ').flatMap((text) => {
    const [accountId, id, ...rest] = split(text) ?? []
    return accountId === undefined || id === undefined || rest.length > 0 ? [] : [{ accountId, id }]
  })

/** Undo ID for creating a label that is in no inbox yet. */
export const toLabelCreationId = (name: string, color: string): string => join(['made', name, color])

export const parseLabelCreationId = (id: string): { readonly name: string; readonly color: string } | null => {
  const [marker, name, color] = split(id) ?? []
  return marker !== 'made' || name === undefined || color === undefined ? null : { name, color }
}
