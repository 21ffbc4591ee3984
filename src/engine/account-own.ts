import type { AccountContext } from './account-context.ts'
import type { PlatformPart } from './account-platform.ts'
import { NewMailNotices } from './mail/new-mail-notices.ts'
import { AssistantStore } from './own/assistant-store.ts'
import { EventHub, type SearchListener } from './own/event-hub.ts'
import { findSuppression } from './own/find-suppression.ts'
import type { AccountFiles } from './own/open-account-files.ts'
import { OutboxFile } from './own/outbox/outbox-file.ts'
import { createChangeTypes, Outbox } from './own/outbox/outbox.ts'
import { reportRollback } from './own/outbox/rollback.ts'
import { OwnName } from './own/own-name.ts'
import { Problems } from './own/problems.ts'
import { Rules } from './own/rules/rules.ts'
import { AccountSearches } from './own/saved-searches/account-searches.ts'
import { SenderChoices } from './own/sender-choices.ts'
import { ShareLinkStore } from './own/share-link-store.ts'
import { SnippetStore } from './own/snippets.ts'
import { InboxPresence } from './sync/inbox-presence.ts'
import { createLocalClock } from './timing/clock.ts'
import type { LinnetEvent } from '../shared/contract.ts'
import type { SyncStatus } from '../shared/model.ts'

interface OwnListeners {
  readonly onEvent: (event: LinnetEvent) => void
  readonly status: () => SyncStatus
  readonly searches: () => SearchListener
  readonly onArrival: NewMailNotices['onArrival']
}

const createOutbox = (
  { clock, report }: AccountContext,
  { own, cache }: AccountFiles,
  { api, notFound, capabilities }: PlatformPart,
  { hub, problems, presence }: { hub: EventHub; problems: Problems; presence: InboxPresence },
): Outbox =>
  new Outbox(
    new OutboxFile(own),
    createChangeTypes(
      {
        ...{ platform: api, cache, hub, notFound },
        findSuppression: (address, options) => findSuppression(api, capabilities, address, options),
      },
      clock,
    ),
    {
      shown: () => hub.sync(),
      refused: (subject, type, refusal) => {
        const address = cache.inboxes.get(subject.scope)?.inbox.emailAddress ?? null
        // Report first, so a later failure can't prevent it.
        reportRollback(problems, subject, type, refusal, address)
        if (refusal.missing === 'subject') type.isGone?.(subject)
        if (refusal.missing === 'inbox') presence.isGone(subject.scope)
      },
      replaced: ({ kind, scope, was, id }) => {
        if (kind === 'contact') hub.contacts()
        else hub.labels(scope, [was, id], { was, id })
      },
      progressed: hub.changes,
      failed: report,
    },
    clock,
  )

/** The account's files: the cache, and what only this person has. */
export const createOwnPart = (
  context: AccountContext,
  files: AccountFiles,
  platform: PlatformPart,
  { onEvent, status, searches, onArrival }: OwnListeners,
) => {
  const { emit, report, clock, signal } = context
  const { cache, own } = files
  const hub = new EventHub(onEvent, status, searches, onArrival, clock)
  const problems = new Problems(own, hub.problems, report, clock.now)
  const presence = new InboxPresence({ cache, hub, problems })
  const outbox = createOutbox(context, files, platform, { hub, problems, presence })
  files.attach(outbox)

  const common = { own, cache, hub, report, clock, signal }
  const ownName = new OwnName(own, hub.assignees)
  const savedSearches = new AccountSearches({ ...common, me: () => ownName.all() })
  const rules = new Rules({ ...common, outbox, today: createLocalClock(clock.now) })
  return {
    ...{ cache, data: own, hub, problems, presence, outbox, ownName, savedSearches, rules },
    assistants: new AssistantStore(own),
    snippets: new SnippetStore(own, hub.snippets),
    shareLinks: new ShareLinkStore(own, hub.shareLinks, report, clock.now),
    senderChoices: new SenderChoices(own, hub.senderChoices),
    newMailNotices: new NewMailNotices({
      ...{ accountMeta: cache.accountMeta, clock, signal },
      thread: (inboxId, threadId) => {
        const inbox = cache.inboxes.get(inboxId)
        return inbox && cache.threads.get(inbox, threadId)
      },
      wanted: (inboxId, threadId) => rules.notificationFor(inboxId, threadId),
      announce: (payload) => emit({ name: 'mail.arrived', payload }),
    }),
  }
}

export type OwnPart = ReturnType<typeof createOwnPart>
