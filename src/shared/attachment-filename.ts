import mime from 'mime'
import type { Attachment } from './attachments.ts'
import { toSafeFilename } from './safe-filename.ts'

/** Extensions for types that the registry doesn't know, or knows only an obscure extension for. */
const EXTENSIONS: Readonly<Record<string, string>> = {
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

/** Types that say nothing about the content. */
const UNKNOWN = /^(?:application\/(?:octet-stream|binary|x-binary|unknown|x-unknown))?$/

/** The bare media type in lower case; empty if it says nothing about the content. */
export const normalizeMediaType = (contentType: string | null | undefined): string => {
  const type = (contentType ?? '')
    .replace(/;[^]*$/, '')
    .trim()
    .toLowerCase()
  return UNKNOWN.test(type) ? '' : type
}

/** True for machine-readable reports by mail servers, which are text. */
export const isReportType = (type: string): boolean =>
  /^(?:message\/(?:global-)?(?:delivery-status|disposition-notification|tracking-status|feedback-report|headers)|text\/rfc822-headers)$/.test(
    type,
  )

const extensionOf = (contentType: string | null): string => {
  const type = normalizeMediaType(contentType)
  if (type === '') return ''
  if (isReportType(type)) return '.txt'
  if (type.startsWith('message/')) return '.eml'
  const own = Object.hasOwn(EXTENSIONS, type) ? EXTENSIONS[type] : undefined
  const ending = own ?? mime.getExtension(type) ?? (type.startsWith('text/') ? 'txt' : null)
  return ending === null ? '' : `.${ending}`
}

/** File name for display and saving: the sanitised original name, or a name derived from the type. */
export const toAttachmentFilename = ({ filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>): string =>
  toSafeFilename(filename ?? '') || `attachment${extensionOf(contentType)}`
