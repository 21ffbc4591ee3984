import type { CallContext, EngineCommand, Handlers } from '../../shared/contract.ts'
import type { OpenAccount } from '../account.ts'
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
import { toStorageError } from '../store/storage-problem.ts'
import type { ViewerActivity } from '../sync/viewer-activity.ts'
import { createThreadHandlers } from './threads.ts'
import { createWritingHandlers } from './writing.ts'
import { createProblem } from '../../shared/result.ts'

type EngineHandlers = Handlers<EngineCommand>
type HandledAccount = Pick<ReopeningAccount, 'current' | 'whenReady' | 'resetFiles'>

/** Handlers of one opening of the account. */
const createAccountHandlers = (
  account: OpenAccount,
  reopening: HandledAccount,
  watchers: Pick<ViewerActivity, 'see'>,
): EngineHandlers => {
  const { platform, own, background, mail, clock, directory, signal } = account
  const { cache, outbox, problems, savedSearches, senderChoices } = own
  const { sync, prefetcher } = background
  const { searches, pictures, unsubscribing, templates, backups, exports } = mail
  return {
    ...createInboxHandlers(platform, own, background),
    ...createAgentHandlers(platform, own, background, clock),
    ...createLabelHandlers(own),
    ...createThreadHandlers(own, background, mail, { clock, signal }),
    ...createBodyHandlers(own, background),
    ...createShareLinkHandlers(platform, own, clock),
    ...createContactHandlers(platform, own, background, clock),
    ...createTopicHandlers(own),
    ...createContactTableHandlers(own),
    ...createPersonHandlers(platform, own, background, mail, { clock, signal }),
    ...createSenderHandlers(own, background),
    ...createAccountEmailHandlers(platform, own, background, mail),
    ...createAttachmentHandlers(mail),
    ...createCacheHandlers(directory, own, reopening),
    ...createRuleHandlers(own, { clock, signal }),
    ...createWritingHandlers(own, mail),
    ...createReplyTimeHandlers(own, { clock, signal }),
    ...createAssistantHandlers(own),
    'sync.status': () => account.status(),
    'sync.now': async () => {
      // Like other lists, searches are refreshed too.
      searches.invalidateAll()
      await sync.now()
    },
    'feed.state': () => sync.feed.state(),
    'feed.createWebhook': ({ endpoint }) => sync.createWebhook(endpoint),
    'window.activity': ({ activity }, { caller }) => watchers.see(caller, activity),
    'change.undo': ({ changeId }) => {
      const inverse = outbox.undo(changeId)
      if (inverse === null) throw createProblem('not_found', 'This change is too old to undo.')
      return inverse === 'nothing' ? { undone: false } : { undone: true, changeId: inverse.changeId }
    },
    'change.cancel': ({ changeId }) => {
      const threads = outbox.cancel(changeId)
      if (threads === null)
        throw createProblem('not_found', 'This change is already done, so it can’t be cancelled. Use Undo instead.')
      return { threads }
    },
    'change.underWay': () => outbox.unfinished(),
    'picture.read': async ({ of, url, isRetry }) => {
      const { type, content } = await pictures.read(of, url, isRetry)
      return { type, content: Buffer.from(content).toString('base64') }
    },
    'picture.located': ({ of }) => pictures.located(of),
    'senderChoice.of': ({ of }) => pictures.policyOf(of),
    'senderChoice.list': () => senderChoices.all(),
    'senderChoice.set': ({ isOn, ...choice }) => senderChoices.set(choice, isOn),
    'recentSearch.list': () => savedSearches.searches.recent(),
    'recentSearch.add': ({ text }) => savedSearches.searches.addRecent(text),
    'recentSearch.clear': () => savedSearches.searches.clearRecent(),
    'savedSearch.list': () =>
      savedSearches.searches.entries.map((search) => ({ ...search, unread: savedSearches.unreadOf(search.id) })),
    'savedSearch.save': ({ inboxId, name, text, before = null, isTab }) => {
      const { id } = cache.inboxes.require(inboxId)
      const search = savedSearches.searches.save({ inboxId: id, name, text, isTab }, before)
      return { ...search, unread: savedSearches.unreadOf(search.id) }
    },
    'savedSearch.rename': ({ id, name }) => savedSearches.searches.rename(id, name),
    'savedSearch.move': ({ id, before }) => savedSearches.searches.move(id, before),
    'savedSearch.showAsTab': ({ id, isTab }) => savedSearches.searches.showAsTab(id, isTab),
    'savedSearch.remove': ({ id }) => savedSearches.searches.remove(id),
    'inboxTab.list': ({ inboxId }) => savedSearches.tabs(cache.inboxes.require(inboxId).id),
    'problem.list': () => problems.list(),
    'problem.dismiss': ({ id }) => problems.clear(id),
    'unsubscribe.of': ({ of }) => unsubscribing.offer(of),
    'unsubscribe.post': ({ of, url }) => unsubscribing.post(of, url),
    'unsubscribe.begun': ({ of, draftId }) => unsubscribing.begun(of, draftId),
    'template.list': () => templates.list(),
    'template.refresh': () => templates.refresh(platform.action),
    'template.get': ({ id }) => templates.get(id, platform.action),
    'backup.state': () => backups.state(),
    'backup.now': ({ folder }) => backups.make(folder),
    'backup.cancel': () => backups.cancel(),
    'backup.setSchedule': (settings) => backups.set(settings),
    'export.list': () => exports.list(),
    'export.cancel': ({ id }) => exports.cancel(id),
    'delivery.ofThread': ({ inboxId, threadId, mayAsk }) =>
      background.deliveries.ofThread(cache.inboxes.require(inboxId).id, threadId, mayAsk),
    'usage.get': ({ maxAge, timeoutMs }) => platform.usage.get({ maxAge, timeoutMs }),
    'keeping.state': () => prefetcher.state(),
    'keeping.set': (choices) => {
      prefetcher.choose(choices)
      // Sync fetches thread text to the same depth.
      sync.nudge()
      return prefetcher.state()
    },
  }
}

/**
 * Converts disk errors to messages for the user. If the account is reopened while a handler runs, the reopened account's
 * handler runs again.
 */
export const createHandlers = (
  account: HandledAccount,
  watchers: Pick<ViewerActivity, 'see'>,
): Handlers<EngineCommand> => {
  const create = (opened: OpenAccount) => ({ opened, handlers: createAccountHandlers(opened, account, watchers) })
  let created = create(account.current())
  const handlersNow = (): EngineHandlers => {
    const opened = account.current()
    if (created.opened !== opened) created = create(opened)
    return created.handlers
  }
  const withUserErrors = (name: EngineCommand) => {
    const run = async (input: never, context: CallContext, isAgain = false): Promise<unknown> => {
      await account.whenReady()
      const opened = account.current()
      try {
        return await handlersNow()[name](input, context)
      } catch (thrown) {
        await account.whenReady()
        if (isAgain || account.current() === opened) throw toStorageError(thrown)
        return run(input, context, true)
      }
    }
    return (input: never, context: CallContext): Promise<unknown> => run(input, context)
  }
  const names = Object.keys(created.handlers) as EngineCommand[]
  // Wrapping keeps each handler's input and output types.
  return Object.fromEntries(names.map((name) => [name, withUserErrors(name)])) as Handlers<EngineCommand>
}
