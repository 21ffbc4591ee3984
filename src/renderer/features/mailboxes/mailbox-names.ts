import type { Inbox } from '../../../shared/model.ts'

export const inboxName = ({ name, emailAddress }: Inbox): string => name ?? emailAddress

const NAMES: Readonly<Record<string, string>> = {
  inbox: 'Inbox',
  archive: 'Archive',
  spam: 'Spam',
  sent: 'Sent',
  trash: 'Trash',
}

/** Folders that the platform added later keep the platform's name. */
export const folderName = (folder: string): string => NAMES[folder] ?? folder
