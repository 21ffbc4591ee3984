import { systemClock } from '../timing/clock.ts'

/**
 * What a platform is able to do beyond the contract's six operations. It is learned from more than one answer, forgotten
 * when Linnet ends, and asked again from time to time: a 404 that went astray for a moment costs a few seconds.
 */

/** An operation that a platform may lack, of an inbox or of the account. */
export type Ability =
  | 'list threads'
  | 'retrieve thread'
  | 'retrieve thread original'
  | 'retrieve thread sent'
  | 'retrieve thread attachments'
  | 'list thread emails'
  | 'list labels'
  | 'list received'
  | 'list sent e-mails'
  | 'list contacts'
  | 'list suppressions'
  | 'list templates'
  | 'retrieve usage'

/** What is believed of an ability, after all answers so far. */
export type Belief = 'unknown' | 'offered' | 'seems missing'

/** Stands for the account as a whole where an ability belongs to no inbox. */
export const ACCOUNT = ''

/** Refusals in a row until an ability seems missing; one that was there before must be refused more often. */
const REFUSALS_OF_UNKNOWN = 2
const REFUSALS_OF_OFFERED = 4
/** When to ask again, doubled by each further refusal: soon at first, as most such answers are a passing fault. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

interface Evidence {
  readonly wasOffered: boolean
  /** In a row, questions that were on their way together counted once. */
  readonly refusals: number
  readonly refusedAt: number
}

const NO_EVIDENCE: Evidence = { wasOffered: false, refusals: 0, refusedAt: Number.NEGATIVE_INFINITY }

const keyOf = (scope: string, ability: Ability): string => `${ability} ${scope}`

const needed = ({ wasOffered }: Evidence): number => (wasOffered ? REFUSALS_OF_OFFERED : REFUSALS_OF_UNKNOWN)

const beliefOf = (evidence: Evidence): Belief => {
  if (evidence.refusals >= needed(evidence)) return 'seems missing'
  return evidence.wasOffered ? 'offered' : 'unknown'
}

const askAgainAt = (evidence: Evidence): number =>
  evidence.refusedAt + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (evidence.refusals - needed(evidence)))

/** What is believed of a platform's abilities, by its answers so far. */
export class Abilities {
  readonly #known = new Map<string, Evidence>()
  readonly #now: () => number

  /** @param now the time by which answers are put in order, `Clock.elapsed` */
  constructor(now: () => number = systemClock.elapsed) {
    this.#now = now
  }

  /** The time by which answers are put in order, `Clock.elapsed`. */
  now(): number {
    return this.#now()
  }

  /** @param scope an inbox's ID, or `ACCOUNT` */
  belief(scope: string, ability: Ability): Belief {
    return beliefOf(this.#evidenceOf(scope, ability))
  }

  /** False only while the ability seems missing and the next time to ask again has not come. */
  isWorthAsking(scope: string, ability: Ability): boolean {
    const evidence = this.#evidenceOf(scope, ability)
    return beliefOf(evidence) !== 'seems missing' || this.#now() >= askAgainAt(evidence)
  }

  /** The platform answered as only one that has the ability does. */
  offered(scope: string, ability: Ability): void {
    this.#known.set(keyOf(scope, ability), { ...NO_EVIDENCE, wasOffered: true })
  }

  /**
   * The platform answered 404 or 405 although what was asked about exists.
   * @param askedAt when it was asked, `now()`: questions that were on their way together count as one
   */
  refused(scope: string, ability: Ability, askedAt: number): void {
    const evidence = this.#evidenceOf(scope, ability)
    if (askedAt <= evidence.refusedAt) return
    const refusals = evidence.refusals + 1
    this.#known.set(keyOf(scope, ability), { ...evidence, refusals, refusedAt: this.#now() })
  }

  #evidenceOf(scope: string, ability: Ability): Evidence {
    return this.#known.get(keyOf(scope, ability)) ?? NO_EVIDENCE
  }
}
