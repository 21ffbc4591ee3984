/** Everything that a key does (ui.md, "Keys"). The dialog "Keyboard shortcuts" is drawn from the same table. */
export const SHORTCUTS = [
  { command: 'next', keys: ['j'], label: 'Next thread', group: 'Threads' },
  { command: 'previous', keys: ['k'], label: 'Previous thread', group: 'Threads' },
  { command: 'open', keys: ['o', 'Enter'], label: 'Open the thread', group: 'Threads' },
  { command: 'back', keys: ['u', 'Escape'], label: 'Back to the list', group: 'Threads' },
  { command: 'readOn', keys: ['Space'], label: 'Read on, then next thread', group: 'Threads' },
  { command: 'readBack', keys: ['Shift+Space'], label: 'Read back', group: 'Threads' },
  { command: 'pageOn', keys: ['PageDown'], label: 'Scroll down', group: 'Threads' },
  { command: 'pageBack', keys: ['PageUp'], label: 'Scroll up', group: 'Threads' },
  { command: 'archive', keys: ['e'], label: 'Archive', group: 'Actions' },
  { command: 'trash', keys: ['#'], label: 'Move to trash', group: 'Actions' },
  { command: 'spam', keys: ['!'], label: 'Mark as spam', group: 'Actions' },
  { command: 'markRead', keys: ['I'], label: 'Mark as read', group: 'Actions' },
  { command: 'markUnread', keys: ['U'], label: 'Mark as unread', group: 'Actions' },
  { command: 'undo', keys: ['z'], label: 'Undo', group: 'Actions' },
  { command: 'goInbox', keys: ['g i'], label: 'Inbox', group: 'Go to' },
  { command: 'goSent', keys: ['g t'], label: 'Sent', group: 'Go to' },
  { command: 'goArchive', keys: ['g a'], label: 'Archive', group: 'Go to' },
  { command: 'goContacts', keys: ['g c'], label: 'Contacts', group: 'Go to' },
  { command: 'search', keys: ['/'], label: 'Search mail', group: 'Linnet' },
  { command: 'syncNow', keys: ['F5'], label: 'Look for new mail', group: 'Linnet' },
  { command: 'help', keys: ['?'], label: 'Keyboard shortcuts', group: 'Linnet' },
] as const satisfies readonly {
  readonly command: string
  /** As `nameKey` names them; a space stands between keys that are struck one after the other. */
  readonly keys: readonly string[]
  readonly label: string
  readonly group: string
}[]

export type ShortcutCommand = (typeof SHORTCUTS)[number]['command']

const CAPS: Readonly<Record<string, string>> = { Escape: 'Esc', PageDown: 'Page Down', PageUp: 'Page Up' }

/** How a key is written on the screen: `Shift I` for `I`, `Esc` for `Escape`. */
export const keyCaps = (keys: string): readonly string[] =>
  keys.split(/[ +]/).flatMap((key) => (/^[A-Z]$/.test(key) ? ['Shift', key] : [CAPS[key] ?? key]))
