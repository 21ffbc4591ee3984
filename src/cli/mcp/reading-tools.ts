/** Reading tools for assistants. They write only to the log. */
import { z } from 'zod'
import { readableBody } from '../../engine/assistants/readable-body.ts'
import { quoted } from '../../engine/assistants/quoting.ts'
import type { ReadItem } from '../../engine/account-reader.ts'
import type { Contact } from '../../shared/people.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'
import { isoOf } from '../json-mail.ts'
import { contactAnswer, MAX, oneMessage, statusAnswer, threadWithMessages } from './answers.ts'
import { findMail, accountsWithList, mailOf, wrong, type FoundMail, type ReadableMail } from './readable-mail.ts'
import { answer, defineTool, INPUT, plural, type Tool } from './tool.ts'

/** Largest file to read as text, in bytes. */
const LARGEST_FILE = 1024 * 1024
const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|csv|x-ndjson|ld\+json)|message\/delivery-status)/i
const TEXT_NAME = /\.(?:txt|text|md|csv|tsv|json|jsonl|ndjson|xml|ya?ml|log|ics|vcf|html?|diff|patch|ini|toml|srt)$/i
const PAGE_TYPE = /^text\/html|^application\/xhtml/i
const PAGE_NAME = /\.x?html?$/i

/** Decodes a text file. @throws ProblemError if it is binary */
const decode = (bytes: Uint8Array): string => {
  if (bytes.includes(0)) throw wrong('This attachment is not text.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** @throws ProblemError for a thread */
const messageOf = ({ mail, item }: FoundMail): { mail: ReadableMail; item: Exclude<ReadItem, { kind: 'thread' }> } => {
  if (item.kind !== 'thread') return { mail, item }
  throw wrong('This is a thread. Use read_thread, or the ID of one of its messages.')
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
    const all = mailOf(mails, undefined)
    const accounts = all.map((mail) => ({
      account: mail.account.id,
      name: mail.account.name,
      lists: (['received', 'sent', 'contacts'] as const).filter((list) => mail.hasList(list)),
      inboxes: mail.inboxes().map(({ id, emailAddress, name, unread }) => ({
        ...{ id, address: emailAddress, name: name === null ? null : quoted(name) },
        folders: mail.foldersOf(id),
        ...(mail.foldersOf(id).includes('inbox') && { unreadThreads: unread }),
        labels: mail.reader.labels(id).map(({ id: labelId, name: label }) => ({ id: labelId, name: quoted(label) })),
      })),
    }))
    const data = {
      accounts,
      ...(unreadable.length > 0 && {
        unreadable: unreadable.map(({ account, why }) => ({ account: account.id, why })),
      }),
    }
    return answer(data, plural(accounts.length, 'account'), all)
  },
)

export const readThread = defineTool(
  {
    name: 'read_thread',
    title: 'Read a thread',
    description:
      'A thread and its newest messages, oldest first: people, times, visible text, attachment names. Quoted history is omitted.',
    input: { thread: INPUT.id.describe('The ID of the thread, or of a message in it.') },
    isReading: true,
  },
  ({ thread }, { mails }) => {
    const { mail, item } = findMail(mails, thread)
    const whole = item.kind === 'email' ? mail.find(item.thread.id) : item
    if (whole?.kind !== 'thread') throw wrong('This message has no thread. Use read_message.')
    const data = threadWithMessages(mail, whole)
    return answer(data, `a thread with ${plural(data.messages.length, 'message')}`, [mail])
  },
)

const readMessage = defineTool(
  {
    name: 'read_message',
    title: 'Read a message',
    description:
      'One message, with more of its text than read_thread gives. It can be part of a thread, or of All received or All sent. Use “start” to continue a long text.',
    input: {
      message: INPUT.id.describe('The ID of the message.'),
      start: z.int().min(0).max(10_000_000).default(0).describe('The “continuesAt” of the previous response.'),
      withEarlier: z.boolean().default(false).describe('Include quoted history.'),
    },
    isReading: true,
  },
  ({ message, start, withEarlier }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    return answer(oneMessage(mail, item, { start, isWhole: withEarlier }), 'a message', [mail])
  },
)

const readAttachment = defineTool(
  {
    name: 'read_attachment',
    title: 'Read a text attachment',
    description: `The text of an attachment: plain text, CSV, JSON, calendars, and the visible text of HTML. Limit: ${LARGEST_FILE / 1024} KB. Other types cannot be read.`,
    input: {
      message: INPUT.id.describe('The ID of the message.'),
      attachment: INPUT.id.describe('The ID of the attachment.'),
      start: z.int().min(0).max(LARGEST_FILE).default(0).describe('The “continuesAt” of the previous response.'),
    },
    isReading: true,
  },
  async ({ message, attachment: id, start }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    if (item.kind === 'sent') throw wrong('Attachments in All sent cannot be read.')
    const file = item.email.attachments.find((each) => each.id === id)
    if (file === undefined) throw wrong('This message has no such attachment.')
    const [type, name] = [file.contentType ?? '', file.filename ?? '']
    if (!TEXT_TYPE.test(type) && !TEXT_NAME.test(name)) throw wrong('Only text attachments can be read.')
    const bytes = await mail.reader.attachment(item, file, LARGEST_FILE)
    if (bytes === 'too large') throw wrong(`This attachment is larger than ${LARGEST_FILE / 1024} KB.`)
    if (bytes === null) throw wrong('This attachment is not on this computer. The user can open it in Linnet.')
    const content = decode(bytes)
    const isPage = PAGE_TYPE.test(type) || PAGE_NAME.test(name)
    const all = isPage
      ? readableBody({ html: content, text: null }, { whole: true, most: LARGEST_FILE }).text
      : stripHiddenCharacters(content)
    const text = all.slice(start, start + MAX.text)
    const next = start + text.length
    const data = {
      ...{ account: mail.account.id, message, attachment: id, bytes: bytes.length },
      ...(next < all.length && { continuesAt: next, characters: all.length }),
      quoted: { name: quoted(name), text },
    }
    return answer(data, `an attachment, ${bytes.length} bytes`, [mail])
  },
)

const messageStatus = defineTool(
  {
    name: 'message_status',
    title: 'Delivery status',
    description: 'The last known delivery status of a sent message: delivered, bounced, scheduled and so on.',
    input: { message: INPUT.id.describe('The ID of a sent message, in a thread or in All sent.') },
    isReading: true,
  },
  ({ message }, { mails }) => {
    const { mail, item } = messageOf(findMail(mails, message))
    const account = mail.account.id
    if (item.kind === 'sent') return answer({ account, ...statusAnswer(item.email) }, 'a status', [mail])
    if (item.kind === 'received' || item.email.direction === 'inbound')
      throw wrong('Only sent messages have a delivery status. This message was received.')
    const copy = mail.reader.sentCopy(item.email)
    const data =
      copy === undefined
        ? { account, id: message, sentAt: isoOf(item.email.receivedAt), status: 'unknown' }
        : { account, ...statusAnswer(copy), id: message }
    return answer(data, 'a status', [mail])
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
      account: INPUT.account,
      limit: INPUT.limit,
      offset: INPUT.offset,
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
      .map(({ mail, contact }) => contactAnswer(mail, contact))
    const total = found.reduce((sum, each) => sum + each.total, 0)
    return answer({ contacts, total }, plural(contacts.length, 'contact'), open)
  },
)

const listTopics = defineTool(
  {
    name: 'list_topics',
    title: 'Topics',
    description: 'Topics that contacts can subscribe to.',
    input: { account: INPUT.account },
    isReading: true,
  },
  ({ account }, { mails }) => {
    const open = accountsWithList(mails, account, 'contacts')
    const unknown = open.filter((mail) => mail.reader.topics() === null).map(({ account: { id } }) => id)
    const topics = open.flatMap((mail) =>
      (mail.reader.topics() ?? []).map(({ id, name, description, byDefault }) => ({
        ...{ id, account: mail.account.id, name: quoted(name), byDefault },
        ...(description !== null && { description: quoted(description) }),
      })),
    )
    const data = { topics, ...(unknown.length > 0 && { notFetchedYet: unknown }) }
    return answer(data, plural(topics.length, 'topic'), open)
  },
)

export const READING_TOOLS: readonly Tool[] = [
  listInboxes,
  readThread,
  readMessage,
  readAttachment,
  messageStatus,
  listContacts,
  listTopics,
]
