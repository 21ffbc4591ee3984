/** In characters. A longer address reveals more about the reader than a picture needs. */
export const MAX_REMOTE_ADDRESS_LENGTH = 8_192

/** Address of a remote picture, ready for `URL`; null for parts of the e-mail, relative addresses and other schemes. */
export const toRemoteAddress = (text: string): string | null => {
  // Browsers also ignore white space around the address and line breaks within it.
  const written = text.trim().replace(/[\t\n\r]/g, '')
  const whole = /^[\\/]{2}/.test(written) ? `https:${written}` : written
  return /^https?:/i.test(whole) && whole.length <= MAX_REMOTE_ADDRESS_LENGTH ? whole : null
}

/**
 * Unparsed candidates of a `srcset`. Addresses may contain commas; a comma that ends a candidate is followed by white
 * space or the end of the text (HTML, 4.8.4.2.1). Linear time.
 */
export const parseSrcset = (srcset: string): readonly { readonly written: string; readonly descriptor: string }[] => {
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
      // Without a space after the comma, the next address follows directly.
      if (comma !== -1) written = bare.slice(comma + 1)
    }
    if (to < word.length) end('')
  }
  end('')
  return sources
}
