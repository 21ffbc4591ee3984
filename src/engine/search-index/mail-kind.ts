import type { MailKind } from '../../shared/thread-query.ts'
import { readPerson } from './searchable-email.ts'

/** Headers by their names, in any case; several of one name are joined by commas. */
export type MailHeaders = Readonly<Record<string, string>>

/** Characters of a header, or of an address, that are looked at. */
const LOOKED_AT = 1_000

const NEWSLETTER_SENDERS: ReadonlySet<string> = new Set(['newsletter', 'newsletters', 'news', 'digest'])
const ROBOT_SENDERS: ReadonlySet<string> = new Set([
  'mailerdaemon',
  'postmaster',
  'notification',
  'notifications',
  'notify',
])
const NO_REPLY = /^(?:no|donot)reply|(?:no|donot)reply$/
const BOUNCE = /^bounces?(?:$|[-_.+=\d])/

/** An address's part before the `@`, as it is compared: what stands behind a plus is a tag. */
const localPart = (from: string): string => {
  const { address } = readPerson(from.slice(0, LOOKED_AT))
  const at = address.lastIndexOf('@')
  return (at === -1 ? address : address.slice(0, at)).trim().toLowerCase()
}

/** What the sender's address alone says of an e-mail. */
const kindOfSender = (from: string): MailKind => {
  const local = localPart(from)
  const name = (local.split('+', 1)[0] ?? '').replace(/[-_.]/g, '')
  if (NO_REPLY.test(name) || ROBOT_SENDERS.has(name) || BOUNCE.test(local)) return 'robot'
  return NEWSLETTER_SENDERS.has(name) ? 'newsletter' : 'person'
}

/** @returns the values of a header, in lower case, without the parameters behind a semicolon; none where it is missing */
const readHeaders = (headers: MailHeaders) => {
  const known = new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.slice(0, LOOKED_AT).trim().toLowerCase(),
    ]),
  )
  const valuesOf = (name: string): readonly string[] =>
    (known.get(name) ?? '').split(',').flatMap((value) => {
      const word = (value.split(/[;(]/, 1)[0] ?? '').trim()
      return word === '' ? [] : [word]
    })
  return { known, valuesOf }
}

/**
 * The kind of an e-mail that came in. What nobody reads an answer to, a bounce or an automatic reply, is a robot's even where
 * a list passed it on; then a list's headers make a newsletter, also of a sender that takes no replies; then whatever else
 * says that a program wrote. Total: headers are the sender's, and may say anything.
 * @param headers null where they are not known: then the sender's address decides alone
 */
export const mailKindOf = (from: string, headers: MailHeaders | null): MailKind => {
  const ofSender = kindOfSender(from)
  if (headers === null) return ofSender
  const { known, valuesOf } = readHeaders(headers)
  const submitted = valuesOf('auto-submitted')
  const precedence = valuesOf('precedence')
  const returnPath = known.get('return-path')
  const isReport = /^multipart\/report\b/.test(known.get('content-type') ?? '')
  const isAnswer =
    isReport ||
    known.has('x-failed-recipients') ||
    returnPath === '' ||
    returnPath === '<>' ||
    submitted.some((value) => value.startsWith('auto-replied')) ||
    precedence.some((value) => value === 'auto_reply')
  if (isAnswer) return 'robot'
  const isOfList =
    known.has('list-id') ||
    known.has('list-unsubscribe') ||
    precedence.some((value) => value === 'bulk' || value === 'list')
  if (isOfList) return 'newsletter'
  const isAutomatic =
    submitted.some((value) => value !== 'no') ||
    known.has('x-auto-response-suppress') ||
    precedence.some((value) => value === 'junk')
  return isAutomatic ? 'robot' : ofSender
}
