import type { EngineLink } from '../shared/engine-link.ts'
import { readGrant, writeGrant } from '../shared/grant.ts'
import type { Result } from '../shared/result.ts'
import { AuthorizationServer } from './api/authorization-server.ts'
import { parseBaseUrl } from './api/base-url.ts'
import type { Network } from './network/network.ts'

/** A platform that is slow to take a sign-in back does not keep a person from going. */
const END_SIGN_IN_MS = 5_000

/** @param signal of what a person waits for now */
export const signInCalls = (
  network: Pick<Network, 'open'>,
  attempt: <Value>(work: () => Value | Promise<Value>) => Promise<Result<Value>>,
  signal: () => AbortSignal,
): Pick<EngineLink, 'beginSignIn' | 'finishSignIn' | 'endSignIn'> => {
  const serverAt = (baseUrl: string): AuthorizationServer => new AuthorizationServer(network, parseBaseUrl(baseUrl))
  return {
    beginSignIn: (baseUrl, redirectUri, clientId) =>
      attempt(() => serverAt(baseUrl).begin(redirectUri, clientId, signal())),
    finishSignIn: (begun, answered) =>
      attempt(async () =>
        writeGrant(await serverAt(begun.baseUrl).finish(begun, new URLSearchParams(answered), signal())),
      ),
    endSignIn: ({ baseUrl, apiKey }) =>
      attempt(async () => {
        const held = readGrant(apiKey)
        if (held !== null) await serverAt(baseUrl).revoke(held, AbortSignal.timeout(END_SIGN_IN_MS))
        return null
      }),
  }
}
