import { z } from 'zod'
import { ApiError, createValidationError } from '../http/api-error.ts'
import { type Mailbox, parseMailbox } from '../mail/addresses.ts'

const addressHint = 'The email address needs to follow the `email@example.com` or `Name <email@example.com>` format'

/** At most 50 recipients (platform.md 13.3, 14.4 and 20.1). */
const maxRecipients = 50

/** See platform.md 13.3 and 14.4. */
export const subjectField = z.string().max(2000)

/** One address with or without a name (platform.md 20.1). */
export const senderField = z.string().transform((value, context): Mailbox => {
  const mailbox = parseMailbox(value)
  if (mailbox) return mailbox
  context.addIssue({ code: 'custom', message: addressHint })
  return z.NEVER
})

/** One address or a list, which may be empty. */
export const recipientsField = z.union([z.string(), z.array(z.string())]).transform((value, context) => {
  const mailboxes = (typeof value === 'string' ? [value] : value).map(parseMailbox)
  if (mailboxes.length > maxRecipients) {
    context.addIssue({ code: 'custom', message: `At most ${maxRecipients} recipients are allowed` })
    return z.NEVER
  }
  const found = mailboxes.filter((mailbox) => mailbox !== null)
  if (found.length === mailboxes.length) return found
  context.addIssue({ code: 'custom', message: addressHint })
  return z.NEVER
})

/** Custom headers: RFC 5322 names, no line break or NUL anywhere (platform.md 13.5). */
export const headersField = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!-9;-~]+$/.test(name)) context.addIssue({ code: 'custom', message: `\`${name}\` is not a header name` })
    // eslint-disable-next-line no-control-regex -- these characters would end the header
    if (/[\r\n\u0000]/.test(value)) {
      context.addIssue({ code: 'custom', message: `The value of \`${name}\` must not contain line breaks` })
    }
  }
})

/** The platform sets these itself (platform.md 13.5). */
export const answerHeadersField = headersField.superRefine((headers, context) => {
  const taken = Object.keys(headers).find((name) => /^(?:in-reply-to|references|reply-to)$/i.test(name))
  if (taken !== undefined) context.addIssue({ code: 'custom', message: `\`${taken}\` cannot be set` })
})

/** @throws ApiError 422 if all lists together exceed {@link maxRecipients} */
export function checkRecipientCount(...lists: readonly (readonly Mailbox[])[]): void {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count > maxRecipients) throw createValidationError(`An email can have at most ${maxRecipients} recipients.`)
}

/** @throws ApiError 422 `missing_required_field` without either (platform.md 13.1 and 20.1) */
export function checkBody({
  html,
  text,
}: {
  readonly html?: string | undefined
  readonly text?: string | undefined
}): void {
  if (html === undefined && text === undefined) {
    throw new ApiError(422, 'missing_required_field', 'Missing `html` or `text` field.')
  }
}
