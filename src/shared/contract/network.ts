import { z } from 'zod'
import type { ConnectionStep } from '../connection-test.ts'
import type { ProxyInUse } from '../proxy.ts'
import { defineHostCommand } from './command.ts'
import { accountIdSchema, credentialsSchema, emptyInputSchema } from './inputs.ts'

const baseUrl = z.url({ protocol: /^https?$/ }).max(2_000)
/** A proxy's address, as formatted by `formatProxy`. */
const proxy = z.string().max(2_000)

export const networkCommands = {
  /** The window is back online: retry waiting requests now. */
  'network.changed': defineHostCommand<null>()(emptyInputSchema),
  /** The proxy between Linnet and a server, or null. */
  'network.proxy': defineHostCommand<ProxyInUse | null>()(() => z.object({ baseUrl }).strict()),
  /**
   * Stores the name and password for a proxy, in the system's keychain if there is one; an empty name deletes them.
   * They take precedence over a login from the environment or the proxy URL. `storage_failed` if they last for this run
   * only.
   */
  'network.proxyLogin': defineHostCommand<null>()(() =>
    z.object({ proxy, name: z.string().max(512), password: z.string().max(2_000) }).strict(),
  ),
  /** True once per proxy and run, so only one window asks for the login without being told to. */
  'network.mayAskLogin': defineHostCommand<boolean>()(() => z.object({ proxy }).strict()),
  /**
   * Tests the connection. `network.tested` also reports each step as soon as its result is known. Typed credentials are
   * not kept.
   */
  'network.test': defineHostCommand<readonly ConnectionStep[]>()(() =>
    z
      .object({
        run: z.uuid(),
        tested: z.union([z.object({ accountId: accountIdSchema }).strict(), credentialsSchema]),
      })
      .strict(),
  ),
}

export interface NetworkEvents {
  'network.tested': { readonly run: string; readonly steps: readonly ConnectionStep[] }
}
