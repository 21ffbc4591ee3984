import { mkdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ExportTarget } from '../../../shared/engine-api.ts'
import type { ExportState, ExportSettings } from '../../../shared/export.ts'
import { type Problem, createProblem } from '../../../shared/result.ts'
import type { EventHub } from '../../own/event-hub.ts'
import { ListFile } from '../../store/list-file.ts'
import { prepareExport, toExportStartError, toExportProblem } from './prepare-export.ts'
import {
  toExportState,
  INITIAL_EXPORT_PROGRESS,
  exportProgressSchema,
  exportRequestSchema,
  type ExportProgress,
  type ExportRequest,
} from './export-request.ts'
import { finishPartFile, removeTemporaryFile, removePartFile } from './part-file.ts'
import { writeExport, type ExportSources } from './run-export.ts'
import type { Clock } from '../../timing/clock.ts'
import { attempt } from '../../store/storage-problem.ts'

/** Folder for the list of exports, and for files that a browser fetches. */
const EXPORTS_NAME = 'exports'
const LIST_NAME = 'exports.json'
/** Progress throttle in milliseconds. */
const PROGRESS_INTERVAL_MS = 200

interface StoredExport {
  readonly request: ExportRequest
  /** Null until the part file is complete. */
  readonly written: ExportProgress | null
}

const keptSchema: z.ZodType<StoredExport> = z.object({
  request: exportRequestSchema,
  written: exportProgressSchema.nullable(),
})

interface ExportRecord {
  request: ExportRequest
  written: ExportProgress | null
  stage: ExportState['stage']
  progress: ExportProgress
  problem: Problem | null
  run: { readonly ending: AbortController; readonly ended: Promise<void> } | null
}

/** `signal` is the account's and interrupts a running export. */
interface ExportsParts extends ExportSources {
  readonly directory: string
  readonly hub: Pick<EventHub, 'exports'>
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
}

const stopped = Symbol('stopped')

const toState = ({ request, stage, progress, problem }: ExportRecord): ExportState =>
  toExportState(request, stage, progress, problem)

const stop = async ({ run }: ExportRecord): Promise<void> => {
  run?.ending.abort(stopped)
  await run?.ended
}

/** An account's exports, one at a time. An interrupted export waits until the user restarts it from the beginning. */
export class Exports {
  readonly #parts: ExportsParts
  readonly #directory: string
  readonly #file: ListFile<StoredExport>
  readonly #exports = new Map<string, ExportRecord>()
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(parts: ExportsParts) {
    this.#parts = parts
    this.#directory = join(parts.directory, EXPORTS_NAME)
    this.#file = new ListFile(join(this.#directory, LIST_NAME), 'exports', keptSchema)
    for (const { request, written } of this.#file.read().entries) {
      // A missing part file means it was renamed, so the export is done. Interrupted exports wait for the user: the
      // target disk may have changed.
      if (written !== null && !existsSync(request.part)) this.#add(request, 'done', written)
      else this.#add(request, 'stopped')
    }
  }

  /** Queues an export. @throws the same errors as `prepareExport` */
  async start(wish: ExportSettings, target: ExportTarget): Promise<ExportState> {
    const request = await prepareExport(wish, target, this.#parts.clock.now())
    const known = this.#add(request, 'waiting')
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      this.#write()
    } catch (thrown) {
      this.#exports.delete(request.id)
      await removePartFile(request.part).catch(this.#parts.report)
      throw toExportStartError(thrown, request.path)
    }
    this.#parts.hub.exports()
    this.#runNext()
    return toState(known)
  }

  /** Oldest first. */
  list(): readonly ExportState[] {
    return [...this.#exports.values()].map(toState)
  }

  /** Restarts an export if it is stopped. @throws ProblemError `not_found` */
  restart(id: string): void {
    const known = this.#find(id)
    if (known.stage !== 'stopped') return
    known.stage = 'waiting'
    known.problem = null
    this.#parts.hub.exports()
    this.#runNext()
  }

  /** Deletes the output, or dismisses a finished export and keeps its file. @throws ProblemError `not_found` */
  async cancel(id: string): Promise<void> {
    const known = this.#find(id)
    const wasDone = known.stage === 'done'
    await stop(known)
    this.#exports.delete(id)
    const { isLent, part, path } = known.request
    const isDone = wasDone || known.stage === 'done'
    if (isLent) await removeTemporaryFile(isDone ? path : part).catch(this.#parts.report)
    else if (!isDone) await removePartFile(part).catch(this.#parts.report)
    this.#save()
    this.#parts.hub.exports()
    this.#runNext()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#exports.values()].map(stop))
    this.#exports.clear()
  }

  #find(id: string): ExportRecord {
    const known = this.#exports.get(id)
    if (known === undefined) throw createProblem('not_found', 'This export no longer exists.')
    return known
  }

  #add(request: ExportRequest, stage: ExportRecord['stage'], written: ExportProgress | null = null): ExportRecord {
    const known: ExportRecord = {
      request,
      written,
      stage,
      progress: written ?? INITIAL_EXPORT_PROGRESS,
      problem: null,
      run: null,
    }
    this.#exports.set(request.id, known)
    return known
  }

  #write(): void {
    this.#file.write([...this.#exports.values()].map(({ request, written }) => ({ request, written })))
  }

  /** Saves the list. If that fails, the list on disk is merely outdated. */
  #save(): void {
    attempt(() => this.#write(), this.#parts.report)
  }

  #runNext(): void {
    const all = [...this.#exports.values()]
    if (all.some((known) => known.run !== null)) return
    const next = all.find(({ stage }) => stage === 'waiting')
    if (next === undefined) return
    const ending = new AbortController()
    next.stage = 'gathering'
    next.progress = INITIAL_EXPORT_PROGRESS
    next.run = { ending, ended: this.#run(next, AbortSignal.any([this.#parts.signal, ending.signal])) }
    this.#parts.hub.exports()
  }

  async #run(known: ExportRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#export(known, signal)
      known.stage = 'done'
    } catch (thrown) {
      known.stage = 'stopped'
      known.written = null
      if (!signal.aborted) {
        known.problem = toExportProblem(thrown, known.request.path)
        if (known.problem.code === 'internal') this.#parts.report(thrown)
      }
    }
    known.run = null
    this.#save()
    this.#parts.hub.exports()
    if (!this.#parts.signal.aborted) this.#runNext()
  }

  async #export(known: ExportRecord, signal: AbortSignal): Promise<void> {
    const { request } = known
    known.progress = await writeExport({ ...this.#parts, signal }, request, (stage, progress) => {
      const isNewStage = known.stage !== stage
      known.stage = stage
      known.progress = progress
      if (!isNewStage && this.#parts.clock.elapsed() - this.#reportedAt < PROGRESS_INTERVAL_MS) return
      this.#reportedAt = this.#parts.clock.elapsed()
      this.#parts.hub.exports()
    })
    // If Linnet crashes from here on, the file is complete, under either its final name or the part file's.
    known.written = known.progress
    this.#save()
    const path = await finishPartFile(request.part, request.path, request.mayReplace)
    known.request = { ...request, path }
  }
}
