const SHAPE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const ISO_MILLISECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/**
 * Parses `2026-05-01T10:00:00.000Z` and `2026-05-01 10:00:00.84216+00` (platform.md 1.9); UTC by default.
 * @returns milliseconds since the epoch, truncated, or null
 */
export const parsePlatformTime = (text: string): number | null => {
  // Fast path: nearly all times look like this, and large mailboxes have hundreds of thousands.
  if (ISO_MILLISECONDS.test(text)) {
    const time = Date.parse(text)
    return Number.isNaN(time) ? null : time
  }
  const match = SHAPE.exec(text.trim())
  if (match === null) return null
  const [, day = '', clock = '00:00:00', fraction = '', offset = 'Z'] = match
  const hours = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = Date.parse(
    `${day}T${clock.length === 5 ? `${clock}:00` : clock}.${fraction.padEnd(3, '0').slice(0, 3)}${hours.toUpperCase()}`,
  )
  return Number.isNaN(time) ? null : time
}

/** Milliseconds since the epoch. A missing time becomes 0, which sorts to the end of every list. */
export const toTime = (text: string | null | undefined): number => parsePlatformTime(text ?? '') ?? 0

/** Formats a time for the platform; undefined for an invalid number. @param time milliseconds since the epoch */
export const formatPlatformTime = (time: number): string | undefined => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
