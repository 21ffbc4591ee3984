import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const AFF = 'SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\nSFX S Y 1\nSFX S 0 s .\n'
export const DIC = '10\nharbour/S\nquay/S\nrope/S\nfree\nnoon\nthe\nis\nat\ntoo\nand\n'

/** Writes dictionaries as on Linux. @returns the environment of a program that uses them, in American English */
export const startDictionaries = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const dictionaries = join(folder, 'dictionaries')
  await mkdir(dictionaries, { recursive: true })
  await writeFile(join(dictionaries, 'en_US.aff'), AFF)
  await writeFile(join(dictionaries, 'en_US.dic'), DIC)
  return { DICPATH: dictionaries, LANG: 'en_US.UTF-8', LANGUAGE: 'en_US', LC_ALL: 'en_US.UTF-8' }
}
