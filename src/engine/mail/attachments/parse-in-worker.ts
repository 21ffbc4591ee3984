import { Worker } from 'node:worker_threads'
import type { Invitation } from '../../../shared/parsed-attachment.ts'
import { resolveWorkerScript } from '../../timing/worker-script.ts'
import type { AttachmentPart } from '../../sync/attachment-parts.ts'
import type { SignedMessage } from './parse-signed-message.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { createProblem } from '../../../shared/result.ts'

export interface MessageParseResults {
  readonly original: readonly AttachmentPart[]
  /** Null if the calendar has no events. */
  readonly calendar: Invitation | null
  readonly signed: SignedMessage
}

export interface MessageParseTask {
  readonly work: keyof MessageParseResults
  readonly bytes: Uint8Array
}

/**
 * Milliseconds, and megabytes of JavaScript heap; buffers add up to about ten times the original. A 64 MB original takes
 * some seconds, and a few times its size in memory; anything beyond is malicious.
 */
export const MESSAGE_PARSE_LIMITS = { longest: 60_000, memory: 768 }

/** Shorter limits, because the user is waiting for the result. */
const READING_LIMITS = { longest: 10_000, memory: 384 }

/** Path of the worker's file. @param importer see `resolveWorkerScript` */
export const partsWorkerFile = (importer: string): string =>
  resolveWorkerScript(importer, 'mail/attachments/parts-worker.ts')

const UNREADABLE: Readonly<Record<keyof MessageParseResults, string>> = {
  original: 'Linnet cannot read the original of this message. Save the message and open it in another app.',
  calendar: 'Linnet cannot read this calendar file. Save the file and open it in another app.',
  signed: 'Linnet cannot read this S/MIME message. Save the message and open it in another app.',
}

/**
 * Parses a message, its calendar or its signed content in a worker thread.
 * @throws ProblemError `refused` if unreadable; the signal's reason
 */
export const parseInWorker = async <Work extends keyof MessageParseResults>(
  workerFile: string,
  work: Work,
  bytes: Uint8Array,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'> = systemClock,
  { longest, memory } = work === 'original' ? MESSAGE_PARSE_LIMITS : READING_LIMITS,
): Promise<MessageParseResults[Work]> => {
  signal.throwIfAborted()
  const worker = new Worker(workerFile, {
    workerData: { work, bytes } satisfies MessageParseTask,
    env: {},
    name: 'linnet-parts',
    resourceLimits: { maxOldGenerationSizeMb: memory },
  })
  const waiting = new AbortController()
  try {
    return await new Promise<MessageParseResults[Work]>((resolve, reject) => {
      const fail = (): void => reject(createProblem('refused', UNREADABLE[work]))
      worker.on('message', resolve)
      worker.on('error', () => undefined)
      worker.on('exit', fail)
      waiting.signal.addEventListener('abort', clock.after(longest, fail))
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: waiting.signal })
    })
  } finally {
    waiting.abort()
    // Wait for the thread to exit, because the caller may close files that it uses.
    await worker.terminate()
  }
}
