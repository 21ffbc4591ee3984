import { ProblemError } from '../../shared/result.ts'
import type { ListedDraft } from '../api/drafts.ts'
import type { EngineService } from '../service.ts'
import { computeBackOffMs } from '../timing/back-off.ts'
import { Loop } from '../timing/loop.ts'
import { DraftSteps, type DraftStepsDependencies } from './draft-steps.ts'
import { addUploadFailure, hasGivenUp } from './draft-transfers.ts'
import type { LocalDraft } from './local-draft.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import { toDraftRefusal } from './sending-refusal.ts'

/** Longer than a pause between keystrokes. The composer saves at each pause. */
const PAUSE_MS = 700

interface DraftSyncParts extends DraftStepsDependencies {
  readonly theirs: Pick<PlatformDrafts, 'delete' | 'onRead'>
  readonly report: (thrown: unknown) => void
}

export class DraftSync implements EngineService {
  readonly #parts: DraftSyncParts
  readonly #steps: DraftSteps
  /** Time of the next turn of each scheduled draft, by `clock.elapsed`. */
  readonly #dueAt = new Map<string, number>()
  readonly #turns: Loop
  /** Consecutive failures by draft. */
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
      // Discarded drafts can't be restored after a restart, and untouched ones are empty.
      const isOver = discardedAt !== null || isUntouched === true
      if (isOver && platform === null && request === null) files.remove(id)
    }
    for (const { id } of files.all()) this.#scheduleSoon(id)
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

  /** Schedules saving a changed draft after a pause. */
  changed(id: string): void {
    if (!this.#parts.signal.aborted) this.#scheduleIn(id, PAUSE_MS)
  }

  /**
   * Resolves once no request for a draft is in flight and the platform's state is known. Drafts being sent are not
   * saved in the meantime. @throws the platform's errors if its state can't be determined
   */
  async whenSettled(id: string): Promise<void> {
    while (this.#current?.id === id) await this.#current.work
    const draft = this.#parts.files.get(id)
    // Before sending, find out if the platform has created the draft.
    if (draft !== undefined && draft.request !== null && draft.platform === null) {
      await this.#steps.createOrForget(draft)
    }
  }

  nudge(): void {
    for (const { id } of this.#parts.files.all()) if (this.#failures.has(id)) this.#scheduleSoon(id)
  }

  /** Checks drafts that have changed in the platform's list. */
  #compare(inboxId: string, listed: readonly Pick<ListedDraft, 'id' | 'updatedAt'>[]): void {
    const there = new Map(listed.map(({ id, updatedAt }) => [id, updatedAt]))
    for (const { id, platform: known, discardedAt, theirs } of this.#parts.files.all()) {
      if (known?.inboxId !== inboxId || discardedAt !== null || theirs !== null) continue
      if (there.has(known.id) && there.get(known.id) === known.seen.updatedAt) continue
      this.#steps.lookAt(id)
      this.#scheduleSoon(id)
    }
  }

  #scheduleSoon(id: string): void {
    this.#dueAt.set(id, Math.min(this.#dueAt.get(id) ?? Infinity, this.#parts.clock.elapsed()))
    this.#turns.wake()
  }

  /** Never postpones a draft that is already due. */
  #scheduleIn(id: string, milliseconds: number): void {
    const now = this.#parts.clock.elapsed()
    if ((this.#dueAt.get(id) ?? Infinity) <= now) return
    this.#dueAt.set(id, now + milliseconds)
    this.#turns.wake()
  }

  /** @returns milliseconds until the next turn; null if none is scheduled */
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
    const reason = toDraftRefusal(thrown)
    if (reason !== null) {
      const revision = draft.request?.revision ?? draft.revision
      this.#steps.giveUp(id, revision)
      this.#learn(id, { request: null, notKept: { revision, reason } })
      return
    }
    const broken = addUploadFailure(thrown, draft)
    if (broken !== null) {
      this.#learn(id, { broken })
      if (hasGivenUp({ ...draft, broken })) {
        this.#failures.delete(id)
        return
      }
    }
    const count = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, count)
    // Sync reports connection problems, and `nudge` retries once the platform is reachable.
    if (!(thrown instanceof ProblemError)) report(thrown)
    this.#scheduleIn(id, computeBackOffMs(count + 2, Math.random()))
  }

  #learn(id: string, learned: Partial<LocalDraft>): void {
    try {
      this.#parts.files.learn(id, learned)
    } catch (failed) {
      this.#parts.report(failed)
    }
  }
}
