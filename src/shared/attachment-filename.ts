import mime from 'mime'
import type { Attachment } from './attachments.ts'
import { safeFilename } from './safe-filename.ts'

/** Endings that the registered types lack, or for which they have one that no program knows. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/ics': 'ics',
  'application/ms-tnef': 'dat',
  'application/postscript': 'ps',
  'application/x-pdf': 'pdf',
  'application/vnd.ms-tnef': 'dat',
  'application/x-pkcs7-mime': 'p7m',
  'application/x-pkcs7-signature': 'p7s',
  'application/pkcs7-mime': 'p7m',
  'application/pgp-encrypted': 'asc',
  'application/pgp-signature': 'asc',
  'application/pgp-keys': 'asc',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'image/pjpeg': 'jpg',
  'image/x-png': 'png',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'text/directory': 'vcf',
  'video/quicktime': 'mov',
}

/** Types that say nothing of what a file is. */
const UNKNOWN = /^(?:application\/(?:octet-stream|binary|x-binary|unknown|x-unknown))?$/

/** A media type without its parameters, in small letters; empty for one that says nothing. */
export const knownType = (contentType: string | null | undefined): string => {
  const type = (contentType ?? '')
    .replace(/;[^]*$/, '')
    .trim()
    .toLowerCase()
  return UNKNOWN.test(type) ? '' : type
}

/** Parts that a mail server writes for programs: they are text. */
export const isReportType = (type: string): boolean =>
  /^(?:message\/(?:global-)?(?:delivery-status|disposition-notification|tracking-status|feedback-report|headers)|text\/rfc822-headers)$/.test(
    type,
  )

const endingOf = (contentType: string | null): string => {
  const type = knownType(contentType)
  if (type === '') return ''
  if (isReportType(type)) return '.txt'
  if (type.startsWith('message/')) return '.eml'
  const own = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : undefined
  const ending = own ?? mime.getExtension(type) ?? (type.startsWith('text/') ? 'txt' : null)
  return ending === null ? '' : `.${ending}`
}

/** The name under which an attachment is shown and saved: its own as far as it is safe, else one by its type. */
export const attachmentFilename = ({ filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>): string =>
  safeFilename(filename ?? '') || `attachment${endingOf(contentType)}`
