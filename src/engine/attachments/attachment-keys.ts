import type { BodyOwner } from '../../shared/contract.ts'

/** The IDs of an attachment that the platform gave none: they say its place alone. */
export const isOwnId = (attachmentId: string): boolean => !/^attachment \d+(?:\/|$)/.test(attachmentId)

/** The ID of a file within an attachment, such as one of a signed message: by its place there. */
export const idWithin = (attachmentId: string, place: number): string => `${attachmentId}/${place + 1}`

/**
 * Where an attachment's bytes are kept. The same e-mail may be in a thread and in the account's list: its attachments are
 * the same where their IDs are.
 */
export const attachmentKey = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>, attachmentId: string): string =>
  `attachment ${JSON.stringify([...(isOwnId(attachmentId) ? [] : [list]), emailId, attachmentId])}`

export const filesWithinKey = (of: Pick<BodyOwner, 'list' | 'emailId'>, attachmentId: string): string =>
  attachmentKey(of, `${attachmentId}/files`)

/** What the keys of all attachments of an e-mail begin with: those of every list that has it, and those of one alone. */
export const attachmentKeysOf = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>) => {
  const beginningOf = (place: readonly string[]): string => `attachment ${JSON.stringify(place).slice(0, -1)},`
  return { ofAll: beginningOf([emailId]), ofOne: beginningOf([list, emailId]) }
}

/** Where a picture that an e-mail carries is kept. */
export const carriedKey = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>, contentId: string): string =>
  `carried ${JSON.stringify([list, emailId, contentId])}`

/** What the keys of all of them begin with. */
export const carriedKeysOf = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>): string =>
  `carried ${JSON.stringify([list, emailId]).slice(0, -1)},`

/** Where the list of a sent e-mail's attachments is kept, which the list of sent e-mails does not tell. */
export const sentAttachmentsKey = (emailId: string): string => `attachments of sent:${emailId}`
