import AppWindow from '@lucide/svelte/icons/app-window'
import BellRing from '@lucide/svelte/icons/bell-ring'
import Archive from '@lucide/svelte/icons/archive'
import CaseSensitive from '@lucide/svelte/icons/case-sensitive'
import Clock from '@lucide/svelte/icons/clock'
import Ellipsis from '@lucide/svelte/icons/ellipsis'
import Heading from '@lucide/svelte/icons/heading'
import Maximize from '@lucide/svelte/icons/maximize-2'
import MessageSquareQuote from '@lucide/svelte/icons/message-square-quote'
import Paperclip from '@lucide/svelte/icons/paperclip'
import Send from '@lucide/svelte/icons/send-horizontal'
import Text from '@lucide/svelte/icons/text'
import Trash from '@lucide/svelte/icons/trash-2'
import Users from '@lucide/svelte/icons/users'
import UserRound from '@lucide/svelte/icons/user-round'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { isOverlayOpen } from '../../kernel/listen-for-keys.ts'
import type { Keymap } from '../../kernel/keymap.svelte.ts'
import type { ComposerForm } from './composer-form.svelte.ts'

/** Composer that a command applies to. It must have focus: otherwise its shortcuts could send by accident. */
const formOf = ({ session }: CommandContext): ComposerForm | null => {
  const form = session.writing.composers.active?.form ?? null
  return form !== null && (form.hasFocus || isOverlayOpen()) ? form : null
}

export const formatCommandTitle = (command: Command, keymap: Pick<Keymap, 'capsOf'>): string => {
  const caps = keymap.capsOf(command)
  return caps === undefined ? command.name : `${command.name} (${caps.join(' ')})`
}

type Entry = Pick<Command, 'id' | 'name' | 'words' | 'isDestructive'> & {
  readonly icon: NonNullable<Command['icon']>
  readonly keys?: Command['keys']
}

const inForm = (
  { keys = [], ...entry }: Entry,
  /** Runs the command in a form, wherever the focus is. */
  act: (form: ComposerForm) => void,
  can: (form: ComposerForm) => boolean = () => true,
): Command & Entry & { readonly act: typeof act } => ({
  ...entry,
  keys,
  act,
  group: 'Writing',
  inText: true,
  when: (context) => {
    const form = formOf(context)
    return form !== null && can(form)
  },
  run: (context) => {
    const form = formOf(context)
    if (form !== null) act(form)
  },
})

/** Commands of the composer in use, in the palette's order. */
export const COMPOSER = {
  send: inForm(
    { id: 'writing.send', name: 'Send', words: 'message submit', icon: Send, keys: ['Mod+Enter'] },
    (form) => void form.send('send'),
  ),
  sendAndArchive: inForm(
    {
      ...{ id: 'writing.sendAndArchive', name: 'Send and archive', words: 'message done', icon: Archive },
      keys: ['Mod+Shift+Enter'],
    },
    (form) => void form.send('archive'),
    ({ canArchive }) => canArchive,
  ),
  schedule: inForm(
    { id: 'writing.schedule', name: 'Schedule', words: 'send later time', icon: Clock, keys: ['Mod+Shift+l'] },
    (form) => void form.send('schedule'),
  ),
  remind: inForm(
    {
      ...{ id: 'writing.remind', name: 'Remind me if no one replies', words: 'reminder follow up nudge answer' },
      ...{ icon: BellRing, keys: ['Mod+Shift+h'] },
    },
    (form) => form.remind(),
  ),
  attach: inForm(
    { id: 'writing.attach', name: 'Attach files', words: 'attachment add', icon: Paperclip, keys: ['Mod+Shift+a'] },
    (form) => void form.attach(),
  ),
  cannedReply: inForm(
    {
      ...{ id: 'writing.cannedReply', name: 'Insert canned reply', words: 'template snippet saved text' },
      icon: MessageSquareQuote,
    },
    (form) => form.pickCannedReply(),
  ),
  cc: inForm(
    { id: 'writing.cc', name: 'Add Cc', words: 'recipients copy people', icon: Users, keys: ['Mod+Shift+c'] },
    (form) => void form.show('cc'),
  ),
  bcc: inForm(
    { id: 'writing.bcc', name: 'Add Bcc', words: 'recipients blind copy people', icon: Users, keys: ['Mod+Shift+b'] },
    (form) => void form.show('bcc'),
  ),
  subject: inForm(
    { id: 'writing.subject', name: 'Edit subject', words: 'title line change', icon: Heading, keys: ['Mod+Shift+e'] },
    (form) => void form.show('subject'),
  ),
  from: inForm(
    {
      id: 'writing.from',
      name: 'Change sender',
      words: 'from inbox address account',
      icon: UserRound,
      keys: ['Mod+Shift+f'],
    },
    (form) => void form.show('from'),
    ({ inboxes }) => inboxes.length > 1,
  ),
  formatting: inForm(
    { id: 'writing.formatting', name: 'Formatting', words: 'bold italic list bar rich', icon: CaseSensitive },
    (form) => form.toggleBar(),
    ({ editing }) => editing.fields.format === 'rich',
  ),
  plain: inForm(
    { id: 'writing.plain', name: 'Plain text', words: 'rich formatted html format', icon: Text },
    ({ editing }) => editing.setFormat(editing.fields.format === 'plain' ? 'rich' : 'plain'),
  ),
  quote: inForm(
    { id: 'writing.quote', name: 'Show or hide quoted text', words: 'original history trimmed', icon: Ellipsis },
    (form) => (form.isQuoteShown = !form.isQuoteShown),
    ({ editing }) => editing.fields.quote !== null,
  ),
  widen: inForm(
    {
      id: 'writing.widen',
      name: 'Expand or shrink composer',
      words: 'widen larger smaller full screen composer',
      icon: Maximize,
    },
    (form) => form.widen(),
    ({ place }) => place !== 'window',
  ),
  window: inForm(
    {
      id: 'writing.window',
      name: 'Write in a separate window',
      words: 'pop out separate tab composer',
      icon: AppWindow,
    },
    (form) => void form.openWindow(),
    ({ place }) => place !== 'window',
  ),
  discard: inForm(
    {
      id: 'writing.discardOpen',
      name: 'Discard draft',
      words: 'delete throw away',
      isDestructive: true,
      icon: Trash,
      keys: ['Mod+Shift+d'],
    },
    (form) => form.discard(),
  ),
}
