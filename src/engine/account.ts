import { notifyService, type EngineService } from './timing/loop.ts'
import { setMaxListeners } from 'node:events'
import type { AccountKey, AccountToOpen } from '../shared/engine-api.ts'
import type { SyncStatus } from '../shared/model.ts'
import { createProblem } from '../shared/result.ts'
import { createBackgroundPart, type BackgroundPart } from './account-background.ts'
import type { AccountContext, AccountDependencies } from './account-context.ts'
import { createMailPart, type MailPart } from './account-mail.ts'
import { createOwnPart, type OwnPart } from './account-own.ts'
import { createPlatformPart, type PlatformPart } from './account-platform.ts'
import { parseInWorker } from './mail/attachments/parse-in-worker.ts'
import { listMarkedThreads } from './mail/threads/reminders.ts'
import { openAccountFiles, type AccountFiles } from './own/open-account-files.ts'
import { parseBaseUrl } from './platform/base-url.ts'
import type { BrokenRow } from './store/broken-row.ts'
import { salvageMail } from './store/salvage.ts'
import { indexInBackground } from './store/search-index/index-in-background.ts'
import { isCorruptionError } from './store/storage-problem.ts'
import { RowRepairer } from './sync/row-repairer.ts'
import type { Clock } from './timing/clock.ts'
import { createThrottle } from './timing/throttle.ts'
import { runInOrder } from './timing/turns.ts'

/** When a lost or possibly incomplete cache was replaced, in milliseconds since the epoch. */
const REPLACED_KEY = 'replaced'

/** An open account: cache, outbox and platform access. Syncs from local state, with or without network and key. */
export class OpenAccount {
  readonly platform: PlatformPart
  readonly own: OwnPart
  readonly background: BackgroundPart
  readonly mail: MailPart
  readonly clock: Clock
  readonly directory: string
  /** Aborted when the account closes, which cancels all requests. */
  readonly signal: AbortSignal
  readonly #ending = new AbortController()
  readonly #report: (thrown: unknown) => void
  readonly #files: AccountFiles
  #repair: RowRepairer | null = null
  /** Background services, in the order they receive events and stop. */
  #services: readonly EngineService[] = []
  /** Start-up tasks; they resolve when finished. */
  #tasks: readonly Promise<void>[] = []

  /** @throws ProblemError `invalid_input` for an invalid base URL, `storage_failed` if files can't be opened */
  constructor({ key, isKnown = false, ...toOpen }: Omit<AccountToOpen, 'id'>, given: AccountDependencies) {
    const { signal } = this.#ending
    // Every waiting request adds a listener, so having many isn't a leak.
    setMaxListeners(0, signal)
    const readParts: AccountContext['readParts'] = (original, asking) =>
      parseInWorker(given.partsWorker, 'original', original, asking, given.clock)
    // A damaged file reopens the account, which reports the damage.
    const report = (thrown: unknown): void => {
      if (!isCorruptionError(thrown)) given.report(thrown)
    }
    const context = { ...given, ...toOpen, report, readParts, signal }
    const { clock, directory } = context
    this.#report = report
    this.clock = clock
    this.directory = directory
    this.signal = signal
    const baseUrl = parseBaseUrl(toOpen.baseUrl)

    // Opening the account reads the cache, and may find broken rows.
    const broken: BrokenRow[] = []
    const files = openAccountFiles({
      ...{ directory, isKnown, state: given.cacheFile, onCorrupt: given.onCorrupt, report, clock },
      onBroken: (row) => {
        if (this.#repair === null) broken.push(row)
        else this.#repair.note(row)
      },
      // A change of an e-mail's kind affects searches just as changed text does.
      onKind: (inboxId, threadId) => {
        const { cache, hub } = this.own
        hub.emails(inboxId, [threadId])
        hub.threads(inboxId, cache.threads.reclassify(cache.inboxes.require(inboxId), threadId))
      },
    })
    this.#files = files
    this.platform = createPlatformPart(context, files.cache, baseUrl, key, {
      changed: () => this.own.hub.sync(),
      onQuota: (used) => this.platform.usage.heard(used),
      onReach: (reach) => this.background.sync.connection.reach(reach),
      hasAnswered: () => this.background.sync.state().lastSyncAt !== null,
    })
    this.own = createOwnPart(context, files, this.platform, {
      onEvent: (event) => {
        given.emit(event)
        for (const service of this.#services) notifyService(service, event)
      },
      status: () => this.status(),
      searches: () => this.mail.searches,
      onArrival: (inboxId, threads) => this.own.newMailNotices.onArrival(inboxId, threads),
    })
    this.background = createBackgroundPart(context, this.platform, this.own, {
      onOnline: () => this.#onOnline(),
      draftsChanged: (inboxId) => this.mail.writing.theirs.refresh(inboxId),
    })
    this.mail = createMailPart(context, files, this.platform, this.own, this.background)

    const { cache, hub, problems } = this.own
    const { threads, lists } = this.background
    this.#repair = new RowRepairer({ cache, hub, problems, threads, lists, signal, report })
    for (const row of broken) this.#repair.note(row)
    this.#start(given.isSafe)
    for (const problem of files.problems) problems.raise(problem)
  }

  status(): SyncStatus {
    const state = this.background.sync.state()
    const { outbox } = this.own
    return {
      ...state,
      connection: this.background.connection(),
      pendingChanges: outbox.waiting.count() + this.mail.writing.waiting(state.connection === 'online'),
      waitingUntil: this.platform.access.waitingUntil,
    }
  }

  unsentChanges(): number {
    return this.own.outbox.waiting.count() + this.mail.writing.countSending()
  }

  /** Switches to another key, or waits for one if null. */
  setKey(key: AccountKey | null): void {
    const { sync, prefetcher } = this.background
    this.platform.access.setKey(key)
    this.own.hub.sync()
    sync.nudge()
    prefetcher.keyChanged()
    this.#retry()
  }

  /** Makes every window reload all that it shows. */
  notifyAllChanged(): void {
    const { cache, hub } = this.own
    hub.everything(
      cache.inboxes
        .all()
        .map(({ key, inbox }) => ({ id: inbox.id, labelIds: cache.labels.all(key).map(({ id }) => id) })),
    )
  }

  /** The computer woke up or changed networks: run everything that is waiting for a timer. */
  networkChanged(): void {
    this.background.sync.nudge()
    this.#onOnline()
  }

  /** Stops syncing, keeps pending changes, closes files. @param isDamaged true to check the files on the next open */
  async close(isDamaged?: boolean): Promise<void> {
    this.#ending.abort(createProblem('cancelled', 'The account was closed.'))
    const { outbox, hub } = this.own
    const { searches, exports } = this.mail
    searches.close()
    const [salvaged, ...others] = this.#tasks
    await salvaged
    await runInOrder([
      () => exports.close(),
      ...others.map((ended) => () => ended),
      ...this.#services.map((service) => () => service.ended?.()),
      () => outbox.ended(),
      () => this.platform.access.close(),
      () => hub.close(),
      () => this.#files.close(isDamaged),
    ])
  }

  #onOnline(): void {
    const { reminders, deliveries } = this.background
    this.#retry()
    reminders.nudge()
    deliveries.nudge()
    this.#repair?.retry()
  }

  #retry(): void {
    const { searches, writing } = this.mail
    this.own.outbox.nudge()
    writing.sending.sync.nudge()
    searches.retryFailed()
  }

  #start(isSafe: boolean): void {
    const { setAside, cacheDamage, isMismatched, recordWrites } = this.#files
    const { directory, clock, signal } = this
    const { cache, outbox, savedSearches, rules } = this.own
    const { blobs, sync, prefetcher, deliveries, reminders } = this.background
    const { writing, backups, unsubscribing } = this.mail
    const report = this.#report
    if (cacheDamage !== null) cache.accountMeta.set(REPLACED_KEY, clock.now())
    outbox.showAll(isMismatched ? [...outbox.waiting.subjectsWithLocalFields(), ...listMarkedThreads(cache)] : [])
    recordWrites()

    const atOnce: readonly EngineService[] = [savedSearches, backups, writing.sending.sync, reminders, unsubscribing]
    // These start after salvaging, because salvaged mail need not be fetched again.
    const afterSalvage: readonly EngineService[] = [rules, sync, prefetcher, writing.theirs, deliveries]
    this.#services = [...atOnce, ...afterSalvage]
    outbox.start(signal)
    for (const service of atOnce) service.start?.()
    const salvaged = salvageMail({
      ...{ directory, setAside, cache, report, signal },
      keepContent: (row) => blobs.restore(row),
      changed: createThrottle(() => this.notifyAllChanged(), clock, signal),
    })
      .then((isMoved) => {
        if (!isMoved) return
        outbox.showAll()
        this.notifyAllChanged()
      })
      .then(() => {
        if (!signal.aborted) for (const service of afterSalvage) service.start?.()
      }, report)
    const tidied = salvaged
      .then(() => blobs.collectGarbage(cache.accountMeta.number(REPLACED_KEY) ?? 0))
      .catch((thrown: unknown) => {
        if (!signal.aborted) report(thrown)
      })
    this.#tasks = [salvaged, isSafe ? Promise.resolve() : salvaged.then(() => this.#index()), tidied]
  }

  #index(): Promise<void> {
    const { cache, hub, savedSearches } = this.own
    const { searches } = this.mail
    const findMore = (): void => {
      searches.invalidateLocal()
      hub.receivedEmails()
      hub.sentEmails()
      savedSearches.recount()
    }
    return indexInBackground(cache.search, findMore, this.#report, this.signal, this.clock)
  }
}
