/** Characters. An address that is longer carries more about its reader than a picture needs. */
const LONGEST = 8_192

/**
 * The address of a picture that is elsewhere; null for anything that is no page of the web, such as a part of the e-mail
 * itself or a file beside a page that nobody has.
 */
export const remoteAddress = (text: string): string | null => {
  // As browsers do: blanks around it and line breaks within stand for nothing.
  const written = text.trim().replace(/[\t\n\r]/g, '')
  const whole = /^[\\/]{2}/.test(written) ? `https:${written}` : written
  if (!/^https?:/i.test(whole) || whole.length > LONGEST || !URL.canParse(whole)) return null
  const { href } = new URL(whole)
  return href.length > LONGEST ? null : href
}

/** Candidates of a `srcset` that are looked at. */
const MOST_CANDIDATES = 50
/** Pixels of the screen for each of the letter: more is not seen. */
const DENSEST = 2
/** Pixels across: more than any letter is wide on a dense screen. */
const WIDEST = 1_600

/** How good a candidate is: the larger the better up to what can be seen, beyond it the smaller the better. */
const worthOf = (descriptor: string): number => {
  const [, size = '1', unit = 'x'] = /^(\d+(?:\.\d+)?)([wx])$/.exec(descriptor) ?? []
  const part = Number(size) / (unit === 'w' ? WIDEST : DENSEST)
  return part <= 1 ? part : 1 / part
}

/** The best candidate of a `srcset` that is elsewhere. */
export const bestCandidate = (srcset: string): string | null => {
  // Addresses may hold commas; one that ends a candidate stands before a blank or at its end (HTML, 4.8.4.2.1).
  const found = [...srcset.matchAll(/(\S*[^\s,])(?:\s+([^\s,]+))?\s*(?:,|$)/g)].slice(0, MOST_CANDIDATES)
  const candidates = found.flatMap(([, written = '', descriptor = '1x']) => {
    const address = remoteAddress(written)
    return address === null ? [] : [{ address, worth: worthOf(descriptor) }]
  })
  return candidates.toSorted((a, b) => b.worth - a.worth)[0]?.address ?? null
}
