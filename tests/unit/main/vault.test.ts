import { describe, expect, it } from 'vitest'
import { openKeychain, type Keychain } from '../../../src/main/keychain.ts'
import { createVault, type VaultStore } from '../../../src/main/vault.ts'

const memoryStore = () => {
  const values = new Map<string, unknown>()
  const store: VaultStore = {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  }
  return { store, written: () => JSON.stringify([...values]) }
}

/** Stands for the system's keychain, which a test machine does not have: reversible, and not plain text. */
const keychain = (isSafe: boolean): Keychain => ({
  isSafe,
  encrypt: (text) => Promise.resolve(Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a))),
  decrypt: (secret) => Promise.resolve(Buffer.from([...secret].map((byte) => byte ^ 0x5a)).toString('utf8')),
})
const account = { kind: 'platform', baseUrl: 'https://mail.example', apiKey: 're_secret' } as const

describe('the vault', () => {
  it('gives back the account that it was given, and writes no key in plain text', async () => {
    const { store, written } = memoryStore()
    await createVault(keychain(true), store).save(account)
    expect(written()).not.toContain('re_secret')
    expect(await createVault(keychain(true), store).load()).toEqual(account)
  })

  it('writes no key at all where the keychain is not safe', async () => {
    const { store, written } = memoryStore()
    const vault = createVault(keychain(false), store)
    await vault.save(account)
    expect(vault.storage).toBe('memory')
    expect(written()).toBe('[]')
  })

  it('forgets an older account when the new one cannot be kept', async () => {
    const { store } = memoryStore()
    await createVault(keychain(true), store).save(account)
    await createVault(keychain(false), store).save({ ...account, apiKey: 're_other' })
    expect(await createVault(keychain(true), store).load()).toBeNull()
  })

  it('says what to do where the keychain no longer gives the key back', async () => {
    const { store } = memoryStore()
    await createVault(keychain(true), store).save(account)
    const broken: Keychain = { ...keychain(true), decrypt: () => Promise.reject(new Error('another user')) }
    await expect(createVault(broken, store).load()).rejects.toThrow(/enter the key once more/)
  })

  it('remembers the demo without a key', async () => {
    const { store } = memoryStore()
    const vault = createVault(keychain(false), store)
    await vault.save({ kind: 'demo' })
    expect(await vault.load()).toEqual({ kind: 'demo' })
    await vault.clear()
    expect(await vault.load()).toBeNull()
  })
})

describe('the keychain', () => {
  const sync = {
    isEncryptionAvailable: () => true,
    encryptString: (text: string) => Buffer.from(`sync:${text}`),
    decryptString: (secret: Buffer) => secret.toString('utf8').slice('sync:'.length),
  }

  it('is not safe on Linux where the password is the same everywhere', async () => {
    expect((await openKeychain({ ...sync, getSelectedStorageBackend: () => 'basic_text' }, 'linux')).isSafe).toBe(false)
    expect((await openKeychain({ ...sync, getSelectedStorageBackend: () => 'kwallet6' }, 'linux')).isSafe).toBe(true)
    expect((await openKeychain(sync, 'darwin')).isSafe).toBe(true)
  })

  it('works with an Electron that has only the older half', async () => {
    const opened = await openKeychain(sync, 'win32')
    expect(await opened.decrypt(await opened.encrypt('re_secret'))).toBe('re_secret')
  })

  it('prefers the newer half', async () => {
    const opened = await openKeychain(
      {
        ...sync,
        isAsyncEncryptionAvailable: () => Promise.resolve(true),
        encryptStringAsync: (text) => Promise.resolve(Buffer.from(`async:${text}`)),
      },
      'darwin',
    )
    expect((await opened.encrypt('x')).toString()).toBe('async:x')
  })
})
