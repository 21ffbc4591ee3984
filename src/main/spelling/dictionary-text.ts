/** The two files of a dictionary as UTF-8, whatever they are written in: Hunspell itself is then asked in UTF-8 alone. */
export interface DictionaryText {
  readonly aff: string
  readonly dic: string
}

/** Names of Hunspell's that are none of the web's. */
const ENCODINGS: Readonly<Record<string, string>> = { 'MICROSOFT-CP1251': 'windows-1251', 'TIS620-2533': 'tis-620' }

/** A dictionary that says nothing is written in Latin 1. */
const DEFAULT_ENCODING = 'ISO8859-1'

/** @throws RangeError for an encoding that nobody knows here */
export const readDictionaryText = (aff: Uint8Array, dic: Uint8Array): DictionaryText => {
  const plain = new TextDecoder('latin1').decode(aff)
  const name = /^(?:\u00EF\u00BB\u00BF)?\s*SET[ \t]+(\S+)/m.exec(plain)?.[1] ?? DEFAULT_ENCODING
  const decoder = new TextDecoder(ENCODINGS[name.toUpperCase()] ?? name)
  const text = { aff: decoder.decode(aff), dic: decoder.decode(dic) }
  if (decoder.encoding === 'utf-8') return text
  // A flag that was one byte may be two from now on, and is read as one letter where that is said.
  const flags = /^FLAG[ \t]/m.test(plain) ? '' : 'FLAG UTF-8\n'
  return { ...text, aff: `SET UTF-8\n${flags}${text.aff.replace(/^\s*SET[ \t].*$/m, '')}` }
}
