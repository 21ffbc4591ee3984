import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { LinnetEvent } from '../shared/contract.ts'
import type { AccountKey, AccountToOpen } from '../shared/engine-api.ts'
import type { ReceivedEmail, SentEmail, SyncStatus } from '../shared/model.ts'
import { ProblemError } from '../shared/result.ts'
import { CACHE_NAME, readOutboxPosition } from './own/account-files.ts'
import { parseBaseUrl } from './platform/base-url.ts'
import { SignedDownloads } from './platform/signed-downloads.ts'
import type { MailPlatform } from './platform/mail-platform.ts'
import { Attachments } from './mail/attachments/attachments.ts'
import { parseInWorker } from './mail/attachments/parse-in-worker.ts'
import { AttachmentContent } from './mail/attachments/attachment-content.ts'
import { Backups } from './files/backup/backups.ts'
import { StoredBlobs } from './store/blobs.ts'
import { Deliveries } from './sync/deliveries.ts'
import { EventHub } from './own/event-hub.ts'
import { Exports } from './files/export/exports.ts'
import { PrefetchChoiceStore } from './sync/prefetch-choices.ts'
import { LocalMailDeleter } from './sync/delete-local-mail.ts'
import { EmailPrefetcher } from './sync/prefetch-email.ts'
import { Prefetcher } from './sync/prefetcher.ts'
import { prefetchStartTime } from './sync/plan-prefetch.ts'
import { StorageBudget } from './sync/storage-budget.ts'
import { AccountSearches } from './own/saved-searches/account-searches.ts'
import { NewMailNotices } from './mail/new-mail-notices.ts'
import { openAccountFiles, type AccountFiles } from './own/open-account-files.ts'
import { listOpeningProblems } from './own/opening-damage.ts'
import { RawMessages } from './sync/raw-messages.ts'
import { createChangeTypes, Outbox } from './own/outbox/outbox.ts'
import { reportRollback, toRollbackProblem } from './own/outbox/rollback.ts'
import { InlinePictures } from './mail/pictures/inline-pictures.ts'
import { Pictures } from './mail/pictures/pictures.ts'
import { OwnName } from './own/own-name.ts'
import { SenderChoices } from './own/sender-choices.ts'
import { PlatformAccess } from './platform/platform-access.ts'
import { Problems } from './own/problems.ts'
import { RowRepairer } from './sync/row-repairer.ts'
import { Rules } from './own/rules/rules.ts'
import { createLocalClock } from './timing/local-clock.ts'
import { EmailSearches } from './mail/search/email-searches.ts'
import { SearchSessions } from './mail/search/sessions.ts'
import { indexInBackground } from './store/search-index/index-in-background.ts'
import { Authentications } from './mail/authentications.ts'
import type { EngineService } from './timing/service.ts'
import { ShareLinkStore } from './own/share-link-store.ts'
import { SnippetStore } from './own/snippets.ts'
import type { BrokenRow } from './store/broken-row.ts'
import type { Cache } from './store/cache.ts'
import { Salvage } from './store/salvage.ts'
import { isCorruptionError } from './store/storage-problem.ts'
import { Suppressions } from './mail/suppressions.ts'
import { Capabilities } from './platform/capabilities.ts'
import { NotFoundResolver } from './platform/not-found-resolver.ts'
import { AccountListSync } from './sync/account-lists.ts'
import { SyncErrors } from './sync/sync-errors.ts'
import { InboxPresence } from './sync/inbox-presence.ts'
import { SyncScheduler } from './sync/scheduler.ts'
import type { AccountDependencies } from './account-dependencies.ts'
import { ThreadSync } from './sync/thread-sync.ts'
import { Templates } from './mail/templates.ts'
import { Reminders, listMarkedThreads } from './mail/threads/reminders.ts'
import type { Clock } from './timing/clock.ts'
import { runInOrder } from './timing/turns.ts'
import { createThrottle } from './timing/throttle.ts'
import type { RemoteReplyCheck } from './mail/writing/remote-replies.ts'
import { UnsubscribeService } from './mail/unsubscribe-service.ts'
import type { Drafts } from './mail/writing/drafts.ts'
import type { DraftSender } from './mail/writing/draft-sender.ts'
import { AccountUsage } from './own/account-usage.ts'
import { createDraftServices, type DraftServices } from './mail/writing/draft-services.ts'

/** When a lost or possibly incomplete cache was replaced, in milliseconds since the epoch. */
const REPLACED_KEY = 'replaced'

/** An open account: cache, outbox and platform access. Syncs from local state, with or without network and key. */
export class OpenAccount {
  readonly baseUrl: URL
  readonly clock: Clock
  readonly directory: string
  /** Aborted when the account closes, which cancels all requests. */
  readonly signal: AbortSignal
  readonly platform: MailPlatform
  readonly cache: Cache
  /** Fetched files: attachments, originals, images. */
  readonly blobs: StoredBlobs
  readonly outbox: Outbox
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly notFound: NotFoundResolver
  readonly presence: InboxPresence
  readonly sync: SyncScheduler
  readonly marked: Reminders
  readonly prefetcher: Prefetcher
  readonly localDeletion: LocalMailDeleter
  readonly searches: SearchSessions
  readonly emailSearches: {
    readonly received: EmailSearches<ReceivedEmail>
    readonly sent: EmailSearches<SentEmail>
  }
  readonly rawMessages: RawMessages
  readonly attachments: Attachments
  readonly attachmentContent: AttachmentContent
  readonly exports: Exports
  readonly authentications: Authentications
  readonly hub: EventHub
  readonly problems: Problems
  readonly savedSearches: AccountSearches
  readonly rules: Rules
  readonly snippets: SnippetStore
  readonly shareLinks: ShareLinkStore
  readonly senderChoices: SenderChoices
  readonly ownName: OwnName
  readonly pictures: Pictures
  readonly unsubscribing: UnsubscribeService
  readonly backups: Backups
  readonly drafts: Drafts
  readonly sending: DraftSender
  readonly remoteReplies: RemoteReplyCheck
  readonly deliveries: Deliveries
  readonly suppressions: Suppressions
  readonly templates: Templates
  readonly usage: AccountUsage
  readonly #ending = new AbortController()
  readonly #report: (thrown: unknown) => void
  readonly access: PlatformAccess
  readonly #repair: RowRepairer
  readonly #writing: DraftServices
  /** Background services, in the order they start, receive events and stop. */
  #services: readonly EngineService[] = []
  /** Start-up tasks; they resolve when finished. */
  #background: readonly Promise<void>[] = []

  /** @throws ProblemError `invalid_input` for an invalid base URL, `storage_failed` if files can't be opened */
  constructor({ baseUrl, directory, key, isKnown = false }: Omit<AccountToOpen, 'id'>, outer: AccountDependencies) {
    const { network, emit, report, onCorrupt, cacheFile, partsWorker, backupWorker, clock, isSafe = false } = outer
    const { signal } = this.#ending
    // Every waiting request adds a listener, so having many isn't a leak.
    setMaxListeners(0, signal)
    const common = { report, clock, signal }
    this.#report = report
    this.clock = clock
    this.directory = directory
    this.signal = signal
    this.baseUrl = parseBaseUrl(baseUrl)

    // Some listeners use parts that are created later, and read them lazily from `this`: the outbox, the repair, sync,
    // sending.
    const listeners = {
      onCorrupt,
      onBroken: (row: BrokenRow) => this.#repair.note(row),
      // A change of an e-mail's kind affects searches just as changed text does.
      onKind: (inboxId: string, threadId: string) => this.hub.emails(inboxId, [threadId]),
    }
    const files = openAccountFiles({ directory, state: cacheFile, ...listeners, report, clock }, () => this.outbox)
    const { cache, outboxFile } = files
    this.cache = cache
    const blobs = new StoredBlobs(directory, cache.blobs, signal, { now: clock.now })
    this.blobs = blobs
    const hub = this.#createHub(emit)
    this.hub = hub
    this.access = this.#createAccess(outer, key)
    const { platform } = this.access
    this.platform = platform

    const { own } = files
    this.problems = new Problems(own, hub.problems, report, clock.now)
    this.ownName = new OwnName(own, () => {
      hub.assignees()
      this.savedSearches.recount()
    })
    this.savedSearches = new AccountSearches({ ...common, own, cache, hub, me: () => this.ownName.all() })
    const today = createLocalClock(clock.now)
    this.rules = new Rules({ ...common, own, cache, hub, outbox: () => this.outbox, today })
    this.snippets = new SnippetStore(own, hub.snippets)
    this.shareLinks = new ShareLinkStore(own, hub.shareLinks, report, clock.now)
    this.senderChoices = new SenderChoices(own, hub.senderChoices)
    const { problems } = this
    this.#repair = new RowRepairer({
      ...{ cache, platform, hub, problems, signal, report },
      threads: () => this.threads,
      lists: () => this.lists,
    })

    const capabilities = new Capabilities(clock.elapsed)
    this.usage = new AccountUsage({ platform, accountMeta: cache.accountMeta, capabilities, clock, signal })
    const wasListed = (id: string): boolean =>
      cache.inboxes.get(id)?.onServer === true && cache.inboxes.get(id)?.isAdded === false
    const notFound = new NotFoundResolver({ platform, capabilities, signal, wasListed })
    const presence = new InboxPresence(cache.inboxes, hub, problems)
    const syncErrors = new SyncErrors(() => hub.sync(), signal)
    this.notFound = notFound
    this.presence = presence
    this.outbox = this.#createOutbox(files)
    const syncParts = { ...common, platform, cache, hub, capabilities, notFound, presence, syncErrors, problems }
    this.suppressions = new Suppressions({ ...syncParts, outbox: () => this.outbox })
    this.templates = new Templates(syncParts)
    this.threads = new ThreadSync(syncParts)
    this.lists = new AccountListSync(syncParts)
    const { outbox, threads, lists } = this

    const searches = new SearchSessions({ ...syncParts, pending: files.pending, threads })
    this.searches = searches
    this.emailSearches = {
      received: new EmailSearches(cache.receivedEmails, today, signal),
      sent: new EmailSearches(cache.sentEmails, today, signal),
    }
    const parseParts = (original: Uint8Array, asking: AbortSignal) =>
      parseInWorker(partsWorker, 'original', original, asking, clock)
    const downloads = new SignedDownloads(network, this.baseUrl)
    const fetchParts = { ...syncParts, downloads, blobs, readParts: parseParts }
    const rawMessages = new RawMessages(fetchParts)
    const attachments = new Attachments({ ...fetchParts, rawMessages })
    const attachmentContent = new AttachmentContent({
      ...{ attachments, signal, report },
      read: (work, bytes) => parseInWorker(partsWorker, work, bytes, signal, clock),
    })
    const authentications = new Authentications({ ...syncParts, listReceived: () => lists.news('received', 'sync') })
    this.rawMessages = rawMessages
    this.attachments = attachments
    this.attachmentContent = attachmentContent
    this.authentications = authentications
    this.pictures = new Pictures({
      ...{ ...common, network, cache, blobs, authentications, isSafe, choices: this.senderChoices },
      signedHtmlOf: (of) => attachmentContent.signedHtml(of),
      inlinePictures: new InlinePictures({ ...fetchParts, attachments, rawMessages }),
    })
    this.unsubscribing = new UnsubscribeService({
      ...{ ...common, network, own, cache, rawMessages, authentications, changed: hub.unsubscribed },
    })

    const isOnline = (): boolean => this.connection() === 'online'
    const deliveries = new Deliveries({ ...syncParts, lists })
    const writing = createDraftServices(directory, {
      ...{ ...common, platform, cache, blobs, hub, outbox, attachments, deliveries, threads, lists },
      ...{ isOnline, problems: this.problems, usage: this.usage },
    })
    this.deliveries = deliveries
    this.#writing = writing
    this.drafts = writing.drafts
    this.sending = writing.sending
    this.remoteReplies = writing.remoteReplies

    this.marked = new Reminders({
      ...{ ...common, cache, outbox, threads, authorOf: (of) => authentications.author(of) },
      announce: (payload) => emit({ name: 'mail.arrived', payload }),
      lastSyncAt: () => this.sync.state().lastSyncAt,
    })

    const choices = new PrefetchChoiceStore(directory)
    this.sync = new SyncScheduler({
      ...{ ...syncParts, threads, lists, isSafe },
      since: () => prefetchStartTime(choices.get().days, clock.now()),
      onOnline: () => this.#onOnline(),
    })
    const fileBytes = (): number => cache.keeping.fileBytes()
    const budget = new StorageBudget(() => choices.get().bytes, fileBytes)
    this.prefetcher = new Prefetcher({
      ...{ ...common, rows: cache.keeping, choices, budget, problems, isSafe },
      emails: new EmailPrefetcher({
        ...{ ...fetchParts, budget },
        received: createThrottle(hub.receivedEmails, clock, signal),
        sent: createThrottle(hub.sentEmails, clock, signal),
      }),
      isBusy: () => {
        const { connection, progress, lastSyncAt } = this.sync.state()
        return connection === 'online' && (progress !== null || lastSyncAt === null)
      },
      changed: hub.keeping,
    })
    this.localDeletion = new LocalMailDeleter(cache, blobs)
    this.backups = new Backups({
      ...{ ...common, directory, baseUrl, problems, workerFile: backupWorker, outbox: outboxFile.outbox },
      inboxes: () => cache.inboxes.all().map(({ inbox }) => ({ id: inbox.id, address: inbox.emailAddress })),
      unsent: () => this.unsentChanges(),
      changed: hub.backup,
    })
    const exported = { cache, platform, threads, searches, outbox, rawMessages, attachments, signal, isOnline }
    this.exports = new Exports(directory, exported, hub.exports, report, clock)
    this.#reportDamage(files, isKnown, writing.files.damage)
    this.#start(files, isSafe)
  }

  connection(): SyncStatus['connection'] {
    return this.access.isKeyMissing() ? 'needsKey' : this.sync.state().connection
  }

  status(): SyncStatus {
    const state = this.sync.state()
    return {
      ...state,
      connection: this.connection(),
      pendingChanges: this.outbox.pendingCount() + this.#writing.waiting(state.connection === 'online'),
      waitingUntil: this.access.waitingUntil,
    }
  }

  unsentChanges(): number {
    return this.outbox.pendingCount() + this.#writing.countSending()
  }

  /** Switches to another key, or waits for one if null. */
  setKey(key: AccountKey | null): void {
    this.access.setKey(key)
    this.hub.sync()
    this.sync.nudge()
    this.prefetcher.keyChanged()
    this.outbox.nudge()
    this.sending.sync.nudge()
    this.searches.retryFailed()
  }

  /** Makes every window reload all that it shows. */
  notifyAllChanged(): void {
    const { inboxes, labels } = this.cache
    this.hub.everything(
      inboxes.all().map(({ key, inbox }) => ({ id: inbox.id, labelIds: labels.all(key).map(({ id }) => id) })),
    )
  }

  /** Stops syncing, keeps pending changes, closes files. @param isDamaged true to check the files on the next open */
  async close(isDamaged?: boolean): Promise<void> {
    this.#ending.abort(new ProblemError({ code: 'cancelled', message: 'The account was closed.' }))
    this.searches.close()
    const [salvaged, ...others] = this.#background
    await salvaged
    await runInOrder([
      () => this.exports.close(),
      ...others.map((ended) => () => ended),
      ...this.#services.map((service) => () => service.ended()),
      () => this.outbox.close(isDamaged),
      () => this.access.close(),
      () => this.hub.close(),
      () => this.cache.close(isDamaged),
    ])
  }

  #createHub(emit: (event: LinnetEvent) => void): EventHub {
    const { cache, clock, signal } = this
    const news = new NewMailNotices({
      ...{ accountMeta: cache.accountMeta, clock, signal },
      thread: (inboxId, threadId) => {
        const inbox = cache.inboxes.get(inboxId)
        return inbox && cache.threads.get({ key: inbox.key, id: inboxId }, threadId)
      },
      wanted: (inboxId, threadId) => this.rules.notificationFor(inboxId, threadId),
      announce: (payload) => emit({ name: 'mail.arrived', payload }),
    })
    return new EventHub(
      (event) => {
        emit(event)
        for (const service of this.#services) service.onEvent?.(event)
      },
      () => this.status(),
      () => this.searches,
      (inboxId, threads) => news.onArrival(inboxId, threads),
      clock,
    )
  }

  #createAccess(
    { network, keyAccepted, keyRenewed, report }: AccountDependencies,
    key: AccountKey | null,
  ): PlatformAccess {
    const { cache, hub, baseUrl, clock, signal } = this
    return new PlatformAccess({
      ...{ network, baseUrl, key, keyAccepted, keyRenewed, report, clock, signal },
      cachedInboxIds: () => cache.inboxes.all().map(({ inbox }) => inbox.id),
      changed: () => hub.sync(),
      onReach: (reach) => this.sync.reach(reach),
      onQuota: (used) => this.usage.heard(used),
      hasAnswered: () => this.sync.state().lastSyncAt !== null,
    })
  }

  #reportDamage(
    { isNewAccount, outboxFile, cacheDamage }: AccountFiles,
    isKnown: boolean,
    drafts: Parameters<typeof listOpeningProblems>[0]['drafts'],
  ): void {
    const remembered = readOutboxPosition(this.cache.accountMeta)
    const found = { isFolderGone: isKnown && isNewAccount, outbox: outboxFile, remembered, cache: cacheDamage, drafts }
    for (const problem of listOpeningProblems(found)) this.problems.raise(problem)
  }

  #createOutbox({ outboxFile, remember }: AccountFiles): Outbox {
    const { platform, cache, hub, notFound, presence, problems, clock } = this
    const findSuppression: Suppressions['find'] = (...asked) => this.suppressions.find(...asked)
    return new Outbox(
      outboxFile.outbox,
      createChangeTypes({ platform, cache: () => cache, hub, notFound, findSuppression }, clock),
      {
        remember,
        shown: () => hub.sync(),
        refused: (subject, type, refusal) => {
          const address = cache.inboxes.get(subject.scope)?.inbox.emailAddress ?? null
          // Report first, so a later failure can't prevent it.
          reportRollback(problems, toRollbackProblem(subject, type, refusal, address))
          if (refusal.missing === 'subject') type.isGone(subject)
          if (refusal.missing === 'inbox') presence.isGone(subject.scope)
        },
        replaced: ({ kind, scope, was, id }) => {
          if (kind === 'contact') hub.contacts()
          else hub.labels(scope, [was, id], { was, id })
        },
        progressed: hub.changes,
        failed: this.#report,
      },
      clock,
    )
  }

  /** The computer woke up or changed networks: run everything that is waiting for a timer. */
  networkChanged(): void {
    this.sync.nudge()
    this.#onOnline()
  }

  #onOnline(): void {
    this.marked.nudge()
    this.searches.retryFailed()
    this.outbox.nudge()
    this.sending.sync.nudge()
    this.deliveries.nudge()
    this.#repair.retry()
  }

  #start({ setAside, cacheDamage, isMismatched }: AccountFiles, isSafe: boolean): void {
    const { directory, cache, blobs, hub, outbox, clock, signal } = this
    const report = this.#report
    const salvage = new Salvage({
      ...{ directory, sound: join(directory, CACHE_NAME), cache, report, signal },
      keepContent: (row) => blobs.restore(row),
      changed: (inboxId, touched) => hub.threads(inboxId, touched),
    })
    if (setAside !== null) salvage.begin(setAside)
    if (cacheDamage !== null) cache.accountMeta.set(REPLACED_KEY, clock.now())
    outbox.showAll(isMismatched ? [...outbox.subjectsWithLocalFields(), ...listMarkedThreads(cache)] : [])

    const atOnce: readonly EngineService[] = [
      this.savedSearches,
      this.backups,
      this.sending.sync,
      this.marked,
      this.unsubscribing,
    ]
    // These start after salvaging, because salvaged mail need not be fetched again.
    const afterSalvage: readonly EngineService[] = [
      this.rules,
      this.sync,
      this.prefetcher,
      this.#writing.theirs,
      this.deliveries,
    ]
    this.#services = [...atOnce, ...afterSalvage]
    outbox.start(signal)
    for (const service of atOnce) service.start()
    const salvaged = salvage
      .run()
      .then((isMoved) => {
        if (!isMoved) return
        outbox.showAll()
        this.notifyAllChanged()
      })
      .then(() => {
        if (!signal.aborted) for (const service of afterSalvage) service.start()
      }, report)
    const tidied = salvaged
      .then(() => blobs.collectGarbage(cache.accountMeta.number(REPLACED_KEY) ?? 0))
      .catch((thrown: unknown) => {
        if (!signal.aborted) report(thrown)
      })
    this.#background = [salvaged, isSafe ? Promise.resolve() : this.#index(), tidied]
  }

  #index(): Promise<void> {
    const { cache, hub, searches, emailSearches, savedSearches, clock, signal } = this
    const findMore = (): void => {
      searches.invalidateLocal()
      if (emailSearches.received.areAny()) hub.receivedEmails()
      if (emailSearches.sent.areAny()) hub.sentEmails()
      savedSearches.recount()
    }
    const failed = (thrown: unknown): void => {
      // The cache itself reports a damaged file.
      if (!isCorruptionError(thrown)) this.#report(thrown)
    }
    return indexInBackground(cache.search, findMore, failed, signal, clock)
  }
}
