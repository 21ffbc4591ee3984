import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  StoredAccounts,
  digestSettings,
  type DemoAccountRecord,
  type PlatformAccountRecord,
} from '../../../src/host/stored-accounts.ts'
import { openSettingsFile, prepareSettingsFile } from '../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../src/host/settings-names.ts'

const record: PlatformAccountRecord = {
  id: 'one',
  kind: 'platform',
  baseUrl: 'https://mail.example/',
  inboxes: [{ id: 'inbox', address: 'ada@mail.example' }],
  keyDigest: 'digest',
  sealedKey: 'sealed',
  name: 'Support',
  color: '#12A594',
  isConnected: true,
}
const demo: DemoAccountRecord = { id: 'demo', kind: 'demo', name: null, color: '#5B5BD6', isConnected: true }

const openDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-settings-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, `${SETTINGS_NAME}.json`)
  const open = () => openSettingsFile(file)
  return { directory, file, open }
}
const modeOf = (file: string): number => statSync(file).mode & 0o777

describe('stored accounts', () => {
  it('are restored at the next start, next to other settings', () => {
    const { open } = openDirectory()
    const store = open()
    store.set({ window: { maximized: true } })
    new StoredAccounts(store).keep(record)
    const again = new StoredAccounts(open())
    expect(again.all()).toEqual([record])
    expect(open().get('window')).toEqual({ maximized: true })
  })

  it('replace older versions, and are forgotten one by one', () => {
    const settings = new StoredAccounts(openDirectory().open())
    settings.keep(record)
    settings.keep({ ...record, sealedKey: null })
    settings.keep(demo)
    expect(settings.all()).toEqual([{ ...record, sealedKey: null }, demo])
    settings.forget('demo')
    expect(settings.all()).toEqual([{ ...record, sealedKey: null }])
  })

  it('keep what another process has written to the folder meanwhile', () => {
    const { open } = openDirectory()
    const [mine, other] = [new StoredAccounts(open()), new StoredAccounts(open())]
    mine.keep(record)
    other.keep({ ...record, id: 'two' })
    mine.keep({ ...record, keyDigest: 'newer' })
    expect(mine.all().map(({ id }) => id)).toEqual(['one', 'two'])
  })

  it('leave out an unreadable one', () => {
    const { open } = openDirectory()
    open().set({ version: 1, accounts: [{ ...record, id: '../../etc' }, 'x', record] })
    const settings = new StoredAccounts(open())
    expect(settings.all()).toEqual([record])
  })

  it('follow the user’s order', () => {
    const settings = new StoredAccounts(openDirectory().open())
    for (const id of ['one', 'two', 'three']) settings.keep({ ...record, id })
    const order = () => settings.all().map(({ id }) => id)
    settings.move('three', 'one')
    expect(order()).toEqual(['three', 'one', 'two'])
    settings.move('three', null)
    expect(order()).toEqual(['one', 'two', 'three'])
    settings.move('one', 'nobody')
    expect(order()).toEqual(['two', 'three', 'one'])
    settings.move('nobody', 'one')
    expect(order()).toEqual(['two', 'three', 'one'])
    settings.keep({ ...record, id: 'three', name: 'Renamed' })
    expect(order()).toEqual(['two', 'three', 'one'])
  })

  it('stay unchanged if a newer Linnet wrote them', () => {
    const { open, file } = openDirectory()
    open().set({ version: 2, accounts: { a: 'new shape' } })
    const before = readFileSync(file, 'utf8')
    expect(() => new StoredAccounts(open())).toThrow(/newer version of Linnet/)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

describe('the settings file', () => {
  it('is read and written only by its owner, even if it was left open', () => {
    const { file, open } = openDirectory()
    writeFileSync(file, '{"window":{"maximized":false}}')
    chmodSync(file, 0o644)
    expect(prepareSettingsFile(file)).toBeNull()
    expect(modeOf(file)).toBe(0o600)
    new StoredAccounts(open()).keep(record)
    expect(modeOf(file)).toBe(0o600)
    rmSync(file)
    open().set({ version: 1 })
    expect(modeOf(file)).toBe(0o600)
  })

  it.each(['', '{"half":', '[]', '"text"', '\0\0\0\0'])('is set aside and reported without settings: %j', (text) => {
    const { directory, file, open } = openDirectory()
    writeFileSync(file, text)
    const problem = prepareSettingsFile(file, new Date('2026-01-02T03:04:05.678Z'))
    expect(problem?.message).toContain('linnet.set-aside-2026-01-02T03-04-05-678Z.json')
    expect(readdirSync(directory)).toEqual(['linnet.set-aside-2026-01-02T03-04-05-678Z.json'])
    expect(readFileSync(join(directory, 'linnet.set-aside-2026-01-02T03-04-05-678Z.json'), 'utf8')).toBe(text)
    expect(new StoredAccounts(open()).all()).toEqual([])
  })

  it.each(['id', 'baseUrl', 'sealedKey'] as const)('is set aside with one wrong byte: %s', (field) => {
    const { file, open } = openDirectory()
    new StoredAccounts(open()).keep(record)
    expect(prepareSettingsFile(file)).toBeNull()
    const value = record[field] ?? ''
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(value, `${value.slice(0, -1)}_`))
    expect(prepareSettingsFile(file)?.message).toContain('was renamed to')
  })

  it.each([
    { version: 1, accounts: { one: record } },
    { version: 1, accounts: [{ ...record, baseUrl: 7 }] },
    { version: '1', accounts: [record] },
    { version: 0, accounts: [record] },
  ])('is set aside with another shape: %j', (values) => {
    const { file } = openDirectory()
    writeFileSync(file, JSON.stringify({ ...values, digest: digestSettings(values) }))
    expect(prepareSettingsFile(file)?.message).toContain('was renamed to')
  })

  it('stays if a newer Linnet wrote it, or without accounts', () => {
    const { file } = openDirectory()
    for (const values of [{ version: 2, accounts: {} }, { window: { maximized: true } }, {}]) {
      writeFileSync(file, JSON.stringify(values))
      expect(prepareSettingsFile(file)).toBeNull()
    }
  })

  it('may be missing', () => {
    expect(prepareSettingsFile(openDirectory().file)).toBeNull()
  })
})
