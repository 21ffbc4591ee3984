import type { Spelling } from '../../host/spelling.ts'
import { findDictionaries, type Dictionary } from './find-dictionaries.ts'
import { SpellingThread } from './spelling-thread.ts'

export interface DictionaryOptions {
  readonly folders: readonly string[]
  /** The thread's own file. */
  readonly workerFile: string
  /** Hunspell itself. */
  readonly wasmFile: string
  readonly preferred: () => readonly string[]
  /** Those that a person has added. */
  readonly ownWords: () => Promise<readonly string[]>
}

/** The dictionaries of a Linux system, which Linnet reads itself: Chromium would fetch its own from elsewhere. */
export class SystemDictionaries implements Spelling {
  readonly by = 'dictionaries'
  readonly #options: DictionaryOptions
  #found: Promise<readonly Dictionary[]> | null = null
  #thread: { readonly of: string; readonly asked: SpellingThread } | null = null

  constructor(options: DictionaryOptions) {
    this.#options = options
  }

  async languages(): Promise<readonly string[]> {
    return (await this.#dictionaries()).map(({ language }) => language)
  }

  preferred(): readonly string[] {
    return this.#options.preferred()
  }

  async findMisspelt(words: readonly string[], languages: readonly string[]): Promise<readonly string[] | null> {
    const misspelt = await (await this.#threadOf(languages)).ask('check', words)
    if (misspelt === null || misspelt.length === 0) return misspelt
    const own = new Set(await this.#options.ownWords())
    return misspelt.filter((word) => !own.has(word))
  }

  /** Words that may be meant, the likeliest first. */
  async suggest(word: string, languages: readonly string[]): Promise<readonly string[]> {
    return (await (await this.#threadOf(languages)).ask('suggest', [word])) ?? []
  }

  async close(): Promise<void> {
    await this.#thread?.asked.close()
  }

  /** Looked for when somebody asks for the first time: a start does not wait for it. */
  #dictionaries(): Promise<readonly Dictionary[]> {
    return (this.#found ??= findDictionaries(this.#options.folders))
  }

  async #threadOf(languages: readonly string[]): Promise<SpellingThread> {
    const all = await this.#dictionaries()
    const of = languages.join()
    if (this.#thread?.of === of) return this.#thread.asked
    void this.#thread?.asked.close()
    const { workerFile, wasmFile } = this.#options
    const chosen = all.filter(({ language }) => languages.includes(language))
    const asked = new SpellingThread(workerFile, { wasmFile, dictionaries: chosen })
    this.#thread = { of, asked }
    return asked
  }
}
