import FolderTree from '@lucide/svelte/icons/folder-tree'
import ListChecks from '@lucide/svelte/icons/list-checks'
import ListX from '@lucide/svelte/icons/list-x'
import Megaphone from '@lucide/svelte/icons/megaphone'
import Pencil from '@lucide/svelte/icons/pencil'
import Upload from '@lucide/svelte/icons/upload'
import SquareCheck from '@lucide/svelte/icons/square-check'
import Trash from '@lucide/svelte/icons/trash-2'
import UserPlus from '@lucide/svelte/icons/user-plus'
import { chooseFile } from '../../ui/choose-file.ts'
import type { Contact } from '../../../shared/people.ts'
import type { Command, CommandContext } from '../../kernel/commands.ts'

const isInContacts = ({ shell }: CommandContext): boolean => shell.route.current.view === 'contacts'

const targetContacts = (context: CommandContext): readonly Contact[] => {
  const { current } = context.shell.route
  if (current.view !== 'contacts') return []
  const { contacts } = context.session
  if (!contacts.selection.isEmpty) return contacts.selection.contacts
  const contact = current.id === null ? contacts.cursor.row(contacts.list) : contacts.contact
  return contact === null || contact === undefined ? [] : [contact]
}

const disabledReason = (context: CommandContext): string | null =>
  isInContacts(context) ? 'Choose a contact first.' : null

const addContact: Command = {
  id: 'contact.add',
  name: 'Add contact',
  words: 'new person people create',
  group: 'Actions',
  icon: UserPlus,
  run: ({ session }) => session.contactEditor.askToAdd('', null),
}

export const importContacts: Command = {
  id: 'contact.import',
  name: 'Import contacts…',
  words: 'csv table spreadsheet file upload',
  group: 'Linnet',
  icon: Upload,
  run: ({ shell, session }) => {
    void chooseFile('.csv,.tsv,.txt,text/csv,text/tab-separated-values').then((file) => {
      if (file === null) return
      shell.route.go({ view: 'contacts', id: null })
      void session.tableImport.open(file, session.contactEditor.load())
    })
  },
}

const editContact: Command = {
  id: 'contact.edit',
  name: 'Edit contact',
  words: 'change name property rename unsubscribed person',
  group: 'Actions',
  icon: Pencil,
  keys: ['E'],
  when: (context) => targetContacts(context).length === 1,
  disabledReason,
  run: (context) => {
    const [contact] = targetContacts(context)
    if (contact !== undefined) context.session.contactEditor.askToEdit(contact)
  },
}

export const editSegments: Command = {
  id: 'contact.segments',
  name: 'Contact segments',
  words: 'segment audience group put into take out list',
  group: 'Actions',
  icon: FolderTree,
  keys: ['l'],
  when: (context) => targetContacts(context).length > 0,
  disabledReason,
  run: (context) => context.session.contactEditor.askForSegments(targetContacts(context)),
}

export const changeTopics: Command = {
  id: 'contact.topics',
  name: 'Contact topics',
  words: 'subscribe unsubscribe many all newsletter opt in out',
  group: 'Actions',
  icon: Megaphone,
  keys: ['t'],
  when: (context) => isInContacts(context) && context.session.contacts.list.total > 0,
  run: (context) => {
    const { contacts, topics } = context.session
    topics.askForMany({
      contacts: targetContacts(context),
      query: contacts.query,
      get matching() {
        return contacts.list.total
      },
    })
  },
}

export const manageTopics: Command = {
  id: 'topic.manage',
  name: 'Topics…',
  words: 'manage topic newsletter subscription list edit delete rename contacts',
  group: 'Actions',
  icon: Megaphone,
  run: ({ shell, session }) => {
    if (shell.route.current.view !== 'contacts') shell.route.go({ view: 'contacts', id: null })
    session.topics.open()
  },
}

const createTopic: Command = {
  id: 'topic.create',
  name: 'New topic…',
  words: 'create add topic newsletter subscription contacts',
  group: 'Actions',
  icon: Megaphone,
  run: ({ shell, session }) => {
    if (shell.route.current.view !== 'contacts') shell.route.go({ view: 'contacts', id: null })
    session.topics.ask({ act: 'create' })
  },
}

export const deleteContacts: Command = {
  id: 'contact.delete',
  name: 'Delete contacts',
  words: 'remove person people',
  isDestructive: true,
  group: 'Actions',
  icon: Trash,
  keys: ['#', 'Delete'],
  when: (context) => targetContacts(context).length > 0,
  disabledReason,
  run: (context) => {
    const contacts = targetContacts(context)
    const { current } = context.shell.route
    // Before navigating away, because undo returns to the place that is open now.
    void context.session.contactEditor.remove(contacts)
    context.session.contacts.selection.clear()
    const openId = current.view === 'contacts' ? current.id : null
    if (openId !== null && contacts.some(({ id }) => id === openId)) context.navigator.replaceOpen(null)
  },
}

/** Claims Escape while something is selected, so it must come before Back. */
export const clearContactSelection: Command = {
  id: 'contact.selectNone',
  name: 'Clear contact selection',
  words: 'clear unselect deselect none',
  group: 'Selection',
  icon: ListX,
  keys: ['* n', 'Escape'],
  when: (context) => isInContacts(context) && !context.session.contacts.selection.isEmpty,
  run: ({ session, frame }) => {
    session.contacts.selection.clear()
    frame.focusListFromOutside()
  },
}

export const CONTACT_SELECTION_COMMANDS: readonly Command[] = [
  {
    id: 'contact.select',
    name: 'Select contact',
    words: 'check mark tick unselect',
    group: 'Selection',
    icon: SquareCheck,
    keys: ['x'],
    when: (context) => isInContacts(context) && context.session.contacts.list.total > 0,
    run: ({ session: { contacts } }) => contacts.selection.toggle(contacts.cursor.index),
  },
  {
    id: 'contact.selectAll',
    name: 'Select all contacts that are shown',
    words: 'everything page loaded',
    group: 'Selection',
    icon: ListChecks,
    keys: ['* a', 'Mod+a'],
    when: (context) => isInContacts(context) && context.session.contacts.list.total > 0,
    run: ({ session }) => session.contacts.selection.addLoaded(),
  },
  clearContactSelection,
]

export const CONTACT_COMMANDS: readonly Command[] = [
  addContact,
  importContacts,
  editContact,
  editSegments,
  changeTopics,
  deleteContacts,
  manageTopics,
  createTopic,
]
