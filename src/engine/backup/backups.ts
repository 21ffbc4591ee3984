import { statSync } from 'node:fs'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BackupSettings, BackupState, LastBackup } from '../../shared/backups.ts'
import type { InboxName } from '../../shared/engine-link.ts'
import { ProblemError, type Problem } from '../../shared/result.ts'
import { safeFilename } from '../../shared/safe-filename.ts'
import type { OutboxFile } from '../outbox/outbox-file.ts'
import type { Problems } from '../problems/problems.ts'
import { problem } from '../saying.ts'
import { openBackupSettings } from './backup-settings.ts'
import type { BackupNews, BackupTask, OutboxCopied } from './backup-task.ts'
import { removeUnfinished } from './write-backup.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** The backups of an account: made now, or by themselves. */
export interface Backups {
  readonly state: () => BackupState
  /**
   * Makes a backup in the folder that was chosen, or in another one.
   * @throws ProblemError `invalid_input` for a folder that cannot be, `storage_failed` where the disk does not take it,
   * `cancelled`
   */
  readonly make: (folder?: string) => Promise<LastBackup>
  /** Ends the one that is being made; none is no error. */
  readonly cancel: () => void
  /** @throws ProblemError `invalid_input` */
  readonly set: (settings: BackupSettings) => void
  /** From now on backups are made by themselves; one that was missed is made soon. */
  readonly start: () => void
  readonly ended: () => Promise<void>
}

const HOUR_MS = 60 * 60_000
const PERIODS = { off: Infinity, daily: 24 * HOUR_MS, weekly: 7 * 24 * HOUR_MS } as const
/** The start is for the mail. */
const FIRST_LOOK_MS = 30_000
const LOOK_EVERY_MS = 10 * 60_000
/** After how long one that failed is tried again by itself. */
const RETRY_MS = HOUR_MS

const CANCELLED: Problem = { code: 'cancelled', message: 'Backup cancelled. Earlier backups are still there.' }
const KEPT = 'Your mail and earlier backups are safe.'

/** What it means to a person that a backup could not be made. */
export const describeBackupFailure = (code: string, folder: string): Problem => {
  const details = { cause: code }
  const said = (message: string): Problem => ({ code: 'storage_failed', message, details })
  if (/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    return said(`Not enough space for a backup in ${folder}. ${KEPT} Free some space, or choose another folder.`)
  }
  if (/^(?:ENOENT|ENOTDIR|ENODEV|ENXIO)/.test(code)) {
    return said(`The backup folder ${folder} is missing. ${KEPT} Plug its disk in, or choose another folder.`)
  }
  if (/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code)) {
    return said(`Linnet has no permission to write to ${folder}. ${KEPT} Choose another folder.`)
  }
  return said(`The backup in ${folder} was not written correctly. ${KEPT} Check that disk, or choose another.`)
}

/** `2026-11-22 21.30.05`, the time of this computer. */
const stampOf = (at: number): string => {
  const date = new Date(at)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('.')}`
}

/** @throws ProblemError `invalid_input` for what is no folder that backups can be in */
const checkFolder = (typed: string, accountDirectory: string): string => {
  if (!isAbsolute(typed)) throw problem('invalid_input', 'Type the full path of the folder.')
  const folder = resolve(typed)
  const inside = relative(accountDirectory, folder)
  if (inside === '' || (inside.split(sep)[0] !== '..' && !isAbsolute(inside))) {
    throw problem('invalid_input', 'This folder is inside what you back up. Choose another one.')
  }
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined)
    throw problem('invalid_input', `There is no folder ${folder}. Create it first, or choose another.`)
  if (!found.isDirectory()) throw problem('invalid_input', `${folder} is not a folder.`)
  return folder
}

export const createBackups = (parts: {
  readonly directory: string
  readonly baseUrl: string
  readonly inboxes: () => readonly InboxName[]
  readonly outbox: Pick<OutboxFile, 'copyTo'>
  readonly unsent: () => number
  readonly problems: Pick<Problems, 'raise' | 'clear'>
  readonly workerFile: string
  /** The state is another than before. */
  readonly changed: () => void
  readonly report: (thrown: unknown) => void
  readonly signal: AbortSignal
  readonly clock?: Clock
  /** After how long one that was missed is made. */
  readonly firstLookMs?: number
}): Backups => {
  const { directory, signal, problems, changed, report, clock = systemClock, firstLookMs = FIRST_LOOK_MS } = parts
  const { now } = clock
  const kept = openBackupSettings(directory)
  let running: { done: number; total: number } | null = null
  let making: Promise<LastBackup> | null = null
  let ending: AbortController | null = null
  let failedAt = -Infinity

  const runWorker = (task: BackupTask, stop: AbortSignal): Promise<LastBackup> =>
    new Promise((resolve, reject) => {
      stop.throwIfAborted()
      const worker = new Worker(parts.workerFile, { workerData: task, env: {}, name: 'linnet-backup' })
      const listening = new AbortController()
      let isOver = false
      /** The thread is over before anything is said: what it has begun can be removed then. */
      const end = (settle: () => void): void => {
        if (isOver) return
        isOver = true
        listening.abort()
        void worker.terminate().then(settle, settle)
      }
      const fail = (code: string, cause: unknown): void =>
        end(() => reject(new ProblemError(describeBackupFailure(code, task.folder), { cause })))
      stop.addEventListener('abort', () => end(() => reject(stop.reason as Error)), { signal: listening.signal })
      worker.on('error', (thrown) => fail('', thrown))
      worker.on('exit', () => fail('', new Error('the thread ended')))
      worker.on('message', (news: BackupNews) => {
        switch (news.kind) {
          case 'outbox wanted':
            parts.outbox.copyTo(news.file).then(
              () => worker.postMessage({ unsent: parts.unsent() } satisfies OutboxCopied),
              (thrown: unknown) => fail(thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '', thrown),
            )
            return
          case 'progress':
            running = { done: news.done, total: news.total }
            changed()
            return
          case 'failed':
            fail(news.code, new Error(news.message))
            return
          case 'done':
            end(() => resolve({ at: task.at, directory: news.directory, bytes: news.bytes, files: news.files }))
        }
      })
    })

  const makeIn = async (folder: string): Promise<LastBackup> => {
    const id = basename(directory)
    if (id === 'demo') throw problem('invalid_input', 'The demo needs no backup: Linnet can create it again.')
    const at = now()
    const inboxes = parts.inboxes()
    const prefix = `Linnet ${safeFilename(inboxes[0]?.address ?? '') || id} `
    ending = new AbortController()
    running = { done: 0, total: 0 }
    changed()
    const task: BackupTask = {
      ...{ accountDirectory: directory, folder, prefix, at },
      keep: kept.get().settings.keep,
      name: `${prefix}${stampOf(at)}`,
      account: { id, baseUrl: parts.baseUrl, inboxes: [...inboxes] },
    }
    try {
      const last = await runWorker(task, AbortSignal.any([signal, ending.signal]))
      failedAt = -Infinity
      problems.clear('backup-failed')
      try {
        kept.set({ last })
      } catch (thrown) {
        // The backup is there, whether it can be noted down or not.
        report(thrown)
      }
      return last
    } catch (thrown) {
      try {
        removeUnfinished(task)
      } catch {
        // The folder is gone, or the next backup can.
      }
      throw thrown
    } finally {
      running = null
      making = null
      ending = null
      if (!signal.aborted) changed()
    }
  }
  const make = (folder: string): Promise<LastBackup> => (making ??= makeIn(folder))

  const isDue = (): boolean => {
    const { settings, last } = kept.get()
    const period = PERIODS[settings.schedule]
    return now() - (last?.at ?? 0) >= period && now() - failedAt >= RETRY_MS
  }
  const look = async (): Promise<void> => {
    const { folder } = kept.get().settings
    if (folder === null || !isDue() || making !== null) return
    try {
      await make(folder)
    } catch (thrown) {
      failedAt = now()
      if (signal.aborted) return
      const told = thrown instanceof ProblemError ? thrown.problem : describeBackupFailure('', folder)
      if (told.code !== 'cancelled') problems.raise({ ...told, id: 'backup-failed' })
    }
  }
  const looking = new Loop(clock, { unref: true })

  return {
    state: () => ({ ...kept.get().settings, last: kept.get().last, running }),
    make: async (typed) => {
      const folder = typed ?? kept.get().settings.folder
      if (folder === null) throw problem('invalid_input', 'Choose a folder for backups first.')
      return make(checkFolder(folder, directory))
    },
    cancel: () => ending?.abort(new ProblemError(CANCELLED)),
    set: (settings) => {
      const folder = settings.folder === null ? null : checkFolder(settings.folder, directory)
      if (folder === null && settings.schedule !== 'off') {
        throw problem('invalid_input', 'Choose a folder for backups first.')
      }
      kept.set({ settings: { ...settings, folder } })
      failedAt = -Infinity
      problems.clear('backup-failed')
      changed()
      looking.wake()
    },
    start: () =>
      looking.start({
        firstIn: firstLookMs,
        step: async () => {
          await look()
          return LOOK_EVERY_MS
        },
        failed: (thrown) => {
          report(thrown)
          return LOOK_EVERY_MS
        },
        signal,
      }),
    ended: async () => {
      await making?.catch(() => undefined)
      await looking.ended()
    },
  }
}
