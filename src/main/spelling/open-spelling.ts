import type { App, Session } from 'electron'
import type { Spelling } from '../../host/spelling.ts'
import { languagesOfSystem } from '../../shared/spelling.ts'
import { type Dictionary, dictionaryFolders, findDictionaries } from './find-dictionaries.ts'
import { isCheckedBySystem } from './is-checked-by-system.ts'
import { SpellingThread } from './spelling-thread.ts'

export interface MisspeltWord {
  readonly misspelledWord: string
  /** The system's suggestions. Empty if Linnet checks the spelling itself. */
  readonly dictionarySuggestions: readonly string[]
}

export interface DesktopSpelling {
  readonly checker: Spelling
  readonly suggest: (word: MisspeltWord, languages: readonly string[]) => Promise<readonly string[]>
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
const openSystemSpelling = ({ app, session, platform }: SpellingOptions): DesktopSpelling => ({
  checker: {
    by: 'system',
    languages: () =>
      Promise.resolve(
        platform === 'darwin'
          ? []
          : languagesOfSystem(session().availableSpellCheckerLanguages, app.getPreferredSystemLanguages()),
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

const openDictionarySpelling = ({ app, session, env, workerFile, wasmFile }: SpellingOptions): DesktopSpelling => {
  const dictionaries = new SystemDictionaries({
    folders: dictionaryFolders(env, app.getPath('home')),
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
export const openSpelling = (options: SpellingOptions): DesktopSpelling =>
  isCheckedBySystem(options.platform) ? openSystemSpelling(options) : openDictionarySpelling(options)
