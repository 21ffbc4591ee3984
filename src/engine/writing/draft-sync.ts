import { ProblemError } from '../../shared/result.ts'
import type { ListedDraft } from '../api/drafts.ts'
import type { Service } from '../service.ts'
import { backOff } from '../timing/back-off.ts'
import { Loop } from '../timing/loop.ts'
import { DraftSteps, type DraftStepsParts } from './draft-steps.ts'
import { brokenBy, hasGivenUp } from './draft-transfers.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import { refusalOfDraft } from './sending-refusal.ts'

/** Between two keystrokes of somebody who goes on; the composer saves at each pause. */
const PAUSE_MS = 700

interface DraftSyncParts extends DraftStepsParts {
  readonly theirs: Pick<PlatformDrafts, 'drop' | 'onRead'>
  readonly report: (thrown: unknown) => void
}

/** Brings drafts to the platform, one request at a time: whose turn it is. */
export class DraftSync implements Service {
  readonly #parts: DraftSyncParts
  readonly #steps: DraftSteps
  /** When it is the turn of each draft that has one, by `clock.elapsed`. */
  readonly #dueAt = new Map<string, number>()
  readonly #turns: Loop
  /** How often in a row a draft's turn has failed. */
  readonly #failures = new Map<string, number>()
  #current: { readonly id: string; readonly work: Promise<void> } | null = null

  constructor(parts: DraftSyncParts) {
    this.#parts = parts
    this.#steps = new DraftSteps(parts)
    this.#turns = new Loop(parts.clock, { unref: true })
    parts.theirs.onRead((inboxId, listed) => this.#compare(inboxId, listed))
  }

  start(): void {
    const { files, report, signal } = this.#parts
    for (const { id, platform, request, discardedAt, isUntouched } of files.all()) {
      // What was discarded before this start cannot be taken back any more, and nobody writes in what was only opened.
      const isOver = discardedAt !== null || isUntouched === true
      if (isOver && platform === null && request === null) files.remove(id)
    }
    for (const { id } of files.all()) this.#soon(id)
    this.#turns.start({
      step: () => this.#takeTurns(),
      failed: (thrown) => {
        report(thrown)
        return PAUSE_MS
      },
      signal,
    })
  }

  ended(): Promise<void> {
    return this.#turns.ended()
  }

  /** Tell the platform after a pause that a draft has changed. */
  changed(id: string): void {
    if (!this.#parts.signal.aborted) this.#later(id, PAUSE_MS)
  }

  /**
   * Resolves when no request about a draft is under way, and it is known what the platform has of it; no change of it begins
   * while it is on its way to be sent. @throws what the platform throws where that cannot be found out now
   */
  async quiet(id: string): Promise<void> {
    while (this.#current?.id === id) await this.#current.work
    const draft = this.#parts.files.get(id)
    // Whether the platform has made one is to be known before it is sent.
    if (draft !== undefined && draft.request !== null && draft.platform === null) {
      await this.#steps.createOrForget(draft)
    }
  }

  /** Try again what has failed: the platform can be reached. */
  nudge(): void {
    for (const { id } of this.#parts.files.all()) if (this.#failures.has(id)) this.#soon(id)
  }

  /** Look at those of this computer that are others in the platform's list. */
  #compare(inboxId: string, listed: readonly Pick<ListedDraft, 'id' | 'updatedAt'>[]): void {
    const there = new Map(listed.map(({ id, updatedAt }) => [id, updatedAt]))
    for (const { id, platform: known, discardedAt, theirs } of this.#parts.files.all()) {
      if (known?.inboxId !== inboxId || discardedAt !== null || theirs !== null) continue
      if (there.has(known.id) && there.get(known.id) === known.seen.updatedAt) continue
      this.#steps.lookAt(id)
      this.#soon(id)
    }
  }

  #soon(id: string): void {
    this.#dueAt.set(id, Math.min(this.#dueAt.get(id) ?? Infinity, this.#parts.clock.elapsed()))
    this.#turns.wake()
  }

  /** A draft whose turn has come keeps it. */
  #later(id: string, milliseconds: number): void {
    const now = this.#parts.clock.elapsed()
    if ((this.#dueAt.get(id) ?? Infinity) <= now) return
    this.#dueAt.set(id, now + milliseconds)
    this.#turns.wake()
  }

  /** @returns milliseconds until the next turn; null for none */
  async #takeTurns(): Promise<number | null> {
    const { clock, signal } = this.#parts
    while (!signal.aborted) {
      const [next] = [...this.#dueAt].toSorted(([, a], [, b]) => a - b)
      if (next === undefined) return null
      const [id, at] = next
      const wait = at - clock.elapsed()
      if (wait > 0) return wait
      this.#dueAt.delete(id)
      const work = this.#takeTurn(id).finally(() => {
        this.#current = null
      })
      this.#current = { id, work }
      await work
    }
    return null
  }

  async #takeTurn(id: string): Promise<void> {
    const { signal } = this.#parts
    try {
      while (!signal.aborted && (await this.#steps.take(id)));
      this.#failures.delete(id)
    } catch (thrown) {
      if (!signal.aborted) this.#failed(id, thrown)
    }
  }

  #failed(id: string, thrown: unknown): void {
    const { files, report } = this.#parts
    const draft = files.get(id)
    if (draft === undefined) return
    const reason = refusalOfDraft(thrown)
    if (reason !== null) {
      const revision = draft.request?.revision ?? draft.revision
      this.#steps.giveUp(id, revision)
      this.#learn(id, { request: null, notKept: { revision, reason } })
      return
    }
    const broken = brokenBy(thrown, draft)
    if (broken !== null) {
      this.#learn(id, { broken })
      if (hasGivenUp({ ...draft, broken })) {
        this.#failures.delete(id)
        return
      }
    }
    const count = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, count)
    // Sync tells whether the platform can be reached: what is unreachable now is tried again when it is not.
    if (!(thrown instanceof ProblemError)) report(thrown)
    this.#later(id, backOff(count + 2, Math.random()))
  }

  #learn(id: string, learned: Parameters<DraftSteps['learn']>[1]): void {
    try {
      this.#steps.learn(id, learned)
    } catch (failed) {
      this.#parts.report(failed)
    }
  }
}
