const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Longest and default lifetime of a share link, in milliseconds (platform.md 17.2). */
export const MAX_SHARE_MS = 48 * HOUR

/** The platform's units, identified by their first letter. */
const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const
const PART = /\s*(\d{1,9})\s*(?:(s)(?:ecs?|econds?)?|(m)(?:ins?|inutes?)?|(h)(?:rs?|ours?)?|(d)(?:ays?)?)(?![a-z])/iy

export type ShareDuration =
  | { readonly milliseconds: number }
  | { readonly fault: 'nothing typed' | 'no duration' | 'too long' }

const parseParts = (text: string): number | null => {
  const part = new RegExp(PART)
  let total = 0
  while (part.lastIndex < text.length) {
    const found = part.exec(text)
    if (found === null) return null
    const [, number, ...letters] = found
    const letter = letters.join('').toLowerCase() as keyof typeof UNITS
    total += Number(number) * UNITS[letter]
  }
  return total
}

/**
 * Parses the lifetime of a share link like the platform parses `expires_in` (platform.md 17.1 and 17.2): `10m`, `2
 * hours`, `1 day`, or a combination such as `1h 30m`; 48 hours at most.
 */
export const parseShareDuration = (typed: string): ShareDuration => {
  const text = typed.trim()
  if (text === '') return { fault: 'nothing typed' }
  const milliseconds = parseParts(text)
  if (milliseconds === null || milliseconds === 0) return { fault: 'no duration' }
  return milliseconds > MAX_SHARE_MS ? { fault: 'too long' } : { milliseconds }
}

export const SHARE_DURATION_FAULTS = {
  'nothing typed': 'Type a duration, like 90 minutes or 1h 30m.',
  'no duration': 'This is not a duration. Type one like 90 minutes, 2 hours or 1h 30m.',
  'too long': 'A link can last 48 hours at most. Type a shorter time.',
} as const

/** One number and one unit: the simplest form that the platform is known to accept. */
export const formatShareDuration = (milliseconds: number): string => {
  if (milliseconds % HOUR === 0) return `${milliseconds / HOUR}h`
  if (milliseconds % MINUTE === 0) return `${milliseconds / MINUTE}m`
  return `${milliseconds / SECOND}s`
}
