import { isCorrupt } from '../store/storage-problem.ts'
import { watchDamage } from '../store/watch-damage.ts'
import { fieldKey, type ChangeWrite, type MadeChange, type ReplacedId, type WaitingChange } from './change.ts'
import type { LargeWrite } from './large-parts.ts'
import { NOTHING, type OutboxContent } from './outbox-content.ts'
import { OutboxCopy } from './outbox-copy.ts'
import type { RuleRun, RuleRuns } from './rule-runs.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { throttled } from '../timing/throttle.ts'

/** The durable half of the outbox. Every write is on the disk when it returns. */
export interface OutboxFile extends Pick<
  OutboxCopy,
  | 'copyTo'
  | 'list'
  | 'own'
  | 'large'
  | 'partsLeft'
  | 'partsLeftOf'
  | 'partsWithoutBefore'
  | 'partsMade'
  | 'part'
  | 'lastPart'
  | 'countMade'
  | 'unshown'
> {
  /** Oldest first. */
  readonly waiting: () => readonly WaitingChange[]
  readonly write: (writes: readonly ChangeWrite[], replaced?: ReplacedId | null) => void
  /** Writes a change that can be undone with what waits, and the beginning of a large change that goes with it. */
  readonly writeChange: (
    changeId: string,
    made: readonly MadeChange[],
    writes: readonly ChangeWrite[],
    besides?: { readonly large?: LargeWrite; readonly undone?: string },
  ) => void
  /** Keeps several changes, each undone by itself, and what rules did with them, as one. */
  readonly writeChanges: (
    made: readonly { readonly id: string; readonly changes: readonly MadeChange[] }[],
    writes: readonly ChangeWrite[],
    ruleRuns: readonly RuleRun[],
  ) => void
  /** Keeps what becomes of a large change, and of what waits by it, as one, and what a rule does by it. */
  readonly writeLarge: (large: LargeWrite, writes?: readonly ChangeWrite[], ruleRuns?: readonly RuleRun[]) => void
  readonly ruleRunsOf: RuleRuns['ofThread']
  /** `RuleRuns.floor` */
  readonly rulesForgottenUntil: RuleRuns['floor']
  readonly ruleLog: RuleRuns['log']
  readonly threadsByRule: RuleRuns['threadsByRule']
  /** Puts other entries in the place of a list's. @throws what the disk throws: the list is then as it was */
  readonly writeList: (name: string, entries: readonly string[]) => void
  /** All that was written so far is shown: `unshown` speaks of what is written from now on. */
  readonly noteShown: () => void
  /** What was changed at once; undefined where it is not known any more, or cannot be read. */
  readonly madeChanges: (changeId: string) => readonly MadeChange[] | undefined
  /** Oldest first. */
  readonly replacedIds: () => readonly ReplacedId[]
  /** @param isDamaged the files are checked when they are next opened */
  readonly close: (isDamaged?: boolean) => void
}

/** How often the outbox has been written, how much waits in it and how many things of a person's own it has, to be remembered. */
export interface OutboxMark {
  readonly generation: number
  readonly pending: number
  readonly listed: number
}

export interface OpenedOutbox {
  readonly outbox: OutboxFile
  /** Whether there was no outbox before. */
  readonly isNew: boolean
  readonly mark: () => OutboxMark
  /**
   * What became of what was kept: `none`, all is as it was left; `mended`, one of the two files was damaged, missing or
   * older, and the other had everything; `lost`, neither had.
   */
  readonly harm: 'none' | 'mended' | 'lost'
}

/** After how long a write that failed is tried again, in milliseconds: room may be made on a full disk. */
export const WRITE_AGAIN_MS = 5_000
/** How long the logs may hold what is not in its place yet, in milliseconds. */
const CHECKPOINT_MS = 250

const NEW: OutboxContent = { ...NOTHING, generation: 0, isWhole: true }

/** Everything that either copy still has; where they differ, the one that was written later is right. */
const unite = (earlier: OutboxContent, later: OutboxContent): OutboxContent => {
  const waiting = new Map([...earlier.waiting, ...later.waiting].map((change) => [fieldKey(change), change]))
  const made = new Map([...earlier.made(), ...later.made()].map((time) => [time.id, time]))
  const parts = new Map(
    [...earlier.parts(), ...later.parts()].map((part) => [JSON.stringify([part.id, part.part]), part]),
  )
  return {
    generation: Math.max(0, later.generation),
    waiting: [...waiting.values()],
    made: () => [...made.values()],
    replacedIds: [...earlier.replacedIds, ...later.replacedIds],
    large: [...new Map([...earlier.large, ...later.large].map((large) => [large.id, large])).values()],
    parts: () => [...parts.values()],
    unshown: [...earlier.unshown, ...later.unshown],
    // The first of each rule and message is kept.
    ruleRuns: () => [...later.ruleRuns(), ...earlier.ruleRuns()].toSorted((one, other) => one.at - other.at),
    // Whoever keeps a list knows which of its entries are the same, and takes the first.
    listed: [...later.listed, ...earlier.listed],
    own: [...new Map([...earlier.own, ...later.own].map((own) => [fieldKey(own), own])).values()],
    isWhole: false,
  }
}

/** What the two copies hold together, and what became of the rest. */
const reconcile = (
  first: OutboxCopy,
  second: OutboxCopy,
): { readonly content: OutboxContent } & Pick<OpenedOutbox, 'harm'> => {
  const [a, b] = [first.found, second.found]
  if (first.isMissing && second.isMissing) return { content: NEW, harm: 'none' }
  // An outbox of the time when there was one file, which counted nothing.
  if (second.isMissing && a.isWhole && a.generation === 0) return { content: a, harm: 'none' }
  const [earlier, later] = a.generation < b.generation ? [a, b] : [b, a]
  const isDamaged = first.setAside !== null || second.setAside !== null || !a.isWhole || !b.isWhole
  if (later.isWhole) {
    // An end between the two writes leaves one of them a step behind.
    const isBehind = later.generation - earlier.generation > 1
    return { content: later, harm: isDamaged || isBehind || first.isMissing || second.isMissing ? 'mended' : 'none' }
  }
  if (earlier.isWhole && later.generation === earlier.generation) return { content: earlier, harm: 'mended' }
  return { content: unite(earlier, later), harm: 'lost' }
}

/** Brings a file to what both hold together, where it is not there already. */
const settle = (copy: OutboxCopy, content: OutboxContent): void => {
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
  /** Whether the last write has reached the first file alone. */
  let isSecondBehind = false

  const closing = new AbortController()
  /** A log that is lost takes nothing with it that is in its place already; nobody waits for that. */
  const checkpointSoon = throttled(
    () => {
      for (const copy of [first, second]) {
        try {
          copy.checkpoint()
        } catch (thrown) {
          if (isCorrupt(thrown)) onCorrupt()
        }
      }
    },
    clock,
    closing.signal,
    { everyMs: CHECKPOINT_MS, unref: true },
  )

  /** The first file decides: what it has taken is kept, and the second one catches up with the next write. */
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
      if (isCorrupt(thrown)) onCorrupt()
    }
    checkpointSoon()
  }

  return {
    outbox: watchDamage<OutboxFile>(
      {
        waiting: () => first.waiting(),
        write: (writes, replaced) =>
          write((copy, next) => copy.write(next, writes, { replaced: replaced ?? null, shown })),
        writeChange: (id, changes, writes, besides) =>
          write((copy, next) => copy.write(next, writes, { made: [{ id, changes }], shown, ...besides })),
        writeChanges: (made, writes, ruleRuns) =>
          write((copy, next) => copy.write(next, writes, { made, ruleRuns, shown })),
        writeLarge: (large, writes = [], ruleRuns = []) =>
          write((copy, next) => copy.write(next, writes, { large, ruleRuns, shown })),
        ruleRunsOf: (scope, thread) => first.ruleRuns.ofThread(scope, thread),
        rulesForgottenUntil: () => first.ruleRuns.floor(),
        ruleLog: (rule, before, limit) => first.ruleRuns.log(rule, before, limit),
        threadsByRule: () => first.ruleRuns.threadsByRule(),
        copyTo: (file) => first.copyTo(file),
        list: (name) => first.list(name),
        own: () => first.own(),
        writeList: (name, entries) => write((copy, next) => copy.writeList(next, name, entries)),
        large: () => first.large(),
        partsLeft: (id) => first.partsLeft(id),
        partsLeftOf: (id, subjectId) => first.partsLeftOf(id, subjectId),
        partsWithoutBefore: (subjectId) => first.partsWithoutBefore(subjectId),
        partsMade: (id) => first.partsMade(id),
        part: (id, part) => first.part(id, part),
        lastPart: (id) => first.lastPart(id),
        countMade: (id) => first.countMade(id),
        unshown: () => first.unshown(),
        noteShown: () => {
          shown = generation
        },
        madeChanges: (id) => first.madeChanges(id),
        replacedIds: () => first.replacedIds(),
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
    mark: () => ({ generation, pending: first.pending(), listed: first.listed() }),
  }
}

/**
 * Opens the outbox, which is kept in two files of the same content, or makes it, and takes the account for this process.
 * Each write goes to the one and then to the other, so that no single file that is lost takes a change with it.
 * @param onCorrupt is told when a file turns out to be damaged while it is in use
 * @throws SQLite's `SQLITE_BUSY` where another process holds it
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
    const { content, harm } = reconcile(first, second)
    settle(first, content)
    settle(second, content)
    return { ...createOutboxFile(first, second, onCorrupt, clock), harm, isNew: first.isMissing && second.isMissing }
  } catch (thrown) {
    first.close(true)
    second.close(true)
    throw thrown
  }
}
