import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, isAbsolute, join } from 'node:path'

export interface Dictionary {
  /** BCP 47 tag. */
  readonly language: string
  readonly affFile: string
  readonly dicFile: string
}

/** Maximum file size in bytes, several times the largest known dictionary. */
const MAX_FILE_BYTES = 32 * 1024 * 1024

const DIC_NAME = /^[a-z]{2,3}(?:[_-][A-Za-z\d]{2,8}){0,3}\.dic$/

/** Hunspell folders on Linux, as Hunspell and LibreOffice search them: `DICPATH`, user, system. Absolute paths only. */
export const listDictionaryDirectories = (env: NodeJS.ProcessEnv, home: string): readonly string[] => {
  const split = (value: string | undefined, otherwise: string): readonly string[] =>
    (value === undefined || value === '' ? otherwise : value).split(delimiter)
  const data = [
    ...split(env.XDG_DATA_HOME, join(home, '.local', 'share')),
    ...split(env.XDG_DATA_DIRS, ['/usr/local/share', '/usr/share'].join(delimiter)),
    '/usr/share',
  ]
  const folders = [
    ...split(env.DICPATH, ''),
    ...data.flatMap((folder) => [join(folder, 'hunspell'), join(folder, 'myspell'), join(folder, 'myspell', 'dicts')]),
  ]
  return [...new Set(folders.filter((folder) => isAbsolute(folder)))]
}

const isReadable = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch(() => null)
  return found?.isFile() === true && found.size <= MAX_FILE_BYTES
}

const languageOf = (dicFile: string): string => basename(dicFile, '.dic').replaceAll('_', '-')

/** The dictionary in a file, or null if it isn't one. For a symbolic link, the target's name sets the language. */
const dictionaryAt = async (dicFile: string): Promise<Dictionary | null> => {
  const real = await realpath(dicFile).catch(() => dicFile)
  const named = DIC_NAME.test(basename(real)) ? real : dicFile
  const affFile = named.replace(/\.dic$/, '.aff')
  if (!(await isReadable(named)) || !(await isReadable(affFile))) return null
  return { language: languageOf(named), affFile, dicFile: named }
}

/** One dictionary per language; the first folder that has one wins. */
export const findDictionaries = async (folders: readonly string[]): Promise<readonly Dictionary[]> => {
  const found = new Map<string, Dictionary>()
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((each) => DIC_NAME.test(each)).sort()) {
      const dictionary = await dictionaryAt(join(folder, name))
      if (dictionary !== null && !found.has(dictionary.language)) found.set(dictionary.language, dictionary)
    }
  }
  return [...found.values()].sort((one, other) => one.language.localeCompare(other.language, 'en'))
}
