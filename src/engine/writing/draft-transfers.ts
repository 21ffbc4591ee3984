import type { DraftContent } from '../../shared/writing.ts'
import { LARGE_BODY } from '../api/outgoing-body.ts'
import { Unreachable } from '../api/platform-problem.ts'
import type { CallOptions } from '../api/requests.ts'
import type { Clock } from '../timing/clock.ts'
import { throttled } from '../timing/throttle.ts'
import type { Broken, KeptDraft } from './kept-draft.ts'

/** After so many tries that broke on the way a person is asked. */
const MOST_BROKEN = 2
/** What has gone sooner is not worth a word, in milliseconds. */
const SHOWN_AFTER_MS = 2_000
/** The shortest time between two reports of progress, in milliseconds. */
const TELL_MS = 500

/** A person has stopped what was on its way. */
export class TransferStopped extends Error {
  /** Whether all of it had been handed on before. */
  readonly mayHaveArrived: boolean

  constructor(mayHaveArrived: boolean) {
    super('The upload was stopped.')
    this.name = 'TransferStopped'
    this.mayHaveArrived = mayHaveArrived
  }
}

interface Transfer {
  readonly inboxId: string
  /** What its files have, in bytes: what goes is longer by a third. */
  readonly bytes: number
  readonly controller: AbortController
  /** When a large request of it began, by `clock.elapsed`; null where none has. */
  beganAt: number | null
  /** Of that request. */
  done: number
  total: number
  /** Whether a request of it was handed on to its end, once. */
  hasGoneWhole: boolean
}

/** What goes out with a draft: the bytes of its files, or of its text where it has none. */
export const bytesOf = ({ files, html, text, quote }: DraftContent): number =>
  files.length > 0
    ? files.reduce((sum, { size }) => sum + size, 0)
    : html.length + text.length + (quote?.html.length ?? 0) + (quote?.text.length ?? 0)

/** What is known of a draft's broken tries once another one has failed; null where that is nobody's matter: it was small, or nothing had gone. */
export const brokenBy = (
  thrown: unknown,
  { content, broken }: Pick<KeptDraft, 'content' | 'broken'>,
): Broken | null => {
  const bytes = bytesOf(content)
  const before = broken?.bytes === bytes ? broken.tries : 0
  const mayHaveArrived = (now: boolean): boolean => now || broken?.mayHaveArrived === true
  if (thrown instanceof TransferStopped) {
    return { bytes, tries: MOST_BROKEN, isStopped: true, mayHaveArrived: mayHaveArrived(thrown.mayHaveArrived) }
  }
  if (!(thrown instanceof Unreachable) || thrown.upload === null) return null
  const { done, total } = thrown.upload
  if (done === 0 || total < LARGE_BODY) return null
  return { bytes, tries: before + 1, mayHaveArrived: mayHaveArrived(thrown.mayHaveArrived) }
}

/** A person has sent it, or sends it again: it has all its tries. */
export const triedAnew = ({ broken }: Pick<KeptDraft, 'broken'>): Pick<KeptDraft, 'broken'> => ({
  broken: broken && { ...broken, tries: 0, isStopped: undefined },
})

/** Whether nothing of a draft goes out before a person says so, or gives it other files. */
export const hasGivenUp = ({ content, broken }: Pick<KeptDraft, 'content' | 'broken'>): boolean =>
  broken !== undefined && broken.tries >= MOST_BROKEN && broken.bytes === bytesOf(content)

/** What of drafts is on its way to the platform: how far it is, and what stops it. */
export class DraftTransfers {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #underWay = new Map<string, Transfer>()
  /** Inboxes of which progress is still to be told. */
  readonly #untold = new Set<string>()
  readonly #tellSoon: () => void

  /** @param progressed hears of which inboxes drafts have gone on */
  constructor(
    progressed: (inboxIds: readonly string[]) => void,
    clock: Pick<Clock, 'elapsed' | 'after'>,
    signal: AbortSignal,
  ) {
    this.#clock = clock
    this.#tellSoon = throttled(
      () => {
        progressed([...this.#untold])
        this.#untold.clear()
      },
      clock,
      signal,
      { everyMs: TELL_MS, unref: true },
    )
  }

  /** Ask for something with a draft's files. @throws TransferStopped where a person has stopped it, and what the work throws */
  async run<Answer>(
    { id, inboxId, content }: Pick<KeptDraft, 'id' | 'inboxId' | 'content'>,
    options: CallOptions,
    work: (options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const controller = new AbortController()
    const transfer: Transfer = {
      ...{ inboxId, controller, bytes: bytesOf(content) },
      ...{ beganAt: null, done: 0, total: 0, hasGoneWhole: false },
    }
    this.#underWay.set(id, transfer)
    try {
      const signal = AbortSignal.any([options.signal, controller.signal])
      return await work({ ...options, signal, progress: (done, total) => this.#note(transfer, done, total) })
    } finally {
      this.#underWay.delete(id)
      if (transfer.beganAt !== null) this.#tell(transfer)
    }
  }

  /** How much of a draft has gone, in bytes of its files; null where nothing large goes, or not for long yet. */
  progressOf(id: string): { readonly done: number; readonly total: number } | null {
    const transfer = this.#underWay.get(id)
    if (transfer === undefined || !this.#isShown(transfer)) return null
    const { done, total, bytes } = transfer
    return { done: Math.floor((bytes * done) / total), total: bytes }
  }

  /** Stop what of a draft is on its way, as long as not all of it has been handed on. @returns whether there was anything to stop */
  stop(id: string): boolean {
    const transfer = this.#underWay.get(id)
    if (transfer === undefined || transfer.done >= transfer.total) return false
    transfer.controller.abort(new TransferStopped(transfer.hasGoneWhole))
    return true
  }

  #note(transfer: Transfer, done: number, total: number | null): void {
    if (total === null || total < LARGE_BODY) return
    transfer.beganAt ??= this.#clock.elapsed()
    transfer.done = done
    transfer.total = total
    if (done >= total) transfer.hasGoneWhole = true
    if (this.#isShown(transfer)) this.#tell(transfer)
  }

  #isShown({ beganAt, controller }: Transfer): boolean {
    return beganAt !== null && !controller.signal.aborted && this.#clock.elapsed() - beganAt >= SHOWN_AFTER_MS
  }

  #tell({ inboxId }: Transfer): void {
    this.#untold.add(inboxId)
    this.#tellSoon()
  }
}
