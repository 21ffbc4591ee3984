import { randomUUID } from 'node:crypto'
import { lacksOperation, neverTookEffect, PlatformRefusal } from '../api/platform-problem.ts'
import { backOff } from '../api/retry-time.ts'
import { ProblemError, type Problem } from '../../shared/result.ts'
import type { StateChange } from '../../shared/thread-state.ts'
import {
  confirm,
  fieldKey,
  fold,
  laneKey,
  nextDelivery,
  refuse,
  undoOf,
  valueIn,
  type Delivery,
  type Field,
  type Intent,
  type Lane,
  type LaneState,
  type NextDelivery,
  type Step,
} from './intent.ts'
import type { IntentWrite } from './outbox-copy.ts'
import type { OutboxFile } from './outbox-file.ts'

/** Lanes that are sent at the same time. More would stand between a person's click and the platform. */
const LANES_AT_ONCE = 4
/** A confirmed change is remembered this long, for answers that were asked for before it: longer than any time-out. */
const REMEMBERED_MS = 120_000

/**
 * So many times in a row the platform has to refuse a wish as if something were gone that it has, until the wish is
 * taken back: about four seconds, which outlast a platform that is being restarted.
 */
const DOUBTS = 5

/** A field and what a person wants it to be, beside what the screen showed before. */
export interface Wish extends Lane {
  readonly field: Field
  readonly wanted: string
}

/** Keeps an answer of the platform in the cache. */
export type Keep = () => void

/**
 * What is gone where the platform says that something is, found out by asking:
 * the `lane` (the thread or contact itself), its `inbox`, only what the `change` speaks of (a label, a topic, an
 * operation that the platform does not offer), or `nothing`: the platform contradicts itself.
 */
export type Missing = 'lane' | 'inbox' | 'change' | 'nothing'

/** A change that the platform will never take, and that was taken back. */
export interface Refusal {
  readonly problem: Problem
  readonly missing: Missing
  readonly fields: readonly Field[]
}

/** How the outbox reaches the platform and the cache. */
export interface OutboxPorts {
  /** Sends one delivery. Resolves with what keeps the platform's answer in the cache. */
  readonly deliver: (lane: Lane, delivery: Delivery, signal: AbortSignal) => Promise<Keep>
  /**
   * Asks the platform what it holds of a lane, before anything whose fate is unknown is sent again. Null where it has
   * no way to tell.
   */
  readonly look: (lane: Lane, signal: AbortSignal) => Promise<{ readonly state: LaneState; readonly keep: Keep } | null>
  /**
   * Asks the platform what is gone after it refused a delivery because something is.
   * @throws where that cannot be told now
   */
  readonly inquire: (lane: Lane, delivery: Delivery, signal: AbortSignal) => Promise<Missing>
  /** What the cache knows of the platform's own state of a lane. */
  readonly serverState: (lane: Lane) => LaneState
  /** The pending changes of these lanes are other than before: what the screen shows follows. */
  readonly changed: (lanes: readonly Lane[]) => void
  readonly refused: (lanes: readonly Lane[], refusal: Refusal) => void
}

export interface Outbox {
  /**
   * Keeps wishes durably; they are shown at once and sent when the platform can be reached.
   * @returns the ID that undoes them
   */
  readonly change: (wishes: readonly Wish[]) => string
  /**
   * Asks for what was there before, where nothing has changed it since.
   * @returns whether there was anything left to undo; null for a change that is not known
   */
  readonly undo: (changeId: string) => boolean | null
  readonly overlay: (inboxId: string, threadId: string) => StateChange | undefined
  readonly pendingTopics: (contactId: string) => ReadonlyMap<string, string>
  /** Whether a change was confirmed after a time of `performance.now()`: an answer that was asked for before it is old. */
  readonly confirmedSince: (lane: Lane, askedAt: number) => boolean
  /** Every lane with a pending change. */
  readonly lanes: () => readonly Lane[]
  readonly pendingCount: () => number
  /** Sends what is pending until the signal ends it. */
  readonly start: (signal: AbortSignal) => void
  /** Tries again now: the platform can be reached. */
  readonly nudge: () => void
  /** @param isDamaged the files are checked when they are next opened */
  readonly close: (isDamaged?: boolean) => Promise<void>
}

/**
 * Whether an answer is the platform's last word on a change: not a passing trouble, not the key's fault, and not the page
 * of a door in between. What a 404 or 405 is about is found out, whoever gave it.
 */
const isRefusal = (thrown: unknown): thrown is ProblemError =>
  thrown instanceof ProblemError &&
  ['refused', 'not_found', 'invalid_input', 'query_invalid'].includes(thrown.problem.code) &&
  (!(thrown instanceof PlatformRefusal) || thrown.isInJson || lacksOperation(thrown))

const labelIdOf = (field: Field): string | null => (field.startsWith('label:') ? field.slice('label:'.length) : null)

export const createOutbox = (file: OutboxFile, ports: OutboxPorts): Outbox => {
  /** Lane to field to wish, in the order in which they were made. The file holds the same. */
  const lanes = new Map<string, Map<string, Intent>>()
  const confirmedAt = new Map<string, number>()
  const busy = new Map<string, Promise<void>>()
  /** Lanes whose last attempt failed: how often, and until when they rest. */
  const resting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** Wishes that go alone, as a request in which they went with others was refused. */
  const parted = new Set<string>()
  /** How often the platform has refused a wish as if something were gone that it has. */
  const doubts = new Map<string, number>()
  let signal: AbortSignal | null = null
  let wakeUp: ReturnType<typeof setTimeout> | null = null

  const remember = (target: Lane & { readonly field: Field }, intent: Intent | null): void => {
    const lane = laneKey(target)
    const intents = lanes.get(lane) ?? new Map<string, Intent>()
    if (intent === null) {
      intents.delete(fieldKey(target))
      parted.delete(fieldKey(target))
      doubts.delete(fieldKey(target))
    } else intents.set(fieldKey(target), intent)
    if (intents.size === 0) lanes.delete(lane)
    else lanes.set(lane, intents)
  }
  const intentsOf = (lane: Lane): readonly Intent[] => [...(lanes.get(laneKey(lane))?.values() ?? [])]
  const findIntent = (target: Lane & { readonly field: Field }): Intent | undefined =>
    lanes.get(laneKey(target))?.get(fieldKey(target))

  for (const intent of file.intents()) remember(intent, intent)

  const shownValue = (target: Lane & { readonly field: Field }): string | undefined =>
    findIntent(target)?.wanted ?? valueIn(ports.serverState(target), target.field)

  const uniqueLanes = (targets: readonly Lane[]): readonly Lane[] => [
    ...new Map(targets.map(({ kind, scope, id }) => [laneKey({ kind, scope, id }), { kind, scope, id }])).values(),
  ]

  const enqueue = (steps: readonly Step[]): string => {
    const changeId = randomUUID()
    const writes = steps.map((step): IntentWrite => {
      const wish = { kind: step.kind, scope: step.scope, id: step.id, field: step.field, wanted: step.after }
      return { target: step, intent: fold(findIntent(step), wish, valueIn(ports.serverState(step), step.field)) }
    })
    file.writeChange(changeId, steps, writes)
    for (const { target, intent } of writes) remember(target, intent)
    ports.changed(uniqueLanes(steps))
    return changeId
  }

  /** Puts the outcome of a request into the cache, the memory and, last, the file: an end in between is looked into. */
  const conclude = (about: readonly Lane[], outcomes: readonly IntentWrite[], keep: Keep | null): void => {
    if (keep !== null) {
      // Where the cache cannot take it, the change stays pending, and is looked into again.
      keep()
      const now = performance.now()
      for (const [key, at] of confirmedAt) if (now - at > REMEMBERED_MS) confirmedAt.delete(key)
      for (const lane of about) confirmedAt.set(laneKey(lane), now)
    }
    for (const { target, intent } of outcomes) remember(target, intent)
    file.write(outcomes)
    ports.changed(about)
  }

  /** Finds out what became of what was sent and never answered. */
  const settleUncertain = async (lane: Lane, uncertain: readonly Intent[], ending: AbortSignal): Promise<void> => {
    const seen = await ports.look(lane, ending)
    const outcomes = uncertain.flatMap((sent): IntentWrite[] => {
      const now = findIntent(sent)
      if (now === undefined) return []
      const unsent = { ...now, sending: null }
      if (seen === null) return [{ target: now, intent: unsent }]
      const held = valueIn(seen.state, now.field)
      // What did not arrive may since have been taken back: then the platform holds what is wanted already.
      return [{ target: now, intent: held === now.sending ? confirm(now) : fold(unsent, now, held) }]
    })
    conclude([lane], outcomes, seen?.keep ?? null)
  }

  const sendOne = async (lane: Lane, ending: AbortSignal): Promise<void> => {
    const next = nextDelivery(intentsOf(lane), (intent) => !parted.has(fieldKey(intent)))
    if (next === null) return
    const sending = next.covers.map((intent): Intent => ({ ...intent, sending: intent.wanted }))
    // Before the request: after an end in between, the platform is asked before anything is sent twice.
    file.write(sending.map((intent) => ({ target: intent, intent })))
    for (const intent of sending) remember(intent, intent)
    let keep: Keep
    try {
      keep = await ports.deliver(lane, next.delivery, ending)
    } catch (thrown) {
      if (!ending.aborted && isRefusal(thrown)) {
        await settleRefusal(lane, next, thrown, ending)
        return
      }
      if (neverTookEffect(thrown)) forgetSending(lane)
      throw thrown
    }
    const outcomes = sending.map((sent): IntentWrite => {
      const now = findIntent(sent) ?? sent
      return { target: sent, intent: confirm(now) }
    })
    conclude([lane], outcomes, keep)
  }

  /** Nothing has become of what was sent: it waits as if it never had been, and can still be dropped. */
  const forgetSending = (lane: Lane): void => {
    const state = ports.serverState(lane)
    const outcomes = intentsOf(lane)
      .filter(({ sending }) => sending !== null)
      .map((intent): IntentWrite => ({
        target: intent,
        intent: fold({ ...intent, sending: null }, intent, valueIn(state, intent.field)),
      }))
    conclude([lane], outcomes, null)
  }

  /** Takes back what these lanes have sent, or all of their wishes where what they are about is gone. */
  const takeBack = (refused: readonly Lane[], problem: Problem, missing: Missing): void => {
    const isAllGone = missing === 'lane' || missing === 'inbox'
    const outcomes = refused.flatMap((lane): IntentWrite[] => {
      const state = ports.serverState(lane)
      return intentsOf(lane)
        .filter(({ sending }) => isAllGone || sending !== null)
        .map((intent) => ({
          target: intent,
          intent: isAllGone ? null : refuse(intent, valueIn(state, intent.field)),
        }))
    })
    const fields = outcomes.flatMap(({ target, intent }) => (intent === null ? [target.field] : []))
    // Told before it is written: after an end in between the platform refuses it once more, and that is told as this is.
    if (fields.length > 0) ports.refused(refused, { problem, missing, fields })
    conclude(refused, outcomes, null)
  }

  /**
   * Finds out what the platform meant by its no, so that only that is taken back. A request that carried several wishes
   * is parted: what became of it is looked at, and what did not arrive is sent again, each wish alone.
   */
  const settleRefusal = async (
    lane: Lane,
    { delivery, covers }: NextDelivery,
    refusal: ProblemError,
    ending: AbortSignal,
  ): Promise<void> => {
    const { problem } = refusal
    const missing = lacksOperation(refusal) ? await ports.inquire(lane, delivery, ending) : 'change'
    if (missing === 'inbox') {
      // Every change of this inbox has the same answer; those on their way hear it themselves.
      const others = uniqueLanes([...lanes.values()].flatMap((intents) => [...intents.values()])).filter(
        (other) => other.kind === lane.kind && other.scope === lane.scope && !busy.has(laneKey(other)),
      )
      takeBack([lane, ...others], problem, missing)
      return
    }
    const keys = covers.map(fieldKey)
    const isParting = missing !== 'lane' && covers.length > 1
    const doubt = missing === 'nothing' ? Math.max(...keys.map((key) => doubts.get(key) ?? 0)) + 1 : DOUBTS
    if (!isParting && doubt >= DOUBTS) {
      takeBack([lane], problem, missing)
      return
    }
    for (const key of keys) {
      if (isParting) parted.add(key)
      else doubts.set(key, doubt)
    }
    await settleUncertain(
      lane,
      intentsOf(lane).filter(({ sending }) => sending !== null),
      ending,
    )
    // Once more at once; after that the lane rests before each try.
    if (!isParting && doubt > 1) throw refusal
  }

  /** Leaves a lane alone for a while, longer after each failure. */
  const rest = (key: string): void => {
    const failures = (resting.get(key)?.failures ?? 0) + 1
    resting.set(key, { failures, until: performance.now() + backOff(failures, Math.random()) })
  }

  const runLane = async (lane: Lane, ending: AbortSignal): Promise<void> => {
    const key = laneKey(lane)
    try {
      while (!ending.aborted && lanes.has(key)) {
        const uncertain = intentsOf(lane).filter(({ sending }) => sending !== null)
        if (uncertain.length > 0) {
          // That the platform can be asked does not mean that it takes the change: the next rest is longer all the same.
          await settleUncertain(lane, uncertain, ending)
          continue
        }
        await sendOne(lane, ending)
        resting.delete(key)
      }
      if (!lanes.has(key)) resting.delete(key)
    } catch {
      if (ending.aborted) return
      rest(key)
    }
  }

  const pump = (): void => {
    if (signal === null || signal.aborted) return
    const ending = signal
    const now = performance.now()
    for (const [key, intents] of lanes) {
      if (busy.size >= LANES_AT_ONCE) break
      const [first] = intents.values()
      if (first === undefined || busy.has(key) || (resting.get(key)?.until ?? 0) > now) continue
      const { kind, scope, id } = first
      busy.set(
        key,
        runLane({ kind, scope, id }, ending)
          // The outcome could not be written: what is on the disk still says that it has to be looked into.
          .catch(() => rest(key))
          .finally(() => {
            busy.delete(key)
            pump()
          }),
      )
    }
    if (wakeUp !== null) clearTimeout(wakeUp)
    const soonest = Math.min(...[...resting].flatMap(([key, { until }]) => (lanes.has(key) ? [until] : [])))
    wakeUp = Number.isFinite(soonest) ? setTimeout(pump, Math.max(soonest - now, 10)) : null
  }

  return {
    change: (wishes) => {
      const changeId = enqueue(
        wishes.flatMap(({ wanted, ...target }): Step[] => {
          const before = shownValue(target)
          return before === undefined || before === wanted ? [] : [{ ...target, before, after: wanted }]
        }),
      )
      pump()
      return changeId
    },
    undo: (changeId) => {
      const steps = file.steps(changeId)
      if (steps === undefined) return null
      const back = steps.toReversed().flatMap((step): Step[] => {
        if (shownValue(step) !== step.after) return []
        const server = valueIn(ports.serverState(step), step.field)
        const isSending = (findIntent(step)?.sending ?? null) !== null
        return [{ ...step, before: step.after, after: undoOf(step, server, isSending) }]
      })
      if (back.length === 0) return false
      enqueue(back)
      pump()
      return true
    },
    overlay: (inboxId, threadId) => {
      if (lanes.size === 0) return undefined
      const intents = intentsOf({ kind: 'thread', scope: inboxId, id: threadId })
      if (intents.length === 0) return undefined
      const read = intents.find(({ field }) => field === 'read')?.wanted
      const folder = intents.find(({ field }) => field === 'folder')?.wanted
      const labels = (value: string): readonly string[] =>
        intents.flatMap(({ field, wanted }) => (wanted === value ? (labelIdOf(field) ?? []) : []))
      return {
        ...(read !== undefined && { read: read === 'true' }),
        ...(folder !== undefined && { folder }),
        addLabels: labels('true'),
        removeLabels: labels('false'),
      }
    },
    pendingTopics: (contactId) =>
      new Map(
        intentsOf({ kind: 'contact', scope: '', id: contactId }).map(({ field, wanted }) => [
          field.slice('topic:'.length),
          wanted,
        ]),
      ),
    confirmedSince: (lane, askedAt) =>
      confirmedAt.size > 0 && (confirmedAt.get(laneKey(lane)) ?? Number.NEGATIVE_INFINITY) > askedAt,
    lanes: () => uniqueLanes([...lanes.values()].flatMap((intents) => [...intents.values()])),
    pendingCount: () => [...lanes.values()].reduce((count, intents) => count + intents.size, 0),
    start: (ending) => {
      signal = ending
      pump()
    },
    nudge: () => {
      for (const [key, { failures }] of resting) resting.set(key, { failures, until: 0 })
      pump()
    },
    close: async (isDamaged) => {
      if (wakeUp !== null) clearTimeout(wakeUp)
      await Promise.all(busy.values())
      file.close(isDamaged)
    },
  }
}
