import type { AttachmentRisk } from '../../../shared/attachment-risk.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'

/** The file name without invisible characters. The engine's list names unnamed files. */
export const formatFilename = ({ filename }: Pick<Attachment, 'filename'>): string =>
  toVisibleText(filename ?? '') || 'Unnamed attachment'

const TYPES: readonly (readonly [of: RegExp, words: string])[] = [
  [/^application\/pdf/, 'PDF'],
  [/^image\/svg/, 'Drawing'],
  [/^image\//, 'Picture'],
  [/^audio\//, 'Audio'],
  [/^video\//, 'Video'],
  [/^text\/calendar/, 'Calendar event'],
  [/^text\/csv/, 'Spreadsheet'],
  [/^text\/html/, 'Web page'],
  [/^message\/(?:global-)?(?:delivery|disposition|tracking|feedback)|^text\/rfc822-headers/, 'Report'],
  [/^text\//, 'Text'],
  [/^message\//, 'Message'],
  [/pkcs7-signature|pgp-signature/, 'Signature'],
  [/pkcs7-mime/, 'S/MIME'],
  [/pgp-encrypted/, 'PGP'],
  [/ms-tnef/, 'Outlook data'],
  [/zip|compressed|x-tar|gzip|7z|rar/, 'Archive'],
  [/word|opendocument\.text/, 'Document'],
  [/excel|spreadsheet/, 'Spreadsheet'],
  [/powerpoint|presentation/, 'Slides'],
]

const EXTENSION_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  md: 'text/plain',
  log: 'text/plain',
  csv: 'text/csv',
  ics: 'text/calendar',
  html: 'text/html',
  htm: 'text/html',
  eml: 'message/rfc822',
  p7m: 'application/pkcs7-mime',
  p7s: 'application/pkcs7-signature',
  zip: 'application/zip',
  gz: 'application/gzip',
  '7z': 'application/x-7z',
  rar: 'application/x-rar',
  doc: 'application/msword',
  docx: 'application/word',
  odt: 'application/opendocument.text',
  xls: 'application/excel',
  xlsx: 'application/excel',
  ods: 'application/spreadsheet',
  ppt: 'application/powerpoint',
  pptx: 'application/powerpoint',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
}

/** The declared type, else a guess by file name, as attachments of thread e-mails have none. Empty if unknown. */
export const contentTypeOf = ({ filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>): string => {
  const said = (contentType ?? '').toLowerCase()
  if (said !== '' && !said.startsWith('application/octet-stream')) return said
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? ''
  return EXTENSION_TYPES[ending] ?? ''
}

export const describeContentType = (attachment: Pick<Attachment, 'filename' | 'contentType'>): string | null => {
  const type = contentTypeOf(attachment)
  const known = TYPES.find(([of]) => of.test(type))?.[1]
  if (known !== undefined) return known
  const ending = /\.([a-z0-9]{1,8})$/i.exec(attachment.filename ?? '')?.[1]
  return ending === undefined ? null : `${ending.toUpperCase()} file`
}

const RISKS: Readonly<Record<AttachmentRisk, { readonly name: string; readonly words: string }>> = {
  program: { name: 'Program', words: 'This file is a program. Opening it gives its author control of your computer.' },
  script: { name: 'Script', words: 'This file is a script. Opening it can run commands on your computer.' },
  macros: {
    name: 'Document with macros',
    words: 'This document contains macros, which can run commands on your computer.',
  },
  page: { name: 'Web page', words: 'This file is a web page. In a browser, it can imitate a sign-in page.' },
  disk: {
    name: 'Disk image',
    words: 'This file is a disk image. Your system doesn’t check its contents the way it checks other downloads.',
  },
  shortcut: {
    name: 'Shortcut',
    words: 'This file is a shortcut. Opening it can start a program or open something online.',
  },
  settings: {
    name: 'Settings',
    words: 'This file changes your computer’s settings. Opening it can expose your data.',
  },
  archive: {
    name: 'Archive with a program',
    words: 'This archive contains a file that can run commands on your computer.',
  },
}

export const formatRiskName = (risk: AttachmentRisk): string => RISKS[risk].name
export const describeRisk = (risk: AttachmentRisk): string => RISKS[risk].words
