import {
  openAccountReader,
  toReadableText,
  type AccountReader,
  type ReaderItem,
} from '../engine/files/account-reader.ts'
import type { Email } from '../shared/model.ts'
import type { Attachment } from '../shared/attachments.ts'
import type { LocalAccount } from './local-accounts.ts'
import { toItemLine } from './json-mail.ts'
import { toSafeJson, sanitizeLine, sanitizeText } from './safe-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface ShowOptions {
  readonly id: string
  readonly as: 'text' | 'json' | 'raw'
}

interface Head {
  readonly from: string
  readonly to: readonly string[]
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
  readonly subject: string | null
  readonly time: number
  readonly attachments: readonly Attachment[]
}

const attachmentName = ({ filename, size }: Attachment): string =>
  `${filename === null || filename === '' ? 'unnamed' : filename}${size === null ? '' : ` (${size} bytes)`}`

const headLines = ({ from, to, cc = [], bcc = [], subject, time, attachments }: Head): readonly string[] =>
  [
    ['From', from],
    ['To', to.join(', ')],
    ['Cc', cc.join(', ')],
    ['Bcc', bcc.join(', ')],
    ['Date', new Date(time).toString()],
    ['Subject', subject ?? '(no subject)'],
    ...attachments.map((attachment) => ['Attachment', attachmentName(attachment)]),
  ].flatMap(([name = '', value = '']) => (value === '' ? [] : [`${name}: ${sanitizeLine(value)}`]))

const NO_TEXT = '[The text of this message is not on this computer. Open it in Linnet, or sync.]'

const emailLines = (head: Head, body: Parameters<typeof toReadableText>[0]): readonly string[] => {
  const text = toReadableText(body)
  return [...headLines(head), '', ...(text === null ? NO_TEXT : sanitizeText(text).trimEnd()).split('\n')]
}

const threadEmailLines = (email: Email): readonly string[] => emailLines({ ...email, time: email.receivedAt }, email)

const textLines = (item: ReaderItem): readonly string[] => {
  switch (item.kind) {
    case 'thread': {
      const { emails, thread } = item
      if (emails.length === 0) {
        const { from, to, subject, receivedAt } = thread
        return emailLines({ from: from ?? '', to, subject, time: receivedAt, attachments: [] }, {})
      }
      return emails.flatMap((email, at) => [...(at === 0 ? [] : ['', '─'.repeat(40), '']), ...threadEmailLines(email)])
    }
    case 'email':
      return threadEmailLines(item.email)
    case 'received':
      return emailLines({ ...item.email, time: item.email.createdAt }, item.email)
    case 'sent':
      return emailLines({ ...item.email, time: item.email.createdAt, attachments: [] }, item.email)
  }
}

const printOriginal = async (reader: AccountReader, item: ReaderItem, terminal: Terminal): Promise<ExitCode> => {
  if (item.kind === 'thread') {
    const message = 'A thread has no original. Choose one of its messages.'
    throw new CommandError(
      message,
      EXIT.usage,
      item.emails.map(({ id }) => `  ${id}`),
    )
  }
  if (terminal.columns !== null) {
    const message =
      'An original can contain terminal control codes. Redirect it to a file or another program: show ID --raw > FILE'
    throw new CommandError(message, EXIT.usage)
  }
  const bytes = await reader.original(item)
  if (bytes === null) {
    throw new CommandError(
      'The raw message is not on this computer. Open the message in Linnet to download it.',
      EXIT.nothing,
    )
  }
  terminal.write(bytes)
  return EXIT.done
}

const inboxOf = (reader: AccountReader) => {
  const inboxes = reader.inboxes()
  return (inboxId: string): string => inboxes.find(({ id }) => id === inboxId)?.emailAddress ?? inboxId
}

/** `linnet show`: shows a thread or an e-mail by its ID, from local data. */
export const showMail = async (
  accounts: readonly LocalAccount[],
  { id, as }: ShowOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  for (const account of accounts) {
    const reader = openAccountReader(account.directory)
    try {
      const item = reader.find(id)
      if (item === null) continue
      if (as === 'raw') return await printOriginal(reader, item, terminal)
      if (as === 'json') terminal.print(toSafeJson(toItemLine(account, item, inboxOf(reader))))
      else for (const line of textLines(item)) terminal.print(line)
      return EXIT.done
    } finally {
      reader.close()
    }
  }
  throw new CommandError(`No thread or message “${id}” on this computer.`, EXIT.nothing)
}
