const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The longest that a share link can work, in milliseconds, and how long it works unless asked otherwise (platform facts 4). */
export const LONGEST_SHARE = 48 * HOUR

/** What the platform takes for each unit; the letter that it begins with says which it is. */
const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const
const PART = /\s*(\d{1,9})\s*(?:(s)(?:ecs?|econds?)?|(m)(?:ins?|inutes?)?|(h)(?:rs?|ours?)?|(d)(?:ays?)?)(?![a-z])/iy

/** How long a link is to work, or what is wrong with what was typed. */
export type ShareDuration =
  | { readonly milliseconds: number }
  | { readonly fault: 'nothing typed' | 'no duration' | 'too long' }

const readParts = (text: string): number | null => {
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
 * Reads how long a share link is to work, as the platform reads `expires_in` (contract, 1; platform facts 4): `10m`,
 * `2 hours`, `1 day`, or several of them, `1h 30m`; 48 hours at most.
 */
export const readShareDuration = (typed: string): ShareDuration => {
  const text = typed.trim()
  if (text === '') return { fault: 'nothing typed' }
  const milliseconds = readParts(text)
  if (milliseconds === null || milliseconds === 0) return { fault: 'no duration' }
  return milliseconds > LONGEST_SHARE ? { fault: 'too long' } : { milliseconds }
}

/** What a person does about a duration that cannot be asked for. */
export const SHARE_DURATION_FAULTS = {
  'nothing typed': 'Type a duration, like 90 minutes or 1h 30m.',
  'no duration': 'This is not a duration. Type one like 90 minutes, 2 hours or 1h 30m.',
  'too long': 'A link can work for at most 48 hours. Type a shorter time.',
} as const

/** The same duration in the plainest form that the platform is known to take: one number and one unit. */
export const shareDurationText = (milliseconds: number): string => {
  if (milliseconds % HOUR === 0) return `${milliseconds / HOUR}h`
  if (milliseconds % MINUTE === 0) return `${milliseconds / MINUTE}m`
  return `${milliseconds / SECOND}s`
}
