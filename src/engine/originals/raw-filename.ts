import { safeFilename } from '../../shared/safe-filename.ts'

/** The name under which the original file of an e-mail is offered: its subject. */
export const rawFilename = (subject: string | null): string => `${safeFilename(subject ?? '') || 'e-mail'}.eml`
