import type { Dictionary } from './find-dictionaries.ts'

/** What the thread that checks words is made of. */
export interface SpellingThreadData {
  /** Hunspell itself. */
  readonly wasmFile: string
  readonly dictionaries: readonly Dictionary[]
}

export interface SpellingQuestion {
  readonly id: number
  /** Which of the words are misspelt, or what may be meant by them. */
  readonly kind: 'check' | 'suggest'
  readonly words: readonly string[]
}

export interface SpellingAnswer {
  readonly id: number
  readonly words: readonly string[]
}
