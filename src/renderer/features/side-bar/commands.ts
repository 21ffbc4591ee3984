import Archive from '@lucide/svelte/icons/archive'
import HardDrive from '@lucide/svelte/icons/hard-drive'
import Inbox from '@lucide/svelte/icons/inbox'
import OctagonAlert from '@lucide/svelte/icons/octagon-alert'
import Send from '@lucide/svelte/icons/send'
import Trash from '@lucide/svelte/icons/trash-2'
import type { Component } from 'svelte'
import { FOLDERS, type Folder } from '../../../shared/model.ts'
import type { Command } from '../../kernel/commands.ts'
import { folderName } from '../mailboxes/folder-name.ts'
import { MARK_LISTS } from '../threads/mark-lists.ts'

const FOLDER_ENTRIES: Readonly<Record<Folder, { icon: Component; keys?: readonly string[]; words: string }>> = {
  inbox: { icon: Inbox, keys: ['g i'], words: 'home new mail' },
  archive: { icon: Archive, keys: ['g a'], words: 'done' },
  spam: { icon: OctagonAlert, words: 'junk' },
  sent: { icon: Send, keys: ['g t'], words: 'outgoing' },
  trash: { icon: Trash, words: 'deleted bin' },
}

const FOLDER_COMMANDS: readonly Command[] = FOLDERS.map((folder) => ({
  ...FOLDER_ENTRIES[folder],
  id: `go.${folder}`,
  name: `Go to ${folderName(folder).toLowerCase()}`,
  group: 'Go to',
  when: ({ session }) => session.inbox.id !== null,
  run: ({ shell, session }) => {
    const { id } = session.inbox
    if (id !== null) shell.route.go({ view: 'folder', inboxId: id, folder, threadId: null })
  },
}))

/** Mail that the platform has deleted. */
const goToLocalOnly: Command = {
  id: 'go.onlyHere',
  name: 'Go to only here',
  words: 'kept deleted platform computer local dropped old',
  group: 'Go to',
  icon: HardDrive,
  when: ({ session }) => session.inbox.id !== null,
  run: ({ shell, session }) => {
    const { id } = session.inbox
    if (id !== null) shell.route.go({ view: 'localOnly', inboxId: id, threadId: null })
  },
}

/** Lists of local thread states, each a search by its query. */
const MARK_LIST_COMMANDS: readonly Command[] = MARK_LISTS.map(({ id, name, query, icon, keys, words }) => ({
  ...{ id, words, icon, keys },
  name: `Go to ${name.toLowerCase()}`,
  group: 'Go to',
  when: ({ session }) => session.inbox.id !== null,
  run: ({ shell, session }) => {
    const { id: inboxId } = session.inbox
    if (inboxId !== null) shell.route.go({ view: 'search', inboxId, query, threadId: null })
  },
}))

export const MAILBOX_COMMANDS: readonly Command[] = [...FOLDER_COMMANDS, ...MARK_LIST_COMMANDS, goToLocalOnly]
