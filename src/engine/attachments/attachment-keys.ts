import type { BodyOwner } from '../../shared/contract.ts'

/** The IDs of an attachment that the platform gave none: they say its place alone. */
export const isOwnId = (attachmentId: string): boolean => !/^attachment \d+$/.test(attachmentId)

/**
 * Where an attachment's bytes are kept. The same e-mail may be in a thread and in the account's list: its attachments are
 * the same where their IDs are.
 */
export const attachmentKey = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>, attachmentId: string): string =>
  `attachment ${JSON.stringify([...(isOwnId(attachmentId) ? [] : [list]), emailId, attachmentId])}`

/** Where the list of a sent e-mail's attachments is kept, which the list of sent e-mails does not tell. */
export const sentAttachmentsKey = (emailId: string): string => `attachments of sent:${emailId}`
