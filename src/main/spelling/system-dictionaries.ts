import type { Spelling } from '../../host/spelling.ts'
import { findDictionaries, type Dictionary } from './find-dictionaries.ts'
import { startSpellingThread, type SpellingThread } from './spelling-thread.ts'

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
export interface SystemDictionaries extends Spelling {
  readonly suggest: (word: string, languages: readonly string[]) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

export const openSystemDictionaries = (options: DictionaryOptions): SystemDictionaries => {
  let found: Promise<readonly Dictionary[]> | null = null
  let thread: { readonly of: string; readonly asked: SpellingThread } | null = null

  // Looked for when somebody asks for the first time: a start does not wait for it.
  const dictionaries = (): Promise<readonly Dictionary[]> => (found ??= findDictionaries(options.folders))

  const threadOf = async (languages: readonly string[]): Promise<SpellingThread> => {
    const all = await dictionaries()
    const of = languages.join()
    if (thread?.of === of) return thread.asked
    void thread?.asked.close()
    const { workerFile, wasmFile } = options
    const chosen = all.filter(({ language }) => languages.includes(language))
    const asked = startSpellingThread(workerFile, { wasmFile, dictionaries: chosen })
    thread = { of, asked }
    return asked
  }

  return {
    by: 'dictionaries',
    languages: async () => (await dictionaries()).map(({ language }) => language),
    preferred: options.preferred,
    findMisspelt: async (words, languages) => {
      const misspelt = await (await threadOf(languages)).ask('check', words)
      if (misspelt === null || misspelt.length === 0) return misspelt
      const own = new Set(await options.ownWords())
      return misspelt.filter((word) => !own.has(word))
    },
    suggest: async (word, languages) => (await (await threadOf(languages)).ask('suggest', [word])) ?? [],
    close: async () => thread?.asked.close(),
  }
}
