import { isCorruptionError } from '../../store/storage-problem.ts'
import { watchForCorruption, type PublicMembers } from '../../store/watch-database.ts'
import { fieldKey, type ChangeWrite, type SubjectField } from './change.ts'
import { EMPTY_OUTBOX_CONTENT, type OutboxContent } from './outbox-content.ts'
import { OutboxCopy, type ExtraWrites } from './outbox-copy.ts'
import type { RuleRuns } from './rule-runs.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { createThrottle } from '../../timing/throttle.ts'

/** The outbox's storage on disk. Reads come from its first file. When a write returns, it is durable. */
export interface OutboxFile extends Omit<
  PublicMembers<OutboxCopy>,
  'write' | 'writeList' | 'storeOldValue' | 'ruleRuns' | 'close'
> {
  readonly ruleRuns: Pick<RuleRuns, 'ofThread' | 'floor' | 'log' | 'threadsByRule'>
  /** Writes pending fields, and what belongs to them, in one transaction. */
  readonly write: (writes: readonly ChangeWrite[], besides?: Omit<ExtraWrites, 'shown'>) => void
  /** Stores a field's old value, for undo of the large changes that lack it. */
  readonly storeOldValue: (field: SubjectField, value: string) => void
  /** @throws disk errors, leaving the list unchanged */
  readonly writeList: (name: string, entries: readonly string[]) => void
  /** Call once everything written so far is displayed. Resets `unprojected`. */
  readonly noteProjected: () => void
  /** @param isDamaged true to check the files when they are next opened */
  readonly close: (isDamaged?: boolean) => void
}

/** Position of the outbox: number of writes, pending fields and user entries. Used to detect an older copy. */
export interface OutboxPosition {
  readonly generation: number
  readonly pending: number
  readonly listed: number
}

export interface OpenedOutbox {
  readonly outbox: OutboxFile
  /** True if there was no outbox. */
  readonly isNew: boolean
  readonly mark: () => OutboxPosition
  /** `repaired`: one file was damaged, missing or older, the other complete; `lost`: neither was complete. */
  readonly damage: 'none' | 'repaired' | 'lost'
}

/** Delay before retrying a failed write, in milliseconds. A full disk may have free space by then. */
export const WRITE_RETRY_MS = 5_000
/** Maximum delay before a checkpoint moves data from the write-ahead logs to the files, in milliseconds. */
const CHECKPOINT_MS = 250

const NEW: OutboxContent = { ...EMPTY_OUTBOX_CONTENT, generation: 0, isWhole: true }

/** Union of both copies' readable content. Where they differ, the later write wins. */
const mergeContent = (earlier: OutboxContent, later: OutboxContent): OutboxContent => {
  const waiting = new Map([...earlier.waiting, ...later.waiting].map((change) => [fieldKey(change), change]))
  const made = new Map([...earlier.made(), ...later.made()].map((time) => [time.id, time]))
  return {
    generation: Math.max(0, later.generation),
    waiting: [...waiting.values()],
    made: () => [...made.values()],
    replacedIds: [...earlier.replacedIds, ...later.replacedIds],
    oldValues: () => [...earlier.oldValues(), ...later.oldValues()],
    unprojected: [...earlier.unprojected, ...later.unprojected],
    // `add` keeps the first run of each rule and message.
    ruleRuns: () => [...later.ruleRuns(), ...earlier.ruleRuns()].toSorted((one, other) => one.at - other.at),
    // The owner of a list drops duplicates, keeping the first.
    listed: [...later.listed, ...earlier.listed],
    own: [...new Map([...earlier.own, ...later.own].map((own) => [fieldKey(own), own])).values()],
    isWhole: false,
  }
}

/** Combined content of the two copies, and the damage found. */
const reconcile = (
  first: OutboxCopy,
  second: OutboxCopy,
): { readonly content: OutboxContent } & Pick<OpenedOutbox, 'damage'> => {
  const [a, b] = [first.found, second.found]
  if (first.isMissing && second.isMissing) return { content: NEW, damage: 'none' }
  // Written by a version with a single file, which had no counters.
  if (second.isMissing && a.isWhole && a.generation === 0) return { content: a, damage: 'none' }
  const [earlier, later] = a.generation < b.generation ? [a, b] : [b, a]
  const isDamaged = first.setAside !== null || second.setAside !== null || !a.isWhole || !b.isWhole
  if (later.isWhole) {
    // A crash between the two writes leaves one copy one write behind, which isn't damage.
    const isBehind = later.generation - earlier.generation > 1
    return {
      content: later,
      damage: isDamaged || isBehind || first.isMissing || second.isMissing ? 'repaired' : 'none',
    }
  }
  if (earlier.isWhole && later.generation === earlier.generation) return { content: earlier, damage: 'repaired' }
  return { content: mergeContent(earlier, later), damage: 'lost' }
}

const rewriteIfDifferent = (copy: OutboxCopy, content: OutboxContent): void => {
  const { found, setAside } = copy
  const isThere = setAside === null && found.isWhole && content.isWhole && found.generation === content.generation
  if (!isThere) copy.replace(content)
}

const createOutboxFile = (
  first: OutboxCopy,
  second: OutboxCopy,
  onCorrupt: () => void,
  clock: Pick<Clock, 'after'>,
): Pick<OpenedOutbox, 'outbox' | 'mark'> => {
  let generation = first.generation()
  let shown = -1
  /** True if the last write reached only the first file. */
  let isSecondBehind = false

  const closing = new AbortController()
  /** Data in a checkpointed file survives the loss of its log. Runs in the background. */
  const checkpointSoon = createThrottle(
    () => {
      for (const copy of [first, second]) {
        try {
          copy.checkpoint()
        } catch (thrown) {
          if (isCorruptionError(thrown)) onCorrupt()
        }
      }
    },
    clock,
    closing.signal,
    { everyMs: CHECKPOINT_MS, unref: true },
  )

  /**
   * The first file is authoritative: once it has stored a write, the write counts. If the second file fails, it catches
   * up with the next write.
   */
  const write = (work: (copy: OutboxCopy, next: number) => void): void => {
    const next = generation + 1
    work(first, next)
    generation = next
    try {
      if (isSecondBehind) second.replace(first.read())
      else work(second, next)
      isSecondBehind = false
    } catch (thrown) {
      isSecondBehind = true
      if (isCorruptionError(thrown)) onCorrupt()
    }
    checkpointSoon()
  }

  return {
    outbox: {
      ...watchForCorruption(first, onCorrupt),
      ruleRuns: watchForCorruption(first.ruleRuns, onCorrupt),
      ...watchForCorruption<
        Omit<OutboxFile, Exclude<keyof OutboxCopy, 'write' | 'writeList' | 'storeOldValue' | 'close'>>
      >(
        {
          write: (writes, besides) => write((copy, next) => copy.write(next, writes, { ...besides, shown })),
          storeOldValue: (field, value) => write((copy, next) => copy.storeOldValue(next, field, value)),
          writeList: (name, entries) => write((copy, next) => copy.writeList(next, name, entries)),
          noteProjected: () => {
            shown = generation
          },
          close: (isDamaged) => {
            closing.abort()
            try {
              first.close(isDamaged)
            } finally {
              second.close(isDamaged)
            }
          },
        },
        onCorrupt,
      ),
    },
    mark: () => ({ generation, pending: first.pending(), listed: first.listed() }),
  }
}

/**
 * Opens or creates the outbox and locks the account for this process. Its two files have the same content, written one
 * after the other, so losing one file loses no changes.
 * @param onCorrupt called if a file turns out to be damaged later
 * @throws SQLite's `SQLITE_BUSY` if another process has the outbox open
 */
export const openOutboxFile = (
  file: string,
  onCorrupt: () => void = () => undefined,
  clock: Pick<Clock, 'after'> = systemClock,
): OpenedOutbox => {
  const first = new OutboxCopy(file)
  const second = (() => {
    try {
      return new OutboxCopy(file.replace(/\.sqlite$/, '-second.sqlite'))
    } catch (thrown) {
      first.close()
      throw thrown
    }
  })()
  try {
    const { content, damage } = reconcile(first, second)
    rewriteIfDifferent(first, content)
    rewriteIfDifferent(second, content)
    return { ...createOutboxFile(first, second, onCorrupt, clock), damage, isNew: first.isMissing && second.isMissing }
  } catch (thrown) {
    first.close(true)
    second.close(true)
    throw thrown
  }
}
