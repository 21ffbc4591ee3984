import type { SafeStorage } from 'electron'

/** The system's place for secrets, as far as the vault needs it. */
export interface Keychain {
  /** False where the system has none, or one that only scrambles. */
  readonly isSafe: boolean
  readonly encrypt: (text: string) => Promise<Buffer>
  /** Rejects where the secret was made on another machine, for another user, or with a key that is gone. */
  readonly decrypt: (secret: Buffer) => Promise<string>
}

/** Linux back ends that keep nothing secret: a password that is the same everywhere, or none chosen yet. */
const UNSAFE_BACKENDS: readonly string[] = ['basic_text', 'unknown']

/** Electron before 41 has the synchronous half of `SafeStorage` only; what one half wrote the other reads. */
type EitherSafeStorage = Partial<SafeStorage>

/** Opens the system's keychain. To be called when the app is ready. */
export const openKeychain = async (storage: EitherSafeStorage, platform: NodeJS.Platform): Promise<Keychain> => {
  /* eslint-disable @typescript-eslint/no-deprecated -- the half that every Electron has; used only where the newer one is missing */
  const isAvailable = await (storage.isAsyncEncryptionAvailable?.() ?? storage.isEncryptionAvailable?.() ?? false)
  const isReal = platform !== 'linux' || !UNSAFE_BACKENDS.includes(storage.getSelectedStorageBackend?.() ?? 'unknown')
  const missing = (): never => {
    throw new Error('The system has no keychain.')
  }
  return {
    isSafe: isAvailable && isReal,
    encrypt: async (text) => storage.encryptStringAsync?.(text) ?? storage.encryptString?.(text) ?? missing(),
    decrypt: async (secret) => {
      const decrypted = await storage.decryptStringAsync?.(secret)
      return decrypted?.result ?? storage.decryptString?.(secret) ?? missing()
    },
  }
  /* eslint-enable @typescript-eslint/no-deprecated */
}
