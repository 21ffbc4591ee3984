import type { BodyOwner } from '../../shared/contract.ts'

/** False for generated IDs, which only encode the position. */
export const isPlatformAttachmentId = (attachmentId: string): boolean => !/^attachment \d+(?:\/|$)/.test(attachmentId)

/** ID of a file nested in an attachment (for example in a signed message), derived from its position. */
export const toNestedAttachmentId = (attachmentId: string, place: number): string => `${attachmentId}/${place + 1}`

/** Storage key of an attachment, the same for a thread and the account's list if the ID is the same. */
export const attachmentKey = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>, attachmentId: string): string =>
  `attachment ${JSON.stringify([...(isPlatformAttachmentId(attachmentId) ? [] : [list]), emailId, attachmentId])}`

export const nestedFilesKey = (of: Pick<BodyOwner, 'list' | 'emailId'>, attachmentId: string): string =>
  attachmentKey(of, `${attachmentId}/files`)

/** Key prefixes of an e-mail's attachments: shared by all lists, and specific to one. */
export const attachmentKeyPrefixes = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>) => {
  const beginningOf = (place: readonly string[]): string => `attachment ${JSON.stringify(place).slice(0, -1)},`
  return { ofAll: beginningOf([emailId]), ofOne: beginningOf([list, emailId]) }
}

export const inlinePictureKey = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>, contentId: string): string =>
  `carried ${JSON.stringify([list, emailId, contentId])}`

export const inlinePictureKeyPrefix = ({ list, emailId }: Pick<BodyOwner, 'list' | 'emailId'>): string =>
  `carried ${JSON.stringify([list, emailId]).slice(0, -1)},`

/** Storage key of a sent e-mail's attachment list, which the list of sent e-mails lacks. */
export const sentAttachmentsKey = (emailId: string): string => `attachments of sent:${emailId}`
