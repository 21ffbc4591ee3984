import { readFile } from 'node:fs/promises'
import { Hunspell } from 'hunspell-wasm'
import startHunspell from 'hunspell-wasm/wasm/hunspell.js'
import { readDictionaryText } from './dictionary-text.ts'
import type { Dictionary } from './find-dictionaries.ts'

const MOST_SUGGESTIONS = 5

/** Dictionaries know one apostrophe, and letters as they are composed. */
const plainWord = (word: string): string => word.normalize('NFC').replaceAll('\u2019', "'")

const byTurns = (lists: readonly (readonly string[])[]): readonly string[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? []))
  return [...new Set(turns.flat())]
}

/** Hunspell with the dictionaries of all languages that somebody writes in. */
class LoadedDictionaries {
  readonly #loaded: readonly Hunspell[]

  constructor(loaded: readonly Hunspell[]) {
    this.#loaded = loaded
  }

  /** Whether a word is one of any of the languages. */
  isRight(word: string): boolean {
    const plain = plainWord(word)
    // Where nothing could be loaded nothing is known of any word.
    return this.#loaded.length === 0 || this.#loaded.some((each) => each.testSpelling(plain))
  }

  /** Words that may be meant, the likeliest first: the languages' own by turns. */
  suggest(word: string): readonly string[] {
    const plain = plainWord(word)
    return byTurns(this.#loaded.map((each) => each.getSpellingSuggestions(plain))).slice(0, MOST_SUGGESTIONS)
  }
}

/**
 * Loads the dictionaries. One that cannot be read is left out.
 * @param wasmFile Hunspell itself
 */
export const openHunspell = async (
  wasmFile: string,
  dictionaries: readonly Pick<Dictionary, 'affFile' | 'dicFile'>[],
): Promise<LoadedDictionaries> => {
  // The package's types leave out what its own module takes.
  const start = startHunspell as (given: { readonly wasmBinary: Uint8Array }) => Promise<unknown>
  const module = await start({ wasmBinary: await readFile(wasmFile) })
  const loaded: Hunspell[] = []
  for (const { affFile, dicFile } of dictionaries) {
    try {
      const { aff, dic } = readDictionaryText(await readFile(affFile), await readFile(dicFile))
      loaded.push(new Hunspell(module, aff, dic, undefined))
    } catch {
      // The other languages are checked.
    }
  }
  return new LoadedDictionaries(loaded)
}
