/** Schema of `--json` output: one object per line, told apart by `type`. Printed by `linnet schema` as JSON Schema. */
import { z } from 'zod'

const time = z.iso.datetime().describe('UTC')
const strings = z.array(z.string())
const account = z.string().describe('the ID of the account')
const inbox = z.string().describe('the address of the inbox')
const text = z.string().nullable().describe('null if there is none, or it is not on this computer')

const label = z.object({ id: z.string(), name: z.string(), color: z.string() })
const attachment = z.object({
  id: z.string(),
  filename: z.string().nullable(),
  size: z.number().nullable().describe('bytes'),
  contentType: z.string().nullable(),
  contentId: z.string().nullable(),
})

const email = {
  id: z.string(),
  threadId: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  from: z.string(),
  to: strings,
  cc: strings,
  bcc: strings,
  replyTo: strings,
  subject: z.string().nullable(),
  messageId: z.string().nullable(),
  text,
  html: text.describe('as sent: unsafe until sanitized'),
  attachments: z.array(attachment),
  read: z.boolean(),
  receivedAt: time,
  onServer: z.boolean(),
}

const thread = {
  id: z.string(),
  subject: z.string().nullable(),
  from: z.string().nullable(),
  to: strings,
  cc: strings,
  bcc: strings,
  labels: z.array(label),
  emailCount: z.number(),
  hasAttachment: z.boolean(),
  hasDraft: z.boolean(),
  read: z.boolean(),
  receivedAt: time,
  folder: z.string(),
  snippet: z.string().nullable(),
  writers: z.array(z.object({ from: z.string(), isMe: z.boolean(), isUnread: z.boolean() })).describe('newest first'),
  hasOutbound: z.boolean(),
  onServer: z.boolean().describe('false: it is only on this computer'),
  trashedAt: time.optional(),
  listedAt: time.optional().describe('when it came back from a snooze or reminder, if later than receivedAt'),
  marks: z
    .object({
      isStarred: z.boolean(),
      isMuted: z.boolean(),
      snoozedUntil: time.nullable(),
      remindAt: time.nullable(),
      back: z.object({ at: time, why: z.enum(['snoozed', 'unanswered']) }).nullable(),
    })
    .optional()
    .describe('state stored only on this computer'),
  isWaiting: z.literal(true).optional().describe('a person wrote last and waits for an answer'),
  dashboardAssignee: z.string().optional().describe('address of the assignee in the platform’s dashboard'),
}

const accountEmail = {
  account,
  id: z.string(),
  from: z.string(),
  to: strings,
  subject: z.string().nullable(),
  createdAt: time,
  onServer: z.boolean(),
  excerpt: z.string().nullable().optional().describe('text around the search matches'),
  cc: strings.optional(),
  bcc: strings.optional(),
  replyTo: strings.optional(),
  messageId: z.string().nullable().optional(),
  text: text.optional(),
  html: text.optional(),
  isTextLost: z
    .literal(true)
    .optional()
    .describe('true if the message was deleted from the platform before its text was downloaded'),
  withheld: z.string().optional().describe('why the platform withholds the text'),
}

export const jsonLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('account'),
    id: z.string(),
    name: z.string().nullable(),
    kind: z.enum(['platform', 'demo']),
    baseUrl: z.string().nullable(),
    isConnected: z.boolean().describe('true if Linnet opens the account when it starts'),
    directory: z.string(),
    inboxes: z.array(z.object({ address: z.string(), unread: z.number() })),
    unsent: z.number().describe('changes'),
    problem: z.string().nullable().describe('why the account’s mail cannot be read'),
  }),
  z.object({
    type: z.literal('thread'),
    account,
    inbox,
    ...thread,
    matchedEmailId: z.string().nullable().optional().describe('only in search results'),
    emails: z.array(z.object(email)).optional().describe('only in the output of show; oldest first'),
  }),
  z.object({ type: z.literal('email'), account, inbox, ...email }),
  z.object({
    type: z.literal('received'),
    ...accountEmail,
    receivedFor: strings.describe('the addresses that received the message'),
    attachments: z.array(attachment),
    headers: z.record(z.string(), z.string()).optional(),
    authentication: z.object({ spf: z.string(), dkim: z.string(), dmarc: z.string() }).nullable().optional(),
    hasRaw: z.boolean().optional().describe('true if the platform offers the original'),
  }),
  z.object({
    type: z.literal('sent'),
    ...accountEmail,
    lastEvent: z.string().nullable().describe('the delivery status'),
    failure: z
      .object({
        type: z.string().nullable(),
        subType: z.string().nullable(),
        message: z.string().nullable(),
        recipients: strings,
      })
      .nullable()
      .describe('why delivery failed, if a webhook told it; untrusted text'),
    scheduledAt: time.nullable(),
  }),
  z.object({ type: z.literal('dry-run'), account, inbox, id: z.string(), subject: z.string().nullable() }),
  z.object({
    type: z.literal('change'),
    account,
    inbox,
    change: z.string().describe('what was done, in words'),
    threads: z.number().describe('number of threads changed, not counting those already in that state'),
    changeId: z.string().describe('the argument of linnet undo'),
  }),
  z.object({ type: z.literal('draft'), account, inbox, id: z.string() }),
  z.object({
    type: z.literal('send'),
    account,
    draft: z.string(),
    state: z.enum(['sent', 'scheduled', 'waiting']),
    emailId: z.string().optional(),
    threadId: z.string().nullable().optional().describe('null if not known yet'),
  }),
  z.object({
    type: z.literal('export'),
    path: z.string(),
    format: z.enum(['mbox', 'zip', 'jsonl']),
    emails: z.number(),
    bytes: z.number(),
    rebuilt: z.number(),
    incomplete: z.number().describe('messages without their text or an attachment'),
    missing: z.number().describe('messages that could not be read and were skipped'),
    missingThreads: z.number(),
    isWhole: z.boolean().describe('true if the platform has no more of this mail, as far as Linnet knows'),
  }),
  z.object({
    type: z.literal('backup'),
    account,
    at: time,
    directory: z.string(),
    bytes: z.number(),
    files: z.number(),
  }),
])

/** Later versions may add fields: the schema must not forbid them. */
export const createJsonSchema = (): unknown => z.toJSONSchema(jsonLineSchema, { io: 'input' })
