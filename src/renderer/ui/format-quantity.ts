const number = new Intl.NumberFormat('en')
const plural = new Intl.PluralRules('en')

/** Returns `1,240`, for example. */
export const formatNumber = (value: number): string => number.format(value)

/** Returns `1 e-mail` or `2 e-mails`, for example. */
export const formatCount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${plural.select(value) === 'one' ? one : many}`

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 day 3 hours`, `1 hour 30 minutes`: the two largest units, rounded down. @param milliseconds at least 1,000 */
export const formatDuration = (milliseconds: number): string => {
  const largest = UNITS.findIndex(([, size]) => milliseconds >= size * 1000)
  let left = Math.floor(milliseconds / 1000)
  return UNITS.slice(largest, largest + 2)
    .flatMap(([unit, size]) => {
      const count = Math.floor(left / size)
      left -= count * size
      return count === 0 ? [] : [formatCount(count, unit)]
    })
    .join(' ')
}

/** `312 bytes`, `14 KB`, `2.4 MB`, `1.2 GB`: decimal units, as in file managers. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return formatCount(bytes, 'byte')
  if (bytes < 999_500) return `${formatNumber(Math.round(bytes / 1000))} KB`
  const isMegabytes = bytes < 999.5e6
  const units = bytes / (isMegabytes ? 1e6 : 1e9)
  return `${units < 9.95 ? units.toFixed(1) : formatNumber(Math.round(units))} ${isMegabytes ? 'MB' : 'GB'}`
}
