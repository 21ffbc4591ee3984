import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { StoredAccounts, type PlatformAccountRecord } from '../../../src/host/stored-accounts.ts'
import { HostPreferences } from '../../../src/host/preferences.ts'
import { openSettingsFile, prepareSettingsFile } from '../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../src/host/settings-names.ts'
import { openSettingsStore } from '../../../src/main/settings-store.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'

// Outside Electron, its store uses the folder it is given.
vi.mock('electron', () => ({ default: {} }))

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

const openDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'linnet-store-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return { directory, file: join(directory, `${SETTINGS_NAME}.json`) }
}

describe('Electron settings', () => {
  it('share the file of the other hosts, readable only by its owner', () => {
    const { directory, file } = openDirectory()
    const store = openSettingsStore(directory, SETTINGS_NAME)
    expect(store.get('windows')).toBeUndefined()
    const windows = [{ bounds: { x: 1, y: 2, width: 900, height: 700 }, maximized: false, address: '/inbox.x' }]
    store.set({ windows, 'a.b': 1 })
    new StoredAccounts(openSettingsFile(file)).keep(record)
    expect(new StoredAccounts(store).all()).toEqual([record])
    expect([store.get('windows'), store.get('a.b'), store.get('a')]).toEqual([windows, 1, undefined])
    expect(openSettingsFile(file).get('windows')).toEqual(windows)
    expect(prepareSettingsFile(file)).toBeNull()
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual([`${SETTINGS_NAME}.json`])
  })

  it('keep what another Linnet has written to the folder meanwhile', () => {
    const { directory } = openDirectory()
    const open = () => new StoredAccounts(openSettingsStore(directory, SETTINGS_NAME))
    const [mine, other] = [open(), open()]
    mine.keep(record)
    other.keep({ ...record, id: 'two' })
    mine.keep({ ...record, keyDigest: 'newer' })
    expect(mine.all().map(({ id }) => id)).toEqual(['one', 'two'])
  })

  it('are set aside if unreadable, and start afresh', () => {
    const { directory, file } = openDirectory()
    for (const broken of ['', '{', '[]', 'null']) {
      writeFileSync(file, broken)
      expect(prepareSettingsFile(file)?.code, broken).toBe('storage_failed')
      const store = openSettingsStore(directory, SETTINGS_NAME)
      expect(store.get('accounts')).toBeUndefined()
      rmSync(file, { force: true })
    }
  })

  it('stay unchanged if they can’t be written, and report it', () => {
    const { directory } = openDirectory()
    const place = join(directory, 'data')
    const store = openSettingsStore(place, 'preferences')
    store.set({ theme: 'dark' })
    rmSync(place, { recursive: true })
    // A file in place of the folder makes writes fail.
    writeFileSync(place, 'in the way')
    expect(() => store.set({ theme: 'light' })).toThrow()
    rmSync(place)
    const preferences = new HostPreferences(openSettingsStore(place, 'preferences'), null, () => undefined)
    expect(preferences.current()).toEqual(DEFAULT_PREFERENCES)
    const whole = { ...DEFAULT_PREFERENCES, keys: { 'thread.archive': ['y', 'g y'] } }
    void preferences.handlers()['preferences.set'](whole, { accountId: null, caller: 'window' })
    expect(JSON.parse(readFileSync(join(place, 'preferences.json'), 'utf8'))).toEqual(whole)
  })
})
