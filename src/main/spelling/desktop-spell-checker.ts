import type { App, Session } from 'electron'
import type { SpellChecker } from '../../host/spelling.ts'
import { pickSystemLanguages } from '../../shared/spelling.ts'
import { type Dictionary, listDictionaryDirectories, findDictionaries } from './find-dictionaries.ts'
import { hasSystemSpellChecker } from './system-spell-checker.ts'
import { SpellingWorkerClient } from './spelling-worker-client.ts'

export interface MisspelledWord {
  readonly misspelledWord: string
  /** The system's suggestions. Empty if Linnet checks the spelling itself. */
  readonly dictionarySuggestions: readonly string[]
}

export interface DesktopSpellChecker {
  readonly checker: SpellChecker
  readonly suggest: (word: MisspelledWord, languages: readonly string[]) => Promise<readonly string[]>
  readonly addWord: (word: string) => void
  /** Turns the system's spell checker on or off. */
  readonly follow: (isWanted: boolean, languages: readonly string[]) => void
  readonly close: () => Promise<void>
}

interface SpellingOptions {
  readonly app: Pick<App, 'getPreferredSystemLanguages' | 'getPath'>
  /** A getter, because the session exists only once the app is ready. */
  readonly session: () => Pick<
    Session,
    | 'addWordToSpellCheckerDictionary'
    | 'availableSpellCheckerLanguages'
    | 'listWordsInSpellCheckerDictionary'
    | 'setSpellCheckerEnabled'
    | 'setSpellCheckerLanguages'
  >
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly workerFile: string
  readonly wasmFile: string
}

/** macOS detects the language of each sentence. On Windows, the languages come from the user's settings. */
const openSystemSpelling = ({ app, session, platform }: SpellingOptions): DesktopSpellChecker => ({
  checker: {
    by: 'system',
    languages: () =>
      Promise.resolve(
        platform === 'darwin'
          ? []
          : pickSystemLanguages(session().availableSpellCheckerLanguages, app.getPreferredSystemLanguages()),
      ),
    preferred: () => app.getPreferredSystemLanguages(),
    findMisspelt: () => Promise.resolve([]),
  },
  suggest: ({ dictionarySuggestions }) => Promise.resolve(dictionarySuggestions),
  addWord: (word) => void session().addWordToSpellCheckerDictionary(word),
  follow: (isWanted, languages) => {
    // Set the languages first: without any, Windows would check in the system's languages, even if their dictionaries
    // are missing.
    if (platform === 'win32') session().setSpellCheckerLanguages([...languages])
    session().setSpellCheckerEnabled(isWanted && (platform === 'darwin' || languages.length > 0))
  },
  close: () => Promise.resolve(),
})

interface DictionaryOptions {
  readonly folders: readonly string[]
  readonly workerFile: string
  readonly wasmFile: string
  readonly preferred: () => readonly string[]
  readonly ownWords: () => Promise<readonly string[]>
}

/** Linux dictionaries, read by Linnet itself because Chromium would download its own. */
export class HunspellChecker implements SpellChecker {
  readonly by = 'dictionaries'
  readonly #options: DictionaryOptions
  #found: Promise<readonly Dictionary[]> | null = null
  #thread: { readonly of: string; readonly asked: SpellingWorkerClient } | null = null

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

  async suggest(word: string, languages: readonly string[]): Promise<readonly string[]> {
    return (await (await this.#threadOf(languages)).ask('suggest', [word])) ?? []
  }

  async close(): Promise<void> {
    await this.#thread?.asked.close()
  }

  /** Searched on first use, so that the start doesn't wait. */
  #dictionaries(): Promise<readonly Dictionary[]> {
    return (this.#found ??= findDictionaries(this.#options.folders))
  }

  async #threadOf(languages: readonly string[]): Promise<SpellingWorkerClient> {
    const all = await this.#dictionaries()
    const of = languages.join()
    if (this.#thread?.of === of) return this.#thread.asked
    void this.#thread?.asked.close()
    const { workerFile, wasmFile } = this.#options
    const chosen = all.filter(({ language }) => languages.includes(language))
    const asked = new SpellingWorkerClient(workerFile, { wasmFile, dictionaries: chosen })
    this.#thread = { of, asked }
    return asked
  }
}

const openDictionarySpelling = ({ app, session, env, workerFile, wasmFile }: SpellingOptions): DesktopSpellChecker => {
  const dictionaries = new HunspellChecker({
    folders: listDictionaryDirectories(env, app.getPath('home')),
    workerFile,
    wasmFile,
    preferred: () => app.getPreferredSystemLanguages(),
    ownWords: () => session().listWordsInSpellCheckerDictionary(),
  })
  return {
    checker: dictionaries,
    suggest: ({ misspelledWord }, languages) => dictionaries.suggest(misspelledWord, languages),
    addWord: (word) => void session().addWordToSpellCheckerDictionary(word),
    follow: () => undefined,
    close: () => dictionaries.close(),
  }
}

/** Spell checking with installed dictionaries only. Downloads nothing. */
export const openSpellChecker = (options: SpellingOptions): DesktopSpellChecker =>
  hasSystemSpellChecker(options.platform) ? openSystemSpelling(options) : openDictionarySpelling(options)
