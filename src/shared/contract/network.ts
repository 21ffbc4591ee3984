/** How Linnet reaches servers from the network that this computer is in. */
import { z } from 'zod'
import type { ConnectionStep } from '../connection-test.ts'
import type { ProxyInUse } from '../proxy.ts'
import { host } from './command.ts'
import { accountId, credentials, nothing } from './inputs.ts'

/** The address of an account's platform. */
const baseUrl = z.url({ protocol: /^https?$/ }).max(2_000)
/** A proxy's address, as `shownProxy` writes it. */
const proxy = z.string().max(2_000)

export const networkCommands = {
  /** A window’s network is there again: what waits goes now. */
  'network.changed': host<null>()(nothing),
  /** The proxy through which a server is reached; null if none is between. */
  'network.proxy': host<ProxyInUse | null>()(() => z.object({ baseUrl }).strict()),
  /**
   * Keeps the name and password that a proxy wants, in the system's keychain if there is one; an empty name forgets them. They come
   * before those of the environment and of the proxy's own address. `storage_failed` if they hold for this run alone.
   */
  'network.proxyLogin': host<null>()(() =>
    z.object({ proxy, name: z.string().max(512), password: z.string().max(2_000) }).strict(),
  ),
  /** Whether a window is to ask for them by itself: once for each proxy, whichever window is first, until Linnet ends. */
  'network.mayAskLogin': host<boolean>()(() => z.object({ proxy }).strict()),
  /**
   * Makes a connection as Linnet does, and says how each step went; each is told by `network.tested` as well, as soon as it is known.
   * What is typed is not kept.
   */
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
  /** So far has a test of the connection come. */
  'network.tested': { readonly run: string; readonly steps: readonly ConnectionStep[] }
}
