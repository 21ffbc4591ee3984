import { z } from 'zod'
import { formatProxy, type Proxy } from '../shared/proxy.ts'
import type { KeyVault } from './stored-keys.ts'
import type { SettingsStore } from './settings-file.ts'

const SETTING = 'proxyLogins'
const login = z.object({ name: z.string(), password: z.string() })
export type ProxyLogin = Readonly<z.infer<typeof login>>

/** Proxy logins, sealed like keys, or kept for this run only if nothing can seal them. */
export class ProxyLogins {
  readonly #settings: SettingsStore
  readonly #vault: Pick<KeyVault, 'seal' | 'unseal'>
  readonly #known = new Map<string, ProxyLogin | null>()

  constructor(settings: SettingsStore, vault: Pick<KeyVault, 'seal' | 'unseal'>) {
    this.#settings = settings
    this.#vault = vault
  }

  /** Null if there is none, or the keychain doesn't return it. */
  async at(proxy: Proxy): Promise<ProxyLogin | null> {
    const shown = formatProxy(proxy)
    const known = this.#known.get(shown)
    if (known !== undefined) return known
    const sealed = this.#sealed()[shown]
    const found = sealed === undefined ? null : await this.#unseal(sealed)
    this.#known.set(shown, found)
    return found
  }

  /** @param given null to delete it. @throws disk errors; the login still applies to this run */
  async keep(proxy: Proxy, given: ProxyLogin | null): Promise<void> {
    const shown = formatProxy(proxy)
    this.#known.set(shown, given)
    const sealed = given === null ? null : await this.#vault.seal(JSON.stringify(given))
    const { [shown]: _, ...others } = this.#sealed()
    this.#settings.set({ [SETTING]: { ...others, ...(sealed !== null && { [shown]: sealed }) } })
  }

  #sealed(): Readonly<Record<string, string>> {
    return z.record(z.string(), z.string()).safeParse(this.#settings.get(SETTING)).data ?? {}
  }

  async #unseal(sealed: string): Promise<ProxyLogin | null> {
    try {
      return login.safeParse(JSON.parse(await this.#vault.unseal(sealed))).data ?? null
    } catch {
      return null
    }
  }
}
