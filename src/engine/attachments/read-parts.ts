import { Worker } from 'node:worker_threads'
import type { ProblemError } from '../../shared/result.ts'
import { problem } from '../saying.ts'
import { threadFile } from '../thread-file.ts'
import type { AttachmentPart } from './attachment-parts.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

/** How much of a person's computer taking one original apart may take. */
export interface PartsLimits {
  /** Milliseconds. */
  readonly longest: number
  /** Megabytes of what JavaScript holds; bytes come beside it, about ten times those of the original at most. */
  readonly memory: number
}

/** An original of 64 MB takes some seconds, and a few times its size; one that takes more was made to. */
export const PARTS_LIMITS: PartsLimits = { longest: 60_000, memory: 768 }

/** The thread's file. @param importer as `threadFile` has it */
export const partsWorkerFile = (importer: string): string => threadFile(importer, 'attachments/parts-worker.ts')

const unreadable = (): ProblemError =>
  problem(
    'refused',
    'Linnet cannot find its way in the original of this e-mail. Save the e-mail itself, and open it with another program.',
  )

/**
 * Reads the attachments of an original, in a thread of its own.
 * @throws ProblemError `refused` for one that cannot be taken apart, the signal's reason where it is aborted
 */
export const readParts = (
  workerFile: string,
  original: Uint8Array,
  signal: AbortSignal,
  { longest, memory }: PartsLimits = PARTS_LIMITS,
  clock: Pick<Clock, 'after'> = systemClock,
): Promise<readonly AttachmentPart[]> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(workerFile, {
      workerData: original,
      env: {},
      name: 'linnet-parts',
      resourceLimits: { maxOldGenerationSizeMb: memory },
    })
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
    worker.on('message', (parts: readonly AttachmentPart[]) => end(() => resolve(parts)))
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (!isEnded) settleOnce(() => reject(unreadable()))
    })
  })
