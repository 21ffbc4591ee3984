import { isDeliveryOver, isUnderWay } from '../../shared/delivery.ts'

const SECOND = 1_000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/**
 * How long a message that was sent from here is followed: servers try again for some days at most (RFC 5321, 4.5.4.1), and who
 * marks mail as spam does so when they see it.
 */
export const FOLLOWED_FOR_MS = 5 * DAY
/** The platform forgets an e-mail after this (platform facts 1). */
export const KEPT_FOR_MS = 30 * DAY

/** Pauses grow with the time that nothing else has been heard: half of it, within these bounds. */
const BOUNDS = {
  underWay: { shortest: 2 * SECOND, longest: HOUR },
  /** Of one that has arrived nothing else is expected. */
  arrived: { shortest: HOUR, longest: DAY },
} as const

/** A sent e-mail as far as it matters for when it is asked about. Times are milliseconds since the epoch. */
export interface Asked {
  readonly sentAt: number
  readonly lastEvent: string | null
  /** When the platform has last said it; null for never. */
  readonly heardAt: number | null
  /** When it was last asked, whether or not it has answered; null for never. */
  readonly askedAt: number | null
}

/** When the platform is to be asked what became of a sent e-mail; null where nothing else becomes of it. */
export const nextAskAt = ({ sentAt, lastEvent, heardAt, askedAt }: Asked): number | null => {
  // What is scheduled is sent at another time than this.
  const isLastWord = heardAt !== null && heardAt - sentAt > FOLLOWED_FOR_MS && lastEvent !== 'scheduled'
  if (isLastWord || isDeliveryOver(lastEvent)) return null
  const { shortest, longest } = BOUNDS[isUnderWay(lastEvent) ? 'underWay' : 'arrived']
  const last = heardAt === null || askedAt === null ? (heardAt ?? askedAt) : Math.max(heardAt, askedAt)
  if (last === null) return sentAt + shortest
  return last + Math.min(Math.max((last - sentAt) / 2, shortest), longest)
}
