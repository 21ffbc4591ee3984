import { readFile } from 'node:fs/promises'
import { Hunspell } from 'hunspell-wasm'
import startHunspell from 'hunspell-wasm/wasm/hunspell.js'
import { decodeDictionary } from './dictionary-text.ts'
import type { Dictionary } from './find-dictionaries.ts'

const MAX_SUGGESTIONS = 5

/** Dictionaries use the straight apostrophe and composed letters. */
const plainWord = (word: string): string => word.normalize('NFC').replaceAll('\u2019', "'")

const interleave = (lists: readonly (readonly string[])[]): readonly string[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? []))
  return [...new Set(turns.flat())]
}

class LoadedDictionaries {
  readonly #loaded: readonly Hunspell[]

  constructor(loaded: readonly Hunspell[]) {
    this.#loaded = loaded
  }

  isRight(word: string): boolean {
    const plain = plainWord(word)
    // Without a dictionary, every word counts as correct.
    return this.#loaded.length === 0 || this.#loaded.some((each) => each.testSpelling(plain))
  }

  /** Suggestions, most likely first, alternating between languages. */
  suggest(word: string): readonly string[] {
    const plain = plainWord(word)
    return interleave(this.#loaded.map((each) => each.getSpellingSuggestions(plain))).slice(0, MAX_SUGGESTIONS)
  }
}

/** Loads the dictionaries, skipping unreadable ones. @param wasmFile the Hunspell binary */
export const openHunspell = async (
  wasmFile: string,
  dictionaries: readonly Pick<Dictionary, 'affFile' | 'dicFile'>[],
): Promise<LoadedDictionaries> => {
  // The package's types omit the module's options.
  const start = startHunspell as (given: { readonly wasmBinary: Uint8Array }) => Promise<unknown>
  const module = await start({ wasmBinary: await readFile(wasmFile) })
  const loaded: Hunspell[] = []
  for (const { affFile, dicFile } of dictionaries) {
    try {
      const { aff, dic } = decodeDictionary(await readFile(affFile), await readFile(dicFile))
      loaded.push(new Hunspell(module, aff, dic, undefined))
    } catch {
      // The other languages still work.
    }
  }
  return new LoadedDictionaries(loaded)
}
