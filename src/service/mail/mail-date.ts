/** Languages whose names of months programs write into Date headers; where two have one name for different months, the first. */
const languages = 'en de fr es it nl pt sv da nb fi pl cs hu tr ro ca ru uk'.split(' ')

/** A name of a month as it is compared: small letters, no accents, no dot. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
}

/** From each name of a month, long and short, to its number, 0 to 11. */
const months: ReadonlyMap<string, number> = new Map(
  languages.toReversed().flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) =>
      [{ month }, { month, day: 'numeric' } as const].flatMap((style) => {
        const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' })
        return Array.from({ length: 12 }, (_, at) => {
          const part = format.formatToParts(Date.UTC(2001, at, 1)).find(({ type }) => type === 'month')
          return [plainName(part?.value ?? ''), at] as const
        })
      }),
    ),
  ),
)

/** A month of a name, which may be cut (`Juill`) or longer than it is known here (`Sept`). */
function monthOf(name: string): number | undefined {
  const plain = plainName(name)
  return (
    months.get(plain) ?? [...months].find(([known]) => known.startsWith(plain))?.[1] ?? months.get(plain.slice(0, 3))
  )
}

/** Hours east of Greenwich; a name that is not here is taken for it (RFC 5322, 4.3). */
const zones: ReadonlyMap<string, number> = new Map([
  ...['EST', 'CDT'].map((name) => [name, -5] as const),
  ...['CST', 'MDT'].map((name) => [name, -6] as const),
  ...['MST', 'PDT'].map((name) => [name, -7] as const),
  ...['CET', 'MET', 'MEZ', 'WEST', 'BST'].map((name) => [name, 1] as const),
  ...['CEST', 'MEST', 'MESZ', 'EET'].map((name) => [name, 2] as const),
  ...['EEST', 'MSK'].map((name) => [name, 3] as const),
  ...['JST', 'KST'].map((name) => [name, 9] as const),
  ['EDT', -4],
  ['PST', -8],
])

/** A Date header has some forty characters; comments come beside them. */
const longest = 500

const withoutComments = (header: string): string => {
  let depth = 0
  let text = ''
  for (const character of header) {
    if (character === '(') depth++
    if (depth === 0) text += character
    if (character === ')' && depth > 0) depth--
  }
  return text
}

/** RFC 5322, 4.3: two digits are of 1950 to 2049, three count from 1900. */
function yearOf(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 2 && year < 50 ? year + 2000 : year + 1900
}

type Day = readonly [year: number, month: number, day: number]

/** The day that a text names, and what is left of it. */
function takeDay(text: string): { readonly day: Day; readonly rest: string } | null {
  const take = (form: RegExp, dayOf: (groups: readonly string[]) => Day | null): ReturnType<typeof takeDay> => {
    const found = form.exec(text)
    const day = found === null ? null : dayOf(found.slice(1))
    return found === null || day === null ? null : { day, rest: text.replace(found[0], ' ') }
  }
  const named = (day = '', name = '', year = ''): Day | null => {
    const month = monthOf(name)
    return month === undefined ? null : [yearOf(year), month, Number(day)]
  }
  return (
    take(/(?<![\d+-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/, ([year, month, day]) => [
      Number(year),
      Number(month) - 1,
      Number(day),
    ]) ??
    take(
      /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er)?[\s.,-]*(?:de\s+)?(\p{L}{3,12})[\s.,-]*(?:de\s+)?(\d{2,4})(?![\d:])/iu,
      ([day, name, year]) => named(day, name, year),
    ) ??
    take(/(\p{L}{3,12})[\s.-]+(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4})(?!\d)/iu, ([name, day, year]) =>
      named(day, name, year),
    ) ??
    // As `date` and ctime(3) write it: the year is last, behind the time and the zone.
    take(/(\p{L}{3,12})[\s.]+(\d{1,2}),?(?=\s.*?(?<![\d+-])(\d{4})\s*$)/iu, ([name, day, year]) =>
      named(day, name, year),
    ) ??
    take(
      /(?<!\d)(\d{1,2})([-/.])(\d{1,2})[-/.]\s?(\d{4}|\d{2})(?!\d)/,
      ([first = '', mark, second = '', year = '']) => {
        // With slashes America writes the month first; a number above 12 is no month.
        const isMonthFirst = Number(second) > 12 || (mark === '/' && Number(first) <= 12)
        const [month, day] = isMonthFirst ? [first, second] : [second, first]
        return [yearOf(year), Number(month) - 1, Number(day)]
      },
    )
  )
}

/** What is said of the zone behind the time, in milliseconds to be taken off; a time without a zone is UTC. */
function zoneOf(text: string): number {
  const minute = 60_000
  const [, sign, hours, minutes] = /(?:^|\s|GMT|UTC)([+-])\s?(\d{2}):?(\d{2})(?!\d)/i.exec(text) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
  const name = text.match(/\p{Lu}{2,5}/gu)?.find((word) => zones.has(word))
  return (zones.get(name ?? '') ?? 0) * 60 * minute
}

/**
 * Reads a Date header (RFC 5322, 3.3 and 4.3) and what programs write in its place: months in other languages or as
 * numbers, years of two digits, comments, no zone or a named one.
 * @returns milliseconds since 1970, of a year of four digits at most: the interface writes no other; `null` for no date
 */
export function readDate(header: string): number | null {
  const text = withoutComments(header.slice(0, longest))
  const taken = takeDay(text)
  if (taken === null) return null
  const [year, month, day] = taken.day
  const time = /(?<![\d:])(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:[.,]\d+)?\s*([ap]\.?m\b)?/i.exec(taken.rest)
  const [whole = '', hours = '0', minutes = '0', seconds = '0', half] = time ?? []
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0)
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month, day)
  const isDay = midnight.getUTCMonth() === month && midnight.getUTCDate() === day
  if (!isDay || hour > 24 || Number(minutes) > 59 || Number(seconds) > 60) return null
  const zone = zoneOf(taken.rest.slice((time?.index ?? 0) + whole.length))
  const at = new Date(midnight.getTime() + ((hour * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 - zone)
  return at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999 ? at.getTime() : null
}

/** The time that a server wrote behind the last `;` of its Received header (RFC 5321, 4.4): the topmost was the last server. */
export function receivedDate(received: readonly string[]): number | null {
  for (const header of received) {
    const date = readDate(header.slice(header.lastIndexOf(';') + 1))
    if (date !== null) return date
  }
  return null
}
