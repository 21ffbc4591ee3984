import type { LinnetEvent } from '../../shared/contract.ts'
import type { KeepingPause, KeepingState } from '../../shared/model.ts'
import { toProblem } from '../../shared/result.ts'
import { backOff } from '../timing/back-off.ts'
import type { Problems } from '../problems/problems.ts'
import type { EmailToKeep, KeepingRowStore } from '../store/keeping-rows.ts'
import { isCorrupt, inStorageWords } from '../store/storage-problem.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { Service } from '../service.ts'
import type { KeepingChoices, KeepingChoiceStore } from './choices.ts'
import type { EmailKeeper } from './keep-email.ts'
import { keptSince, planKeeping, urgentSpan } from './plan-keeping.ts'
import type { Room } from './room.ts'
import { throttled } from '../timing/throttle.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

const MINUTE_MS = 60_000
/** E-mails that are kept at the same time, and how many are planned at once: what is new comes between two plans. */
const AT_ONCE = 4
const PLANNED = 16
/** When a failed e-mail is tried again, by how often it has failed in a row; at last once a day. */
const TRY_AGAIN_MS: readonly number[] = [1, 10, 60, 360, 1440].map((minutes) => minutes * MINUTE_MS)
/** Different e-mails that fail one after the other: the platform is in trouble, and left alone for a while. */
const MANY_FAILURES = 3
/** What else is to be fetched goes first for so long; then keeping has its share of the budget, the smallest. */
const WAITS_MS = 5 * MINUTE_MS
const DISK_PROBLEM = 'keeping-paused'
const DAY_MS = 1440 * MINUTE_MS
/** The depths of which is told what they mean, in days. */
const TOLD_DEPTHS: readonly (number | null)[] = [30, 90, 365, null]

/** Something that ends all keeping for now. */
class Paused extends Error {
  readonly pause: KeepingPause

  constructor(pause: KeepingPause) {
    super(pause.message)
    this.pause = pause
  }
}

/** Keeps mail before the platform drops it, behind everything else that is fetched. */
export interface Keeper extends Required<Service> {
  readonly state: () => KeepingState
  /** @throws ProblemError `storage_failed` where the disk does not take the choice */
  readonly choose: (choices: { readonly [Choice in keyof KeepingChoices]?: KeepingChoices[Choice] | undefined }) => void
  /** There may be more to keep, or a way to. */
  readonly onEvent: (event: LinnetEvent) => void
  /** Another key may be given what this one was not. */
  readonly keyChanged: () => void
}

/** E-mails are new, or others than before. */
const MAIL_CHANGED: ReadonlySet<LinnetEvent['name']> = new Set([
  'emails.changed',
  'receivedEmails.changed',
  'sentEmails.changed',
] as const)

/** @param parts `isBusy` whether there is anything else to fetch; `changed` is called when the state is another */
export const createKeeper = ({
  rows,
  choices,
  emails,
  room,
  isBusy,
  problems,
  changed,
  report,
  isSafe,
  signal,
  clock,
}: {
  readonly rows: KeepingRowStore
  readonly choices: KeepingChoiceStore
  readonly emails: EmailKeeper
  readonly room: Room
  readonly isBusy: () => boolean
  readonly problems: Pick<Problems, 'raise' | 'clear'>
  readonly changed: () => void
  readonly report: (thrown: unknown) => void
  /** Whether nothing is kept in this run that nobody has asked for (docs/crashes.md). */
  readonly isSafe: boolean
  readonly signal: AbortSignal
  readonly clock: Clock
}): Keeper => {
  const { now } = clock
  const keeping = new Loop(clock)
  let pause: KeepingPause | null = null
  let busySince: number | null = null
  let failuresInARow = 0
  const isEnding = (): boolean => signal.aborted

  const tell = throttled(changed, clock, signal)
  const setPause = (next: KeepingPause | null): void => {
    if (next?.why === pause?.why && next?.message === pause?.message) return
    if (next?.why === 'disk') problems.raise({ id: DISK_PROBLEM, code: 'storage_failed', message: next.message })
    else if (pause?.why === 'disk') problems.clear(DISK_PROBLEM)
    pause = next
    tell()
  }

  const plan = (): readonly EmailToKeep[] => {
    const [at, { days }] = [now(), choices.get()]
    const all = { from: keptSince(days, at), upTo: Number.MAX_SAFE_INTEGER, due: at }
    const urgent = urgentSpan(at)
    const soon = { ...urgent, from: Math.max(urgent.from, all.from), due: at }
    const found = [...rows.toDo(soon, 'oldest', PLANNED), ...rows.toDo(all, 'newest', PLANNED)]
    return planKeeping(found, { now: at, days }).slice(0, PLANNED)
  }

  /** @throws Paused */
  const keepOne = async (email: EmailToKeep): Promise<void> => {
    try {
      const state = await emails.keep(email)
      rows.settle(email, state)
      failuresInARow = 0
    } catch (thrown) {
      if (isEnding() || isCorrupt(thrown)) throw thrown
      const { code, message } = toProblem(inStorageWords(thrown))
      if (code === 'storage_failed') {
        const words = 'Stored mail stays. Linnet continues when there is room.'
        throw new Paused({ why: 'disk', message: `Linnet stores no more mail here: ${message} ${words}` })
      }
      if (code === 'unreachable') throw new Paused({ why: 'offline', message })
      if (code.startsWith('key_')) throw new Paused({ why: 'key', message })
      if (code === 'internal') report(thrown)
      const failures = email.failures + 1
      rows.postpone(email, failures, now() + (TRY_AGAIN_MS[failures - 1] ?? DAY_MS))
      failuresInARow += 1
      if (failuresInARow >= MANY_FAILURES) throw new Paused({ why: 'trouble', message })
    } finally {
      tell()
    }
  }

  const keepAll = async (planned: readonly EmailToKeep[]): Promise<void> => {
    const left = [...planned]
    let isOver = false
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !isOver && !isEnding(); next = left.shift()) {
        try {
          await keepOne(next)
        } catch (thrown) {
          isOver = true
          throw thrown
        }
      }
    }
    await settleAll(Array.from({ length: AT_ONCE }, work))
  }

  /** How long others still go first, milliseconds; 0 where it is the turn of keeping. */
  const waitForOthers = (): number => {
    if (!isBusy()) {
      busySince = null
      return 0
    }
    busySince ??= now()
    const isUrgent = rows.toDo({ ...urgentSpan(now()), due: now() }, 'oldest', 1).length > 0
    return isUrgent ? 0 : Math.max(0, busySince + WAITS_MS - now())
  }

  /** @returns milliseconds to the next step; null until something happens */
  const step = async (): Promise<number | null> => {
    if (choices.get().bytes === 0) return null
    room.measure()
    for (;;) {
      const wait = waitForOthers()
      if (wait > 0) return wait
      const planned = plan()
      if (planned.length === 0 || isEnding()) break
      await keepAll(planned)
      setPause(null)
    }
    setPause(null)
    const due = rows.nextDue(keptSince(choices.get().days, now()))
    return due === null || due <= now() ? null : due - now()
  }

  return {
    state: () => {
      const { days, bytes: mostBytes } = choices.get()
      const counts = rows.count(keptSince(days, now()))
      const fileBytes = rows.fileBytes()
      const bytesEach = counts.kept === 0 ? null : fileBytes / counts.kept
      const isFull = pause === null && counts.withoutFiles > 0
      return {
        ...counts,
        days,
        mostBytes,
        fileBytes,
        bytes: fileBytes + rows.cacheBytes(),
        paused: isFull ? { why: 'room', message: 'The space you allowed is used up.' } : pause,
        depths: TOLD_DEPTHS.map((depth) => {
          const known = rows.countKnown(keptSince(depth, now()))
          return { days: depth, emails: known, bytes: bytesEach === null ? null : Math.round(known * bytesEach) }
        }),
      }
    },
    choose: ({ days, bytes }) => {
      const before = choices.get()
      choices.set({
        days: days === undefined ? before.days : days,
        bytes: bytes === undefined ? before.bytes : bytes,
      })
      if (choices.get().bytes !== before.bytes) rows.lookAgain('no room')
      keeping.wake()
      changed()
    },
    start: () => {
      if (isSafe) return
      keeping.start({
        step,
        failed: (thrown) => {
          if (thrown instanceof Paused) {
            setPause(thrown.pause)
            return thrown.pause.why === 'trouble' ? backOff(failuresInARow, Math.random()) : MINUTE_MS
          }
          if (!isCorrupt(thrown)) report(thrown)
          return MINUTE_MS
        },
        signal,
      })
    },
    onEvent: (event) => {
      // What the platform has dropped is counted as only here.
      if (event.name === 'threads.changed' || MAIL_CHANGED.has(event.name)) tell()
      if (event.name !== 'sync.changed' && !MAIL_CHANGED.has(event.name)) return
      // Pauses end by themselves, being offline with the platform's return: what is told all the time ends none.
      const isBack = pause?.why === 'offline' && event.name === 'sync.changed' && event.payload.connection === 'online'
      if (pause === null || isBack) keeping.wake()
    },
    keyChanged: () => {
      rows.lookAgain('in part')
      keeping.wake()
    },
    ended: () => keeping.ended(),
  }
}
