import { randomUUID } from 'node:crypto'
import { accessSync, constants, openAsBlob, statSync } from 'node:fs'
import { basename } from 'node:path'
import { resolveReplyRecipients, toReplySubject } from '../shared/reply-recipients.ts'
import { FILE_CHUNK_BYTES, type Email, type Inbox } from '../shared/model.ts'
import { parseRecipients } from '../shared/recipients.ts'
import type { DraftContent, DraftFile, Recipient, DraftTarget } from '../shared/drafts.ts'
import type { LocalAccount } from './local-accounts.ts'
import { openWritableAccount, waitUntilSent, type WritableAccount } from './writable-account.ts'
import { matchesInbox, createInboxNotFoundError, readAccount } from './inbox-searches.ts'
import { toSafeJson } from './safe-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

export interface DraftOptions {
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly subject: string | undefined
  /** The thread or message to reply to; undefined for a new message. */
  readonly reply: string | undefined
  readonly isToAll: boolean
  /** The sending inbox; undefined for the thread's inbox, or for the account's only inbox. */
  readonly inbox: string | undefined
  readonly attach: readonly string[]
  readonly isJson: boolean
}

const parseRecipientOption = (typed: readonly string[], option: string): readonly Recipient[] =>
  typed.flatMap((list) => {
    const { recipients, unclear } = parseRecipients(list)
    const [first] = unclear
    if (first === undefined) return recipients
    throw new CommandError(`${option} takes addresses, not “${first}”.`, EXIT.usage)
  })

interface Origin {
  readonly account: LocalAccount
  readonly inbox: Inbox
  readonly own: readonly string[]
  readonly answered: { readonly email: Email; readonly target: DraftTarget } | null
}

const findReplyOrigin = (account: LocalAccount, id: string): Origin | null =>
  readAccount(account, (reader) => {
    const item = reader.find(id)
    if (item?.kind !== 'thread' && item?.kind !== 'email') return null
    const emails = item.kind === 'thread' ? item.emails : [item.email]
    const email = emails.findLast(({ direction }) => direction === 'inbound') ?? emails.at(-1)
    const inboxes = reader.inboxes()
    const inbox = inboxes.find((each) => each.id === item.thread.inboxId)
    if (email === undefined || inbox === undefined) {
      throw new CommandError(
        'The messages of this thread are not on this computer yet. Open the thread in Linnet to download them.',
        EXIT.nothing,
      )
    }
    const target = { threadId: item.thread.id, emailId: email.id }
    return { account, inbox, own: inboxes.map(({ emailAddress }) => emailAddress), answered: { email, target } }
  })

const findOrigin = (accounts: readonly LocalAccount[], { reply, inbox: wanted }: DraftOptions): Origin => {
  if (reply !== undefined) {
    for (const account of accounts) {
      const found = findReplyOrigin(account, reply)
      if (found !== null) return found
    }
    throw new CommandError(`No thread or message “${reply}” on this computer.`, EXIT.nothing)
  }
  const origins = accounts.flatMap((account): Origin[] => {
    const inboxes = readAccount(account, (reader) => reader.inboxes())
    const own = inboxes.map(({ emailAddress }) => emailAddress)
    return inboxes.map((inbox) => ({ account, inbox, own, answered: null }))
  })
  const meant = origins.filter(({ inbox }) => wanted === undefined || matchesInbox(inbox, wanted))
  const [only, second] = meant
  if (only !== undefined && second === undefined) return only
  if (only === undefined && wanted !== undefined) throw createInboxNotFoundError(wanted)
  const message = 'There are several inboxes here. Choose the one to write from with --inbox:'
  throw new CommandError(
    message,
    EXIT.usage,
    origins.map(({ inbox }) => `  ${inbox.emailAddress}`),
  )
}

const contentOf = (options: DraftOptions, { answered, own }: Origin, text: string): DraftContent => {
  const answer = answered === null ? { to: [], cc: [] } : resolveReplyRecipients(answered.email, own, options.isToAll)
  const to = parseRecipientOption(options.to, '--to')
  return {
    to: to.length > 0 ? to : answer.to,
    cc: [...answer.cc, ...parseRecipientOption(options.cc, '--cc')],
    bcc: parseRecipientOption(options.bcc, '--bcc'),
    subject: options.subject ?? (answered === null ? '' : toReplySubject(answered.email.subject)),
    ...{ format: 'plain', html: '', text, quote: null, files: [] },
  }
}

/** @throws CommandError unless the path is a readable file */
const checkFile = (path: string): void => {
  try {
    accessSync(path, constants.R_OK)
    if (statSync(path).isFile()) return
  } catch {
    throw new CommandError(`${path} cannot be read. Nothing was saved.`, EXIT.failed)
  }
  throw new CommandError(`${path} is not a file. Nothing was saved.`, EXIT.failed)
}

/** Uploads a file to the draft in pieces. @throws CommandError if it can't be read */
const addFile = async ({ ask }: Pick<WritableAccount, 'ask'>, draftId: string, path: string): Promise<DraftFile> => {
  const file = await openAsBlob(path).catch(() => {
    throw new CommandError(`${path} cannot be read.`, EXIT.failed)
  })
  const upload = randomUUID()
  for (let place = 0; ; place += 1) {
    const piece = file.slice(place * FILE_CHUNK_BYTES, (place + 1) * FILE_CHUNK_BYTES)
    const added = await ask('draft.addFile', {
      ...{ draftId, upload, place, isInline: false, filename: basename(path).slice(0, 1_000) },
      base64: Buffer.from(await piece.arrayBuffer()).toString('base64'),
      isLast: (place + 1) * FILE_CHUNK_BYTES >= file.size,
      contentType: 'application/octet-stream',
    })
    if (added !== null) return added
  }
}

/** `linnet draft`: saves a message from the standard input as a draft. Sends nothing. */
export const writeDraft = async (
  accounts: readonly LocalAccount[],
  options: DraftOptions,
  text: string,
  terminal: Terminal,
): Promise<ExitCode> => {
  for (const path of options.attach) checkFile(path)
  const origin = findOrigin(accounts, options)
  const content = contentOf(options, origin, text)
  const { account, inbox, answered } = origin
  const opened = await openWritableAccount(account, terminal)
  try {
    const kind = answered === null ? 'new' : options.isToAll ? 'replyAll' : 'reply'
    const target = answered?.target ?? null
    const { draftId, revision } = await opened.ask('draft.create', { inboxId: inbox.id, kind, target, content })
    try {
      const files: DraftFile[] = []
      for (const path of options.attach) files.push(await addFile(opened, draftId, path))
      if (files.length > 0) await opened.ask('draft.save', { draftId, revision, content: { ...content, files } })
    } catch (thrown) {
      // Don't leave half a message behind as a draft.
      await opened.ask('draft.discard', { draftId })
      throw thrown
    }
    await waitUntilSent(opened)
    const line = { type: 'draft', account: account.id, inbox: inbox.emailAddress, id: draftId }
    terminal.print(options.isJson ? toSafeJson(line) : draftId)
    terminal.note('The draft was saved. Nothing was sent.')
    return EXIT.done
  } finally {
    await opened.close()
  }
}
