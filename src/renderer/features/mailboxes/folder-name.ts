const NAMES: Readonly<Record<string, string>> = {
  inbox: 'Inbox',
  archive: 'Archive',
  spam: 'Spam',
  sent: 'Sent',
  trash: 'Trash',
}

/** A folder's name on the screen; a folder that the platform has added since keeps the platform's name. */
export const folderName = (folder: string): string => NAMES[folder] ?? folder
