import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LinnetEvent } from '../shared/contract.ts'
import type { AccountKey, AccountToOpen, InboxName } from '../shared/engine-link.ts'
import type { ReceivedEmail, SentEmail, SyncStatus } from '../shared/model.ts'
import { ProblemError } from '../shared/result.ts'
import { CACHE_NAME, OUTBOX_FACT, OUTBOX_NAME, readOutboxFact } from './account-files.ts'
import { createNews } from './news/news.ts'
import { openingProblems } from './opening-damage.ts'
import { createKeyGate } from './account-key.ts'
import { parseBaseUrl } from './api/base-url.ts'
import { Attachments } from './attachments/attachments.ts'
import { readInThread, readParts } from './attachments/read-parts.ts'
import { Readings } from './attachments/readings.ts'
import { StoredContents, type Contents } from './contents/contents.ts'
import { createHttpClient } from './api/http-client.ts'
import { createMailPlatform, type MailPlatform } from './api/mail-platform.ts'
import { RequestBudget } from './api/request-budget.ts'
import { testCredentials } from './api/test-credentials.ts'
import { Backups } from './backup/backups.ts'
import { Deliveries } from './delivery/deliveries.ts'
import { createEventHub, type EventHub } from './event-hub.ts'
import { Exports } from './export/exports.ts'
import { KeepingChoiceStore } from './keeping/choices.ts'
import { EmailKeeper } from './keeping/keep-email.ts'
import { createKeptDeletion, type KeptDeletion } from './keeping/delete-kept.ts'
import { Keeper } from './keeping/keeper.ts'
import { keptSince } from './keeping/plan-keeping.ts'
import { throttled } from './timing/throttle.ts'
import { Room } from './keeping/room.ts'
import { AccountSearches } from './kept-searches/account-searches.ts'
import { createAuthentications, type Authentications } from './senders/authentications.ts'
import { Originals } from './originals/originals.ts'
import { threadSubject } from './outbox/changes/thread-answers.ts'
import { openOutboxFile } from './outbox/outbox-file.ts'
import { changeTypes, Outbox } from './outbox/outbox.ts'
import { createShowing } from './outbox/show-changes.ts'
import { raiseTakenBack, takenBackProblem } from './outbox/taken-back.ts'
import { CarriedPictures } from './pictures/carried-pictures.ts'
import { Pictures } from './pictures/pictures.ts'
import { SenderChoices } from './pictures/sender-choices.ts'
import type { Service } from './service.ts'
import { KeptSnippets } from './snippets/snippets.ts'
import { Problems } from './problems/problems.ts'
import { createRepair } from './repair.ts'
import { clockHere } from './search/clock-here.ts'
import { EmailSearches } from './search/email-searches.ts'
import { searchOnComputer } from './search/search-on-computer.ts'
import { SearchSessions } from './search/sessions.ts'
import { indexInBackground } from './search-index/index-in-background.ts'
import { openCache, type Cache } from './store/cache.ts'
import type { OwnLists } from './store/own-list.ts'
import type { PendingChanges } from './store/pending-changes.ts'
import { inStorageWords, isCorrupt } from './store/storage-problem.ts'
import { Salvage } from './store/salvage.ts'
import type { CacheFileState } from './reopening-account.ts'
import { MadeLinks } from './share-links/made-links.ts'
import { createAbilities } from './sync/abilities.ts'
import { createAbsence, type Absence } from './sync/absence.ts'
import { AccountListSync } from './sync/account-lists.ts'
import { FailedLooks } from './sync/failed-looks.ts'
import { createInboxPresence, type InboxPresence } from './sync/inbox-presence.ts'
import { Sync } from './sync/scheduler.ts'
import { ThreadSync } from './sync/thread-sync.ts'
import { DraftFiles } from './writing/draft-files.ts'
import { DraftSync } from './writing/draft-sync.ts'
import { Drafts } from './writing/drafts.ts'
import { PlatformDrafts } from './writing/platform-drafts.ts'
import { DraftSending } from './writing/send-drafts.ts'
import { countWaiting } from './writing/waiting-drafts.ts'
import type { Clock } from './timing/clock.ts'

/** An account that is open: its cache, its outbox and its way to the platform. */
export interface OpenAccount {
  readonly baseUrl: URL
  readonly clock: Clock
  /** Where its files are. */
  readonly directory: string
  readonly platform: MailPlatform
  readonly cache: Cache
  /** What was fetched for it and lies in files: attachments, originals, pictures. */
  readonly contents: Contents
  readonly outbox: Outbox
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly absence: Absence
  readonly presence: InboxPresence
  readonly sync: Sync
  readonly keeper: Keeper
  readonly deletion: KeptDeletion
  readonly searches: SearchSessions
  /** Those of the account's own lists. */
  readonly emailSearches: {
    readonly received: EmailSearches<ReceivedEmail>
    readonly sent: EmailSearches<SentEmail>
  }
  readonly originals: Originals
  readonly attachments: Attachments
  readonly readings: Readings
  readonly exports: Exports
  readonly authentications: Authentications
  readonly hub: EventHub
  readonly problems: Problems
  readonly keptSearches: AccountSearches
  readonly snippets: KeptSnippets
  readonly shareLinks: MadeLinks
  readonly senderChoices: SenderChoices
  readonly pictures: Pictures
  readonly backups: Backups
  readonly drafts: Drafts
  readonly sending: DraftSending
  readonly deliveries: Deliveries
  /** Aborted when the account closes: every request ends with it. */
  readonly signal: AbortSignal
  readonly status: () => SyncStatus
  /** How many changes wait in the outbox. */
  readonly unsentChanges: () => number
  /** Goes on with another key, or waits for one. */
  readonly setKey: (key: AccountKey | null) => void
  /** Tells every window that all it shows is to be read again. */
  readonly tellEverything: () => void
  /** Ends sync, keeps what is pending, closes the files. @param isDamaged they are checked when they are next opened */
  readonly close: (isDamaged?: boolean) => Promise<void>
}

/** When a cache took the place of one that was lost, or of which a part may be: milliseconds since the epoch. */
const REPLACED_FACT = 'replaced'
/** How many drafts are kept. */
const DRAFTS_FACT = 'drafts kept'

/** Does all of it, each after the one before, whether that failed or not. @throws what the first failure threw */
const inOrder = async (steps: readonly (() => Promise<void> | void)[]): Promise<void> => {
  const failures: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (thrown) {
      failures.push(thrown)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Opens an account's files and starts to sync: with what is on the disk alone, whether the network and the key are
 * there or not.
 * @param keyAccepted is told when a key that had not been tried yet turns out to be its own, with its inboxes
 * @throws ProblemError `invalid_input` for a base URL that cannot be, `storage_failed` for files that cannot be opened
 */
export const openAccount = (
  { baseUrl: baseUrlText, directory, key, isKnown = false }: Omit<AccountToOpen, 'id'>,
  emit: (event: LinnetEvent) => void,
  keyAccepted: (apiKey: string, inboxes: readonly InboxName[]) => void,
  report: (thrown: unknown) => void,
  {
    onCorrupt,
    cacheFile: state,
    partsWorker,
    backupWorker,
    isSafe = false,
    clock,
  }: {
    readonly onCorrupt: () => void
    readonly cacheFile: CacheFileState
    /** The file of the thread in which originals are taken apart. */
    readonly partsWorker: string
    /** That of the thread in which backups are made. */
    readonly backupWorker: string
    /** Whether it does as little as possible (docs/crashes.md). */
    readonly isSafe?: boolean
    readonly clock: Clock
  },
): OpenAccount => {
  const baseUrl = parseBaseUrl(baseUrlText)
  const ending = new AbortController()
  const { signal } = ending
  // Every request that waits for its turn listens: many of them are no leak.
  setMaxListeners(0, signal)

  const cacheFile = join(directory, CACHE_NAME)
  const files = (() => {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      return openOutboxFile(join(directory, OUTBOX_NAME), onCorrupt, clock)
    } catch (thrown) {
      throw inStorageWords(thrown)
    }
  })()

  // The cache lays the outbox's changes over what the platform says, and the outbox asks the cache what the platform
  // has said: the one that is opened later is reached by a function.
  const pending: PendingChanges = {
    overlay: (inboxId, threadId) => outbox.threadOverlay(inboxId, threadId),
    confirmedSince: (inboxId, threadId, askedAt) => outbox.confirmedSince(threadSubject(inboxId, threadId), askedAt),
  }
  const opened = (() => {
    try {
      return openCache(
        cacheFile,
        {
          threads: pending,
          topics: (contactId) => outbox.topicOverlay(contactId),
          labels: (inboxId) => outbox.labelOverlay(inboxId),
        },
        { onBroken: (row) => repair.note(row), onCorrupt },
        state === 'condemned',
        clock,
      )
    } catch (thrown) {
      files.outbox.close()
      throw inStorageWords(thrown)
    }
  })()
  const { cache } = opened
  const contents = new StoredContents(directory, cache.contents, signal, { now: clock.now })

  const gate = createKeyGate(key, {
    // A platform that refuses the key has answered: where none of the requests behind it is ever made, nothing else says so.
    test: (apiKey) => testCredentials({ baseUrl: baseUrl.href, apiKey }, signal, (reach) => sync.reach(reach), clock),
    cachedInboxIds: () => cache.inboxes.all().map(({ inbox }) => inbox.id),
    accepted: keyAccepted,
  })
  const news = createNews({
    facts: cache.facts,
    thread: (inboxId, threadId) => {
      const inbox = cache.inboxes.get(inboxId)
      return inbox && cache.threads.get({ key: inbox.key, id: inboxId }, threadId)
    },
    tell: (payload) => emit({ name: 'mail.arrived', payload }),
    clock,
    signal,
  })
  /** What runs in the background, in the order in which it starts, hears of events and ends. */
  const atOnce: Service[] = []
  /** Mail that can be salvaged need not be fetched. */
  const afterSalvage: Service[] = []
  const hub = createEventHub(
    (event) => {
      emit(event)
      for (const service of [...atOnce, ...afterSalvage]) service.onEvent?.(event)
    },
    () => status(),
    () => searches,
    news.arrived,
    clock,
  )
  let waitingUntil: number | null = null
  const client = createHttpClient({
    baseUrl,
    // Another key, of another account perhaps, may have come while the request waited for its turn.
    apiKey: async (asking) => {
      await gate.pass(asking)
      return gate.apiKey()
    },
    clock,
    budget: new RequestBudget(clock, (milliseconds) => {
      waitingUntil = milliseconds > 0 ? clock.now() + milliseconds : null
      hub.sync()
    }),
    onReach: (reach) => sync.reach(reach),
  })
  const platform = createMailPlatform(
    {
      request: async (request) => {
        await gate.pass(request.signal)
        return client.request(request)
      },
    },
    clock.now,
  )
  const remember = (): void => {
    const { generation, pending, listed } = files.mark()
    cache.facts.set(OUTBOX_FACT, `${generation} ${pending} ${listed}`)
  }
  const own: OwnLists = {
    list: (name) => files.outbox.list(name),
    writeList: (name, entries) => {
      files.outbox.writeList(name, entries)
      try {
        remember()
      } catch (thrown) {
        // It is kept: what the cache remembers catches up with the next write.
        if (!isCorrupt(thrown)) report(thrown)
      }
    },
  }
  const problems = new Problems(own, hub.problems, report, clock.now)
  const kept = new AccountSearches({ own, cache, hub, report, clock, signal })
  const snippets = new KeptSnippets(own, hub.snippets)
  const shareLinks = new MadeLinks(own, hub.shareLinks, report, clock.now)
  const draftsChanged = (inboxes: readonly string[]): void => {
    hub.drafts(inboxes)
    // Some of them wait for the platform, or do not any more.
    hub.sync()
  }
  const draftFiles = new DraftFiles(directory, draftsChanged, report, {
    count: () => cache.facts.number(DRAFTS_FACT) ?? 0,
    remember: (count) => cache.facts.set(DRAFTS_FACT, count),
  })
  const senderChoices = new SenderChoices(own, hub.senderChoices)
  const repair = createRepair({
    cache,
    platform,
    hub,
    threads: () => threads,
    lists: () => lists,
    problems,
    signal,
    report,
  })
  const abilities = createAbilities(clock.elapsed)
  const absence = createAbsence(platform, abilities, signal, (inboxId) => {
    const stored = cache.inboxes.get(inboxId)
    return stored?.onServer === true && !stored.isAdded
  })
  const presence = createInboxPresence(cache.inboxes, hub, problems)
  const changes = changeTypes(
    {
      ...{ platform, cache: () => cache, hub, absence },
      deliverDraft: (draftId, ending) => sending.deliver(draftId, ending),
    },
    clock.now,
  )
  const show = createShowing({
    ...{ types: changes, hub, report },
    remember,
  })
  const outbox = new Outbox(
    files.outbox,
    changes,
    {
      changed: show,
      refused: (subject, type, refusal) => {
        const address = cache.inboxes.get(subject.scope)?.inbox.emailAddress ?? null
        // First of all: what fails after it does not keep it from being told.
        raiseTakenBack(problems, takenBackProblem(subject, type, refusal, address))
        if (refusal.missing === 'subject') type.isGone(subject)
        if (refusal.missing === 'inbox') presence.isGone(subject.scope)
      },
      replaced: ({ scope, was, id }) => hub.labels(scope, [was, id], { was, id }),
      progressed: hub.changes,
      failed: report,
    },
    clock,
  )
  const failedLooks = new FailedLooks(hub.sync, signal)
  const learning = { platform, cache, hub, abilities, absence, presence, failedLooks, problems, clock, signal }
  const threads = new ThreadSync(learning)
  const lists = new AccountListSync(learning)
  const searches = new SearchSessions({ ...learning, local: searchOnComputer(cache), pending, threads, report })
  const emailSearches = {
    received: new EmailSearches(cache.receivedEmails, clockHere(clock.now), signal),
    sent: new EmailSearches(cache.sentEmails, clockHere(clock.now), signal),
  }
  const originals = new Originals({ ...learning, baseUrl, contents, report })
  const attachments = new Attachments({
    ...learning,
    baseUrl,
    contents,
    originals,
    readParts: (original, ending) => readParts(partsWorker, original, ending, undefined, clock),
    report,
  })
  const readings = new Readings({
    attachments,
    read: (work, bytes) => readInThread(partsWorker, work, bytes, signal, undefined, clock),
    signal,
    report,
  })
  const authentications = createAuthentications(learning)
  const inboxIds = (): readonly string[] => cache.inboxes.all().map(({ inbox }) => inbox.id)
  const platformDrafts = new PlatformDrafts({
    ...{ platform, contents, inboxIds, report, clock, signal },
    changed: hub.drafts,
  })
  const draftSync = new DraftSync({ files: draftFiles, platform, theirs: platformDrafts, clock, signal, report })
  const drafts = new Drafts({
    ...{ files: draftFiles, cache, attachments, theirs: platformDrafts, sync: draftSync },
    now: clock.now,
  })
  const deliveries = new Deliveries({ ...learning, lists, problems, report })
  const sending = new DraftSending({
    ...{ files: draftFiles, sync: draftSync, theirs: platformDrafts, deliveries, outbox },
    ...{ platform, cache, hub, threads, lists, clock, signal, report },
  })
  const pictures = new Pictures({
    ...{ cache, contents, authentications, clock, signal, report },
    choices: senderChoices,
    isSafe,
    htmlWithin: (of) => readings.signedHtml(of),
    carried: new CarriedPictures({
      ...{ ...learning, contents, attachments, originals, report },
      readParts: (original, ending) => readParts(partsWorker, original, ending, undefined, clock),
    }),
  })
  const keepingChoices = new KeepingChoiceStore(directory)
  const sync = new Sync({
    cache,
    hub,
    threads,
    lists,
    absence,
    presence,
    failedLooks,
    since: () => keptSince(keepingChoices.get().days, clock.now()),
    isSafe,
    clock,
    signal,
    onOnline: () => {
      searches.retryFailed()
      outbox.nudge()
      draftSync.nudge()
      deliveries.nudge()
      repair.retry()
    },
    report,
  })
  const room = new Room(() => keepingChoices.get().bytes, cache.keeping.fileBytes)
  const keeper = new Keeper({
    rows: cache.keeping,
    choices: keepingChoices,
    emails: new EmailKeeper({
      ...{ ...learning, baseUrl, contents, room },
      readParts: (original, ending) => readParts(partsWorker, original, ending, undefined, clock),
      received: throttled(hub.receivedEmails, clock, signal),
      sent: throttled(hub.sentEmails, clock, signal),
    }),
    room,
    isBusy: () => {
      const { connection, progress, lastSyncAt } = sync.state()
      return connection === 'online' && (progress !== null || lastSyncAt === null)
    },
    problems,
    changed: hub.keeping,
    report,
    isSafe,
    clock,
    signal,
  })
  const backups = new Backups({
    ...{ directory, problems, report, clock, signal, workerFile: backupWorker },
    baseUrl: baseUrlText,
    inboxes: () => cache.inboxes.all().map(({ inbox }) => ({ id: inbox.id, address: inbox.emailAddress })),
    outbox: files.outbox,
    unsent: () => outbox.pendingCount(),
    changed: hub.backup,
  })
  const waitingDrafts = (): number => countWaiting(draftFiles.all(), sync.state().connection === 'online', clock.now())
  const status = (): SyncStatus => ({
    ...sync.state(),
    ...(gate.isMissing() && { connection: 'needsKey' }),
    pendingChanges: outbox.pendingCount() + sending.held() + waitingDrafts(),
    waitingUntil,
  })

  const exported = { cache, platform, threads, searches, outbox, originals, attachments, signal }
  const exports = new Exports(
    directory,
    { ...exported, isOnline: () => status().connection === 'online' },
    hub.exports,
    report,
    clock,
  )
  const salvage = new Salvage({
    ...{ directory, sound: cacheFile, cache, report, signal },
    keepContent: (row) => contents.restore(row),
    changed: hub.threads,
  })
  const isMissing = opened.isNew && !files.isNew && state !== 'cleared'
  const cacheDamage = opened.setAside !== null ? 'damaged' : isMissing ? 'missing' : null
  for (const each of openingProblems({
    isFolderGone: isKnown && files.isNew && opened.isNew,
    outbox: files,
    remembered: readOutboxFact(cache.facts),
    cache: cacheDamage,
    drafts: draftFiles.harm,
  })) {
    problems.raise(each)
  }
  if (opened.setAside !== null) salvage.begin(opened.setAside)
  if (cacheDamage !== null) cache.facts.set(REPLACED_FACT, clock.now())
  // An end between the outbox's write and the cache's leaves the cache behind: this catches it up.
  show([...outbox.unshown(), ...outbox.subjects()])
  atOnce.push(kept, backups)
  afterSalvage.push(sync, keeper, platformDrafts, draftSync, deliveries)
  for (const service of atOnce) service.start()
  outbox.start(signal)
  sending.start()

  const tellEverything = (): void =>
    hub.everything(
      cache.inboxes
        .all()
        .map(({ key, inbox }) => ({ id: inbox.id, labelIds: cache.labels.all(key).map(({ id }) => id) })),
    )
  const begun = salvage
    .run()
    .then((isMoved) => {
      if (!isMoved) return
      show(outbox.subjects())
      outbox.showLarge()
      tellEverything()
    })
    .then(() => {
      if (!signal.aborted) for (const service of afterSalvage) service.start()
    }, report)
  const tidied = begun
    .then(() => contents.tidy(cache.facts.number(REPLACED_FACT) ?? 0))
    .catch((thrown: unknown) => {
      if (!signal.aborted) report(thrown)
    })
  const failedToIndex = (thrown: unknown): void => {
    // A file that is damaged as a whole is told by the cache itself.
    if (!isCorrupt(thrown)) report(thrown)
  }
  const findMore = (): void => {
    searches.searchHereAgain()
    if (emailSearches.received.areAny()) hub.receivedEmails()
    if (emailSearches.sent.areAny()) hub.sentEmails()
    kept.countAgain()
  }
  const indexed = isSafe ? Promise.resolve() : indexInBackground(cache.search, findMore, failedToIndex, signal, clock)

  return {
    baseUrl,
    clock,
    directory,
    platform,
    cache,
    contents,
    outbox,
    threads,
    lists,
    absence,
    presence,
    sync,
    keeper,
    deletion: createKeptDeletion(cache, contents),
    searches,
    emailSearches,
    originals,
    attachments,
    readings,
    exports,
    authentications,
    hub,
    problems,
    keptSearches: kept,
    snippets,
    shareLinks,
    senderChoices,
    pictures,
    backups,
    drafts,
    sending,
    deliveries,
    signal,
    status,
    unsentChanges: () => outbox.pendingCount(),
    setKey: (next) => {
      gate.replace(next)
      hub.sync()
      sync.nudge()
      keeper.keyChanged()
      outbox.nudge()
      draftSync.nudge()
      searches.retryFailed()
    },
    tellEverything,
    close: async (isDamaged) => {
      ending.abort(new ProblemError({ code: 'cancelled', message: 'The account was closed.' }))
      searches.close()
      await begun
      await inOrder([
        () => exports.close(),
        () => indexed,
        () => tidied,
        ...[...atOnce, ...afterSalvage].map((service) => () => service.ended()),
        () => outbox.close(isDamaged),
        client.close,
        hub.close,
        () => cache.close(isDamaged),
      ])
    },
  }
}
