import type { CallContext, EngineCommand, Handlers } from '../../shared/contract.ts'
import { createAccountAccess } from '../account-access.ts'
import { createAccountEmailHandlers } from './account-emails.ts'
import { createAgentHandlers } from './agents.ts'
import { createAssistantHandlers } from './assistants.ts'
import { createAssigneeHandlers } from './assignees.ts'
import { createReplyTimeHandlers } from './reply-times.ts'
import { createAttachmentHandlers } from './attachments.ts'
import { createCacheHandlers } from './cache.ts'
import { createBodyHandlers } from './bodies.ts'
import { createContactTableHandlers } from './contact-import.ts'
import { createContactHandlers, createTopicHandlers } from './contacts.ts'
import { createInboxHandlers } from './inboxes.ts'
import { createRuleHandlers } from './rules.ts'
import { createSavedSearchHandlers } from './saved-searches.ts'
import { createSnippetHandlers } from './snippets.ts'
import { createLabelHandlers } from './labels.ts'
import { createPersonHandlers } from './people.ts'
import { createRawMessageHandlers } from './raw-messages.ts'
import { createPictureHandlers } from './pictures.ts'
import { createChangeHandlers } from './changes.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { createSenderHandlers } from './senders.ts'
import { createShareLinkHandlers } from './share-links.ts'
import { createSuppressionHandlers } from './suppressions.ts'
import { toStorageError } from '../store/storage-problem.ts'
import { createSyncHandlers } from './sync.ts'
import type { ViewerActivity } from '../sync/viewer-activity.ts'
import { createThreadHandlers } from './threads.ts'
import { createDraftHandlers } from './drafts.ts'

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
      ...createAssigneeHandlers(access),
      ...createThreadHandlers(access),
      ...createChangeHandlers(access),
      ...createBodyHandlers(access),
      ...createRawMessageHandlers(access),
      ...createShareLinkHandlers(access),
      ...createContactHandlers(access),
      ...createTopicHandlers(access),
      ...createContactTableHandlers(access),
      ...createPersonHandlers(access),
      ...createSuppressionHandlers(access),
      ...createSenderHandlers(access),
      ...createAccountEmailHandlers(access),
      ...createAttachmentHandlers(access),
      ...createSyncHandlers(access, watchers),
      ...createCacheHandlers(account),
      ...createSavedSearchHandlers(access),
      ...createRuleHandlers(access),
      ...createSnippetHandlers(access),
      ...createPictureHandlers(access),
      ...createDraftHandlers(access),
      ...createReplyTimeHandlers(access),
      ...createAssistantHandlers(access),
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
