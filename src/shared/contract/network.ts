import { z } from 'zod'
import type { ConnectionStep } from '../connection-test.ts'
import type { ProxyInUse } from '../proxy.ts'
import { host } from './command.ts'
import { accountId, credentials, nothing } from './inputs.ts'

const baseUrl = z.url({ protocol: /^https?$/ }).max(2_000)
/** A proxy's address, as written by `shownProxy`. */
const proxy = z.string().max(2_000)

export const networkCommands = {
  /** The window's network is back: retry waiting requests now. */
  'network.changed': host<null>()(nothing),
  /** The proxy between Linnet and a server, or null. */
  'network.proxy': host<ProxyInUse | null>()(() => z.object({ baseUrl }).strict()),
  /**
   * Stores the name and password for a proxy, in the system's keychain if there is one; an empty name forgets them.
   * They take precedence over the environment's and the proxy URL's. `storage_failed` if they last for this run only.
   */
  'network.proxyLogin': host<null>()(() =>
    z.object({ proxy, name: z.string().max(512), password: z.string().max(2_000) }).strict(),
  ),
  /** True once per proxy and run, so only one window asks for the login on its own. */
  'network.mayAskLogin': host<boolean>()(() => z.object({ proxy }).strict()),
  /** `network.tested` also reports each step as soon as it's known. Typed credentials are not kept. */
  'network.test': host<readonly ConnectionStep[]>()(() =>
    z
      .object({
        run: z.uuid(),
        tested: z.union([z.object({ accountId }).strict(), credentials]),
      })
      .strict(),
  ),
}

export interface NetworkEvents {
  'network.tested': { readonly run: string; readonly steps: readonly ConnectionStep[] }
}
