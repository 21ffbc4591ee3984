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
/** How often at most it is told how far one has come, milliseconds. */
const TELL_MS = 200

/** The exports of an account, one after the other; each goes on after an end where it was. */
export interface Exports {
  /**
   * Begins an export, behind those that wait.
   * @throws ProblemError `invalid_input` for a path that is taken or no path, `storage_failed` where nothing can be written
   */
  readonly start: (wish: ExportWish, target: ExportTarget) => Promise<ExportState>
  /** Oldest first. */
  readonly list: () => readonly ExportState[]
  /** What is written stays. @throws ProblemError `not_found` */
  readonly pause: (id: string) => Promise<void>
  /** Goes on with one that is paused; any other is left as it is. @throws ProblemError `not_found` */
  readonly resume: (id: string) => void
  /** Ends one and removes what was written; of one that is done only the note of it, the file stays. */
  readonly cancel: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

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

/**
 * @param sources what is exported, from which `signal` is the account's: its end pauses what is under way
 * @param changed is told that one is another than before
 */
export const openExports = (
  accountDirectory: string,
  sources: ExportSources,
  changed: () => void,
  report: (thrown: unknown) => void,
  clock: Clock,
): Exports => {
  const directory = join(accountDirectory, EXPORTS_NAME)
  const exports = new Map<string, Known>()
  let toldAt = Number.NEGATIVE_INFINITY

  const journalFileOf = (id: string): string => join(directory, `${id}.sqlite`)
  const add = (journal: Journal, stage: Known['stage']): Known => {
    const journalFile = journalFileOf(journal.request.id)
    const known: Known = { journal, journalFile, stage, problem: null, told: null, run: null }
    exports.set(journal.request.id, known)
    return known
  }

  const namesThere = (): readonly string[] => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }
  const found: Journal[] = []
  for (const name of namesThere()) {
    const id = /^([\da-f-]{36})\.sqlite$/.exec(name)?.[1]
    if (id === undefined) continue
    try {
      const journal = openJournal(journalFileOf(id), null)
      if (journal === null) removeJournal(journalFileOf(id))
      else found.push(journal)
    } catch (thrown) {
      report(thrown)
    }
  }
  found.sort((one, other) => one.request.startedAt - other.request.startedAt)
  // What an end has cut off waits for a person: the disk that it goes to may be another one by now.
  for (const journal of found) add(journal, journal.progress().stage === 'done' ? 'done' : 'paused')

  const find = (id: string): Known => {
    const known = exports.get(id)
    if (known === undefined) throw problem('not_found', 'This export no longer exists.')
    return known
  }

  const run = async (known: Known, signal: AbortSignal): Promise<void> => {
    const { journal } = known
    try {
      await runExport({ ...sources, signal }, journal, (told) => {
        const isOther = known.stage !== told.stage
        known.told = told
        known.stage = told.stage
        if (!isOther && clock.elapsed() - toldAt < TELL_MS) return
        toldAt = clock.elapsed()
        changed()
      })
      known.stage = 'done'
    } catch (thrown) {
      known.stage = 'paused'
      if (!signal.aborted) {
        const why = pauseProblem(thrown, journal.request.path)
        if (why.code === 'internal') report(thrown)
        known.problem = why
      }
    }
    known.told = null
    known.run = null
    changed()
    if (!sources.signal.aborted) runNext()
  }

  const runNext = (): void => {
    const all = [...exports.values()]
    if (all.some((known) => known.run !== null)) return
    const next = all.find(({ stage }) => stage === 'waiting')
    if (next === undefined) return
    const ending = new AbortController()
    next.stage = next.journal.progress().stage === 'gathering' ? 'gathering' : 'writing'
    next.run = { ending, ended: run(next, AbortSignal.any([sources.signal, ending.signal])) }
    changed()
  }

  const stop = async ({ run: running }: Known): Promise<void> => {
    running?.ending.abort(paused)
    await running?.ended
  }

  return {
    start: async (wish, { path, mayReplace, isLent = false }) => {
      const id = randomUUID()
      const journal = await beginExport(
        wish,
        { path, mayReplace, isLent },
        {
          id,
          part: join(dirname(path), `${basename(path)}.${id.slice(0, 8)}.part`),
          journalFile: journalFileOf(id),
        },
        clock.now,
      )
      const known = add(journal, 'waiting')
      changed()
      runNext()
      return toState(known)
    },
    list: () => [...exports.values()].map(toState),
    pause: async (id) => {
      const known = find(id)
      if (known.stage === 'waiting') {
        known.stage = 'paused'
        changed()
      } else await stop(known)
    },
    resume: (id) => {
      const known = find(id)
      if (known.stage !== 'paused') return
      known.stage = 'waiting'
      known.problem = null
      changed()
      runNext()
    },
    cancel: async (id) => {
      const known = find(id)
      const isDone = known.stage === 'done'
      await stop(known)
      exports.delete(id)
      known.journal.close()
      // It may have come to its end meanwhile.
      if (!isDone && known.stage !== 'done') await removePartFile(known.journal.request.part).catch(report)
      else if (known.journal.request.isLent) await removeLentFile(known.journal.request.path).catch(report)
      removeJournal(known.journalFile)
      changed()
      runNext()
    },
    close: async () => {
      await Promise.all([...exports.values()].map(stop))
      for (const { journal } of exports.values()) journal.close()
      exports.clear()
    },
  }
}
