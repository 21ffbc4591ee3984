import { ProblemError, createProblem } from '../../../shared/result.ts'
import type { ListedDraft } from '../../platform/resources/drafts.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { computeBackOffMs } from '../../timing/back-off.ts'
import { sleep } from '../../timing/clock.ts'
import { Loop, type EngineService } from '../../timing/loop.ts'
import { createCopy, planCopy, updateCopy, withoutCopy } from './draft-copy.ts'
import { addUploadFailure } from './draft-transfers.ts'
import {
  isDraftEditable,
  isSavedOnPlatform,
  type LocalDraft,
  hasGivenUp,
  isDraftEmpty,
} from '../../own/drafts/local-draft.ts'
import { toDraftRefusal } from './sending-refusal.ts'
import type { DraftParts } from './writing-parts.ts'
import { attempt } from '../../store/storage-problem.ts'

/** Longer than a pause between keystrokes. The composer saves at each pause. */
const PAUSE_MS = 700
const MAX_TURNS_AT_ONCE = 4
/** Maximum time to wait for a running turn, in milliseconds. */
const MAX_WAIT_MS = 5_000

interface Turn {
  readonly controller: AbortController
  readonly ended: Promise<void>
}

export interface DraftSyncParts extends DraftParts {
  /** Does what is due for a draft that isn't being written. @throws if it should be retried */
  readonly continueSending: (draft: LocalDraft, ending: AbortSignal) => Promise<void>
}

/**
 * Gives each draft its turns, never two at a time: to save a revision, delete a discarded draft, repeat a request whose
 * response was lost, or send the message.
 */
export class DraftSync implements EngineService {
  readonly #parts: DraftSyncParts
  /** Time of the next turn of each scheduled draft, by `clock.elapsed`. */
  readonly #dueAt = new Map<string, number>()
  readonly #running = new Map<string, Turn>()
  readonly #turns: Loop
  /** Consecutive failures by draft. */
  readonly #failures = new Map<string, number>()
  /** Drafts rejected since the start. The rejected revision, `notKept`, isn't sent again until the next one. */
  readonly #refused = new Set<string>()
  /** Drafts to compare with the platform's copy. */
  readonly #toFetch = new Set<string>()

  constructor(parts: DraftSyncParts) {
    this.#parts = parts
    this.#turns = new Loop(parts.clock)
    parts.theirs.onRead((inboxId, listed) => this.#compare(inboxId, listed))
  }

  start(): void {
    const { files, report, signal } = this.#parts
    for (const { id, platform, request, discardedAt, isUntouched } of files.all()) {
      // Discarded drafts can't be restored after a restart, and untouched ones are empty.
      const isOver = discardedAt !== null || isUntouched === true
      if (isOver && platform === null && request === null) files.remove(id)
    }
    for (const { id } of files.all()) this.scheduleNow(id)
    this.#turns.start({ step: () => this.#startTurns(), report, retryIn: PAUSE_MS, signal })
  }

  async ended(): Promise<void> {
    await Promise.all([this.#turns.ended(), ...[...this.#running.values()].map(({ ended }) => ended)])
  }

  /** Schedules saving a changed draft after a pause. */
  changed(id: string): void {
    if (!this.#parts.signal.aborted) this.scheduleIn(id, PAUSE_MS)
  }

  /** Schedules a turn, right after a running one. */
  scheduleNow(id: string): void {
    this.#dueAt.set(id, Math.min(this.#dueAt.get(id) ?? Infinity, this.#parts.clock.elapsed()))
    this.#turns.wake()
  }

  nudge(): void {
    const now = this.#parts.clock.now()
    for (const { id, state } of this.#parts.files.all()) {
      // The computer may have slept past the time of a message.
      const isDue = (state.kind === 'held' || state.kind === 'scheduled') && state.at !== null && state.at <= now
      if (isDue || this.#failures.has(id)) this.scheduleNow(id)
    }
  }

  /** Resolves once the running turn has ended, or after a few seconds. The next one has to be scheduled again. */
  async turnEnds(id: string): Promise<void> {
    this.#dueAt.delete(id)
    const { clock, signal } = this.#parts
    const longEnough = sleep(clock, MAX_WAIT_MS, signal, { unref: true }).catch(() => undefined)
    await Promise.race([this.#running.get(id)?.ended, longEnough])
  }

  stop(id: string): void {
    this.#running.get(id)?.controller.abort(createProblem('cancelled', 'The message was taken back.'))
  }

  /** Checks drafts that have changed in the platform's list. */
  #compare(inboxId: string, listed: readonly ListedDraft[]): void {
    const there = new Map(listed.map(({ id, updatedAt }) => [id, updatedAt]))
    for (const { id, platform: known, discardedAt, theirs } of this.#parts.files.all()) {
      if (known?.inboxId !== inboxId || discardedAt !== null || theirs !== null) continue
      if (there.has(known.id) && there.get(known.id) === known.seen.updatedAt) continue
      this.#toFetch.add(id)
      this.scheduleNow(id)
    }
  }

  /** Never postpones a draft that is already due. */
  scheduleIn(id: string, milliseconds: number): void {
    const now = this.#parts.clock.elapsed()
    if ((this.#dueAt.get(id) ?? Infinity) <= now) return
    this.#dueAt.set(id, now + milliseconds)
    this.#turns.wake()
  }

  /** @returns milliseconds until the next turn; null if none is scheduled, or the end of a turn has to come first */
  #startTurns(): number | null {
    const { files, clock, signal } = this.#parts
    const now = clock.elapsed()
    const isMessage = (id: string): boolean => {
      const draft = files.get(id)
      return draft !== undefined && !isDraftEditable(draft)
    }
    const due = [...this.#dueAt.keys()]
    for (const id of [...due.filter(isMessage), ...due.filter((each) => !isMessage(each))]) {
      const isFree = this.#running.size < MAX_TURNS_AT_ONCE && !this.#running.has(id)
      if (!isFree || (this.#dueAt.get(id) ?? 0) > now || signal.aborted) continue
      this.#dueAt.delete(id)
      const controller = new AbortController()
      const ended = this.#takeTurn(id, AbortSignal.any([signal, controller.signal])).finally(() => {
        this.#running.delete(id)
        this.#turns.wake()
      })
      this.#running.set(id, { controller, ended })
    }
    const next = Math.min(...[...this.#dueAt].flatMap(([id, at]) => (at > now && !this.#running.has(id) ? at : [])))
    return Number.isFinite(next) ? next - now : null
  }

  async #takeTurn(id: string, ending: AbortSignal): Promise<void> {
    const { files, continueSending } = this.#parts
    const draft = files.get(id)
    // The message may be sent before a request to save it has ended.
    const isSaving = draft !== undefined && isDraftEditable(draft)
    try {
      if (draft !== undefined && !isDraftEditable(draft)) await continueSending(draft, ending)
      else while (!ending.aborted && (await this.#step(id, { priority: 'screen', signal: ending })));
      this.#failures.delete(id)
    } catch (thrown) {
      if (!ending.aborted) this.#failed(id, thrown, isSaving)
    }
  }

  /** Takes one step to save a draft. @returns true if another step may follow */
  async #step(id: string, options: CallOptions): Promise<boolean> {
    const { files, theirs, transfers, clock } = this.#parts
    const draft = files.get(id)
    if (draft === undefined || !isDraftEditable(draft)) return false
    const { platform: known, request, discardedAt, content, revision } = draft
    if (hasGivenUp(draft)) {
      if (discardedAt === null) return false
      if (request !== null && draft.broken?.mayHaveArrived === false) {
        // Every upload was cut off, so there is nothing to delete.
        files.learn(id, { request: null, broken: undefined })
        return true
      }
    }
    if (request !== null && known === null) {
      await transfers.run(draft, options, (how) => createCopy(this.#parts, draft, how))
      return true
    }
    if (discardedAt !== null) {
      if (known === null) return false
      // After a conflict, the platform's draft is somebody else's.
      if (draft.theirs === null) await theirs.delete(known, options)
      files.learn(id, { platform: null, request: null, theirs: null })
      return false
    }
    if (draft.theirs !== null || (this.#refused.has(id) && draft.notKept?.revision === revision)) return false
    if (known === null) {
      if (draft.isUntouched === true || isDraftEmpty(content)) return false
      planCopy(this.#parts, draft)
      return true
    }
    if (known.inboxId !== draft.inboxId) {
      await theirs.delete(known, options)
      files.learn(id, { platform: null, request: null, standsAlone: false })
      return true
    }
    const isToFetch = this.#toFetch.delete(id)
    if (request === null && isSavedOnPlatform(draft) && !isToFetch) return false
    const there = await transfers.run(draft, options, (how) => updateCopy(this.#parts, draft, known, how))
    const now = files.get(id)
    if (now !== undefined && there?.emailId !== null) files.put(withoutCopy(now, clock.now()))
    return true
  }

  #failed(id: string, thrown: unknown, isSaving: boolean): void {
    const { files, report } = this.#parts
    const draft = files.get(id)
    if (draft === undefined) return
    const reason = isSaving ? toDraftRefusal(thrown) : null
    if (reason !== null) {
      this.#refused.add(id)
      this.#learn(id, { request: null, notKept: { revision: draft.request?.revision ?? draft.revision, reason } })
      return
    }
    const broken = isSaving ? addUploadFailure(thrown, draft) : null
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
    this.scheduleIn(id, computeBackOffMs(isSaving ? count + 2 : count, Math.random()))
  }

  #learn(id: string, learned: Partial<LocalDraft>): void {
    attempt(() => this.#parts.files.learn(id, learned), this.#parts.report)
  }
}
