import type { SafeStorage } from 'electron'

/** Linux back ends that keep nothing secret: a password that is the same everywhere, or none chosen yet. */
const UNSAFE_BACKENDS: readonly string[] = ['basic_text', 'unknown']

/** Electron before 41 has the synchronous half of `SafeStorage` only; what one half wrote the other reads. */
type EitherSafeStorage = Partial<SafeStorage>

const missing = (): never => {
  throw new Error('The system has no keychain.')
}

/* eslint-disable @typescript-eslint/no-deprecated -- the half that every Electron has; used only where the newer one is missing */

/** The system's place for secrets, as far as the vault needs it. */
export class Keychain {
  readonly #storage: EitherSafeStorage
  /** False where the system has none, or one that only scrambles. */
  readonly isSafe: boolean

  private constructor(storage: EitherSafeStorage, isSafe: boolean) {
    this.#storage = storage
    this.isSafe = isSafe
  }

  /** To be called when the app is ready. */
  static async open(storage: EitherSafeStorage, platform: NodeJS.Platform): Promise<Keychain> {
    const isAvailable = await (storage.isAsyncEncryptionAvailable?.() ?? storage.isEncryptionAvailable?.() ?? false)
    const backend = storage.getSelectedStorageBackend?.() ?? 'unknown'
    return new Keychain(storage, isAvailable && (platform !== 'linux' || !UNSAFE_BACKENDS.includes(backend)))
  }

  async encrypt(text: string): Promise<Buffer> {
    return this.#storage.encryptStringAsync?.(text) ?? this.#storage.encryptString?.(text) ?? missing()
  }

  /** Rejects where the secret was made on another machine, for another user, or with a key that is gone. */
  async decrypt(secret: Buffer): Promise<string> {
    const decrypted = await this.#storage.decryptStringAsync?.(secret)
    return decrypted?.result ?? this.#storage.decryptString?.(secret) ?? missing()
  }
}
