import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listDictionaryDirectories, findDictionaries } from '../../../../src/main/spelling/find-dictionaries.ts'
import { decodeDictionary } from '../../../../src/main/spelling/dictionary-text.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const put = async (folder: string, ...names: readonly string[]): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (const name of names) await writeFile(join(folder, name), '1\nx\n')
}

describe('system dictionary folders', () => {
  it('are Hunspell’s, the user’s and the system’s, absolute and each once', () => {
    const folders = listDictionaryDirectories(
      { DICPATH: '/opt/words:words', XDG_DATA_DIRS: '/usr/share:/nix/share' },
      '/home/a',
    )
    expect(folders).toEqual([
      '/opt/words',
      ...['/home/a/.local/share', '/usr/share', '/nix/share'].flatMap((folder) => [
        `${folder}/hunspell`,
        `${folder}/myspell`,
        `${folder}/myspell/dicts`,
      ]),
    ])
  })
})

describe('system dictionaries', () => {
  it('are pairs of files named after a language, from the first folder with them', async () => {
    const [mine, systems] = [temporaryDirectory(), temporaryDirectory()]
    await put(mine, 'en_US.aff', 'en_US.dic')
    await put(systems, 'en_US.aff', 'en_US.dic', 'de_DE.aff', 'de_DE.dic', 'sr_Latn_RS.aff', 'sr_Latn_RS.dic')
    await put(systems, 'fr.dic', 'hyph_de_DE.dic', 'hyph_de_DE.aff', '..dic', 'README')
    const found = await findDictionaries([join(mine, 'none'), mine, systems])
    expect(found.map(({ language, dicFile }) => [language, dicFile])).toEqual([
      ['de-DE', join(systems, 'de_DE.dic')],
      ['en-US', join(mine, 'en_US.dic')],
      ['sr-Latn-RS', join(systems, 'sr_Latn_RS.dic')],
    ])
  })

  it('count once under several names, and not at all if too large', async () => {
    const folder = temporaryDirectory()
    await put(folder, 'de_DE.aff', 'de_DE.dic', 'it_IT.aff', 'it_IT.dic')
    await symlink('de_DE.dic', join(folder, 'de_BE.dic'))
    await symlink('de_DE.aff', join(folder, 'de_BE.aff'))
    await truncate(join(folder, 'it_IT.dic'), 33 * 1024 * 1024)
    await mkdir(join(folder, 'es_ES.dic'))
    expect((await findDictionaries([folder])).map(({ language }) => language)).toEqual(['de-DE'])
  })
})

describe('the text of a dictionary', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

  it('is UTF-8 whatever its encoding, with letters as flags', () => {
    const { aff, dic } = decodeDictionary(bytes('# of us\nSET ISO8859-2\nSFX \xb1 Y 1\n'), bytes('1\n\xb6wiat/\xb1\n'))
    expect(aff).toBe('SET UTF-8\nFLAG UTF-8\n# of us\n\nSFX ą Y 1\n')
    expect(dic).toBe('1\nświat/ą\n')
  })

  it('keeps declared flags, and stays unchanged if it is UTF-8', () => {
    expect(decodeDictionary(bytes('SET microsoft-cp1251\nFLAG num\n'), bytes('1\n\xff/1\n'))).toEqual({
      aff: 'SET UTF-8\n\nFLAG num\n',
      dic: '1\nя/1\n',
    })
    const utf8 = Buffer.from('SET UTF-8\nTRY é\n')
    expect(decodeDictionary(utf8, Buffer.from('1\né\n'))).toEqual({ aff: 'SET UTF-8\nTRY é\n', dic: '1\né\n' })
    expect(decodeDictionary(bytes('TRY a\n'), bytes('1\n\xe9\n')).dic).toBe('1\né\n')
  })
})
