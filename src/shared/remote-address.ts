/** Characters. An address that is longer carries more about its reader than a picture needs. */
export const LONGEST_ADDRESS = 8_192

/**
 * The address of a picture that is elsewhere, as `URL` is to read it; null for anything that is no page of the web, such as
 * a part of the e-mail itself or a file beside a page that nobody has.
 */
export const writtenAddress = (text: string): string | null => {
  // As browsers do: blanks around it and line breaks within stand for nothing.
  const written = text.trim().replace(/[\t\n\r]/g, '')
  const whole = /^[\\/]{2}/.test(written) ? `https:${written}` : written
  return /^https?:/i.test(whole) && whole.length <= LONGEST_ADDRESS ? whole : null
}

/**
 * The candidates of a `srcset` as they are written: addresses may hold commas, and one that ends a candidate stands before
 * a blank or at its end (HTML, 4.8.4.2.1). Looks at each character once.
 */
export const sourcesIn = (srcset: string): readonly { readonly written: string; readonly descriptor: string }[] => {
  const words = srcset.match(/\S+/g) ?? []
  const sources: { readonly written: string; readonly descriptor: string }[] = []
  let written = ''
  const end = (descriptor: string): void => {
    if (written !== '') sources.push({ written, descriptor })
    written = ''
  }
  for (const word of words) {
    let [from, to] = [0, word.length]
    while (word[from] === ',') from += 1
    while (to > from && word[to - 1] === ',') to -= 1
    const bare = word.slice(from, to)
    if (from > 0) end('')
    if (written === '') written = bare
    else {
      const comma = bare.indexOf(',')
      end(comma === -1 ? bare : bare.slice(0, comma))
      // Without a blank behind the comma the next address follows at once.
      if (comma !== -1) written = bare.slice(comma + 1)
    }
    if (to < word.length) end('')
  }
  end('')
  return sources
}
