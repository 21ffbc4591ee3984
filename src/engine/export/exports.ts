import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ExportTarget } from '../../shared/engine-link.ts'
import type { ExportState, ExportWish } from '../../shared/export.ts'
import type { Problem } from '../../shared/result.ts'
import { problem } from '../saying.ts'
import { beginExport } from './begin-export.ts'
import { exportStateOf } from './export-state.ts'
import { openJournal, removeJournal, type Journal } from './journal.ts'
import { removeLentFile, removePartFile } from './part-file.ts'
import { pauseProblem, runExport, type ExportSources, type Told } from './run-export.ts'
import type { Clock } from '../timing/clock.ts'

/** The folder of the journals in an account's folder. */
const EXPORTS_NAME = 'exports'
/** The shortest time between two reports of progress, milliseconds. */
const TELL_MS = 200

interface Known {
  readonly journal: Journal
  readonly journalFile: string
  stage: ExportState['stage']
  problem: Problem | null
  told: Told | null
  run: { readonly ending: AbortController; readonly ended: Promise<void> } | null
}

const paused = Symbol('paused')

const toState = ({ journal, stage, problem, told }: Known): ExportState => exportStateOf(journal, stage, problem, told)

const stop = async ({ run }: Known): Promise<void> => {
  run?.ending.abort(paused)
  await run?.ended
}

const journalFileOf = (directory: string, id: string): string => join(directory, `${id}.sqlite`)

const namesIn = (directory: string): readonly string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** The journals of exports that were begun before, oldest first. */
const journalsIn = (directory: string, report: (thrown: unknown) => void): readonly Journal[] => {
  const ids = namesIn(directory).flatMap((name) => /^([\da-f-]{36})\.sqlite$/.exec(name)?.[1] ?? [])
  const found = ids.flatMap((id): readonly Journal[] => {
    try {
      const journal = openJournal(journalFileOf(directory, id), null)
      if (journal !== null) return [journal]
      removeJournal(journalFileOf(directory, id))
    } catch (thrown) {
      report(thrown)
    }
    return []
  })
  return found.toSorted((one, other) => one.request.startedAt - other.request.startedAt)
}

/** The exports of an account, one after the other; each goes on after an end where it was. */
export class Exports {
  readonly #directory: string
  readonly #sources: ExportSources
  readonly #changed: () => void
  readonly #report: (thrown: unknown) => void
  readonly #clock: Clock
  readonly #exports = new Map<string, Known>()
  #toldAt = Number.NEGATIVE_INFINITY

  /**
   * @param sources what is exported; its `signal` is the account's, whose end pauses what is under way
   * @param changed called when an export is another than before
   */
  constructor(
    accountDirectory: string,
    sources: ExportSources,
    changed: () => void,
    report: (thrown: unknown) => void,
    clock: Clock,
  ) {
    this.#directory = join(accountDirectory, EXPORTS_NAME)
    this.#sources = sources
    this.#changed = changed
    this.#report = report
    this.#clock = clock
    for (const journal of journalsIn(this.#directory, report)) {
      // One that an end cut off waits for a person: the disk that it goes to may be another one by now.
      this.#add(journal, journal.progress().stage === 'done' ? 'done' : 'paused')
    }
  }

  /**
   * Begins an export, behind those that wait.
   * @throws ProblemError `invalid_input` for a path that is taken or no path, `storage_failed` where nothing can be written
   */
  async start(wish: ExportWish, { path, mayReplace, isLent = false }: ExportTarget): Promise<ExportState> {
    const id = randomUUID()
    const part = join(dirname(path), `${basename(path)}.${id.slice(0, 8)}.part`)
    const journalFile = journalFileOf(this.#directory, id)
    const journal = await beginExport(wish, { path, mayReplace, isLent }, { id, part, journalFile }, this.#clock.now)
    const known = this.#add(journal, 'waiting')
    this.#changed()
    this.#runNext()
    return toState(known)
  }

  /** Oldest first. */
  list(): readonly ExportState[] {
    return [...this.#exports.values()].map(toState)
  }

  /** Keeps what is written. @throws ProblemError `not_found` */
  async pause(id: string): Promise<void> {
    const known = this.#find(id)
    if (known.stage !== 'waiting') return stop(known)
    known.stage = 'paused'
    this.#changed()
  }

  /** Goes on with one that is paused; any other is left as it is. @throws ProblemError `not_found` */
  resume(id: string): void {
    const known = this.#find(id)
    if (known.stage !== 'paused') return
    known.stage = 'waiting'
    known.problem = null
    this.#changed()
    this.#runNext()
  }

  /** Ends one and removes what was written; of one that is done only the note of it, the file stays. */
  async cancel(id: string): Promise<void> {
    const known = this.#find(id)
    const { request } = known.journal
    const wasDone = known.stage === 'done'
    await stop(known)
    this.#exports.delete(id)
    known.journal.close()
    // It may have come to its end meanwhile.
    if (!wasDone && known.stage !== 'done') await removePartFile(request.part).catch(this.#report)
    else if (request.isLent) await removeLentFile(request.path).catch(this.#report)
    removeJournal(known.journalFile)
    this.#changed()
    this.#runNext()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#exports.values()].map(stop))
    for (const { journal } of this.#exports.values()) journal.close()
    this.#exports.clear()
  }

  #add(journal: Journal, stage: Known['stage']): Known {
    const { id } = journal.request
    const journalFile = journalFileOf(this.#directory, id)
    const known: Known = { journal, journalFile, stage, problem: null, told: null, run: null }
    this.#exports.set(id, known)
    return known
  }

  #find(id: string): Known {
    const known = this.#exports.get(id)
    if (known === undefined) throw problem('not_found', 'This export no longer exists.')
    return known
  }

  #runNext(): void {
    const all = [...this.#exports.values()]
    if (all.some((known) => known.run !== null)) return
    const next = all.find(({ stage }) => stage === 'waiting')
    if (next === undefined) return
    const ending = new AbortController()
    next.stage = next.journal.progress().stage === 'gathering' ? 'gathering' : 'writing'
    next.run = { ending, ended: this.#run(next, AbortSignal.any([this.#sources.signal, ending.signal])) }
    this.#changed()
  }

  async #run(known: Known, signal: AbortSignal): Promise<void> {
    const { journal } = known
    try {
      await runExport({ ...this.#sources, signal }, journal, (told) => this.#noteProgress(known, told))
      known.stage = 'done'
    } catch (thrown) {
      known.stage = 'paused'
      if (!signal.aborted) {
        const why = pauseProblem(thrown, journal.request.path)
        if (why.code === 'internal') this.#report(thrown)
        known.problem = why
      }
    }
    known.told = null
    known.run = null
    this.#changed()
    if (!this.#sources.signal.aborted) this.#runNext()
  }

  #noteProgress(known: Known, told: Told): void {
    const isNewStage = known.stage !== told.stage
    known.told = told
    known.stage = told.stage
    if (!isNewStage && this.#clock.elapsed() - this.#toldAt < TELL_MS) return
    this.#toldAt = this.#clock.elapsed()
    this.#changed()
  }
}
