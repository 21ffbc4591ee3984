import { describe, expect, it } from 'vitest'
import { Keychain, createVault } from '../../../src/main/keychain.ts'

/** A fake system keychain, as test machines have none: reversible, but not plain text. */
const keychain = (isSafe: boolean): Pick<Keychain, 'isSafe' | 'encrypt' | 'decrypt'> => ({
  isSafe,
  encrypt: (text) => Promise.resolve(Buffer.from([...Buffer.from(text)].map((byte) => byte ^ 0x5a))),
  decrypt: (secret) => Promise.resolve(Buffer.from([...secret].map((byte) => byte ^ 0x5a)).toString('utf8')),
})

describe('the vault', () => {
  it('returns the key it sealed, which nobody else can read', async () => {
    const vault = createVault(Promise.resolve(keychain(true)))
    const sealed = (await vault.seal('re_secret')) ?? ''
    expect(sealed).not.toBe('')
    expect(sealed).not.toContain('re_secret')
    expect(Buffer.from(sealed, 'base64').toString()).not.toContain('re_secret')
    expect(await createVault(Promise.resolve(keychain(true))).unseal(sealed)).toBe('re_secret')
  })

  it('seals no key if the keychain isn’t safe', async () => {
    const vault = createVault(Promise.resolve(keychain(false)))
    expect(await vault.storage()).toBe('memory')
    expect(await vault.seal('re_secret')).toBeNull()
  })

  it('says what to do if the keychain can’t return the key', async () => {
    const sealed = (await createVault(Promise.resolve(keychain(true))).seal('re_secret')) ?? ''
    const broken = { ...keychain(true), decrypt: () => Promise.reject(new Error('another user')) }
    await expect(createVault(Promise.resolve(broken)).unseal(sealed)).rejects.toThrow(/enter the key again/)
    await expect(createVault(Promise.resolve(keychain(false))).unseal(sealed)).rejects.toThrow(/enter the key again/)
  })
})

describe('the keychain', () => {
  const sync = {
    isEncryptionAvailable: () => true,
    encryptString: (text: string) => Buffer.from(`sync:${text}`),
    decryptString: (secret: Buffer) => secret.toString('utf8').slice('sync:'.length),
  }

  it('isn’t safe on Linux if the password is the same everywhere', async () => {
    expect((await Keychain.open({ ...sync, getSelectedStorageBackend: () => 'basic_text' }, 'linux')).isSafe).toBe(
      false,
    )
    expect((await Keychain.open({ ...sync, getSelectedStorageBackend: () => 'kwallet6' }, 'linux')).isSafe).toBe(true)
    expect((await Keychain.open(sync, 'darwin')).isSafe).toBe(true)
  })

  it('works with an Electron that has only the older API', async () => {
    const opened = await Keychain.open(sync, 'win32')
    expect(await opened.decrypt(await opened.encrypt('re_secret'))).toBe('re_secret')
  })

  it('prefers the newer API', async () => {
    const opened = await Keychain.open(
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
