import { systemClock } from '../timing/clock.ts'
import { lacksOperation } from './platform-problem.ts'

/**
 * Optional operations beyond the six of the contract (docs/platform.md). Capabilities are learned from several
 * responses, kept in memory, and probed again from time to time, so that a stray 404 costs only a few seconds.
 */

export type Capability =
  | 'list threads'
  | 'retrieve thread'
  | 'retrieve raw thread message'
  | 'retrieve sent thread message'
  | 'retrieve thread attachments'
  | 'list thread emails'
  | 'list labels'
  | 'list received'
  | 'list sent e-mails'
  | 'list contacts'
  | 'list suppressions'
  | 'list templates'
  | 'list webhooks'
  | 'retrieve usage'

export type CapabilityStatus = 'unknown' | 'offered' | 'seems missing'

/** Scope for capabilities of the account rather than of an inbox. */
const ACCOUNT_SCOPE = ''

/** Number of consecutive refusals after which a capability seems missing. A proven capability needs more of them. */
const REFUSALS_IF_UNPROVEN = 2
const REFUSALS_IF_PROVEN = 4
/**
 * Pauses between probes, in milliseconds. Each refusal doubles the pause. The first one is short, since most refusals
 * are temporary.
 */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

interface Evidence {
  readonly wasOffered: boolean
  /** Consecutive refusals; concurrent requests count once. */
  readonly refusals: number
  readonly refusedAt: number
}

const NO_EVIDENCE: Evidence = { wasOffered: false, refusals: 0, refusedAt: Number.NEGATIVE_INFINITY }

const keyOf = (capability: Capability, scope: string): string => `${capability} ${scope}`

const needed = ({ wasOffered }: Evidence): number => (wasOffered ? REFUSALS_IF_PROVEN : REFUSALS_IF_UNPROVEN)

const beliefOf = (evidence: Evidence): CapabilityStatus => {
  if (evidence.refusals >= needed(evidence)) return 'seems missing'
  return evidence.wasOffered ? 'offered' : 'unknown'
}

const nextProbeAt = (evidence: Evidence): number =>
  evidence.refusedAt + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (evidence.refusals - needed(evidence)))

export class Capabilities {
  readonly #known = new Map<string, Evidence>()
  readonly #now: () => number

  constructor(now: () => number = systemClock.elapsed) {
    this.#now = now
  }

  /** Monotonic time (`Clock.elapsed`), used to order responses. */
  now(): number {
    return this.#now()
  }

  /** @param scope an inbox ID; by default, the account */
  belief(capability: Capability, scope = ACCOUNT_SCOPE): CapabilityStatus {
    return beliefOf(this.#evidenceOf(capability, scope))
  }

  /** False while the capability seems missing and the next probe isn't due. */
  shouldProbe(capability: Capability, scope = ACCOUNT_SCOPE): boolean {
    const evidence = this.#evidenceOf(capability, scope)
    return beliefOf(evidence) !== 'seems missing' || this.#now() >= nextProbeAt(evidence)
  }

  /** Call after a response that proves the capability. */
  recordSuccess(capability: Capability, scope = ACCOUNT_SCOPE): void {
    this.#known.set(keyOf(capability, scope), { ...NO_EVIDENCE, wasOffered: true })
  }

  /**
   * Call after a 404 or 405 for something that exists. @param askedAt request time from `now()`; refusals of concurrent
   * requests count once
   */
  recordRefusal(capability: Capability, askedAt: number, scope = ACCOUNT_SCOPE): void {
    const evidence = this.#evidenceOf(capability, scope)
    if (askedAt <= evidence.refusedAt) return
    const refusals = evidence.refusals + 1
    this.#known.set(keyOf(capability, scope), { ...evidence, refusals, refusedAt: this.#now() })
  }

  /**
   * Makes a request that depends on a capability, and learns from the outcome.
   * @param isLacking true if an error means that the capability is missing
   * @param isEvidence false if such an error proves nothing, like a 404 for something already gone from the platform
   * @returns null if the capability seems missing @throws unrelated errors
   */
  async attempt<Value>(
    capability: Capability,
    work: () => Promise<Value>,
    { scope = ACCOUNT_SCOPE, isLacking = lacksOperation, isEvidence = true } = {},
  ): Promise<Value | null> {
    if (!this.shouldProbe(capability, scope)) return null
    const askedAt = this.#now()
    try {
      const value = await work()
      this.recordSuccess(capability, scope)
      return value
    } catch (thrown) {
      if (!isLacking(thrown)) throw thrown
      if (isEvidence) this.recordRefusal(capability, askedAt, scope)
      return null
    }
  }

  #evidenceOf(capability: Capability, scope: string): Evidence {
    return this.#known.get(keyOf(capability, scope)) ?? NO_EVIDENCE
  }
}
