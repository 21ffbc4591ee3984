import type { KeyVault } from '../host/stored-keys.ts'
import { ProblemError } from '../shared/result.ts'
import type { Keychain } from './keychain.ts'

/** Seals keys with the system's keychain. Without a secure one, keys last only until the app exits. */
export const createVault = (opening: Promise<Pick<Keychain, 'isSafe' | 'encrypt' | 'decrypt'>>): KeyVault => ({
  storage: async () => ((await opening).isSafe ? 'keychain' : 'memory'),
  seal: async (apiKey) => {
    const keychain = await opening
    return keychain.isSafe ? (await keychain.encrypt(apiKey)).toString('base64') : null
  },
  unseal: async (sealed) => {
    try {
      const keychain = await opening
      if (!keychain.isSafe) throw new Error('No secure keychain is available.')
      return await keychain.decrypt(Buffer.from(sealed, 'base64'))
    } catch (cause) {
      const message =
        'Your API key could not be read from the system’s keychain. Your mail is safe; enter the key again.'
      throw new ProblemError({ code: 'key_missing', message }, { cause })
    }
  },
})
