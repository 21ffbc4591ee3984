import type { Suppression } from '../../../shared/suppressions.ts'
import Copy from '@lucide/svelte/icons/copy'
import FolderTree from '@lucide/svelte/icons/folder-tree'
import Pencil from '@lucide/svelte/icons/pencil'
import MailCheck from '@lucide/svelte/icons/mail-check'
import Search from '@lucide/svelte/icons/search'
import Trash from '@lucide/svelte/icons/trash-2'
import UserPen from '@lucide/svelte/icons/user-pen'
import UserPlus from '@lucide/svelte/icons/user-plus'
import UserRound from '@lucide/svelte/icons/user-round'
import { formatRecipient } from '../../../shared/recipients.ts'
import { quoteValue } from '../../../shared/search/format-search.ts'
import type { Contact } from '../../../shared/people.ts'
import { copyText } from '../../kernel/copy-text.ts'
import type { Session, Shell } from '../../kernel/session.ts'
import type { Action } from '../../ui/action.ts'
import { askToUnsuppress } from '../suppressions/suppressions-manager.svelte.ts'
import { findDefaultInbox } from '../writing/default-inbox.ts'

interface Somebody {
  /** Readable name, or null if only the address is known. */
  readonly name: string | null
  readonly address: string
  /** Null without a local contact. */
  readonly contact: Contact | null
  /** Null if not suppressed, or unknown. */
  readonly suppression: Suppression | null
}

type ActingSession = Pick<
  Session,
  'actions' | 'contactEditor' | 'conversation' | 'inbox' | 'mailboxes' | 'questions' | 'writing'
>

/** Null if there is no inbox to write from. */
export const writeTo = (
  session: Pick<Session, 'conversation' | 'inbox' | 'mailboxes' | 'writing'>,
  { name, address }: Pick<Somebody, 'name' | 'address'>,
): Action | null => {
  const from = findDefaultInbox(session)
  if (from === null) return null
  return {
    name: 'Write',
    icon: Pencil,
    run: () => void session.writing.start(from, { to: [{ name, address }] }),
  }
}

export const copyAddress = (shell: Shell, address: string): Action => ({
  name: 'Copy address',
  icon: Copy,
  run: () => void copyText(shell.toasts, address, 'Address copied.'),
})

/** Searches the entire current inbox. Null if there is no current inbox. */
export const searchForPerson = (
  { route }: Shell,
  { inbox: { id } }: Pick<Session, 'inbox'>,
  field: 'from' | 'to',
  address: string,
): Action | null =>
  id === null
    ? null
    : {
        name: `Search for mail ${field} this person`,
        icon: Search,
        run: () =>
          route.go({
            view: 'search',
            inboxId: id,
            query: `in:anywhere ${field}:${quoteValue(address)}`,
            threadId: null,
          }),
      }

export const openContact = ({ route }: Shell, contactId: string): Action => ({
  name: 'Open in Contacts',
  icon: UserRound,
  run: () => route.go({ view: 'contacts', id: contactId }),
})

export const listContactActions = (
  { route }: Shell,
  { contactEditor: editor }: Pick<Session, 'contactEditor'>,
  contact: Contact,
): readonly Action[] => [
  { name: 'Edit contact…', icon: UserPen, run: () => editor.askToEdit(contact) },
  { name: 'Segments…', icon: FolderTree, run: () => editor.askForSegments([contact]) },
  {
    name: 'Delete contact',
    icon: Trash,
    run: () => {
      void editor.remove([contact])
      const { current } = route
      if (current.view === 'contacts' && current.id === contact.id) route.replace({ view: 'contacts', id: null })
    },
  },
]

export const listPersonActions = (
  shell: Shell,
  session: ActingSession,
  { name, address, contact, suppression }: Somebody,
): readonly Action[] => {
  const { route } = shell
  const isOpen = contact !== null && route.current.view === 'contacts' && route.current.id === contact.id
  const actions = [
    writeTo(session, { name, address }),
    searchForPerson(shell, session, 'from', address),
    searchForPerson(shell, session, 'to', address),
    contact === null
      ? { name: 'Add to contacts…', icon: UserPlus, run: () => session.contactEditor.askToAdd(address, name) }
      : isOpen
        ? null
        : openContact(shell, contact.id),
    ...(contact === null ? [] : listContactActions(shell, session, contact)),
    suppression === null
      ? null
      : {
          name: 'Remove from suppression list…',
          icon: MailCheck,
          run: () => askToUnsuppress({ session, shell }, address, suppression),
        },
    copyAddress(shell, address),
    name === null
      ? null
      : {
          name: 'Copy name and address',
          icon: Copy,
          run: () => void copyText(shell.toasts, formatRecipient({ name, address }), 'Name and address copied.'),
        },
  ]
  return actions.filter((action) => action !== null)
}
