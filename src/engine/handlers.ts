import type { CallContext, EngineCommand, Handlers } from '../shared/contract.ts'
import { createAccountAccess } from './account-access.ts'
import { accountEmailHandlers } from './account-emails/handlers.ts'
import { agentHandlers } from './agents/handlers.ts'
import { assistantHandlers } from './assistants/handlers.ts'
import { assigneeHandlers } from './assignees/handlers.ts'
import { replyTimeHandlers } from './reply-times/handlers.ts'
import { attachmentHandlers } from './attachments/handlers.ts'
import { cacheHandlers } from './settings/cache-handlers.ts'
import { bodyHandlers } from './bodies/handlers.ts'
import { contactTableHandlers } from './contact-import/handlers.ts'
import { contactHandlers, topicHandlers } from './contacts/handlers.ts'
import { inboxHandlers } from './inboxes/handlers.ts'
import { ruleHandlers } from './rules/handlers.ts'
import { savedSearchHandlers } from './saved-searches/handlers.ts'
import { snippetHandlers } from './snippets/handlers.ts'
import { labelHandlers } from './labels/handlers.ts'
import { personHandlers } from './people/handlers.ts'
import { rawMessageHandlers } from './raw-messages/handlers.ts'
import { pictureHandlers } from './pictures/handlers.ts'
import { changeHandlers } from './outbox/handlers.ts'
import type { ReopeningAccount } from './reopening-account.ts'
import { senderHandlers } from './senders/handlers.ts'
import { shareLinkHandlers } from './share-links/handlers.ts'
import { suppressionHandlers } from './suppressions/handlers.ts'
import { toStorageError } from './store/storage-problem.ts'
import { syncHandlers } from './sync/handlers.ts'
import type { ViewerActivity } from './sync/viewer-activity.ts'
import { threadHandlers } from './threads/handlers.ts'
import { draftHandlers } from './writing/handlers.ts'

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
      ...inboxHandlers(access),
      ...agentHandlers(access),
      ...labelHandlers(access),
      ...assigneeHandlers(access),
      ...threadHandlers(access),
      ...changeHandlers(access),
      ...bodyHandlers(access),
      ...rawMessageHandlers(access),
      ...shareLinkHandlers(access),
      ...contactHandlers(access),
      ...topicHandlers(access),
      ...contactTableHandlers(access),
      ...personHandlers(access),
      ...suppressionHandlers(access),
      ...senderHandlers(access),
      ...accountEmailHandlers(access),
      ...attachmentHandlers(access),
      ...syncHandlers(access, watchers),
      ...cacheHandlers(account),
      ...savedSearchHandlers(access),
      ...ruleHandlers(access),
      ...snippetHandlers(access),
      ...pictureHandlers(access),
      ...draftHandlers(access),
      ...replyTimeHandlers(access),
      ...assistantHandlers(access),
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
