import Clock from '@lucide/svelte/icons/clock'
import CornerUpLeft from '@lucide/svelte/icons/corner-up-left'
import Forward from '@lucide/svelte/icons/forward'
import Hourglass from '@lucide/svelte/icons/hourglass'
import Inbox from '@lucide/svelte/icons/mail-question-mark'
import Pencil from '@lucide/svelte/icons/pencil'
import Reply from '@lucide/svelte/icons/reply'
import ReplyAll from '@lucide/svelte/icons/reply-all'
import Send from '@lucide/svelte/icons/send-horizontal'
import Trash from '@lucide/svelte/icons/trash-2'
import SquarePen from '@lucide/svelte/icons/square-pen'
import { resolveAuthorRecipient } from '../../../shared/reply-recipients.ts'
import type { Conversation } from '../../../shared/contract.ts'
import type { Email } from '../../../shared/model.ts'
import type { DraftSummary } from '../../../shared/drafts.ts'
import type { Command, CommandContext, Commands } from '../../kernel/commands.ts'
import { isThreadRoute } from '../../kernel/route.ts'
import type { Action } from '../../ui/action.ts'
import { findFocusedEmailId } from '../source/email-target.ts'
import { replyToUnopenedMail, findUnopenedMail, explainUnavailableReply, type UnopenedMail } from './unopened-mail.ts'
import { findDefaultInbox } from './default-inbox.ts'
import { isEditableDraft } from './describe-draft.ts'
import { UNSENT_LISTS, type ReplyTarget, type ReplyKind, type UnsentList } from './writing-manager.svelte.ts'

/** The open conversation, if commands apply to it. */
const currentConversation = ({
  shell,
  session,
  pointedId = null,
  pointedMail = null,
}: CommandContext): Conversation | null => {
  const { conversation } = session.conversation
  const { current: route } = shell.route
  if (conversation === null || !isThreadRoute(route) || route.threadId !== conversation.thread.id) return null
  if (pointedMail !== null) return null
  return pointedId === null || pointedId === conversation.thread.id ? conversation : null
}

/** E-mail of the open thread to reply to: the focused one, else the newest. */
const findReplyTarget = (context: CommandContext): ReplyTarget | null => {
  const conversation = currentConversation(context)
  if (conversation === null) return null
  const { thread, emails } = conversation
  const focusedId = findFocusedEmailId()
  const focused = emails.find(({ id }) => id === focusedId)
  const email = focused ?? emails.at(-1)
  // The platform can't reply to an e-mail that it has deleted.
  if (email?.onServer !== true || !thread.onServer) return null
  return { inboxId: thread.inboxId, threadId: thread.id, email }
}

export interface ReplyCommand extends Command {
  readonly icon: NonNullable<Command['icon']>
  readonly replyKind: ReplyKind
  readonly fits: (email: Email, context: CommandContext) => boolean
}

const createReplyCommand = (
  replyKind: ReplyKind,
  about: Omit<ReplyCommand, 'group' | 'when' | 'run' | 'replyKind' | 'fits'>,
  fits: ReplyCommand['fits'] = () => true,
  /** True if the command suits every e-mail, even one that is not open. */
  fitsUnopened = true,
): ReplyCommand => {
  const find = (context: CommandContext): ReplyTarget | UnopenedMail | null => {
    if (currentConversation(context) === null) return fitsUnopened ? findUnopenedMail(context) : null
    const target = findReplyTarget(context)
    return target !== null && fits(target.email, context) ? target : null
  }
  return {
    ...{ ...about, replyKind, fits },
    group: 'Actions',
    when: (context) => find(context) !== null,
    disabledReason: (context) => (fitsUnopened ? explainUnavailableReply(context) : null),
    run: (context) => {
      const found = find(context)
      if (found === null) return
      if ('email' in found) void context.session.writing.answer(replyKind, found)
      else void replyToUnopenedMail(replyKind, context, found)
    },
  }
}

export const reply = createReplyCommand('reply', {
  id: 'writing.reply',
  name: 'Reply',
  words: 'answer write respond',
  icon: Reply,
  keys: ['r'],
})

export const replyAll = createReplyCommand('replyAll', {
  id: 'writing.replyAll',
  name: 'Reply all',
  words: 'answer everyone write respond',
  icon: ReplyAll,
  keys: ['a'],
})

/** Replies only to the author, if Reply-To names a mailing list or someone else. */
const replyToAuthor = createReplyCommand(
  'replyToAuthor',
  {
    id: 'writing.replyToAuthor',
    name: 'Reply to sender only',
    words: 'answer author private mailing list write respond',
    icon: CornerUpLeft,
    keys: ['R'],
  },
  (email, { session }) => resolveAuthorRecipient(email, session.mailboxes.addresses) !== null,
  false,
)

export const forward = createReplyCommand('forward', {
  id: 'writing.forward',
  name: 'Forward',
  words: 'fwd pass on send',
  icon: Forward,
  keys: ['f'],
})

export const REPLY_COMMANDS: readonly ReplyCommand[] = [reply, replyAll, replyToAuthor, forward]

/** Ways to answer one e-mail, regardless of focus; empty if the platform has deleted it. */
export const replyActions = ({ context, keymap }: Commands, inboxId: string, email: Email): readonly Action[] => {
  const { conversation, writing } = context.session
  if (!email.onServer || conversation.conversation?.thread.onServer !== true) return []
  return REPLY_COMMANDS.filter(({ fits }) => fits(email, context)).map((command) => ({
    ...{ name: command.name, icon: command.icon, keys: keymap.capsOf(command)?.join(' ') },
    run: () => void writing.answer(command.replyKind, { inboxId, threadId: email.threadId, email }),
  }))
}

export const newMessage: Command = {
  id: 'writing.new',
  name: 'New message',
  words: 'new mail compose write e-mail draft',
  group: 'Actions',
  icon: SquarePen,
  keys: ['c'],
  when: ({ session }) => findDefaultInbox(session) !== null,
  run: ({ shell, session }) => {
    const inboxId = findDefaultInbox(session)
    // From the contact list, write to the current contact.
    const to = shell.route.current.view === 'contacts' ? session.contacts.loaded(shell.route.current.id) : null
    if (inboxId !== null) void session.writing.start(inboxId, to === null ? {} : { to: [to] })
  },
}

/** The draft in the displayed list that commands act on, unless it is being sent. */
const draftInList = ({ shell, session: { writing } }: CommandContext): DraftSummary | undefined => {
  const view = UNSENT_LISTS.find((each) => each === shell.route.current.view)
  if (view === undefined) return undefined
  const { list, cursor } = writing.lists[view]
  const draft = cursor.row(list)
  return draft !== undefined && isEditableDraft(draft) ? draft : undefined
}

/** Opens a draft in the composer beside its list. */
export const openDraft = ({ navigator, session }: CommandContext, draftId: string): void => {
  navigator.open(draftId)
  void session.writing.resume(draftId)
}

export const continueDraft: Command = {
  id: 'writing.continue',
  name: 'Continue writing',
  words: 'edit open take over draft',
  group: 'Actions',
  icon: Pencil,
  keys: ['Enter'],
  when: (context) => draftInList(context) !== undefined,
  run: (context) => {
    const draft = draftInList(context)
    if (draft !== undefined) openDraft(context, draft.id)
  },
}

export const discardDraft: Command = {
  id: 'writing.discard',
  name: 'Discard selected draft',
  words: 'delete throw away remove',
  isDestructive: true,
  group: 'Actions',
  icon: Trash,
  keys: ['#', 'Delete'],
  when: (context) => draftInList(context) !== undefined,
  run: (context) => {
    const draft = draftInList(context)
    if (draft !== undefined) void context.session.writing.discard(draft.id)
  },
}

/** Sends someone else's draft reply unchanged. */
export const approveDraft: Command = {
  id: 'writing.approve',
  name: 'Approve and send draft',
  words: 'agent waiting colleague send accept',
  group: 'Actions',
  icon: Send,
  keys: ['Mod+Enter'],
  when: ({ shell, session: { writing } }) =>
    shell.route.current.view === 'waiting' &&
    writing.composers.active?.form?.hasFocus !== true &&
    writing.displayed.canApprove,
  run: ({ session: { writing } }) => void writing.displayed.approve(),
}

const goTo = (view: UnsentList, about: Omit<Command, 'group' | 'run' | 'id'>): Command => ({
  ...about,
  id: `go.${view}`,
  group: 'Go to',
  run: ({ shell }) => shell.route.go({ view, id: null }),
})

export const WRITING_COMMANDS: readonly Command[] = [
  newMessage,
  ...REPLY_COMMANDS,
  discardDraft,
  approveDraft,
  goTo('drafts', { name: 'Go to drafts', words: 'unsent written', icon: Pencil, keys: ['g d'] }),
  goTo('waiting', {
    ...{ name: 'Go to waiting drafts', words: 'agent approve colleague replies', icon: Inbox, keys: ['g w'] },
  }),
  goTo('scheduled', { name: 'Go to scheduled', words: 'send later time outbox', icon: Clock, keys: ['g l'] }),
  goTo('outbox', { name: 'Go to the outbox', words: 'unsent waiting later', icon: Hourglass, keys: ['g o'] }),
]
