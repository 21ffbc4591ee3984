import type { Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'
import { processInSlices } from '../../timing/turns.ts'
import {
  fieldKey,
  subjectKey,
  toChangeSubject,
  dedupeSubjects,
  type ChangeWrite,
  type ReplacedId,
  type ChangeSubject,
  type WaitingChange,
} from './change.ts'
import { WRITE_RETRY_MS, type OutboxFile } from './outbox-file.ts'
import { SUBJECTS_PER_TURN, type WaitingChanges } from './waiting-changes.ts'

interface LocalIdRenamerParts {
  readonly file: Pick<OutboxFile, 'write'>
  readonly waiting: WaitingChanges
  readonly changed: (subjects: readonly ChangeSubject[]) => void
  readonly send: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** Renames pending changes that still refer to a subject's local ID after the platform has given it one. */
export class LocalIdRenamer {
  readonly #parts: LocalIdRenamerParts
  readonly #loop: Loop

  constructor(parts: LocalIdRenamerParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock, { unref: true })
    const { waiting } = parts
    // Resume renaming that a shutdown interrupted.
    for (const field of waiting.dependencies()) {
      if (waiting.hasNewId(field)) waiting.renaming.set(fieldKey(field), field)
    }
  }

  start(signal: AbortSignal): void {
    const { failed } = this.#parts
    const step = (): Promise<null> => this.#renameAll(signal).then(() => null)
    this.#loop.start({ step, report: failed, retryIn: WRITE_RETRY_MS, signal })
  }

  wake(): void {
    if (this.#parts.waiting.renaming.size > 0) this.#loop.wake()
  }

  ended(): Promise<void> {
    return this.#loop.ended()
  }

  /** Renames pending changes of these subjects before anything else happens to them. */
  renameFirst(subjects: readonly ChangeSubject[]): void {
    const { waiting } = this.#parts
    if (waiting.renaming.size === 0) return
    this.#rename(
      dedupeSubjects(subjects).flatMap((subject) =>
        waiting.of(subject).filter((change) => {
          const other = waiting.dependencyOf(change)
          return other !== undefined && waiting.renaming.has(fieldKey(other))
        }),
      ),
    )
  }

  /**
   * Moves the subject's changes and the first batch of dependent changes to its new ID. @returns writes to store
   * together with the new ID
   */
  replaceId({ kind, scope, was }: ReplacedId): readonly ChangeWrite[] {
    const { waiting } = this.#parts
    const former = { kind, scope, id: was }
    const own = waiting.of(former)
    const fields = waiting.dependencies().filter((other) => subjectKey(other) === subjectKey(former))
    const following = waiting.dependentsOf(fields)
    // If all dependent changes fit in this turn, none is left under the old ID, so there is nothing to rename later.
    if (following.length > SUBJECTS_PER_TURN) {
      for (const field of fields) waiting.renaming.set(fieldKey(field), field)
    }
    return this.#toRenamedWrites([...own, ...following.slice(0, SUBJECTS_PER_TURN)])
  }

  #toRenamedWrites(changes: readonly WaitingChange[]): readonly ChangeWrite[] {
    const { waiting } = this.#parts
    return changes.flatMap((change): ChangeWrite[] => {
      const { id, field } = waiting.withCurrentIds(change)
      const target = { ...change, id, field }
      // If the field was set again under the new ID, the newer value wins.
      const isOlder = waiting.find(target) !== undefined
      return [{ target: change, change: null }, ...(isOlder ? [] : [{ target, change: target }])]
    })
  }

  #rename(changes: readonly WaitingChange[]): void {
    if (changes.length === 0) return
    const { file, waiting, changed } = this.#parts
    const writes = this.#toRenamedWrites(changes)
    file.write(writes)
    for (const write of writes) waiting.remember(write)
    changed(dedupeSubjects(changes))
  }

  /** Works in turns of the event loop: a label may be on thousands of threads before the platform assigns its ID. */
  async #renameAll(signal: AbortSignal): Promise<void> {
    const { waiting, changed, send } = this.#parts
    for (const [key, field] of waiting.renaming) {
      while (waiting.hasDependents(key) && !signal.aborted) {
        await processInSlices(
          waiting.dependentsOf([field]),
          (some) => this.#rename(some.flatMap((each) => waiting.find(each) ?? [])),
          signal,
        )
        send()
      }
      if (waiting.hasDependents(key)) continue
      waiting.renaming.delete(key)
      // No pending change uses the old ID any more, so update the display: the label's old ID is no longer needed.
      changed([toChangeSubject(waiting.withCurrentIds(field))])
    }
  }
}
