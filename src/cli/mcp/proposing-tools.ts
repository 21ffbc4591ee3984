/** Tools for proposing changes. They change and send nothing: the user approves each proposal in Linnet. */
import { z } from 'zod'
import { PROPOSAL_LIMITS, proposedChangeSchema, type ProposedChange } from '../../shared/assistants.ts'
import { MOVE_TARGETS, type Inbox } from '../../shared/model.ts'
import { formatRecipient, parseRecipients } from '../../shared/recipients.ts'
import { toIsoTime } from '../json-mail.ts'
import {
  findMail,
  selectInboxes,
  resolveLabelId,
  selectAccountMail,
  createInputProblem,
  type ReadableMail,
} from './readable-mail.ts'
import {
  createToolResult,
  defineTool,
  INPUT_SCHEMAS,
  formatCount,
  type ToolResult,
  type ToolContext,
  type Tool,
} from './tool.ts'

const { threads: MAX_THREADS, labels: MAX_LABELS, people, subject, text, reason, open } = PROPOSAL_LIMITS

const threadsInput = z.array(INPUT_SCHEMAS.id).min(1).max(MAX_THREADS).describe('Thread IDs, all in one inbox.')
const reasonInput = z.string().max(reason).default('').describe('The reason, in one sentence for the user.')

interface TargetInbox {
  readonly mail: ReadableMail
  readonly inboxId: string
}

/** Finds the threads, deduplicated, and their inbox. @throws ProblemError if they aren't all in one inbox */
const threadsOf = (
  mails: readonly ReadableMail[],
  ids: readonly string[],
): TargetInbox & { readonly threadIds: readonly string[] } => {
  const found = [...new Set(ids)].map((id) => {
    const { mail, item } = findMail(mails, id)
    if (item.kind === 'thread' || item.kind === 'email') return { mail, thread: item.thread }
    throw createInputProblem(`“${id}” is not in a thread.`)
  })
  const [first, ...others] = found
  if (first === undefined) throw createInputProblem('Name at least one thread.')
  const { mail } = first
  const { inboxId } = first.thread
  if (others.some((other) => other.mail !== mail || other.thread.inboxId !== inboxId)) {
    throw createInputProblem('These threads are in several inboxes. Make one proposal per inbox.')
  }
  return { mail, inboxId, threadIds: [...new Set(found.map(({ thread }) => thread.id))] }
}

const propose = (
  { mail, inboxId }: TargetInbox,
  change: ProposedChange,
  why: string,
  { client }: ToolContext,
  said: string,
): ToolResult => {
  const checked = proposedChangeSchema.safeParse(change)
  if (!checked.success) throw createInputProblem('This proposal is too large.')
  const id = mail.assistants.propose({ at: Date.now(), client, inboxId, reason: why, change: checked.data })
  if (id === null)
    throw createInputProblem(`${open} proposals are waiting for the user. Try again once the user has decided on some.`)
  const next = 'Nothing has changed yet. The user can accept or dismiss the proposal in Linnet.'
  return createToolResult({ proposal: id, state: 'open', next }, said, [mail])
}

const labelNames = z.array(z.string().min(1).max(200)).max(MAX_LABELS).default([])

const proposeLabels = defineTool(
  {
    name: 'propose_labels',
    title: 'Propose labels',
    description: 'Proposes adding labels to threads, or removing them. The user decides in Linnet.',
    input: {
      threads: threadsInput,
      add: labelNames.describe('Label names.'),
      remove: labelNames.describe('Label names.'),
      reason: reasonInput,
    },
    isReading: false,
  },
  ({ threads, add, remove, reason: why }, context) => {
    if (add.length + remove.length === 0) throw createInputProblem('Name at least one label to add or remove.')
    const { threadIds, ...place } = threadsOf(context.mails, threads)
    const idsOf = (names: readonly string[]) => names.map((name) => resolveLabelId(place.mail, place.inboxId, name))
    const labels = { add: idsOf(add), remove: idsOf(remove) }
    if (labels.add.some((id) => labels.remove.includes(id)))
      throw createInputProblem('A label cannot be both added and removed.')
    const said = `proposed labels for ${formatCount(threadIds.length, 'thread')}`
    return propose(place, { kind: 'labels', threadIds, ...labels }, why, context, said)
  },
)

const proposeMove = defineTool(
  {
    name: 'propose_move',
    title: 'Propose a move',
    description: 'Proposes moving threads to a folder. The user decides in Linnet.',
    input: { threads: threadsInput, folder: z.enum(MOVE_TARGETS), reason: reasonInput },
    isReading: false,
  },
  ({ threads, folder, reason: why }, context) => {
    const { threadIds, ...place } = threadsOf(context.mails, threads)
    const said = `proposed to move ${formatCount(threadIds.length, 'thread')} to ${folder}`
    return propose(place, { kind: 'move', threadIds, folder }, why, context, said)
  },
)

const recipientsOf = (typed: readonly string[]): readonly string[] =>
  typed.flatMap((list) => {
    const { recipients, unclear } = parseRecipients(list)
    const [first] = unclear
    if (first !== undefined) throw createInputProblem(`“${first}” is not an email address.`)
    return recipients.map((recipient) => formatRecipient(recipient))
  })

const findSendingInbox = (
  mails: readonly ReadableMail[],
  typed: string | undefined,
): TargetInbox & { readonly inbox: Inbox } => {
  const meant = selectInboxes(selectAccountMail(mails, undefined), typed)
  const [only, second] = meant
  if (only !== undefined && second === undefined) return { mail: only.mail, inboxId: only.inbox.id, inbox: only.inbox }
  const addresses = meant.map(({ inbox }) => inbox.emailAddress).join(', ')
  throw createInputProblem(`Name the inbox to write from: ${addresses}.`)
}

const proposeReply = (
  answered: string,
  input: {
    readonly isToAll: boolean
    readonly text: string
    readonly subject: string | undefined
    readonly why: string
  },
  context: ToolContext,
): ToolResult => {
  const { mail, item } = findMail(context.mails, answered)
  const whole = item.kind === 'email' ? { thread: item.thread, emails: [item.email] } : item
  if (!('emails' in whole)) throw createInputProblem('You can only reply to messages in threads.')
  const email = whole.emails.findLast(({ direction }) => direction === 'inbound') ?? whole.emails.at(-1)
  if (email === undefined)
    throw createInputProblem(
      'The messages of this thread are not on this computer yet. The user can open the thread in Linnet to download them.',
    )
  const change: ProposedChange = {
    kind: 'draft',
    target: { threadId: whole.thread.id, emailId: email.id },
    isToAll: input.isToAll,
    // The window derives these from the message: the real values may exceed a proposal's limits.
    to: [],
    subject: input.subject ?? '',
    text: input.text,
  }
  return propose({ mail, inboxId: whole.thread.inboxId }, change, input.why, context, 'proposed a reply')
}

const proposeDraft = defineTool(
  {
    name: 'propose_draft',
    title: 'Propose a draft',
    description:
      'Proposes a reply or a new message. The user can open it as a draft in Linnet, edit it and send it. This tool sends nothing.',
    input: {
      text: z.string().min(1).max(text).describe('Plain text, without quoted history.'),
      answers: INPUT_SCHEMAS.id
        .optional()
        .describe('The thread or message to reply to. Leave it out for a new message.'),
      toAll: z.boolean().default(false).describe('Reply to all.'),
      to: z.array(z.string().max(1_000)).max(people).default([]).describe('Recipients of a new message.'),
      subject: z.string().max(subject).optional(),
      inbox: INPUT_SCHEMAS.inbox.describe('The inbox to write a new message from.'),
      reason: reasonInput,
    },
    isReading: false,
  },
  ({ text: words, answers, toAll, to, subject: about, inbox, reason: why }, context) => {
    if (answers !== undefined) {
      if (to.length > 0 || inbox !== undefined)
        throw createInputProblem('A reply has its own recipients. Leave out “to” and “inbox”.')
      return proposeReply(answers, { isToAll: toAll, text: words, subject: about, why }, context)
    }
    if (toAll) throw createInputProblem('“toAll” needs “answers”.')
    const place = findSendingInbox(context.mails, inbox)
    const change: ProposedChange = {
      kind: 'draft',
      target: null,
      isToAll: false,
      to: recipientsOf(to),
      subject: about ?? '',
      text: words,
    }
    return propose(place, change, why, context, 'proposed a message')
  },
)

const listProposals = defineTool(
  {
    name: 'list_proposals',
    title: 'List proposals',
    description: 'Your proposals that are waiting for the user, or the state of one.',
    input: { proposal: INPUT_SCHEMAS.id.optional().describe('The ID of a proposal. Default: all that are waiting.') },
    isReading: true,
  },
  ({ proposal }, { mails, client }) => {
    const all = selectAccountMail(mails, undefined)
    const own = all.flatMap(({ account, assistants }) => {
      const found = proposal === undefined ? assistants.openProposals() : [assistants.proposal(proposal)]
      // A program sees only its own proposals.
      return found.flatMap((each) => (each?.client === client ? [{ account, ...each }] : []))
    })
    if (proposal !== undefined && own.length === 0) throw createInputProblem('You have no proposal with this ID.')
    const proposals = own.map(({ account, id, at, state, change }) => ({
      ...{ proposal: id, account: account.id, at: toIsoTime(at), kind: change.kind, state },
    }))
    return createToolResult({ proposals }, formatCount(proposals.length, 'proposal'), all)
  },
)

export const PROPOSING_TOOLS: readonly Tool[] = [proposeLabels, proposeMove, proposeDraft, listProposals]
