const LENGTH = 200
const READ_AT_MOST = 64 * 1024
/** Elements whose text nobody sees. */
const HIDDEN = ['style', 'script', 'title'] as const
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
    },
  )

/** Small letters for those of ASCII alone: others may become longer, and what is found here is looked up there. */
const withSmallTags = (html: string): string => html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** The words of an HTML body. Reads every character once, so that no hostile mark-up can make it slow. */
const htmlToText = (html: string): string => {
  const lower = withSmallTags(html)
  const words: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    words.push(html.slice(at, open))
    const hidden = HIDDEN.find((name) => lower.startsWith(`<${name}`, open))
    const end = lower.startsWith('<!--', open) ? '-->' : hidden === undefined ? '>' : `</${hidden}`
    const close = lower.indexOf(end, open + 1)
    // What is never closed hides everything after it.
    if (close === -1) return words.join(' ')
    at = hidden === undefined ? close + end.length : close
    words.push(' ')
  }
  words.push(html.slice(at))
  return decodeEntities(words.join(''))
}

const withoutQuotes = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')

/**
 * The beginning of an e-mail as one line: its own words, without what it quotes.
 * @returns at most 200 characters; null where there are no words
 */
export const snippetOf = ({
  text,
  html,
}: {
  readonly text: string | null
  readonly html: string | null
}): string | null => {
  const body =
    text === null || text.trim() === ''
      ? htmlToText((html ?? '').slice(0, READ_AT_MOST))
      : withoutQuotes(text.slice(0, READ_AT_MOST))
  // Newsletters pad their preview with invisible characters.
  const line = body
    .replace(/\u034f|[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line === ''
    ? null
    : Array.from(line.slice(0, LENGTH * 2))
        .slice(0, LENGTH)
        .join('')
}
