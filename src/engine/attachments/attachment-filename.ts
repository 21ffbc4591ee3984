import type { Attachment } from '../../shared/model.ts'
import { safeFilename } from '../../shared/safe-filename.ts'

/** Endings for files that were sent without a name. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/calendar': '.ics',
  'message/rfc822': '.eml',
  'application/zip': '.zip',
}

/** The name under which an attachment is saved: its own as far as it is safe, else one by its type. */
export const attachmentFilename = ({ filename, contentType }: Pick<Attachment, 'filename' | 'contentType'>): string => {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  return safeFilename(filename ?? '') || `attachment${ENDINGS[type] ?? ''}`
}
