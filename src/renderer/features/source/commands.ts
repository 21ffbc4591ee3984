import AlignLeft from '@lucide/svelte/icons/align-left'
import Code from '@lucide/svelte/icons/code'
import Moon from '@lucide/svelte/icons/moon'
import MoonStar from '@lucide/svelte/icons/moon-star'
import ImageDown from '@lucide/svelte/icons/image-down'
import Download from '@lucide/svelte/icons/download'
import FileDown from '@lucide/svelte/icons/file-down'
import MailX from '@lucide/svelte/icons/mail-x'
import FileSearch from '@lucide/svelte/icons/file-search'
import Printer from '@lucide/svelte/icons/printer'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { type EmailTarget, listConversationEmails, findOpenEmail } from './email-target.ts'
import { canPrintInHost, printEmails } from './printing.ts'
import { saveRawMessage } from './save-raw-message.ts'

/** A command for the e-mail being read, and an entry in each e-mail's menu. */
export interface EmailCommand extends Command {
  readonly icon: NonNullable<Command['icon']>
  /** Name for the current state, by default the command's name. */
  readonly nameFor?: (context: CommandContext, email: EmailTarget) => string
  readonly isFor: (email: EmailTarget, context: CommandContext) => boolean
  readonly runFor: (context: CommandContext, email: EmailTarget) => void
}

const emailCommand = (
  command: Pick<EmailCommand, 'id' | 'name' | 'words' | 'icon' | 'keys' | 'isFor' | 'runFor'> &
    Partial<Pick<EmailCommand, 'nameFor'>>,
): EmailCommand => ({
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

const printDependencies = ({ shell, session }: CommandContext): Parameters<typeof printEmails>[2] => ({
  ...shell,
  pictures: session.pictures,
})

const isFormatted = ({ printable: { html, apart } }: EmailTarget): boolean =>
  (html ?? '').trim() !== '' || (apart?.html ?? 0) > 0

/** In menu order. */
export const EMAIL_COMMANDS: readonly EmailCommand[] = [
  emailCommand({
    id: 'email.asText',
    name: 'Show as plain text',
    words: 'formatted html words simple e-mail',
    icon: AlignLeft,
    keys: [],
    nameFor: ({ session }, { of }) => (session.asText.has(of) ? 'Show formatted' : 'Show as plain text'),
    isFor: isFormatted,
    runFor: ({ session }, { of }) => session.asText.toggle(of),
  }),
  emailCommand({
    id: 'email.dark',
    name: 'Show dark',
    words: 'mode night black background colours light e-mail',
    icon: Moon,
    keys: [],
    nameFor: ({ session }, { of }) => (session.darkMail.drawn(of)?.isDark === true ? 'Show as sent' : 'Show dark'),
    isFor: ({ of }, { session }) => session.darkMail.drawn(of) !== null,
    runFor: ({ session }, { of }) => session.darkMail.toggle(of),
  }),
  emailCommand({
    id: 'email.darkAlways',
    name: 'Always use dark colours for this sender',
    words: 'mode night black background colours remember e-mail',
    icon: MoonStar,
    keys: [],
    nameFor: ({ session }, { of }) => {
      const policy = session.darkMail.drawn(of)?.policy
      return `${policy?.isDark === true ? 'Stop always using' : 'Always use'} dark colours for ${policy?.sender ?? 'this sender'}`
    },
    // With "always dark", only earlier choices can be revoked.
    isFor: ({ of }, { session, shell }) => {
      const policy = session.darkMail.drawn(of)?.policy
      if (typeof policy?.sender !== 'string') return false
      return policy.isDark || shell.preferences.values.darkMail === 'as-sent'
    },
    runFor: ({ session }, { of }) => void session.darkMail.toggleAlways(of),
  }),
  emailCommand({
    id: 'email.unsubscribe',
    name: 'Unsubscribe',
    words: 'mailing list newsletter leave stop opt out',
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
    keys: [],
    isFor: hasRawMessage,
    runFor: ({ shell }, { of }) => void saveRawMessage(shell, of),
  }),
  emailCommand({
    id: 'email.savePicture',
    name: 'Save picture as…',
    words: 'image photo download file e-mail',
    icon: ImageDown,
    keys: [],
    isFor: ({ of }, { session }) => session.pictureSaver.of(of).length > 0,
    runFor: ({ session }, { of }) => void session.pictureSaver.ask(of),
  }),
  emailCommand({
    id: 'email.print',
    name: 'Print',
    words: 'paper printer e-mail message',
    icon: Printer,
    keys: ['Mod+p'],
    isFor: () => true,
    runFor: (context, email) => void printEmails([email], 'paper', printDependencies(context)),
  }),
  emailCommand({
    id: 'email.printPreview',
    name: 'Print preview',
    words: 'paper printer pages look e-mail message',
    icon: FileSearch,
    keys: [],
    isFor: canPrintInHost,
    runFor: ({ session }, email) => session.printPreview.open([email]),
  }),
  emailCommand({
    id: 'email.pdf',
    name: 'Save as PDF',
    words: 'print file export e-mail message',
    icon: FileDown,
    keys: [],
    isFor: canPrintInHost,
    runFor: (context, email) => void printEmails([email], 'pdf', printDependencies(context)),
  }),
]

const isConversationOpen = (context: CommandContext): boolean => listConversationEmails(context).length > 0

export const CONVERSATION_PRINT_COMMANDS: readonly Command[] = [
  {
    id: 'conversation.print',
    name: 'Print thread',
    words: 'paper printer conversation all',
    group: 'Actions',
    icon: Printer,
    keys: [],
    when: isConversationOpen,
    run: (context) => void printEmails(listConversationEmails(context), 'paper', printDependencies(context)),
  },
  {
    id: 'conversation.printPreview',
    name: 'Print preview of thread',
    words: 'paper printer pages look conversation all',
    group: 'Actions',
    icon: FileSearch,
    keys: [],
    when: (context) => canPrintInHost() && isConversationOpen(context),
    run: (context) => context.session.printPreview.open(listConversationEmails(context)),
  },
  {
    id: 'conversation.pdf',
    name: 'Save thread as PDF',
    words: 'print file export conversation all',
    group: 'Actions',
    icon: FileDown,
    keys: [],
    when: (context) => canPrintInHost() && isConversationOpen(context),
    run: (context) => void printEmails(listConversationEmails(context), 'pdf', printDependencies(context)),
  },
]
