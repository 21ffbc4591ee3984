import { AccountEmailsManager } from '../features/lists/account-emails-manager.svelte.ts'
import { AppLinksManager } from '../features/app-links/app-links-manager.ts'
import { AssistantsManager } from '../features/assistants/assistants-manager.svelte.ts'
import { AssigneesManager } from '../features/assignees/assignees-manager.svelte.ts'
import { AttachmentsManager } from '../features/attachments/attachments-manager.svelte.ts'
import { TableImport } from '../features/contacts/table-import.svelte.ts'
import { ContactsManager } from '../features/contacts/contacts-manager.svelte.ts'
import { TopicsManager } from '../features/contacts/topics-manager.svelte.ts'
import { ExportManager } from '../features/export/export-manager.svelte.ts'
import { LabelPicker } from '../features/labels/label-picker.svelte.ts'
import { ThreadLabelChanges } from '../features/labels/thread-label-changes.ts'
import { LabelsManager } from '../features/labels/labels-manager.svelte.ts'
import { CurrentInbox } from '../features/mailboxes/current-inbox.svelte.ts'
import { MailboxesManager } from '../features/mailboxes/mailboxes-manager.svelte.ts'
import { ContactEditor } from '../features/person/contact-editor.svelte.ts'
import { PersonManager } from '../features/person/person-manager.svelte.ts'
import { AgentsManager } from '../features/agents/agents-manager.svelte.ts'
import { TopicSubscriptionChanges } from '../features/person/topic-subscription-changes.svelte.ts'
import { ConversationManager } from '../features/threads/conversation-manager.svelte.ts'
import { LinksManager } from '../features/links/links-manager.svelte.ts'
import { MailDisplay } from '../features/bodies/mail-display.svelte.ts'
import { FindManager } from '../features/bodies/find-manager.svelte.ts'
import { ReadingScroller } from '../features/bodies/reading-scroller.ts'
import { RulesManager } from '../features/rules/rules-manager.svelte.ts'
import { FolderCountsManager } from '../features/search/folder-counts-manager.svelte.ts'
import { InboxTabsManager } from '../features/search/inbox-tabs-manager.svelte.ts'
import { SavedSearchesManager, RecentSearchesManager } from '../features/search/saved-searches-manager.svelte.ts'
import { MessageSourceManager, PrintPreviewManager } from '../features/source/message-source-manager.svelte.ts'
import { ShareLinkManager } from '../features/share-links/share-link-manager.svelte.ts'
import { ShareLinksManager } from '../features/share-links/share-links-manager.svelte.ts'
import { LargeChangesManager } from '../features/thread-list/large-changes-manager.svelte.ts'
import { findChosenOrder } from '../features/thread-list/list-sort.ts'
import { PickerManager, ThreadDrag } from '../features/threads/pickers.svelte.ts'
import { combineChanges } from '../features/threads/pending-changes.svelte.ts'
import {
  ThreadActionsManager,
  type RestoreView,
  type OfferFollowUp,
} from '../features/threads/thread-actions-manager.svelte.ts'
import { ThreadListManager } from '../features/threads/thread-list-manager.svelte.ts'
import { SnippetsManager } from '../features/writing/snippets-manager.svelte.ts'
import { findDefaultInbox } from '../features/writing/default-inbox.ts'
import { parseMailto } from '../features/writing/external-content.ts'
import { WritingManager } from '../features/writing/writing-manager.svelte.ts'
import { DeliveriesManager } from '../features/deliveries/deliveries-manager.svelte.ts'
import { SendersManager } from '../features/trust/senders-manager.ts'
import { UnsubscribeManager } from '../features/unsubscribe/unsubscribe-manager.svelte.ts'
import { toUnifiedInboxId } from '../../shared/unified-ids.ts'
import { formatRoute, isThreadRoute, type Route } from '../kernel/route.ts'
import type { Managers, Shell } from '../kernel/session.ts'
import { QuestionManager } from '../kernel/question-manager.svelte.ts'
import { domainOf } from '../ui/domain.ts'
import type { SyncManager } from '../kernel/sync-manager.svelte.ts'
import { ProblemsManager } from './problems-manager.svelte.ts'

const listAddress = (route: Route): string => {
  if (isThreadRoute(route)) return formatRoute({ ...route, threadId: null })
  return formatRoute('id' in route ? { ...route, id: null } : route)
}

/** Remembers the user's place. @returns a function that returns there, for `ThreadActionsManager` */
const capturePlaceIn =
  (
    route: Shell['route'],
    threads: Pick<ThreadListManager, 'capturePlace'>,
    mailboxes: Pick<MailboxesManager, 'label'>,
  ) =>
  (): RestoreView => {
    const { current, origin } = route
    const showThreads = isThreadRoute(current) ? threads.capturePlace() : null
    const goBack: RestoreView = (settled) => {
      // Another open row in the same list isn't a separate step for the Back button.
      if (listAddress(route.current) === listAddress(current)) route.replace(current)
      else if (origin !== null) route.visit(current)
      else route.go(current)
      if (isThreadRoute(current)) showThreads?.(current, settled)
    }
    return (settled) => {
      // A deleted label's list has no rows, and so no cursor, until the label is restored.
      const isGone = current.view === 'label' && mailboxes.label(current.inboxId, current.labelId) === undefined
      if (isGone) void settled.then(() => goBack(settled))
      else goBack(settled)
    }
  }

declare module '../kernel/session.ts' {
  interface Session extends Managers<ReturnType<typeof createSession>> {
    readonly sync: SyncManager
  }
}

/** Creates the state of an account's view, from the account's own shell. */
export const createSession = (
  { backend: accountBackend, toasts, route, preferences, account, isAllInboxes, clock }: Shell,
  sync: SyncManager,
  ending: AbortSignal,
) => {
  const backend = accountBackend.until(ending)
  const mailboxes = new MailboxesManager(backend, () =>
    !isAllInboxes
      ? []
      : account.inboxes.map(({ account: { id: accountId }, inbox: { id, name, emailAddress: address } }) => ({
          ...{ id: toUnifiedInboxId(accountId, id), name, address, accountId },
        })),
  )
  const threads = new ThreadListManager(
    backend,
    (id) => mailboxes.labelIdNow(id),
    () => preferences.values.keptInLists === 'only-here',
    (problem) => toasts.problem(problem),
    (list) => findChosenOrder(preferences.values, list),
  )
  const capturePlace = capturePlaceIn(route, threads, mailboxes)
  const received = new AccountEmailsManager(backend, 'received')
  const sent = new AccountEmailsManager(backend, 'sent')
  /** Lists that show a thread change before the engine responds. */
  const shown: Pick<ConversationManager, 'draw'>[] = [threads, received, sent]
  const idsNow = (ids: readonly string[] | undefined): readonly string[] | undefined =>
    ids?.map((id) => mailboxes.labelIdNow(id))
  const offer: { after: OfferFollowUp } = { after: () => null }
  const actions = new ThreadActionsManager(
    backend,
    toasts,
    (threadIds, asked) => {
      const change = { ...asked, addLabels: idsNow(asked.addLabels), removeLabels: idsNow(asked.removeLabels) }
      const inboxId = threads.route?.inboxId
      const labels = inboxId === undefined ? [] : mailboxes.labels(inboxId)
      return combineChanges(shown.map((each) => each.draw(threadIds, change, labels)))
    },
    capturePlace,
    (asked, change) => offer.after(asked, change),
  )
  const rules = new RulesManager(backend, toasts, actions)
  // Rules belong to one account.
  if (!isAllInboxes) offer.after = (asked, change) => rules.offerAfter(asked, change)
  const conversation = new ConversationManager(
    backend,
    (thread) => void actions.change([thread], { read: true }, null),
    () => preferences.values.markRead,
    ending,
  )
  shown.push(conversation)
  const snippets = new SnippetsManager(backend, toasts, actions)
  const writing = new WritingManager({
    ...{ backend, toasts, actions, mailboxes, snippets, preferences, ending, account: account.shown?.id ?? 'all' },
  })
  const inbox = new CurrentInbox({ route, mailboxes, preferences, accountId: account.shown?.id ?? null })
  /** Starts a message from a `mailto:` URL. @param address the sending inbox, if it exists */
  const write = async (mailto: string, address: string | null): Promise<string | null> => {
    const named = mailboxes.senders.find((each) => each.address === address)?.id
    const from = named ?? findDefaultInbox({ inbox, mailboxes, conversation })
    return from === null ? null : writing.start(from, parseMailto(mailto))
  }
  const compose = (mailto: string): void => void write(mailto, null)
  const links = new LinksManager(toasts, () => mailboxes.addresses.map(domainOf), compose)
  const picker = new PickerManager()
  const questions = new QuestionManager()
  const isUnified = isAllInboxes
  const labelChanges = new ThreadLabelChanges(backend, { mailboxes, actions, toasts })
  const contactEditor = new ContactEditor(backend, actions)
  const contacts = new ContactsManager(backend)
  contactEditor.onChanged(() => contacts.readAgain())
  const topicChoices = new TopicSubscriptionChanges(backend, actions)
  return {
    mailboxes,
    inbox,
    threads,
    actions,
    largeChanges: new LargeChangesManager(backend, toasts),
    picker,
    questions,
    drag: new ThreadDrag(),
    labels: new LabelsManager(backend, { mailboxes, actions, route, questions, isUnified }),
    labelPicker: new LabelPicker(backend, { mailboxes, labelChanges, picker }),
    assignees: new AssigneesManager(backend, { mailboxes, labelChanges, toasts, picker, questions, isUnified }),
    conversation,
    mailDisplay: new MailDisplay(backend, toasts),
    reading: new ReadingScroller(),
    find: new FindManager(),
    links,
    unsubscribe: new UnsubscribeManager(backend, { toasts, links, clock, write }),
    appLinks: new AppLinksManager(
      backend,
      {
        ...{ toasts, route, accounts: account, inboxShown: () => inbox.id, compose },
        reply: (about) => void writing.answer('reply', about),
      },
      ending,
    ),
    topicChoices,
    agents: new AgentsManager(backend, actions),
    assistants: new AssistantsManager(backend),
    person: new PersonManager(backend, topicChoices, ending),
    contactEditor,
    topics: new TopicsManager(backend, actions, contactEditor, questions),
    tableImport: new TableImport(backend, toasts, actions),
    contacts,
    senders: new SendersManager(backend),
    deliveries: new DeliveriesManager(backend, ending),
    received,
    sent,
    attachments: new AttachmentsManager(backend, toasts),
    exports: new ExportManager(backend, toasts),
    shareLink: new ShareLinkManager(backend, toasts),
    shareLinks: new ShareLinksManager(backend, toasts, actions),
    messageSource: new MessageSourceManager(backend),
    printPreview: new PrintPreviewManager(),
    sync,
    problems: new ProblemsManager(backend, toasts),
    folderCounts: new FolderCountsManager(backend),
    recentSearches: new RecentSearchesManager(backend, toasts),
    savedSearches: new SavedSearchesManager(backend, toasts, actions, questions),
    inboxTabs: new InboxTabsManager(backend, preferences),
    rules,
    snippets,
    writing,
  }
}
