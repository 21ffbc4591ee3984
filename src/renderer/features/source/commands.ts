import Code from '@lucide/svelte/icons/code'
import Download from '@lucide/svelte/icons/download'
import type { Command, CommandContext } from '../../kernel/commands.ts'
import { type AboutEmail, emailBeingRead } from './about-email.ts'
import { saveOriginal } from './save-original.ts'

/** What can be done with one e-mail: a command for the one that is being read, an entry of the menu of each. */
export interface EmailCommand extends Command {
  readonly icon: NonNullable<Command['icon']>
  readonly isFor: (email: AboutEmail) => boolean
  readonly runFor: (context: CommandContext, email: AboutEmail) => void
}

const emailCommand = (
  command: Pick<EmailCommand, 'id' | 'name' | 'words' | 'icon' | 'keys' | 'isFor' | 'runFor'> &
    Partial<Pick<EmailCommand, 'inText'>>,
): EmailCommand => ({
  ...command,
  group: 'Actions',
  when: (context) => {
    const email = emailBeingRead(context)
    return email !== null && command.isFor(email)
  },
  run: (context) => {
    const email = emailBeingRead(context)
    if (email !== null) command.runFor(context, email)
  },
})

/** The platform keeps no original of what was sent by its list of sent e-mails (platform facts 6). */
const mayHaveOriginal = ({ of }: AboutEmail): boolean => of.list !== 'sent'

/** In the order of the menu. */
export const EMAIL_COMMANDS: readonly EmailCommand[] = [
  emailCommand({
    id: 'email.source',
    name: 'Show source',
    words: 'message raw original headers view code',
    icon: Code,
    keys: ['Mod+u'],
    isFor: mayHaveOriginal,
    runFor: ({ session }, email) => session.messageSource.open(email),
  }),
  emailCommand({
    id: 'email.saveOriginal',
    name: 'Save as .eml',
    words: 'download raw original file export message',
    icon: Download,
    keys: [],
    isFor: mayHaveOriginal,
    runFor: ({ shell }, { of }) => void saveOriginal(shell, of),
  }),
]
