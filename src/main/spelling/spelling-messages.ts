import type { Dictionary } from './find-dictionaries.ts'

export interface SpellingWorkerData {
  readonly wasmFile: string
  readonly dictionaries: readonly Dictionary[]
}

export interface SpellingRequest {
  readonly id: number
  /** `check` returns the misspelt words, `suggest` the suggestions. */
  readonly kind: 'check' | 'suggest'
  readonly words: readonly string[]
}

export interface SpellingResponse {
  readonly id: number
  readonly words: readonly string[]
}
