/** Reading tools for assistants. They write only to the log. */
import { z } from 'zod'
import { extractReadableBody } from '../../engine/mail/assistants/readable-body.ts'
import { quoteUntrustedText } from '../../engine/mail/assistants/quoting.ts'
import type { ReaderItem } from '../../engine/files/account-reader.ts'
import type { Contact } from '../../shared/people.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'
import { toIsoTime } from '../json-mail.ts'
import {
  unsureNote,
  toContactResult,
  RESULT_LIMITS,
  toMessageResult,
  toStatusResult,
  toThreadMessagesResult,
} from './answers.ts'
import {
  findMail,
  accountsWithList,
  selectAccountMail,
  createInputProblem,
  type FoundMail,
  type ReadableMail,
} from './readable-mail.ts'
import { createToolResult, defineTool, INPUT_SCHEMAS, formatCount, type Tool } from './tool.ts'

/** Largest file to read as text, in bytes. */
const MAX_TEXT_FILE_BYTES = 1024 * 1024
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|csv|x-ndjson|ld\+json)|message\/delivery-status)/i
const TEXT_NAME = /\.(?:txt|text|md|csv|tsv|json|jsonl|ndjson|xml|ya?ml|log|ics|vcf|html?|diff|patch|ini|toml|srt)$/i
const HTML_TYPE = /^text\/html|^application\/xhtml/i
const HTML_NAME = /\.x?html?$/i

/** Decodes a text file. @throws ProblemError if it is binary */
const decode = (bytes: Uint8Array): string => {
  if (bytes.includes(0)) throw createInputProblem('This attachment is not text.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws ProblemError for a thread */
const messageOf = ({
  mail,
  item,
}: FoundMail): { mail: ReadableMail; item: Exclude<ReaderItem, { kind: 'thread' }> } => {
  if (item.kind !== 'thread') return { mail, item }
  throw createInputProblem('This is a thread. Use read_thread, or the ID of one of its messages.')
}

const listInboxes = defineTool(
  {
    name: 'list_inboxes',
    title: 'Accounts and inboxes',
    description:
      'Accounts and inboxes that are turned on for assistants, with their readable folders, labels and unread threads.',
    input: {},
    isReading: true,
  },
  (_input, { mails, unreadable }) => {
    const all = selectAccountMail(mails, undefined)
    const accounts = all.map((mail) => ({
      account: mail.account.id,
      name: mail.account.name,
      lists: (['received', 'sent', 'contacts'] as const).filter((list) => mail.hasList(list)),
      inboxes: mail.inboxes().map(({ id, emailAddress, name, unread }) => ({
        ...{ id, address: emailAddress, name: name === null ? null : quoteUntrustedText(name) },
        folders: mail.foldersOf(id),
        ...(mail.foldersOf(id).includes('inbox') && { unreadThreads: unread }),
        labels: mail.reader
          .labels(id)
          .map(({ id: labelId, name: label }) => ({ id: labelId, name: quoteUntrustedText(label) })),
      })),
    }))
    const data = {
      accounts,
      ...(unreadable.length > 0 && {
        unreadable: unreadable.map(({ account, why }) => ({ account: account.id, why })),
      }),
    }
    return createToolResult(data, formatCount(accounts.length, 'account'), all)
  },
)

export const readThreadTool = defineTool(
  {
    name: 'read_thread',
    title: 'Read a thread',
    description:
      'A thread and its newest messages, oldest first: people, times, visible text, attachment names. Quoted history is omitted.',
    input: { thread: INPUT_SCHEMAS.id.describe('The ID of the thread, or of a message in it.') },
    isReading: true,
  },
  ({ thread }, { mails }) => {
    const { mail, item } = findMail(mails, thread)
    const whole = item.kind === 'email' ? mail.find(item.thread.id) : item
    if (whole?.kind !== 'thread') throw createInputProblem('This message has no thread. Use read_message.')
    const data = toThreadMessagesResult(mail, whole)
    return createToolResult(data, `a thread with ${formatCount(data.messages.length, 'message')}`, [mail])
  },
)

const readMessage = defineTool(
  {
    name: 'read_message',
    title: 'Read a message',
    description:
      'One message, with more of its text than read_thread gives. It can be part of a thread, or of All received or All sent. Use “start” to continue a long text.',
    input: {
      message: INPUT_SCHEMAS.id.describe('The ID of the message.'),
      start: z.int().min(0).max(10_000_000).default(0).describe('The “continuesAt” of the previous response.'),
      withEarlier: z.boolean().default(false).describe('Include quoted history.'),
    },
    isReading: true,
  },
  ({ message, start, withEarlier }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    return createToolResult(toMessageResult(mail, item, { start, isWhole: withEarlier }), 'a message', [mail])
  },
)

const readAttachment = defineTool(
  {
    name: 'read_attachment',
    title: 'Read a text attachment',
    description: `The text of an attachment: plain text, CSV, JSON, calendars, and the visible text of HTML. Limit: ${MAX_TEXT_FILE_BYTES / 1024} KB. Other types cannot be read.`,
    input: {
      message: INPUT_SCHEMAS.id.describe('The ID of the message.'),
      attachment: INPUT_SCHEMAS.id.describe('The ID of the attachment.'),
      start: z.int().min(0).max(MAX_TEXT_FILE_BYTES).default(0).describe('The “continuesAt” of the previous response.'),
    },
    isReading: true,
  },
  async ({ message, attachment: id, start }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    if (item.kind === 'sent') throw createInputProblem('Attachments in All sent cannot be read.')
    const file = item.email.attachments.find((each) => each.id === id)
    if (file === undefined) throw createInputProblem('This message has no such attachment.')
    const [type, name] = [file.contentType ?? '', file.filename ?? '']
    if (!TEXT_TYPE.test(type) && !TEXT_NAME.test(name)) throw createInputProblem('Only text attachments can be read.')
    const bytes = await mail.reader.attachment(item, file, MAX_TEXT_FILE_BYTES)
    if (bytes === 'too large')
      throw createInputProblem(`This attachment is larger than ${MAX_TEXT_FILE_BYTES / 1024} KB.`)
    if (bytes === null)
      throw createInputProblem('This attachment is not on this computer. The user can open it in Linnet.')
    const content = decode(bytes)
    const isPage = HTML_TYPE.test(type) || HTML_NAME.test(name)
    const page = isPage
      ? extractReadableBody({ html: content, text: null }, { whole: true, most: MAX_TEXT_FILE_BYTES })
      : null
    const all = page?.text ?? stripHiddenCharacters(content)
    const text = all.slice(start, start + RESULT_LIMITS.text)
    const next = start + text.length
    const data = {
      ...{ account: mail.account.id, message, attachment: id, bytes: bytes.length },
      ...(next < all.length && { continuesAt: next, characters: all.length }),
      ...unsureNote(page?.sure ?? 'all'),
      quoted: { name: quoteUntrustedText(name), text },
    }
    return createToolResult(data, `an attachment, ${bytes.length} bytes`, [mail])
  },
)

const messageStatus = defineTool(
  {
    name: 'message_status',
    title: 'Delivery status',
    description: 'The last known delivery status of a sent message: delivered, bounced, scheduled and so on.',
    input: { message: INPUT_SCHEMAS.id.describe('The ID of a sent message, in a thread or in All sent.') },
    isReading: true,
  },
  ({ message }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    const account = mail.account.id
    if (item.kind === 'sent') return createToolResult({ account, ...toStatusResult(item.email) }, 'a status', [mail])
    if (item.kind === 'received' || item.email.direction === 'inbound')
      throw createInputProblem('Only sent messages have a delivery status. This message was received.')
    const copy = mail.reader.sentCopy(item.email)
    const data =
      copy === undefined
        ? { account, id: message, sentAt: toIsoTime(item.email.receivedAt), status: 'unknown' }
        : { account, ...toStatusResult(copy), id: message }
    return createToolResult(data, 'a status', [mail])
  },
)

const listContacts = defineTool(
  {
    name: 'list_contacts',
    title: 'Contacts',
    description: 'Contacts and their topic subscriptions, newest first.',
    input: {
      query: z
        .string()
        .max(256)
        .default('')
        .describe('Words from the name, address or properties. All of them must match.'),
      account: INPUT_SCHEMAS.account,
      limit: INPUT_SCHEMAS.limit,
      offset: INPUT_SCHEMAS.offset,
    },
    isReading: true,
  },
  ({ query, account, limit, offset }, { mails }) => {
    const open = accountsWithList(mails, account, 'contacts')
    const found = open.map((mail) => ({ mail, ...mail.reader.contacts(query, { offset: 0, limit: offset + limit }) }))
    // Contacts that aren't uploaded yet have no creation time and count as the newest.
    const ageOf = ({ createdAt }: Contact): number => createdAt ?? Number.POSITIVE_INFINITY
    const contacts = found
      .flatMap(({ mail, items }) => items.map((contact) => ({ mail, contact })))
      .toSorted((a, b) => ageOf(b.contact) - ageOf(a.contact) || 0)
      .slice(offset, offset + limit)
      .map(({ mail, contact }) => toContactResult(mail, contact))
    const total = found.reduce((sum, each) => sum + each.total, 0)
    return createToolResult({ contacts, total }, formatCount(contacts.length, 'contact'), open)
  },
)

const listTopics = defineTool(
  {
    name: 'list_topics',
    title: 'Topics',
    description: 'Topics that contacts can subscribe to.',
    input: { account: INPUT_SCHEMAS.account },
    isReading: true,
  },
  ({ account }, { mails }) => {
    const open = accountsWithList(mails, account, 'contacts')
    const unknown = open.filter((mail) => mail.reader.topics() === null).map(({ account: { id } }) => id)
    const topics = open.flatMap((mail) =>
      (mail.reader.topics() ?? []).map(({ id, name, description, byDefault }) => ({
        ...{ id, account: mail.account.id, name: quoteUntrustedText(name), byDefault },
        ...(description !== null && { description: quoteUntrustedText(description) }),
      })),
    )
    const data = { topics, ...(unknown.length > 0 && { notFetchedYet: unknown }) }
    return createToolResult(data, formatCount(topics.length, 'topic'), open)
  },
)

export const READING_TOOLS: readonly Tool[] = [
  listInboxes,
  readThreadTool,
  readMessage,
  readAttachment,
  messageStatus,
  listContacts,
  listTopics,
]
