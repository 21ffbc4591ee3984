import * as oauth from 'oauth4webapi'
import type { SignInAttempt, SignInServer } from '../../shared/engine-api.ts'
import type { Grant } from '../../shared/grant.ts'
import { ProblemError, createProblem } from '../../shared/result.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Network } from './network.ts'
import { createBytesBody } from './outgoing-body.ts'
import { MINIMUM_SPEED } from './timeouts.ts'
import { USER_AGENT } from './version.ts'
import { toUnreachableError } from './platform-problem.ts'
import { readBody } from './read-body.ts'
import { REDIRECT_STATUSES } from './signed-downloads.ts'

/** OAuth scope (platform.md 3.6). Inboxes, contacts and received mail need all of it. */
const SCOPE = 'full_access'
/** Limits for one request (milliseconds) and response (bytes). */
const REQUEST_TIMEOUT_MS = 20_000
const MAX_RESPONSE_BYTES = 256 * 1024
/** Maximum characters of a token or client ID. Servers reject headers much longer than this. */
const MAX_TOKEN_LENGTH = 8_192

const noSignIn = (): ProblemError =>
  createProblem('not_found', 'This platform does not support browser sign-in. Use an API key.')
const securityCheckFailed = (): ProblemError =>
  createProblem('refused', 'Sign-in failed a security check. Nothing was kept. Try again.')
const accessDenied = (): ProblemError => createProblem('refused', 'You did not allow access, so nothing was connected.')
const signInEnded = (): ProblemError =>
  createProblem('key_rejected', 'Your sign-in has ended. Sign in again. Your mail stays on this computer.')

const isServerError = (cause: unknown): boolean => cause instanceof Response && cause.status >= 500
const signInFailed = (): ProblemError =>
  createProblem('platform_failed', 'The platform could not complete the sign-in. Try again later.')

/** Maps the OAuth library's errors to problems. Server text is never repeated: it may contain a token. */
const toSignInError = (thrown: unknown): unknown => {
  if (thrown instanceof ProblemError) return thrown
  if (thrown instanceof oauth.AuthorizationResponseError)
    return thrown.error === 'access_denied' ? accessDenied() : securityCheckFailed()
  if (thrown instanceof oauth.ResponseBodyError) {
    if (thrown.error === 'invalid_grant') return signInEnded()
    return thrown.status >= 500 ? signInFailed() : securityCheckFailed()
  }
  if (thrown instanceof oauth.OperationProcessingError || thrown instanceof oauth.UnsupportedOperationError) {
    return isServerError(thrown.cause) ? signInFailed() : securityCheckFailed()
  }
  return thrown
}

interface FetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | string | undefined
}
type Fetch = (url: string, asked: FetchOptions) => Promise<Response>

/**
 * `fetch` for the OAuth library. Uses the user's network settings and only connects to the platform. Doesn't follow
 * redirects.
 */
const createFetch =
  (pool: ConnectionPool, origin: string, signal: AbortSignal): Fetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address)
    if (url.origin !== origin) throw securityCheckFailed()
    const bytes = Buffer.from(body?.toString() ?? '')
    try {
      const answer = await pool.request({
        method,
        url,
        headers: {
          ...headers,
          'user-agent': USER_AGENT,
          ...(bytes.length > 0 && { 'content-length': String(bytes.length) }),
        },
        body: bytes.length === 0 ? null : createBytesBody(bytes),
        timeout: { silence: REQUEST_TIMEOUT_MS, speed: MINIMUM_SPEED },
        beforeRetry: null,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      })
      const read = Buffer.from(await readBody(answer.body, MAX_RESPONSE_BYTES, securityCheckFailed))
      const { 'content-type': type } = answer.headers
      const isEmpty =
        read.length === 0 || [204, 304].includes(answer.status) || REDIRECT_STATUSES.includes(answer.status)
      return new Response(isEmpty ? null : read, {
        status: answer.status,
        headers: type === undefined ? {} : { 'content-type': type },
      })
    } catch (thrown) {
      if (thrown instanceof ProblemError) throw thrown
      signal.throwIfAborted()
      throw toUnreachableError(thrown, false, null)
    }
  }

type Endpoints = Pick<SignInServer, 'issuer' | 'token_endpoint' | 'revocation_endpoint'>

interface Options {
  readonly [oauth.customFetch]: Fetch
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to stand out; there is no alternative
  readonly [oauth.allowInsecureRequests]: boolean
}

/**
 * OAuth 2.1 with PKCE for public clients (platform.md 3.4). Endpoints must be on the platform's origin. Only the
 * sign-in page may be elsewhere, if responses name their issuer.
 */
export class AuthorizationServer {
  readonly #network: Pick<Network, 'open'>
  readonly #baseUrl: URL

  constructor(network: Pick<Network, 'open'>, baseUrl: URL) {
    this.#network = network
    this.#baseUrl = baseUrl
  }

  /** @param redirectUri local address that the browser returns to @param clientId null registers a new client */
  begin(redirectUri: string, clientId: string | null, signal: AbortSignal): Promise<SignInAttempt> {
    return this.#with(signal, async (options) => {
      const server = await this.#discover(options)
      const client = clientId ?? (await this.#register(server, redirectUri, options))
      const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
      const url = new URL(server.authorization_endpoint)
      for (const [name, value] of Object.entries({
        ...{ response_type: 'code', client_id: client, redirect_uri: redirectUri, scope: SCOPE, state },
        ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      })) {
        url.searchParams.set(name, value)
      }
      const about = { url: url.href, baseUrl: this.#issuer, redirectUri, clientId: client }
      return { ...about, state, verifier, server }
    })
  }

  /**
   * @param answered the redirect's parameters @throws ProblemError `refused` if they belong to another sign-in, or if
   * the user declined
   */
  finish(
    { server, clientId, redirectUri, state, verifier }: SignInAttempt,
    answered: URLSearchParams,
    signal: AbortSignal,
  ) {
    const [as, client] = [{ ...server }, { client_id: clientId }]
    return this.#with(signal, async (options) => {
      const checked = oauth.validateAuthResponse(as, client, answered, state)
      const asked = await oauth.authorizationCodeGrantRequest(
        ...[as, client, oauth.None(), checked, redirectUri, verifier, options],
      )
      return this.#grantOf(await oauth.processAuthorizationCodeResponse(as, client, asked), server, clientId)
    })
  }

  /** Returns a new access token and refresh token. @throws ProblemError `key_rejected` if the grant has ended */
  refresh(held: Grant, signal: AbortSignal): Promise<Grant> {
    const { clientId, refreshToken } = held
    const [server, client] = [{ ...this.#serverOf(held) }, { client_id: clientId }]
    return this.#with(signal, async (options) => {
      const asked = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options)
      return this.#grantOf(await oauth.processRefreshTokenResponse(server, client, asked), server, clientId, held)
    })
  }

  async revoke(held: Grant, signal: AbortSignal): Promise<void> {
    if (held.revocationEndpoint === null) return
    const [server, client] = [{ ...this.#serverOf(held) }, { client_id: held.clientId }]
    await this.#with(signal, async (options) => {
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), held.refreshToken, options),
      )
    })
  }

  #serverOf({ tokenEndpoint, revocationEndpoint }: Grant): Endpoints {
    return {
      issuer: this.#issuer,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint !== null && { revocation_endpoint: revocationEndpoint }),
    }
  }

  get #issuer(): string {
    return this.#baseUrl.href.replace(/\/$/, '')
  }

  /** Reads the server's metadata (RFC 8414), or falls back to the default endpoints. */
  async #discover(options: Options): Promise<SignInServer> {
    const issuer = new URL(this.#issuer)
    const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const at = (path: string): string => `${this.#issuer}/oauth/${path}`
    if (answer.status !== 200) {
      return {
        ...{ issuer: this.#issuer, authorization_endpoint: at('authorize'), token_endpoint: at('token') },
        ...{ registration_endpoint: at('register'), revocation_endpoint: at('revoke') },
        authorization_response_iss_parameter_supported: false,
      }
    }
    const said = await oauth.processDiscoveryResponse(issuer, answer)
    const { authorization_endpoint: page = '', token_endpoint: token = '' } = said
    const { registration_endpoint: registration, revocation_endpoint: end } = said
    const namesIssuer = said.authorization_response_iss_parameter_supported === true
    const isSafe = (address: string, mayBeElsewhere = false): boolean => {
      const url = URL.parse(address)
      if (url?.username !== '' || url.password !== '') return false
      return url.origin === this.#baseUrl.origin || (mayBeElsewhere && url.protocol === 'https:')
    }
    // A page on another server would return that server's code, which we would send here. Only the issuer in the
    // response tells them apart (RFC 9700, 4.4.2).
    const isPage = isSafe(page, namesIssuer)
    if (!isPage || ![token, registration, end].every((address) => address === undefined || isSafe(address)))
      throw securityCheckFailed()
    return {
      ...{ issuer: said.issuer, authorization_endpoint: page, token_endpoint: token },
      ...(registration !== undefined && { registration_endpoint: registration }),
      ...(end !== undefined && { revocation_endpoint: end }),
      authorization_response_iss_parameter_supported: namesIssuer,
    }
  }

  async #register(server: SignInServer, redirectUri: string, options: Options): Promise<string> {
    if (server.registration_endpoint === undefined) throw noSignIn()
    const withoutPort = new URL(redirectUri)
    withoutPort.port = ''
    const answer = await oauth.dynamicClientRegistrationRequest(
      { ...server },
      {
        ...{ client_name: 'Linnet', redirect_uris: [withoutPort.href], token_endpoint_auth_method: 'none' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      },
      options,
    )
    if ([401, 403, 404, 405].includes(answer.status)) throw noSignIn()
    const { client_id: id } = await oauth.processDynamicClientRegistrationResponse(answer)
    if (id.length > MAX_TOKEN_LENGTH) throw securityCheckFailed()
    return id
  }

  #grantOf(
    { access_token: token, refresh_token: refreshToken, expires_in: expiresIn = 0 }: oauth.TokenEndpointResponse,
    { token_endpoint: tokenEndpoint, revocation_endpoint: end }: Endpoints,
    clientId: string,
    before?: Grant,
  ): Grant {
    const next = refreshToken ?? before?.refreshToken
    if (next === undefined || next.length > MAX_TOKEN_LENGTH || token.length > MAX_TOKEN_LENGTH)
      throw securityCheckFailed()
    const access = { token, expiresIn }
    return { clientId, refreshToken: next, tokenEndpoint, revocationEndpoint: end ?? null, access }
  }

  async #with<Value>(signal: AbortSignal, work: (options: Options) => Promise<Value>): Promise<Value> {
    const pool = this.#network.open({ connections: 1 })
    try {
      return await work({
        [oauth.customFetch]: createFetch(pool, this.#baseUrl.origin, signal),
        // Only loopback addresses may be used without TLS (`parseBaseUrl`).
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only to stand out; there is no alternative
        [oauth.allowInsecureRequests]: this.#baseUrl.protocol === 'http:',
      })
    } catch (thrown) {
      throw toSignInError(thrown)
    } finally {
      await pool.end()
    }
  }
}
