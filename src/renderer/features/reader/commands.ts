import Image from '@lucide/svelte/icons/image'
import Search from '@lucide/svelte/icons/search'
import Share from '@lucide/svelte/icons/share-2'
import type { Command, CommandContext, PaletteItem, PaletteSource } from '../../kernel/commands.ts'
import { isEmailListRoute, isThreadRoute } from '../../kernel/route.ts'
import { listOpenEmails } from '../source/email-target.ts'
import MessageSquare from '@lucide/svelte/icons/message-square'
import { FOLDERS } from '../../../shared/model.ts'
import { toDisplayName } from '../../../shared/address.ts'
import { formatSubject } from '../threads/correspondent.ts'

const isReading = ({ navigator }: CommandContext): boolean => navigator.isReading

/** Scrolls the text. At its end or start, opens the next or previous thread instead. */
const scrollReading = ({ navigator, session }: CommandContext, direction: 1 | -1): void => {
  if (!session.reading.scroll(direction)) navigator.step(direction)
}

/** Opens the dialog for the open e-mail, or the newest of a thread. */
export const shareNewestEmail: Command = {
  id: 'reader.share',
  name: 'Share link',
  words: 'publish send url email',
  group: 'Actions',
  icon: Share,
  // The platform makes no links to deleted e-mails.
  when: (context) => listOpenEmails(context).at(-1)?.onServer === true,
  run: (context) => {
    const email = listOpenEmails(context).at(-1)
    if (email !== undefined) context.session.shareLink.open(email.of, email)
  },
}

const showPictures: Command = {
  id: 'reader.showPictures',
  name: 'Show pictures',
  words: 'images remote blocked content load display',
  group: 'Reading',
  icon: Image,
  when: ({ session }) => session.mailDisplay.waiting.length > 0,
  run: ({ session: { mailDisplay } }) => {
    for (const mail of mailDisplay.waiting) mailDisplay.showPictures(mail)
  },
}

/** ID of the open thread or single e-mail, or null. */
const openMail = ({ shell, session }: CommandContext): string | null => {
  const { current } = shell.route
  if (isEmailListRoute(current)) return session[current.view].email === null ? null : current.id
  if (!isThreadRoute(current) || session.conversation.conversation === null) return null
  return current.threadId
}

const EMAIL_STEPS = (
  [
    { id: 'reader.nextEmail', name: 'Next message', words: 'newer email down', keys: ['n'], by: 1 },
    { id: 'reader.previousEmail', name: 'Previous message', words: 'older email up', keys: ['p'], by: -1 },
  ] as const
).map(({ by, ...command }): Command => ({
  ...command,
  group: 'Reading',
  when: ({ session }) => session.conversation.conversation !== null,
  run: ({ session }) => session.reading.goToEmail(by),
}))

const PAGE_STEPS = (
  [
    { id: 'reader.pageDown', name: 'Scroll down', keys: ['PageDown'], by: 1 },
    { id: 'reader.pageUp', name: 'Scroll up', keys: ['PageUp'], by: -1 },
  ] as const
).map(({ by, ...command }): Command => ({
  ...command,
  words: 'page',
  group: 'Reading',
  when: isReading,
  run: ({ session }) => void session.reading.scroll(by),
}))

export const READER_COMMANDS: readonly Command[] = [
  {
    id: 'reader.foldEmail',
    name: 'Expand or collapse message',
    words: 'fold unfold email',
    group: 'Reading',
    keys: ['Enter', 'o'],
    when: ({ session }) => session.reading.emailInFocus !== null,
    run: ({ session }) => session.reading.fold(),
  },
  ...EMAIL_STEPS,
  showPictures,
  {
    id: 'reader.find',
    name: 'Find in thread',
    words: 'search conversation email text words',
    group: 'Reading',
    icon: Search,
    keys: ['Mod+f'],
    inText: true,
    when: (context) => openMail(context) !== null,
    run: (context) => {
      const id = openMail(context)
      if (id !== null) context.session.find.open(id)
    },
  },
  {
    id: 'reader.on',
    name: 'Page down, then next thread',
    words: 'scroll page down',
    group: 'Reading',
    keys: ['Space'],
    when: ({ navigator }) => navigator.hasList,
    run: (context) => {
      if (context.navigator.isReading) scrollReading(context, 1)
      else context.navigator.openAtCursor()
    },
  },
  {
    id: 'reader.back',
    name: 'Page up',
    words: 'scroll page up',
    group: 'Reading',
    keys: ['Shift+Space'],
    when: isReading,
    run: (context) => scrollReading(context, -1),
  },
  ...PAGE_STEPS,
]

export const recentThreadItems: PaletteSource = ({ session: { conversation } }) =>
  conversation.recent
    .filter(({ id }) => id !== conversation.threadId)
    .map(({ id, inboxId, subject, from, folder: name }): PaletteItem => ({
      id: `thread ${id}`,
      name: formatSubject(subject),
      detail: toDisplayName(from),
      icon: MessageSquare,
      go: ({ shell }) => {
        const folder = FOLDERS.find((each) => each === name) ?? 'inbox'
        shell.route.go({ view: 'folder', inboxId, folder, threadId: id })
      },
    }))
