import { Worker } from 'node:worker_threads'
import type { Invitation } from '../../shared/reading.ts'
import type { ProblemError } from '../../shared/result.ts'
import { problem } from '../saying.ts'
import { threadFile } from '../thread-file.ts'
import type { AttachmentPart } from './attachment-parts.ts'
import type { SignedMessage } from './read-signed.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** What the thread does, by name, and what comes of it. */
export interface PartsWork {
  readonly original: readonly AttachmentPart[]
  /** Null for a calendar without events. */
  readonly calendar: Invitation | null
  readonly signed: SignedMessage
}

/** What the thread is started with. */
export interface PartsTask {
  readonly work: keyof PartsWork
  readonly bytes: Uint8Array
}

/** How much of a person's computer taking one thing apart may take. */
export interface PartsLimits {
  /** Milliseconds. */
  readonly longest: number
  /** Megabytes of what JavaScript holds; bytes come beside it, about ten times those of the original at most. */
  readonly memory: number
}

/** An original of 64 MB takes some seconds, and a few times its size; one that takes more was made to. */
export const PARTS_LIMITS: PartsLimits = { longest: 60_000, memory: 768 }

/** What an e-mail says cannot take longer than a person waits for it. */
const READING_LIMITS: PartsLimits = { longest: 10_000, memory: 384 }

/** The thread's file. @param importer as `threadFile` has it */
export const partsWorkerFile = (importer: string): string => threadFile(importer, 'attachments/parts-worker.ts')

const UNREADABLE: Readonly<Record<keyof PartsWork, string>> = {
  original: 'Linnet cannot read the original of this message. Save it and open it in another program.',
  calendar: 'Linnet cannot read this calendar file. Save it to open it in another program.',
  signed: 'Linnet cannot read this S/MIME message. Save it to open it in another program.',
}

const runInThread = <Work extends keyof PartsWork>(
  workerFile: string,
  work: Work,
  bytes: Uint8Array,
  signal: AbortSignal,
  { longest, memory }: PartsLimits,
  clock: Pick<Clock, 'after'>,
): Promise<PartsWork[Work]> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(workerFile, {
      workerData: { work, bytes } satisfies PartsTask,
      env: {},
      name: 'linnet-parts',
      resourceLimits: { maxOldGenerationSizeMb: memory },
    })
    const unreadable = (): ProblemError => problem('refused', UNREADABLE[work])
    let isEnded = false
    const settleOnce = (settle: () => void): void => {
      cancel()
      signal.removeEventListener('abort', abort)
      settle()
    }
    // Nobody goes on, and closes what it stands on, before the thread is gone.
    const end = (settle: () => void): void => {
      if (isEnded) return
      isEnded = true
      void worker.terminate().finally(() => settleOnce(settle))
    }
    const abort = (): void => end(() => reject(signal.reason as Error))
    const fail = (): void => end(() => reject(unreadable()))
    const cancel = clock.after(longest, fail)
    signal.addEventListener('abort', abort)
    worker.on('message', (result: PartsWork[Work]) => end(() => resolve(result)))
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (!isEnded) settleOnce(() => reject(unreadable()))
    })
  })

/**
 * Reads the attachments of an original, in a thread of its own.
 * @throws ProblemError `refused` for one that cannot be taken apart, the signal's reason where it is aborted
 */
export const readParts = (
  workerFile: string,
  original: Uint8Array,
  signal: AbortSignal,
  limits: PartsLimits = PARTS_LIMITS,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<readonly AttachmentPart[]> => runInThread(workerFile, 'original', original, signal, limits, clock)

/** Reads what an attachment says, in a thread of its own. @throws as `readParts` */
export const readInThread = <Work extends 'calendar' | 'signed'>(
  workerFile: string,
  work: Work,
  bytes: Uint8Array,
  signal: AbortSignal,
  limits: PartsLimits = READING_LIMITS,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<PartsWork[Work]> => runInThread(workerFile, work, bytes, signal, limits, clock)
