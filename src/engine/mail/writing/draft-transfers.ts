import { LARGE_BODY_BYTES } from '../../platform/outgoing-body.ts'
import { UnreachableError } from '../../platform/platform-problem.ts'
import type { CallOptions } from '../../platform/requests.ts'
import type { Clock } from '../../timing/clock.ts'
import { createThrottle } from '../../timing/throttle.ts'
import { MAX_BROKEN, measureDraftBytes, type FailedUploads, type LocalDraft } from '../../own/drafts/local-draft.ts'

/** Uploads that take less time show no progress; in milliseconds. */
const SHOWN_AFTER_MS = 2_000
/** Minimum interval between progress reports, in milliseconds. */
const REPORT_INTERVAL_MS = 500

export class TransferStoppedError extends Error {
  /** True if an earlier request was sent completely. */
  readonly mayHaveArrived: boolean

  constructor(mayHaveArrived: boolean) {
    super('The upload was stopped.')
    this.name = 'TransferStoppedError'
    this.mayHaveArrived = mayHaveArrived
  }
}

interface Transfer {
  readonly inboxId: string
  /** Size of the files in bytes; encoded, a third more is sent. */
  readonly bytes: number
  readonly controller: AbortController
  /** Start of a large request by `clock.elapsed`, or null. */
  beganAt: number | null
  /** Bytes of that request sent so far. */
  done: number
  total: number
  /** True once a request was sent completely. */
  hasGoneWhole: boolean
}

/** A draft's upload-failure record, updated with a new failure. Null if the request was small or sent nothing. */
export const addUploadFailure = (
  thrown: unknown,
  { content, broken }: Pick<LocalDraft, 'content' | 'broken'>,
): FailedUploads | null => {
  const bytes = measureDraftBytes(content)
  const before = broken?.bytes === bytes ? broken.tries : 0
  const mayHaveArrived = (now: boolean): boolean => now || broken?.mayHaveArrived === true
  if (thrown instanceof TransferStoppedError) {
    return { bytes, tries: MAX_BROKEN, isStopped: true, mayHaveArrived: mayHaveArrived(thrown.mayHaveArrived) }
  }
  if (!(thrown instanceof UnreachableError) || thrown.upload === null) return null
  const { done, total } = thrown.upload
  if (done === 0 || total < LARGE_BODY_BYTES) return null
  return { bytes, tries: before + 1, mayHaveArrived: mayHaveArrived(thrown.mayHaveArrived) }
}

/** Resets the count when the user sends or resends. */
export const resetUploadAttempts = ({ broken }: Pick<LocalDraft, 'broken'>): Pick<LocalDraft, 'broken'> => ({
  broken: broken && { ...broken, tries: 0, isStopped: undefined },
})

export class DraftTransfers {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #inFlight = new Map<string, Transfer>()
  /** Inboxes with unreported progress. */
  readonly #unreported = new Set<string>()
  readonly #reportSoon: () => void

  /** @param progressed called with the inboxes of uploads that progressed */
  constructor(
    progressed: (inboxIds: readonly string[]) => void,
    clock: Pick<Clock, 'elapsed' | 'after'>,
    signal: AbortSignal,
  ) {
    this.#clock = clock
    this.#reportSoon = createThrottle(
      () => {
        progressed([...this.#unreported])
        this.#unreported.clear()
      },
      clock,
      signal,
      { everyMs: REPORT_INTERVAL_MS, unref: true },
    )
  }

  /** Makes a request with a draft's files. @throws TransferStoppedError if the user stops it; errors of `work` */
  async run<Answer>(
    { id, inboxId, content }: Pick<LocalDraft, 'id' | 'inboxId' | 'content'>,
    options: CallOptions,
    work: (options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const controller = new AbortController()
    const transfer: Transfer = {
      ...{ inboxId, controller, bytes: measureDraftBytes(content) },
      ...{ beganAt: null, done: 0, total: 0, hasGoneWhole: false },
    }
    this.#inFlight.set(id, transfer)
    try {
      const signal = AbortSignal.any([options.signal, controller.signal])
      return await work({ ...options, signal, progress: (done, total) => this.#note(transfer, done, total) })
    } finally {
      this.#inFlight.delete(id)
      if (transfer.beganAt !== null) this.#report(transfer)
    }
  }

  /** Uploaded bytes of a draft's files; null if the upload is small or has just started. */
  progressOf(id: string): { readonly done: number; readonly total: number } | null {
    const transfer = this.#inFlight.get(id)
    if (transfer === undefined || !this.#isShown(transfer)) return null
    const { done, total, bytes } = transfer
    return { done: Math.floor((bytes * done) / total), total: bytes }
  }

  /** Aborts a draft's upload unless it is already submitted. @returns false if there was nothing to abort */
  stop(id: string): boolean {
    const transfer = this.#inFlight.get(id)
    if (transfer === undefined || transfer.done >= transfer.total) return false
    transfer.controller.abort(new TransferStoppedError(transfer.hasGoneWhole))
    return true
  }

  #note(transfer: Transfer, done: number, total: number | null): void {
    if (total === null || total < LARGE_BODY_BYTES) return
    transfer.beganAt ??= this.#clock.elapsed()
    transfer.done = done
    transfer.total = total
    if (done >= total) transfer.hasGoneWhole = true
    if (this.#isShown(transfer)) this.#report(transfer)
  }

  #isShown({ beganAt, controller }: Transfer): boolean {
    return beganAt !== null && !controller.signal.aborted && this.#clock.elapsed() - beganAt >= SHOWN_AFTER_MS
  }

  #report({ inboxId }: Transfer): void {
    this.#unreported.add(inboxId)
    this.#reportSoon()
  }
}
