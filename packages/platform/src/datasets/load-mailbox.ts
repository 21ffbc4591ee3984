import { randomUUID } from 'node:crypto'
import type { DemoMailbox, DemoMessage, DemoThread } from '../demo/demo-mailbox-types.ts'
import { htmlToText } from '../mail/html-text.ts'
import { type ParsedMessage, parseMessage } from '../mail/parse-message.ts'
import { rememberReferences } from '../mail/threading.ts'
import { buildInboundEmail } from '../mail/deliver.ts'
import { buildOutboundEmail } from '../mail/outbound-email.ts'
import type { Platform } from '../platform.ts'
import { insertEmail } from '../storage/emails.ts'
import { type InboxRow, addInbox } from '../storage/inboxes.ts'
import { addLabel } from '../storage/labels.ts'
import { insertProperty, insertTopic, upsertContact, setTopicSubscription } from '../storage/contacts.ts'
import { insertTemplate, publishTemplate } from '../storage/templates.ts'
import { addThreadLabel, insertThread, purgeTime, refreshThread, setThreadFolder } from '../storage/threads.ts'

interface ReadMessage {
  readonly source: DemoMessage
  readonly message: ParsedMessage
}

/**
 * Stores a generated mailbox, dated by its Date headers whatever `--trust-date` says.
 * @param onStep called for each message parsed and each message stored
 */
export async function loadMailbox(platform: Platform, mailbox: DemoMailbox, onStep?: () => void): Promise<void> {
  const threads = await Promise.all(
    mailbox.threads.map(async (thread) => ({
      thread,
      messages: await Promise.all(
        thread.messages.map(async (source) => {
          const message = await parseMessage(source.raw)
          onStep?.()
          return { source, message }
        }),
      ),
    })),
  )
  platform.db.transaction(() => {
    const inbox = addInbox(platform.db, { ...mailbox.inbox, forwarding: false }, platform.now())
    const labels = loadLabels(platform, inbox, mailbox)
    for (const { thread, messages } of threads) {
      loadThread(platform, inbox, labels, thread, messages)
      for (const _ of messages) onStep?.()
    }
    loadContacts(platform, mailbox)
    loadTemplates(platform, mailbox)
  })
}

function loadLabels(platform: Platform, inbox: InboxRow, mailbox: DemoMailbox): ReadonlyMap<string, number> {
  const { db } = platform
  for (const label of mailbox.labels) addLabel(db, inbox, label, platform.now())
  const rows = db.all<{ seq: number; name: string }>('SELECT seq, name FROM labels WHERE inbox_seq = ?', inbox.seq)
  return new Map(rows.map(({ seq, name }) => [name, seq]))
}

function loadThread(
  platform: Platform,
  inbox: InboxRow,
  labels: ReadonlyMap<string, number>,
  thread: DemoThread,
  messages: readonly ReadMessage[],
): void {
  const { db } = platform
  const threadSeq = insertThread(db, {
    inboxSeq: inbox.seq,
    folder: thread.folder,
    subject: messages[0]?.message.subject ?? null,
  })
  for (const { source, message } of messages) {
    const mail = {
      raw: source.raw,
      message,
      envelopeFrom: source.envelopeFrom,
      envelopeTo: source.envelopeTo,
      receivedAt: message.date ?? platform.now(),
      read: source.read,
    }
    const place = { inbox: inbox.seq, thread: threadSeq }
    const email =
      source.direction === 'inbound'
        ? buildInboundEmail(platform, mail, source.envelopeTo, place)
        : buildOutboundEmail(platform, mail, place)
    // Stored at time 0, so the message is searchable at once regardless of the index delay.
    insertEmail(db, { ...email, storedAt: 0 })
    rememberReferences(db, inbox.seq, threadSeq, message)
  }
  for (const name of thread.labels) {
    const label = labels.get(name)
    if (label === undefined) throw new Error(`The dataset has no label named ${name}.`)
    addThreadLabel(db, threadSeq, label)
  }
  refreshThread(db, threadSeq)
  // The dataset doesn't say when the thread was trashed, so the time starts now.
  setThreadFolder(db, threadSeq, thread.folder, purgeTime(thread.folder, platform.now()))
}

function loadContacts(platform: Platform, mailbox: DemoMailbox): void {
  const { db } = platform
  const now = platform.now()
  for (const property of mailbox.contactProperties) insertProperty(db, { ...property, fallbackValue: null }, now)
  // Lists show the newest first, but the dataset is in reading order.
  const topics = mailbox.topics.toReversed().map(({ defaultSubscription, ...topic }) => {
    return insertTopic(db, { ...topic, default_subscription: defaultSubscription }, now)
  })
  const topicSeqs = new Map(topics.map(({ name, seq }) => [name, seq]))
  for (const contact of mailbox.contacts) {
    const row = upsertContact(db, contact.email, contact, contact.createdAt.getTime())
    for (const [name, subscription] of Object.entries(contact.topics)) {
      const topic = topicSeqs.get(name)
      if (topic === undefined) throw new Error(`The dataset has no topic named ${name}.`)
      setTopicSubscription(db, row.seq, topic, subscription)
    }
  }
}

function loadTemplates({ db, now: clock }: Platform, { templates }: DemoMailbox): void {
  const now = clock()
  for (const { name, alias, subject, html, variables } of templates.toReversed()) {
    const declared = variables.map((variable) => ({ id: randomUUID(), ...variable, createdAt: now, updatedAt: now }))
    const content = { name, alias, subject, html, text: htmlToText(html), sender: null, reply_to: null }
    publishTemplate(db, insertTemplate(db, { ...content, variables: JSON.stringify(declared) }, now), now)
  }
}
