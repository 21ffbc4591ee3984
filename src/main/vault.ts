import { z } from 'zod'
import type { RememberedAccount, Vault } from '../host/start-host.ts'
import { ProblemError } from '../shared/result.ts'
import type { Keychain } from './keychain.ts'

/** The one setting that the vault keeps: nothing in it is readable without the system's keychain. */
export interface VaultStore {
  get: (key: 'account') => unknown
  set: (key: 'account', value: unknown) => void
  delete: (key: 'account') => void
}

const storedSchema = z.union([
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('platform'), baseUrl: z.string(), encryptedKey: z.string() }),
])

/**
 * Keeps the account between two starts, its key encrypted by the system's keychain. Without a safe one the key is not
 * written at all: it lasts as long as the app runs.
 */
export const createVault = (keychain: Keychain, store: VaultStore): Vault => ({
  storage: keychain.isSafe ? 'keychain' : 'memory',
  load: async () => {
    const kept = store.get('account')
    if (kept === undefined) return null
    const stored = storedSchema.safeParse(kept).data
    if (stored?.kind === 'demo') return { kind: 'demo' }
    try {
      if (stored === undefined || !keychain.isSafe) throw new Error('The stored account cannot be opened.')
      const apiKey = await keychain.decrypt(Buffer.from(stored.encryptedKey, 'base64'))
      return { kind: 'platform', baseUrl: stored.baseUrl, apiKey }
    } catch (cause) {
      const message =
        'The system’s keychain does not give your API key back. Your mail is kept; enter the key once more.'
      throw new ProblemError({ code: 'key_rejected', message }, { cause })
    }
  },
  save: async (remembered: RememberedAccount) => {
    if (remembered.kind === 'demo') {
      store.set('account', remembered)
    } else if (keychain.isSafe) {
      const encryptedKey = (await keychain.encrypt(remembered.apiKey)).toString('base64')
      store.set('account', { kind: 'platform', baseUrl: remembered.baseUrl, encryptedKey })
    } else {
      store.delete('account')
    }
  },
  clear: () => {
    store.delete('account')
    return Promise.resolve()
  },
})
