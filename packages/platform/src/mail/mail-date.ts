/** Languages of month names in Date headers. If two share a name for different months, the first wins. */
const languages = 'en de fr es it nl pt sv da nb fi pl cs hu tr ro ca ru uk'.split(' ')

/** Folds to lower case without accents or dots. */
function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '')
    .toLowerCase()
}

/** Month numbers, 0 to 11, by long and short names. */
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

/** Accepts a truncated name (`Juill`) or one longer than the known name (`Sept`). */
function monthOf(name: string): number | undefined {
  const plain = plainName(name)
  return (
    months.get(plain) ?? [...months].find(([known]) => known.startsWith(plain))?.[1] ?? months.get(plain.slice(0, 3))
  )
}

/** Hours east of Greenwich; unknown names count as UTC (RFC 5322, 4.3). */
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

/** Maximum characters of a Date header to parse. A usual one has about forty, plus comments. */
const maxHeaderLength = 500

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

/** RFC 5322, 4.3: two digits mean 1950 to 2049, three count from 1900. */
function yearOf(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 2 && year < 50 ? year + 2000 : year + 1900
}

type Day = readonly [year: number, month: number, day: number]

function extractDay(text: string): { readonly day: Day; readonly rest: string } | null {
  const take = (form: RegExp, dayOf: (groups: readonly string[]) => Day | null): ReturnType<typeof extractDay> => {
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
    // The format of `date` and ctime(3): the year comes last, after time and zone.
    take(/(\p{L}{3,12})[\s.]+(\d{1,2}),?(?=\s.*?(?<![\d+-])(\d{4})\s*$)/iu, ([name, day, year]) =>
      named(day, name, year),
    ) ??
    take(
      /(?<!\d)(\d{1,2})([-/.])(\d{1,2})[-/.]\s?(\d{4}|\d{2})(?!\d)/,
      ([first = '', mark, second = '', year = '']) => {
        // With slashes, American dates put the month first, unless that number exceeds 12.
        const isMonthFirst = Number(second) > 12 || (mark === '/' && Number(first) <= 12)
        const [month, day] = isMonthFirst ? [first, second] : [second, first]
        return [yearOf(year), Number(month) - 1, Number(day)]
      },
    )
  )
}

/** UTC offset after the time, in milliseconds to subtract; 0 without a zone. */
function zoneOf(text: string): number {
  const minute = 60_000
  const [, sign, hours, minutes] = /(?:^|\s|GMT|UTC)([+-])\s?(\d{2}):?(\d{2})(?!\d)/i.exec(text) ?? []
  if (sign !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
  const name = text.match(/\p{Lu}{2,5}/gu)?.find((word) => zones.has(word))
  return (zones.get(name ?? '') ?? 0) * 60 * minute
}

/**
 * Parses a Date header (RFC 5322, 3.3 and 4.3) and common deviations: foreign or numeric months, two-digit years,
 * comments, missing or named zones. @returns milliseconds since 1970 up to year 9999, the API's limit; `null` for no
 * date
 */
export function parseDateHeader(header: string): number | null {
  const text = withoutComments(header.slice(0, maxHeaderLength))
  const taken = extractDay(text)
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

/** Time after the last `;` of a Received header (RFC 5321, 4.4); the topmost header is from the last server. */
export function parseReceivedDate(received: readonly string[]): number | null {
  for (const header of received) {
    const date = parseDateHeader(header.slice(header.lastIndexOf(';') + 1))
    if (date !== null) return date
  }
  return null
}
