import { findPlaceholders } from '../../../shared/placeholders.ts'
import { addressKey, isAddress } from '../../../shared/recipients.ts'
import type { DraftContent, Recipient, SendRefusal, DraftKind } from '../../../shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../shared/message-limits.ts'
import { domainOf, registrableDomainOf } from '../../ui/domain.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { looksLike } from '../../ui/look-alike.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { stripSignature } from './signature.ts'

export interface SendCheck {
  /** Errors to fix first, each at its field. */
  readonly blocked: readonly SendRefusal[]
  /** Likely oversights; the user may send anyway. */
  readonly questions: readonly string[]
  /** True if one of them is about a missing attachment. */
  readonly lacksFile: boolean
}

/** A reply to all with more recipients than this is rarely intended. */
const MANY = 10

/** Common domains. Typos in them are detected even if the name is short. */
const COMMON_DOMAINS =
  'gmail.com outlook.com hotmail.com yahoo.com icloud.com proton.me protonmail.com googlemail.com ymail.com email.com'.split(
    ' ',
  )
const MIN_COMMON_LENGTH = 5

/**
 * Words that announce an attachment, in the main languages of support mail: English, German, French, Spanish,
 * Portuguese, Italian, Dutch, Polish, Swedish.
 */
const ATTACHMENT_WORDS =
  /(?<!\p{L})(?:attach(?:ed|ment|ments|ing)?|enclosed|anhang|anhänge|angehängt|beigefügt|anbei|anlagen?|beiliegend|ci-joint(?:e|s|es)?|pi[èe]ces? jointes?|en annexe|adjunt(?:o|a|os|as|amos|ar)|anexos?|anexad[oa]s?|em anexo|allegat[oaie]|in allegato|bijlagen?|bijgevoegd|za[łl][ąa]czni(?:k|ki|ku)|w za[łl][ąa]czeniu|bifogar|bifogad(?:e|a)?|bilagor)(?!\p{L})/iu

const withoutQuotes = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')

/**
 * True if the user's own text mentions an attachment; quoted lines are ignored.
 * @param text without the signature and the quoted e-mail below it
 */
export const mentionsAttachment = (text: string): boolean => ATTACHMENT_WORDS.test(withoutQuotes(text))

/** Known domain that a recipient's domain imitates, or null. */
const findImitatedDomain = (address: string, known: readonly string[]): string | null => {
  const domain = registrableDomainOf(domainOf(address))
  if (known.includes(domain) || COMMON_DOMAINS.includes(domain)) return null
  return (
    known.find((each) => looksLike(domain, each)) ??
    COMMON_DOMAINS.find((each) => looksLike(domain, each, MIN_COMMON_LENGTH)) ??
    null
  )
}

const quoteAddresses = (people: readonly Recipient[]): string => people.map(({ address }) => `“${address}”`).join(', ')

/** Checks a message before sending. @param known addresses from the e-mail being answered, and the user's own */
export const checkBeforeSending = (
  { to, cc, bcc, subject, text, files, quote }: DraftContent,
  {
    kind,
    known,
    isUploading,
    leftOut,
    signature = '',
    warnings = [],
  }: {
    readonly kind: DraftKind
    readonly known: readonly string[]
    readonly isUploading: boolean
    readonly leftOut: readonly string[]
    readonly signature?: string
    readonly warnings?: readonly string[]
  },
): SendCheck => {
  const all = [...to, ...cc, ...bcc]
  const invalid = all.filter(({ address }) => !isAddress(address))
  const blocked: SendRefusal[] = []
  const block = (field: SendRefusal['field'], message: string): void => void blocked.push({ field, message })
  if (all.length === 0) block('to', 'Add a recipient.')
  if (invalid.length > 0) {
    block(
      'to',
      `${quoteAddresses(invalid)} ${invalid.length === 1 ? 'is not an email address' : 'are not email addresses'}. Correct or remove ${invalid.length === 1 ? 'it' : 'them'}.`,
    )
  }
  if (all.length > MESSAGE_LIMITS.recipients) {
    block(
      'to',
      `A message can have at most ${MESSAGE_LIMITS.recipients} recipients; this one has ${all.length}. Remove ${all.length - MESSAGE_LIMITS.recipients}.`,
    )
  }
  const { subject: longest } = MESSAGE_LIMITS
  if (subject.length > longest) {
    const [most, has] = [longest, subject.length].map((count) => count.toLocaleString('en'))
    block('subject', `A subject can have at most ${most} characters; this one has ${has}.`)
  }
  if (files.length > MESSAGE_LIMITS.files) {
    block('files', `A message can have at most ${MESSAGE_LIMITS.files} files; this one has ${files.length}.`)
  }
  if (isUploading) block('files', 'A file is still being attached. Try again in a moment.')

  const questions: string[] = [...warnings]
  if (subject.trim() === '') questions.push('The subject is empty.')
  const own = stripSignature(text, signature)
  const isEmpty = own.trim() === '' && files.length === 0
  if (isEmpty && (kind !== 'forward' || quote === null)) questions.push('The message is empty.')
  const lacksFile = files.every(({ contentId }) => contentId !== null) && mentionsAttachment(`${subject}\n${own}`)
  if (lacksFile) {
    questions.push('You mention an attachment, but nothing is attached.')
  }
  const unfilled = findPlaceholders(`${subject}\n${withoutQuotes(text)}`)
  if (unfilled.length > 0) {
    const names = unfilled.map((placeholder) => `“${placeholder}”`).join(', ')
    questions.push(
      `${names} ${unfilled.length === 1 ? 'looks like a placeholder that was' : 'look like placeholders that were'} not filled in.`,
    )
  }
  if (leftOut.length > 0) {
    const names = leftOut.map((filename) => `“${toVisibleText(filename)}”`).join(', ')
    questions.push(`${names} will not be sent.`)
  }
  if (kind === 'replyAll' && all.length > MANY)
    questions.push(`Your reply will go to ${formatCount(all.length, 'person', 'people')}.`)
  const domains = [...new Set(known.map((address) => registrableDomainOf(domainOf(address))))]
  const knownKeys = new Set(known.map(addressKey))
  for (const { address } of all) {
    if (knownKeys.has(addressKey(address)) || !isAddress(address)) continue
    const double = findImitatedDomain(address, domains)
    if (double !== null)
      questions.push(`“${address}” looks like an address at ${double}, but it is at ${domainOf(address)}.`)
  }
  return { blocked, questions: [...new Set(questions)], lacksFile }
}
