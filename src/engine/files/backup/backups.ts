import { statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { BACKUP_SCHEDULES, type BackupSettings, type BackupState, type LastBackup } from '../../../shared/backups.ts'
import type { InboxIdentity } from '../../../shared/engine-api.ts'
import { ProblemError, type Problem, createProblem } from '../../../shared/result.ts'
import { toSafeFilename } from '../../../shared/safe-filename.ts'
import { StoredSettings, type LocalLists } from '../../own/local-list.ts'
import type { Problems } from '../../own/problems.ts'
import { runFileTask } from '../run-file-task.ts'
import { removeUnfinishedBackups, toBackupProblem, type BackupTask } from './write-backup.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'
import { attempt } from '../../store/storage-problem.ts'

const HOUR_MS = 60 * 60_000
const PERIODS = { off: Infinity, daily: 24 * HOUR_MS, weekly: 7 * 24 * HOUR_MS } as const
/** Lets the mail load first. */
const FIRST_CHECK_DELAY_MS = 30_000
const CHECK_INTERVAL_MS = 10 * 60_000
/** Retry interval after a failed scheduled backup. */
const RETRY_MS = HOUR_MS

const storedSchema = z.object({
  settings: z.object({
    schedule: z.enum(BACKUP_SCHEDULES),
    keep: z.union([z.literal(3), z.literal(7)]),
    folder: z.string().min(1).nullable(),
  }),
  last: z
    .object({ at: z.number(), directory: z.string(), bytes: z.number(), files: z.number() })
    .nullable()
    .catch(null),
})
type StoredBackups = z.output<typeof storedSchema>

const NO_BACKUPS: StoredBackups = { settings: { schedule: 'off', keep: 7, folder: null }, last: null }

/** Backup settings and the last backup. Not backed up: a restored account needs its own folder. */
export const openBackupSettings = (own: LocalLists): StoredSettings<StoredBackups> =>
  new StoredSettings(own, 'backups', storedSchema, NO_BACKUPS)

const CANCELLED: Problem = { code: 'cancelled', message: 'Backup cancelled. Earlier backups are still there.' }

/** Local time, as `2026-11-22 21.30.05`. */
const stampOf = (at: number): string => {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('.')}`
}

/** @throws ProblemError `invalid_input` if backups can't be stored there */
const checkFolder = (typed: string, accountDirectory: string): string => {
  if (!isAbsolute(typed)) throw createProblem('invalid_input', 'Type the full path of the folder.')
  const folder = resolve(typed)
  const inside = relative(accountDirectory, folder)
  if (inside === '' || (inside.split(sep)[0] !== '..' && !isAbsolute(inside))) {
    throw createProblem('invalid_input', 'This folder is inside the data you are backing up. Choose another one.')
  }
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined)
    throw createProblem('invalid_input', `There is no folder ${folder}. Create it first, or choose another.`)
  if (!found.isDirectory()) throw createProblem('invalid_input', `${folder} is not a folder.`)
  return folder
}

interface BackupParts {
  readonly directory: string
  readonly baseUrl: string
  readonly inboxes: () => readonly InboxIdentity[]
  readonly own: LocalLists
  readonly problems: Pick<Problems, 'raise' | 'clear'>
  readonly filesWorker: string
  readonly changed: () => void
  readonly report: (thrown: unknown) => void
  readonly signal: AbortSignal
  readonly clock?: Clock
  /** Milliseconds from the start until a missed backup is made. */
  readonly firstLookMs?: number
}

export class Backups {
  readonly #parts: BackupParts
  readonly #clock: Clock
  readonly #settings: StoredSettings<StoredBackups>
  readonly #scheduleLoop: Loop
  #running: BackupState['running'] = null
  #making: Promise<LastBackup> | null = null
  #abortController: AbortController | null = null
  #failedAt = -Infinity

  constructor(parts: BackupParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
    this.#settings = openBackupSettings(parts.own)
    this.#scheduleLoop = new Loop(this.#clock, { unref: true })
  }

  state(): BackupState {
    const { settings, last } = this.#settings.get()
    return { ...settings, last, running: this.#running }
  }

  /**
   * @param typed folder to use instead of the configured one @throws ProblemError `invalid_input`, `storage_failed` for
   * disk errors, `cancelled`
   */
  async make(typed?: string): Promise<LastBackup> {
    const folder = typed ?? this.#settings.get().settings.folder
    if (folder === null) throw createProblem('invalid_input', 'Choose a folder for backups first.')
    return (this.#making ??= this.#make(checkFolder(folder, this.#parts.directory)))
  }

  cancel(): void {
    this.#abortController?.abort(new ProblemError(CANCELLED))
  }

  /** @throws ProblemError `invalid_input` */
  set(settings: BackupSettings): void {
    const { directory, problems, changed } = this.#parts
    const folder = settings.folder === null ? null : checkFolder(settings.folder, directory)
    if (folder === null && settings.schedule !== 'off') {
      throw createProblem('invalid_input', 'Choose a folder for backups first.')
    }
    this.#settings.set({ settings: { ...settings, folder } })
    this.#failedAt = -Infinity
    problems.clear('backup-failed')
    changed()
    this.#scheduleLoop.wake()
  }

  /** A missed backup is made soon. */
  start(): void {
    const { report, signal, firstLookMs = FIRST_CHECK_DELAY_MS } = this.#parts
    this.#scheduleLoop.start({
      firstIn: firstLookMs,
      step: () => this.#makeIfDue().then(() => CHECK_INTERVAL_MS),
      ...{ report, retryIn: CHECK_INTERVAL_MS, signal },
    })
  }

  /** Resolves when aborted work has stopped. */
  async ended(): Promise<void> {
    await this.#making?.catch(() => undefined)
    await this.#scheduleLoop.ended()
  }

  async #make(folder: string): Promise<LastBackup> {
    const { directory, baseUrl, problems, filesWorker, changed, signal } = this.#parts
    const id = basename(directory)
    if (id === 'demo') throw createProblem('invalid_input', 'The demo needs no backup: Linnet can create it again.')
    const at = this.#clock.now()
    const inboxes = this.#parts.inboxes()
    const prefix = `Linnet ${toSafeFilename(inboxes[0]?.address ?? '') || id} `
    const task: BackupTask = {
      ...{ accountDirectory: directory, folder, prefix, at },
      keep: this.#settings.get().settings.keep,
      name: `${prefix}${stampOf(at)}`,
      account: { id, baseUrl, inboxes: [...inboxes] },
    }
    const ending = new AbortController()
    this.#abortController = ending
    this.#setProgress(0, 0)
    const either = AbortSignal.any([signal, ending.signal])
    const host = { onCopied: (done: number, total: number) => this.#setProgress(done, total) }
    try {
      const written = await runFileTask(filesWorker, host, (files) => files.backup(task), either)
      const last = { ...written, at }
      this.#failedAt = -Infinity
      problems.clear('backup-failed')
      // If only this fails, the backup itself is complete.
      attempt(() => this.#settings.set({ last }), this.#parts.report)
      return last
    } catch (thrown) {
      // Either the folder is gone, or the next backup removes the leftovers.
      attempt(() => removeUnfinishedBackups(task))
      throw new ProblemError(toBackupProblem(thrown, folder), { cause: thrown })
    } finally {
      this.#running = null
      this.#making = null
      this.#abortController = null
      if (!signal.aborted) changed()
    }
  }

  #setProgress(done: number, total: number): void {
    this.#running = { done, total }
    this.#parts.changed()
  }

  async #makeIfDue(): Promise<void> {
    const { settings, last } = this.#settings.get()
    const { folder, schedule } = settings
    const now = this.#clock.now()
    const isDue = now - (last?.at ?? 0) >= PERIODS[schedule] && now - this.#failedAt >= RETRY_MS
    if (folder === null || !isDue || this.#making !== null) return
    try {
      await (this.#making = this.#make(folder))
    } catch (thrown) {
      this.#failedAt = this.#clock.now()
      if (this.#parts.signal.aborted) return
      const why = toBackupProblem(thrown, folder)
      if (why.code !== 'cancelled') this.#parts.problems.raise({ ...why, id: 'backup-failed' })
    }
  }
}
