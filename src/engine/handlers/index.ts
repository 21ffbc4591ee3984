import type { CallContext, EngineCommand, Handlers } from '../../shared/contract.ts'
import { createAccountAccess } from '../account-access.ts'
import { createAccountEmailHandlers } from './account-emails.ts'
import { createAssistantHandlers } from './assistants.ts'
import { createReplyTimeHandlers } from './reply-times.ts'
import { createAttachmentHandlers } from './attachments.ts'
import { createCacheHandlers } from './cache.ts'
import { createBodyHandlers } from './bodies.ts'
import { createContactTableHandlers } from './contact-import.ts'
import { createContactHandlers, createTopicHandlers } from './contacts.ts'
import { createInboxHandlers, createAgentHandlers } from './inboxes.ts'
import { createRuleHandlers } from './rules.ts'
import { createLabelHandlers } from './labels.ts'
import { createPersonHandlers } from './people.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { createSenderHandlers } from './senders.ts'
import { createShareLinkHandlers } from './share-links.ts'
import { createProblem } from '../platform/problem.ts'
import { toStorageError } from '../store/storage-problem.ts'
import type { ViewerActivity } from '../sync/viewer-activity.ts'
import { createThreadHandlers } from './threads.ts'
import { createWritingHandlers } from './writing.ts'

type HandledAccount = Pick<ReopeningAccount, 'current' | 'whenReady' | 'resetFiles'>

/**
 * Converts disk errors to messages for the user. If the account is reopened while a handler runs, the handler runs
 * again on the reopened account.
 */
const withUserErrors = (handlers: Handlers<EngineCommand>, account: HandledAccount): Handlers<EngineCommand> => {
  const wrapped = Object.entries(handlers).map(([name, handler]) => [
    name,
    async (input: never, context: CallContext): Promise<unknown> => {
      await account.whenReady()
      const before = account.current()
      try {
        return await handler(input, context)
      } catch (thrown) {
        await account.whenReady()
        if (account.current() === before) throw toStorageError(thrown)
      }
      try {
        return await handler(input, context)
      } catch (thrown) {
        throw toStorageError(thrown)
      }
    },
  ])
  // Wrapping keeps each handler's input and output types.
  return Object.fromEntries(wrapped) as Handlers<EngineCommand>
}

export const createHandlers = (
  account: HandledAccount,
  watchers: Pick<ViewerActivity, 'see'>,
): Handlers<EngineCommand> => {
  const access = createAccountAccess(() => account.current())
  const { current, inboxOf, callOptions } = access
  return withUserErrors(
    {
      ...createInboxHandlers(access),
      ...createAgentHandlers(access),
      ...createLabelHandlers(access),
      ...createThreadHandlers(access),
      ...createBodyHandlers(access),
      ...createShareLinkHandlers(access),
      ...createContactHandlers(access),
      ...createTopicHandlers(access),
      ...createContactTableHandlers(access),
      ...createPersonHandlers(access),
      ...createSenderHandlers(access),
      ...createAccountEmailHandlers(access),
      ...createAttachmentHandlers(access),
      ...createCacheHandlers(account),
      ...createRuleHandlers(access),
      ...createWritingHandlers(access),
      ...createReplyTimeHandlers(access),
      ...createAssistantHandlers(access),
      'sync.status': () => current().status(),
      'sync.now': async () => {
        const { sync, searches } = current()
        // Like other lists, searches are refreshed too.
        searches.invalidateAll()
        await sync.now()
      },
      'window.activity': ({ activity }, { caller }) => watchers.see(caller, activity),
      'change.undo': async ({ changeId }) => {
        const inverse = await current().outbox.undo(changeId)
        if (inverse === null) throw createProblem('not_found', 'This change is too old to undo.')
        return inverse === 'nothing' ? { undone: false } : { undone: true, changeId: inverse.changeId }
      },
      'change.cancel': async ({ changeId }) => {
        const threads = await current().outbox.cancel(changeId)
        if (threads === null)
          throw createProblem('not_found', 'This change is already done, so it can’t be cancelled. Use Undo instead.')
        return { threads }
      },
      'change.underWay': () => current().outbox.unfinished(),
      'picture.read': async ({ of, url, isRetry }) => {
        const { type, content } = await current().pictures.read(of, url, isRetry)
        return { type, content: Buffer.from(content).toString('base64') }
      },
      'picture.located': ({ of }) => current().pictures.located(of),
      'senderChoice.of': ({ of }) => current().pictures.policyOf(of),
      'senderChoice.list': () => current().senderChoices.all(),
      'senderChoice.set': ({ isOn, ...choice }) => current().senderChoices.set(choice, isOn),
      'recentSearch.list': () => current().savedSearches.searches.recent(),
      'recentSearch.add': ({ text }) => current().savedSearches.searches.addRecent(text),
      'recentSearch.clear': () => current().savedSearches.searches.clearRecent(),
      'savedSearch.list': () => {
        const kept = current().savedSearches
        return kept.searches.saved().map((search) => ({ ...search, unread: kept.unreadOf(search.id) }))
      },
      'savedSearch.save': ({ inboxId, name, text, before = null, isTab }) => {
        const kept = current().savedSearches
        const search = kept.searches.save({ inboxId: inboxOf(inboxId).id, name, text, isTab }, before)
        return { ...search, unread: kept.unreadOf(search.id) }
      },
      'savedSearch.rename': ({ id, name }) => current().savedSearches.searches.rename(id, name),
      'savedSearch.move': ({ id, before }) => current().savedSearches.searches.move(id, before),
      'savedSearch.showAsTab': ({ id, isTab }) => current().savedSearches.searches.showAsTab(id, isTab),
      'savedSearch.remove': ({ id }) => current().savedSearches.searches.remove(id),
      'inboxTab.list': ({ inboxId }) => current().savedSearches.tabs(inboxOf(inboxId).id),
      'problem.list': () => current().problems.list(),
      'problem.dismiss': ({ id }) => current().problems.clear(id),
      'unsubscribe.of': ({ of }) => current().unsubscribing.offer(of),
      'unsubscribe.post': ({ of, url }) => current().unsubscribing.post(of, url),
      'unsubscribe.begun': ({ of, draftId }) => current().unsubscribing.begun(of, draftId),
      'template.list': () => current().templates.list(),
      'template.refresh': () => current().templates.refresh(callOptions()),
      'template.get': ({ id }) => current().templates.get(id, callOptions()),
      'backup.state': () => current().backups.state(),
      'backup.now': ({ folder }) => current().backups.make(folder),
      'backup.cancel': () => current().backups.cancel(),
      'backup.setSchedule': (settings) => current().backups.set(settings),
      'export.list': () => current().exports.list(),
      'export.restart': ({ id }) => current().exports.restart(id),
      'export.cancel': ({ id }) => current().exports.cancel(id),
      'delivery.ofThread': ({ inboxId, threadId, mayAsk }) =>
        current().deliveries.ofThread(inboxOf(inboxId).id, threadId, mayAsk),
      'usage.get': ({ maxAge, timeoutMs }) => current().usage.get({ maxAge, timeoutMs }),
      'keeping.state': () => current().prefetcher.state(),
      'keeping.set': (choices) => {
        const { prefetcher, sync } = current()
        prefetcher.choose(choices)
        // Sync fetches thread text to the same depth.
        sync.nudge()
        return prefetcher.state()
      },
    } satisfies Handlers<EngineCommand>,
    account,
  )
}
