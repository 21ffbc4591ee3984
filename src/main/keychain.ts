import type { SafeStorage } from 'electron'
import type { KeyVault } from '../host/stored-keys.ts'
import { createProblem } from '../shared/result.ts'

/** Linux back ends without protection: a password that is the same everywhere, or none chosen yet. */
const UNSAFE_BACKENDS: readonly string[] = ['basic_text', 'unknown']

/** Before Electron 41, `SafeStorage` has only the synchronous methods. Both kinds read each other's output. */
type EitherSafeStorage = Partial<SafeStorage>

const throwNoKeychain = (): never => {
  throw new Error('The system has no keychain.')
}

/* eslint-disable @typescript-eslint/no-deprecated -- available in every Electron; used only if the newer API is missing */

export class Keychain {
  readonly #storage: EitherSafeStorage
  /** False if there is no keychain, or one that only obfuscates. */
  readonly isSafe: boolean

  private constructor(storage: EitherSafeStorage, isSafe: boolean) {
    this.#storage = storage
    this.isSafe = isSafe
  }

  /** Call once the app is ready. */
  static async open(storage: EitherSafeStorage, platform: NodeJS.Platform): Promise<Keychain> {
    const isAvailable = await (storage.isAsyncEncryptionAvailable?.() ?? storage.isEncryptionAvailable?.() ?? false)
    const backend = storage.getSelectedStorageBackend?.() ?? 'unknown'
    return new Keychain(storage, isAvailable && (platform !== 'linux' || !UNSAFE_BACKENDS.includes(backend)))
  }

  async encrypt(text: string): Promise<Buffer> {
    return this.#storage.encryptStringAsync?.(text) ?? this.#storage.encryptString?.(text) ?? throwNoKeychain()
  }

  /** Rejects a secret from another machine or user, or one whose key is gone. */
  async decrypt(secret: Buffer): Promise<string> {
    const decrypted = await this.#storage.decryptStringAsync?.(secret)
    return decrypted?.result ?? this.#storage.decryptString?.(secret) ?? throwNoKeychain()
  }
}

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
      throw createProblem('key_missing', message, cause)
    }
  },
})
