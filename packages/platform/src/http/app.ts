import { isIP } from 'node:net'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { allEndpoints } from '../endpoints/all-endpoints.ts'
import { buildQuotaHeaders } from '../endpoints/usage.ts'
import type { Platform } from '../platform.ts'
import { type ApiKeyRow, type Permission, findOldestFullAccessKey, authenticateApiKey } from '../storage/api-keys.ts'
import { createPageResponse, createPageDataRoutes } from '../page/page.ts'
import { type WebhookInboxes, inboxPath } from '../webhooks/webhook-inboxes.ts'
import { ApiError, createNotFoundError } from './api-error.ts'
import { createControlEndpoints } from './control.ts'
import { createActingRoutes } from './acting.ts'
import type { Endpoint } from './endpoint.ts'
import { type Faults, createFaultMiddleware } from './faults.ts'
import { IdempotencyStore } from './idempotency.ts'
import { findApiKeyByAccessToken, createOAuthEndpoints } from './oauth.ts'
import { createOpenApiDocument } from './openapi.ts'
import { createPublicPages } from './public-pages.ts'
import { RateLimiter } from './rate-limiter.ts'
import { readRequest } from './read-request.ts'
import { errorResponse, jsonResponse } from './responses.ts'
import { createWelcomeResponse } from './welcome.ts'

/** An e-mail's attachments total at most 40 MB after base64 (platform.md 20.3); the rest leaves room for its text. */
const maxBodyBytes = 48 * 1024 * 1024

/** All that surrounds the endpoints. @param advanceClock moves the platform's time further ahead of the system's */
export function createApp(
  platform: Platform,
  faults: Faults,
  webhookInboxes: WebhookInboxes,
  advanceClock: (milliseconds: number) => void,
  log: (line: string) => void,
): Hono {
  const app = new Hono()
  const api = new Hono()
  const rateLimiter = new RateLimiter(platform.settings.rateLimit, platform.now)
  const idempotency = new IdempotencyStore(platform)

  const hostnameOf = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? ''
  const allowedHosts = ['localhost', ...platform.settings.allowedHosts.map(hostnameOf)]
  // Against DNS rebinding: a site can point its own name at this address, and the browser then sends that name.
  app.use(async (context, next) => {
    const hostname = hostnameOf(context.req.header('host') ?? '')
    if (isIP(hostname.replaceAll(/[[\]]/g, '')) > 0 || allowedHosts.includes(hostname)) return next()
    return context.text(
      `This service does not answer to “${hostname}”. Allow it with --allowed-host ${hostname}\n`,
      403,
    )
  })
  const acting = createActingRoutes(platform, idempotency)
  // Not logged: the page polls every two seconds.
  if (platform.settings.page) app.route('/_page', createPageDataRoutes(platform, acting))
  app.use(`${inboxPath}/*`, createFaultMiddleware(faults))
  app.post(`${inboxPath}/:name`, (context) => webhookInboxes.receive(context.req.param('name'), context.req.raw))
  app.use(async (context, next) => {
    const start = performance.now()
    await next()
    // Path only: a query can contain a share token or a user's search.
    log(`${context.req.method} ${context.req.path} ${context.res.status} ${Math.round(performance.now() - start)} ms`)
  })
  app.route('/', createPublicPages(platform))
  const served = allEndpoints.filter(({ inContract }) => inContract || platform.settings.operations === 'all')
  app.get('/', (context) => {
    const accept = context.req.header('accept') ?? ''
    return platform.settings.page && accept.includes('text/html')
      ? createPageResponse(platform)
      : createWelcomeResponse(platform, accept)
  })
  app.get('/openapi.json', () => jsonResponse({ status: 200, body: createOpenApiDocument(served, platform.baseUrl()) }))

  api.use(async (context, next) => {
    if (!context.req.header('user-agent')) return edgeRefusal()
    const rate = rateLimiter.take()
    if (rate.allowed) await next()
    else context.res = errorResponse(rateLimitError())
    for (const [name, value] of Object.entries(rate.headers)) context.res.headers.set(name, value)
    return undefined
  })
  if (platform.settings.faults) {
    const authorize = (authorization: string | undefined): void => {
      requirePermission(authenticate(platform, authorization), 'full_access')
    }
    app.route('/_control', createControlEndpoints(platform, faults, acting, advanceClock, authorize))
  }
  api.use(createFaultMiddleware(faults))
  api.use(bodyLimit({ maxSize: maxBodyBytes, onError: () => errorResponse(tooLargeError()) }))

  if (platform.settings.oauth) api.route('/', createOAuthEndpoints(platform))
  for (const endpoint of served) {
    api.on(endpoint.method, endpoint.path, async (context) => {
      const key = authenticate(platform, context.req.header('authorization'))
      requirePermission(key, endpoint.permission)
      requireBeta(platform, endpoint)
      const request = await readRequest(platform, key, context, 'api')
      const response = jsonResponse(await idempotency.run(endpoint, request))
      // It is unknown which responses have these headers. Here, those of endpoints that can send e-mail do.
      if (endpoint.idempotent) {
        for (const [name, value] of Object.entries(buildQuotaHeaders(platform))) response.headers.set(name, value)
      }
      return response
    })
  }
  for (const path of new Set(served.map((endpoint) => endpoint.path))) {
    api.all(path, (context) => {
      authenticate(platform, context.req.header('authorization'))
      throw new ApiError(405, 'method_not_allowed', 'This endpoint does not support the specified HTTP method.')
    })
  }
  api.all('*', (context) => {
    authenticate(platform, context.req.header('authorization'))
    throw createNotFoundError('The requested endpoint does not exist.')
  })
  api.onError((error) => {
    if (error instanceof ApiError) return errorResponse(error)
    if (isConstraint(error)) {
      return errorResponse(
        new ApiError(409, 'resource_locked', 'Another request changed the same resource. Try again.'),
      )
    }
    log(`Unexpected: ${error.stack ?? error.message}`)
    return errorResponse(
      new ApiError(500, 'application_error', 'Internal server error. We are unable to process your request right now.'),
    )
  })
  app.route('/', api)
  return app
}

/** True if another request added or removed the row in the meantime (platform.md 4.2: `resource_locked`). */
function isConstraint(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_CONSTRAINT')
}

/** Requests without a User-Agent are rejected by the edge, not by the platform (platform.md 1.3). */
function edgeRefusal(): Response {
  return new Response('error code: 1010\n', { status: 403, headers: { 'content-type': 'text/plain; charset=UTF-8' } })
}

/** See platform.md 1.2 and 3. @throws ApiError 401 without a valid token; the status for an unknown key is a setting */
function authenticate(platform: Platform, authorization: string | undefined): ApiKeyRow {
  const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new ApiError(401, 'missing_api_key', 'Missing API key in the authorization header')
  if (platform.settings.oauth && token.split('.').length === 3) {
    const signedIn = findApiKeyByAccessToken(platform, token)
    if (signedIn === null) throw new ApiError(401, 'invalid_api_key', 'The access token is invalid or has expired.')
    return signedIn
  }
  const key =
    authenticateApiKey(platform.db, token, platform.now()) ??
    (platform.settings.anyKey ? findOldestFullAccessKey(platform.db) : null)
  if (!key) throw new ApiError(platform.settings.invalidKeyStatus, 'invalid_api_key', 'API key is invalid')
  return key
}

/** A sending key can only send, and a program has only the granted scopes (platform.md 3.2 and 3.6). */
function requirePermission(key: ApiKeyRow, needed: Permission): void {
  if (key.permission === 'full_access' || needed === 'sending_access') return
  if (key.seq < 0) throw new ApiError(403, 'invalid_permission', 'The access token lacks the scope full_access.')
  throw new ApiError(401, 'restricted_api_key', 'This API key is restricted to only send emails')
}

/** The response to an account without the private beta is unknown, hence a setting. */
function requireBeta(platform: Platform, endpoint: Endpoint): void {
  const { inboxes } = platform.settings
  if (inboxes === 'on' || !endpoint.path.startsWith('/inboxes')) return
  if (inboxes === 'not_found') throw createNotFoundError('The requested endpoint does not exist.')
  throw new ApiError(403, 'invalid_permission', 'Inboxes are not available on this account.')
}

function rateLimitError(): ApiError {
  return new ApiError(429, 'rate_limit_exceeded', 'Too many requests. Please limit the number of requests per second.')
}

function tooLargeError(): ApiError {
  return new ApiError(413, 'validation_error', 'The request body is too large.')
}
