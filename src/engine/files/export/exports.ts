import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { BodyOwner } from '../../../shared/contract.ts'
import type { ExportTarget } from '../../../shared/engine-api.ts'
import type { ExportRequest, ExportScope, ExportState } from '../../../shared/export.ts'
import { toProblem, createProblem } from '../../../shared/result.ts'
import { toCachedList } from '../../../shared/thread-query.ts'
import type { MailParts } from '../../mail/parts.ts'
import { LocalList } from '../../own/local-list.ts'
import { attempt } from '../../store/storage-problem.ts'
import { createPartFile, exportToFile } from '../account-exporter.ts'
import { INITIAL_EXPORT_PROGRESS, type ExportHost, type ExportTask } from './write-export.ts'

/** Folder for files that a browser fetches. */
const EXPORTS_NAME = 'exports'

interface ExportsParts extends Omit<MailParts, 'freshness' | 'remoteReplies' | 'suppressions'> {
  readonly directory: string
  readonly filesWorker: string
  readonly partsWorker: string
}

interface ExportRecord {
  state: ExportState
  readonly part: string
  /** True for Linnet's own file, which is deleted when the export is dismissed. */
  readonly isLent: boolean
  readonly ending: AbortController
  ended: Promise<void>
}

const unfinishedId = (path: string): string => `export-unfinished ${path}`

/** An export that was running when the list was written. */
const begunSchema = z.object({ path: z.string(), part: z.string() })

/** An account's exports in this run of Linnet. One that is cut short leaves no file and is started again by the user. */
export class Exports {
  readonly #parts: ExportsParts
  readonly #begun: LocalList<z.output<typeof begunSchema>>
  readonly #exports = new Map<string, ExportRecord>()

  constructor(parts: ExportsParts) {
    this.#parts = parts
    this.#begun = new LocalList(parts.own, 'exports', begunSchema)
    // Left by a crash.
    const cut = this.#begun.entries
    for (const { path, part } of cut) {
      if (existsSync(part) || !existsSync(path)) this.#tellUnfinished(path)
      attempt(() => rmSync(part, { force: true }), parts.report)
    }
    if (cut.length > 0) attempt(() => this.#begun.set([]), parts.report)
    attempt(() => rmSync(join(parts.directory, EXPORTS_NAME), { recursive: true, force: true }), parts.report)
  }

  /** Starts an export. @throws the same errors as `createPartFile`, and disk errors */
  start({ mail, format, isFetching }: ExportRequest, target: ExportTarget): ExportState {
    const { directory, partsWorker, clock } = this.#parts
    const { path, isLent = false } = target
    const id = randomUUID()
    const part = createPartFile(target)
    const known: ExportRecord = {
      state: {
        ...{ id, format, path, startedAt: clock.now(), stage: 'gathering', problem: null },
        ...INITIAL_EXPORT_PROGRESS,
      },
      ...{ part, isLent, ending: new AbortController(), ended: Promise.resolve() },
    }
    this.#exports.set(id, known)
    const task = { directory, partsWorker, format, isFetching, part, ...this.#resolve(mail) }
    known.ended = this.#run(known, task, target)
    this.#save()
    return known.state
  }

  /** Oldest first. */
  list(): readonly ExportState[] {
    return [...this.#exports.values()].map(({ state }) => state)
  }

  /** Cancels an export, or dismisses one that is over and keeps its file. @throws ProblemError `not_found` */
  async cancel(id: string): Promise<void> {
    const known = this.#exports.get(id)
    if (known === undefined) throw createProblem('not_found', 'This export no longer exists.')
    known.ending.abort()
    await known.ended
    this.#exports.delete(id)
    if (known.isLent) rmSync(dirname(known.state.path), { recursive: true, force: true })
    this.#parts.hub.exports()
  }

  /** Resolves when the exports of a closed account have stopped. */
  async close(): Promise<void> {
    await Promise.all([...this.#exports.values()].map(({ ended }) => ended))
  }

  /** Adds what only the open account knows about the mail. */
  #resolve(mail: ExportScope): Pick<ExportTask, 'mail' | 'searched'> {
    if (mail.kind === 'everything') return { mail, searched: { ids: [], isWhole: false } }
    const { outbox, searches } = this.#parts
    const { inboxIds, labelIds } = mail.query
    const query = { ...mail.query, labelIds: labelIds.map((id) => outbox.labelIdNow(inboxIds[0] ?? '', id)) }
    const searched =
      toCachedList(query) === null
        ? { ids: searches.found(mail.query), isWhole: searches.isWhole(mail.query) }
        : { ids: [], isWhole: false }
    return { mail: { ...mail, query }, searched }
  }

  async #run(known: ExportRecord, task: Omit<ExportTask, 'path'>, target: ExportTarget): Promise<void> {
    const { filesWorker, hub, problems, report, signal } = this.#parts
    const host: ExportHost = {
      onExported: (stage, progress) => {
        known.state = { ...known.state, ...progress, stage }
        hub.exports()
      },
      fetchThread: (inboxId, threadId) => this.#fetchThread(inboxId, threadId),
      fetchEmail: (of, wanted) => this.#fetchEmail(of, wanted),
    }
    const either = AbortSignal.any([signal, known.ending.signal])
    try {
      const { path, progress } = await exportToFile(task, target, filesWorker, host, either)
      known.state = { ...known.state, ...progress, path, stage: 'done' }
      problems.clear(unfinishedId(target.path))
    } catch (thrown) {
      const problem = either.aborted ? null : toProblem(thrown)
      if (problem?.code === 'internal') report(thrown)
      if (signal.aborted) this.#tellUnfinished(target.path)
      known.state = { ...known.state, stage: 'stopped', problem }
    }
    this.#save()
  }

  /** Records the running exports. If that fails, a crash is not reported. */
  #save(): void {
    const running = [...this.#exports.values()].flatMap(({ state: { stage, path }, part }) =>
      stage === 'gathering' || stage === 'writing' ? [{ path, part }] : [],
    )
    attempt(() => this.#begun.set(running), this.#parts.report)
    this.#parts.hub.exports()
  }

  #tellUnfinished(path: string): void {
    const message = `The export of ${basename(path)} wasn’t finished. Start it again.`
    this.#parts.problems.raise({ id: unfinishedId(path), code: 'cancelled', message })
  }

  async #fetchThread(inboxId: string, threadId: string): Promise<void> {
    const { cache, threads, isOnline } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined || !isOnline() || !threads.mayOfferEmails(inbox)) return
    if (cache.threads.currentState(inbox, threadId)?.onServer !== true) return
    await this.#isFetched(() => threads.emails(inbox, threadId, 'backfill'))
  }

  async #fetchEmail(of: BodyOwner, wanted: 'original' | 'parts'): Promise<boolean> {
    const { cache, platform, rawMessages, attachments, isOnline, signal } = this.#parts
    if (!isOnline()) return false
    const { list, emailId: id } = of
    const options = { priority: 'backfill', signal } as const
    if (list === 'received' && cache.receivedEmails.get(id) === undefined) {
      await this.#isFetched(async () => cache.receivedEmails.storeWhole(await platform.getReceivedEmail(id, options)))
    }
    if (list === 'sent' && cache.sentEmails.get(id) === undefined) {
      await this.#isFetched(async () => cache.sentEmails.storeWhole(await platform.getSentEmail(id, options)))
    }
    if (wanted === 'original' && (await this.#isFetched(() => rawMessages.read(of, 'backfill')))) return true
    const { items, problem } = await attachments.list(of, 'backfill')
    let isWhole = problem === null
    for (const { id: attachmentId } of items) {
      isWhole = (await this.#isFetched(() => attachments.fetch(of, attachmentId, 'backfill'))) && isWhole
    }
    return isWhole
  }

  /** False if the mail can't be fetched, which the export counts. @throws unexpected errors */
  async #isFetched(fetch: () => Promise<unknown>): Promise<boolean> {
    try {
      await fetch()
      return true
    } catch (thrown) {
      if (toProblem(thrown).code === 'internal') throw thrown
      return false
    }
  }
}
