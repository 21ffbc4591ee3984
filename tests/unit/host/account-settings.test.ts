import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Conf from 'conf'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEMO_RECORD, openAccountSettings, type PlatformRecord } from '../../../src/host/account-settings.ts'
import { prepareSettingsFile, SETTINGS_MODE, SETTINGS_NAME } from '../../../src/host/settings-file.ts'

const record: PlatformRecord = {
  id: 'one',
  kind: 'platform',
  baseUrl: 'https://mail.example/',
  inboxes: [{ id: 'inbox', address: 'ada@mail.example' }],
  keyDigest: 'digest',
  sealedKey: 'sealed',
}

const openDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-settings-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, `${SETTINGS_NAME}.json`)
  /** The library of the browser host, which is the one below Electron's too. */
  const open = () => new Conf({ cwd: directory, configName: SETTINGS_NAME, configFileMode: SETTINGS_MODE })
  return { directory, file, open }
}
const modeOf = (file: string): number => statSync(file).mode & 0o777

describe('the accounts in the settings', () => {
  it('are there again at the next start, beside what else is kept there', () => {
    const { open } = openDirectory()
    const store = open()
    store.set({ window: { maximized: true } })
    openAccountSettings(store).keep(record, 'one')
    const again = openAccountSettings(open())
    expect(again.all()).toEqual([record])
    expect(again.current()).toBe('one')
    expect(open().get('window')).toEqual({ maximized: true })
  })

  it('take the place of their older selves, and are forgotten one by one', () => {
    const settings = openAccountSettings(openDirectory().open())
    settings.keep(record, 'one')
    settings.keep({ ...record, sealedKey: null })
    settings.keep(DEMO_RECORD, 'demo')
    expect(settings.all()).toEqual([{ ...record, sealedKey: null }, DEMO_RECORD])
    settings.forget('demo')
    expect(settings.all()).toEqual([{ ...record, sealedKey: null }])
    expect(settings.current()).toBeNull()
  })

  it('keep what another process with the same folder has written meanwhile', () => {
    const { open } = openDirectory()
    const [mine, other] = [openAccountSettings(open()), openAccountSettings(open())]
    mine.keep(record, 'one')
    other.keep({ ...record, id: 'two' })
    mine.keep({ ...record, keyDigest: 'newer' })
    expect(mine.all().map(({ id }) => id)).toEqual(['two', 'one'])
  })

  it('leave out one that cannot be read', () => {
    const { open } = openDirectory()
    open().set({ version: 2, accounts: [{ id: '../../etc', kind: 'platform', baseUrl: 'x' }, 'x', record], current: 7 })
    const settings = openAccountSettings(open())
    expect(settings.all()).toEqual([record])
    expect(settings.current()).toBeNull()
  })

  it('of the first version are handed on until they are adopted', () => {
    const { open } = openDirectory()
    const account = { kind: 'platform', baseUrl: 'https://mail.example', encryptedKey: 'c2VhbGVk' }
    open().set({ account })
    const settings = openAccountSettings(open())
    expect(settings.all()).toEqual([])
    expect(settings.firstVersion()).toEqual(account)
    settings.keep({ ...record, id: 'two' })
    expect(settings.firstVersion()).toEqual(account)
    settings.adopt(record)
    expect(settings.firstVersion()).toBeNull()
    expect(settings.current()).toBe('one')
    expect(settings.all().map(({ id }) => id)).toEqual(['two', 'one'])
  })

  it('of a newer Linnet stay as they are', () => {
    const { open, file } = openDirectory()
    open().set({ version: 3, accounts: { a: 'new shape' } })
    const before = readFileSync(file, 'utf8')
    expect(() => openAccountSettings(open())).toThrow(/newer Linnet/)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

describe('the settings file', () => {
  it('is read and written by its owner alone, also where an older Linnet left it open to others', () => {
    const { file, open } = openDirectory()
    writeFileSync(file, '{"window":{"maximized":false}}')
    chmodSync(file, 0o644)
    expect(prepareSettingsFile(file)).toBeNull()
    expect(modeOf(file)).toBe(0o600)
    openAccountSettings(open()).keep(record, 'one')
    expect(modeOf(file)).toBe(0o600)
    rmSync(file)
    open().set({ version: 2 })
    expect(modeOf(file)).toBe(0o600)
  })

  it.each(['', '{"half":', '[]', '"text"', '\0\0\0\0'])('that holds no settings is kept aside and told: %j', (text) => {
    const { directory, file, open } = openDirectory()
    writeFileSync(file, text)
    const problem = prepareSettingsFile(file, new Date('2026-01-02T03:04:05.678Z'))
    expect(problem?.message).toContain('linnet.set-aside-2026-01-02T03-04-05-678Z.json')
    expect(readdirSync(directory)).toEqual(['linnet.set-aside-2026-01-02T03-04-05-678Z.json'])
    expect(readFileSync(join(directory, 'linnet.set-aside-2026-01-02T03-04-05-678Z.json'), 'utf8')).toBe(text)
    expect(openAccountSettings(open()).all()).toEqual([])
  })

  it.each(['id', 'baseUrl', 'sealedKey'] as const)('of which one letter is another is kept aside: %s', (field) => {
    const { file, open } = openDirectory()
    openAccountSettings(open()).keep(record, 'one')
    expect(prepareSettingsFile(file)).toBeNull()
    const value = record[field] ?? ''
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(value, `${value.slice(0, -1)}_`))
    expect(prepareSettingsFile(file)?.message).toContain('kept aside')
  })

  it.each([
    { version: 2, accounts: { one: record }, current: 'one' },
    { version: 2, accounts: [{ ...record, baseUrl: 7 }], current: 'one' },
    { version: 2, accounts: [record], current: ['one'] },
    { version: '2', accounts: [record], current: 'one' },
  ])('whose shape is another is kept aside: %j', (values) => {
    const { file } = openDirectory()
    writeFileSync(file, JSON.stringify(values))
    expect(prepareSettingsFile(file)?.message).toContain('kept aside')
  })

  it('of an older or a newer Linnet stays where it is', () => {
    const { file } = openDirectory()
    for (const values of [{ version: 2, accounts: [record], current: 'one' }, { version: 3, accounts: {} }, {}]) {
      writeFileSync(file, JSON.stringify(values))
      expect(prepareSettingsFile(file)).toBeNull()
    }
  })

  it('that is not there is no trouble', () => {
    expect(prepareSettingsFile(openDirectory().file)).toBeNull()
  })
})
