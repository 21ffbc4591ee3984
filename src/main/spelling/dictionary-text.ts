/** A dictionary's two files converted to UTF-8, so Hunspell only handles UTF-8. */
export interface DictionaryText {
  readonly aff: string
  readonly dic: string
}

/** Hunspell encoding names that `TextDecoder` doesn't know. */
const ENCODINGS: Readonly<Record<string, string>> = { 'MICROSOFT-CP1251': 'windows-1251', 'TIS620-2533': 'tis-620' }

/** Encoding of dictionaries that declare none. */
const DEFAULT_ENCODING = 'ISO8859-1'

/** @throws RangeError for an unknown encoding */
export const decodeDictionary = (aff: Uint8Array, dic: Uint8Array): DictionaryText => {
  const plain = new TextDecoder('latin1').decode(aff)
  const name = /^(?:\u00EF\u00BB\u00BF)?\s*SET[ \t]+(\S+)/m.exec(plain)?.[1] ?? DEFAULT_ENCODING
  const decoder = new TextDecoder(ENCODINGS[name.toUpperCase()] ?? name)
  const text = { aff: decoder.decode(aff), dic: decoder.decode(dic) }
  if (decoder.encoding === 'utf-8') return text
  // A one-byte flag may take two bytes in UTF-8. This declaration keeps it a single character.
  const flags = /^FLAG[ \t]/m.test(plain) ? '' : 'FLAG UTF-8\n'
  return { ...text, aff: `SET UTF-8\n${flags}${text.aff.replace(/^\s*SET[ \t].*$/m, '')}` }
}
