import AlignLeft from '@lucide/svelte/icons/align-left'
import Code from '@lucide/svelte/icons/code'
import Moon from '@lucide/svelte/icons/moon'
import MoonStar from '@lucide/svelte/icons/moon-star'
import ImageDown from '@lucide/svelte/icons/image-down'
import Download from '@lucide/svelte/icons/download'
import FolderDown from '@lucide/svelte/icons/folder-down'
import FileDown from '@lucide/svelte/icons/file-down'
import MailX from '@lucide/svelte/icons/mail-x'
import FileSearch from '@lucide/svelte/icons/file-search'
import Printer from '@lucide/svelte/icons/printer'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { type EmailTarget, listConversationEmails, findOpenEmail } from './email-target.ts'
import { canPrintInHost, printEmails } from './printing.ts'
import type { Attachment } from '../../../shared/attachments.ts'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { Shell } from '../../kernel/session.ts'
import { reportSavedFile } from '../../kernel/report-saved-file.ts'

export const saveRawMessage = async ({ backend, toasts }: Pick<Shell, 'backend' | 'toasts'>, of: BodyOwner) =>
  reportSavedFile(toasts, await backend.call('original.save', { of }))

/** A command for the e-mail being read, and an entry in each e-mail's menu. */
export interface EmailCommand extends Command {
  readonly icon: NonNullable<Command['icon']>
  /** Name for the current state, by default the command's name. */
  readonly nameFor?: (context: CommandContext, email: EmailTarget) => string
  readonly isFor: (email: EmailTarget, context: CommandContext) => boolean
  readonly runFor: (context: CommandContext, email: EmailTarget) => void
}

const emailCommand = (command: Omit<EmailCommand, 'group' | 'when' | 'run'>): EmailCommand => ({
  ...command,
  group: 'Actions',
  when: (context) => {
    const email = findOpenEmail(context)
    return email !== null && command.isFor(email, context)
  },
  run: (context) => {
    const email = findOpenEmail(context)
    if (email !== null) command.runFor(context, email)
  },
})

/** The platform has no raw messages for sent e-mails (platform.md 20.7). */
const hasRawMessage = ({ of }: EmailTarget): boolean => of.list !== 'sent'

/** Attachments that aren't pictures shown in the text. */
const findFiles = ({ of, attachments = [] }: EmailTarget, { session }: CommandContext): readonly Attachment[] =>
  attachments.filter((attachment) => !session.mailDisplay.isInlinePicture(of, attachment))

const isFormatted = ({ html, apart }: EmailTarget): boolean => (html ?? '').trim() !== '' || (apart?.html ?? 0) > 0

/** Commands for an e-mail and for the open thread. */
const PRINT_COMMANDS: readonly (Pick<EmailCommand, 'id' | 'words' | 'icon' | 'keys'> & {
  readonly names: readonly [email: string, thread: string]
  readonly isAvailable: () => boolean
  readonly print: (context: CommandContext, emails: readonly EmailTarget[]) => void
})[] = [
  {
    id: 'print',
    names: ['Print', 'Print thread'],
    words: 'paper printer',
    icon: Printer,
    keys: ['Mod+p'],
    isAvailable: () => true,
    print: (context, emails) => void printEmails(emails, 'paper', context),
  },
  {
    id: 'printPreview',
    names: ['Print preview', 'Print preview of thread'],
    words: 'paper printer pages look',
    icon: FileSearch,
    isAvailable: canPrintInHost,
    print: ({ session }, emails) => session.printPreview.show(emails),
  },
  {
    id: 'pdf',
    names: ['Save as PDF', 'Save thread as PDF'],
    words: 'print file export',
    icon: FileDown,
    isAvailable: canPrintInHost,
    print: (context, emails) => void printEmails(emails, 'pdf', context),
  },
]

/** In menu order. */
export const EMAIL_COMMANDS: readonly EmailCommand[] = [
  emailCommand({
    id: 'email.asText',
    name: 'Show as plain text',
    words: 'formatted html words simple e-mail',
    icon: AlignLeft,
    nameFor: ({ session }, { of }) => (session.mailDisplay.isAsText(of) ? 'Show formatted' : 'Show as plain text'),
    isFor: isFormatted,
    runFor: ({ session }, { of }) => session.mailDisplay.toggleAsText(of),
  }),
  emailCommand({
    id: 'email.dark',
    name: 'Show dark',
    words: 'mode night black background colours light e-mail',
    icon: Moon,
    nameFor: ({ session }, { of }) => (session.mailDisplay.colored(of)?.isDark === true ? 'Show as sent' : 'Show dark'),
    isFor: ({ of }, { session }) => session.mailDisplay.colored(of) !== null,
    runFor: ({ session }, { of }) => session.mailDisplay.toggleDark(of),
  }),
  emailCommand({
    id: 'email.darkAlways',
    name: 'Always use dark colours for this sender',
    words: 'mode night black background colours remember e-mail',
    icon: MoonStar,
    nameFor: ({ session }, { of }) => {
      const policy = session.mailDisplay.colored(of)?.policy
      return `${policy?.isDark === true ? 'Stop always using' : 'Always use'} dark colours for ${policy?.sender ?? 'this sender'}`
    },
    // With "always dark", only earlier choices can be revoked.
    isFor: ({ of }, { session, shell }) => {
      const policy = session.mailDisplay.colored(of)?.policy
      if (typeof policy?.sender !== 'string') return false
      return policy.isDark || shell.preferences.values.darkMail === 'as-sent'
    },
    runFor: ({ session }, { of }) => void session.mailDisplay.toggleAlwaysDark(of),
  }),
  emailCommand({
    id: 'email.unsubscribe',
    name: 'Unsubscribe',
    words: 'mailing list newsletter leave stop opt out',
    isDestructive: true,
    icon: MailX,
    keys: ['q'],
    isFor: ({ of }, { session }) => session.unsubscribe.offerOf(of) !== null,
    runFor: ({ session }, { of }) => session.unsubscribe.open(of),
  }),
  emailCommand({
    id: 'email.source',
    name: 'Show source',
    words: 'message raw original headers view code',
    icon: Code,
    keys: ['Mod+u'],
    isFor: hasRawMessage,
    runFor: ({ session }, email) => session.messageSource.open(email),
  }),
  emailCommand({
    id: 'email.saveOriginal',
    name: 'Save as .eml',
    words: 'download raw original file export message',
    icon: Download,
    isFor: hasRawMessage,
    runFor: ({ shell }, { of }) => void saveRawMessage(shell, of),
  }),
  emailCommand({
    id: 'email.saveAttachments',
    name: 'Save attachments',
    words: 'download files all',
    icon: FolderDown,
    keys: ['Mod+s'],
    isFor: (email, context) => findFiles(email, context).length > 0,
    runFor: (context, email) => void context.session.attachments.saveAll(email.of, findFiles(email, context)),
  }),
  emailCommand({
    id: 'email.savePicture',
    name: 'Save picture as…',
    words: 'image photo download file e-mail',
    icon: ImageDown,
    isFor: ({ of }, { session }) => session.mailDisplay.picturesOf(of).length > 0,
    runFor: ({ session }, { of }) => void session.mailDisplay.savePicture(of),
  }),
  ...PRINT_COMMANDS.map(({ id, names: [name], words, isAvailable, print, ...command }) =>
    emailCommand({
      ...command,
      id: `email.${id}`,
      name,
      words: `${words} e-mail message`,
      isFor: isAvailable,
      runFor: (context, email) => print(context, [email]),
    }),
  ),
]

export const CONVERSATION_PRINT_COMMANDS: readonly Command[] = PRINT_COMMANDS.map(
  ({ id, names: [, name], words, icon, isAvailable, print }) => ({
    id: `conversation.${id}`,
    name,
    words: `${words} conversation all`,
    group: 'Actions',
    icon,
    when: (context) => isAvailable() && listConversationEmails(context).length > 0,
    run: (context) => print(context, listConversationEmails(context)),
  }),
)
