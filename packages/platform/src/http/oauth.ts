import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { escapeHtml } from '../mail/html-text.ts'
import type { Platform } from '../platform.ts'
import type { ApiKeyRow } from '../storage/api-keys.ts'
import {
  type OAuthClient,
  type GrantRow,
  addGrant,
  addRefreshToken,
  findClient,
  findGrant,
  findGrantByRefreshToken,
  insertClient,
  revokeGrant,
  redeemCode,
  redeemRefreshToken,
} from '../storage/grants.ts'
import { verifySignedToken, createSignedToken } from './signed-token.ts'

/** Grantable scopes (platform.md 3.6), as worded on the consent page. */
const scopes = {
  full_access: 'Read, change and send everything in this account',
  'emails:send': 'Send e-mail from this account',
} as const
type Scope = keyof typeof scopes

const pageLife = 10 * 60 * 1000

/** Errors of OAuth 2.1, 3.2.4 and 4.1.2.1, and of RFC 7591. */
type OAuthError =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** Responses are private to the client and never cached (OAuth 2.1, 3.2.3). */
const noStore = { 'cache-control': 'no-store' } as const

/** OAuth 2.1 with PKCE for programs without a secret (platform.md 3.4). */
export function createOAuthEndpoints(platform: Platform): Hono {
  const app = new Hono()
  app.get('/.well-known/oauth-authorization-server', (context) => context.json(metadata(platform)))
  app.post('/oauth/register', (context) => register(platform, context))
  app.get('/oauth/authorize', (context) => showConsent(platform, new URL(context.req.url).searchParams))
  app.post('/oauth/authorize', async (context) => handleConsent(platform, await readForm(context)))
  app.post('/oauth/token', async (context) => handleTokenRequest(platform, await readForm(context)))
  app.post('/oauth/revoke', async (context) => revoke(platform, await readForm(context)))
  return app
}

/** Permissions of an access token as an API key; null if invalid, expired or revoked. */
export function findApiKeyByAccessToken({ db, secret, now }: Platform, token: string): ApiKeyRow | null {
  const read = verifySignedToken(secret, 'at+jwt', token, now())
  if (read === 'expired' || read === 'forged') return null
  const grant = findGrant(db, read.sub)
  if (grant?.revoked_at !== null) return null
  const permission = grant.scope.split(' ').includes('full_access') ? 'full_access' : 'sending_access'
  const name = findClient(db, grant.client_id)?.name ?? 'A program'
  return { seq: -grant.seq, id: grant.id, name, permission, domain_id: null, created_at: 0, last_used_at: null }
}

/** Authorization server metadata (RFC 8414). */
function metadata(platform: Platform): Readonly<Record<string, unknown>> {
  const base = platform.baseUrl()
  return {
    issuer: base,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    registration_endpoint: `${base}/oauth/register`,
    revocation_endpoint: `${base}/oauth/revoke`,
    scopes_supported: Object.keys(scopes),
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}

const registration = z.object({
  client_name: z.string().trim().min(1).max(100),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(10),
  token_endpoint_auth_method: z.literal('none').optional(),
})

async function register({ db, now }: Platform, context: Context): Promise<Response> {
  const read = registration.safeParse(await context.req.json().catch(() => null))
  if (!read.success) return refusal('invalid_client_metadata', read.error.issues[0]?.message ?? 'Invalid metadata.')
  const { client_name: name, redirect_uris: redirectUris } = read.data
  const wrong = redirectUris.find((uri) => !isNativeRedirect(uri))
  if (wrong !== undefined) {
    return refusal('invalid_redirect_uri', `${wrong} is neither on this machine (127.0.0.1) nor of a private scheme.`)
  }
  const client = { id: randomUUID(), name, redirectUris }
  db.transaction(() => insertClient(db, client, now()))
  return Response.json(
    {
      client_id: client.id,
      client_id_issued_at: Math.floor(now() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    { status: 201, headers: noStore },
  )
}

const clientDocument = registration.extend({ client_id: z.string() })

/** Limits in bytes and milliseconds, as anyone can trigger such a request. */
const maxDocumentBytes = 64 * 1024
const documentTimeoutMs = 5_000

/**
 * Finds a registered client, or fetches the metadata document that its ID points to (OAuth Client ID Metadata
 * Document). Only URLs on this machine are fetched.
 */
async function findOrFetchClient({ db, now }: Platform, id: string): Promise<OAuthClient | null> {
  const url = URL.parse(id)
  if (url?.protocol !== 'http:' || url.hostname !== '127.0.0.1') return findClient(db, id)
  try {
    const { ok, body } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(documentTimeoutMs) })
    let bytes = Buffer.alloc(0)
    for await (const piece of ok && body !== null ? body : []) {
      bytes = Buffer.concat([bytes, piece])
      if (bytes.length > maxDocumentBytes) return null
    }
    const document = clientDocument.parse(JSON.parse(bytes.toString()))
    const { client_id, client_name: name, redirect_uris: redirectUris } = document
    if (client_id !== id || !redirectUris.every(isNativeRedirect)) return null
    const client = { id, name, redirectUris }
    db.transaction(() => insertClient(db, client, now()))
    return client
  } catch {
    return null
  }
}

/** RFC 8252, 7.1 and 7.3: a loopback address or a private-use scheme. */
function isNativeRedirect(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname, hash, username, password } = new URL(uri)
  if (hash !== '' || username !== '' || password !== '') return false
  if (protocol === 'http:') return hostname === '127.0.0.1' || hostname === '[::1]'
  return /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(protocol)
}

/** RFC 8252, 7.3: the port of a loopback address is ignored. */
function isRedirectOf(client: OAuthClient, uri: string): boolean {
  const withoutPort = (each: string): string => {
    const url = new URL(each)
    if (url.protocol === 'http:') url.port = ''
    return url.href
  }
  return isNativeRedirect(uri) && client.redirectUris.some((own) => withoutPort(own) === withoutPort(uri))
}

interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | null
  readonly scope: string
  readonly challenge: string
}

/** The requested grant or an error: as a page if redirecting is unsafe (OAuth 2.1, 4.1.2.1), else as a redirect. */
async function parseAuthorization(
  platform: Platform,
  parameters: URLSearchParams,
): Promise<AuthorizationRequest | Response> {
  const client = await findOrFetchClient(platform, parameters.get('client_id') ?? '')
  if (client === null)
    return page('Unknown program', '<p>This program is not registered here. Start again from it.</p>')
  const redirectUri = parameters.get('redirect_uri') ?? ''
  if (!isRedirectOf(client, redirectUri)) {
    return page('Wrong address', '<p>The program named an address that is not its own. Nothing was allowed.</p>')
  }
  const state = parameters.get('state')
  const refuse = (error: OAuthError, about: string): Response =>
    redirectToClient(platform, redirectUri, { error, error_description: about, state })
  if (parameters.get('response_type') !== 'code') return refuse('unsupported_response_type', 'Ask for a code.')
  const challenge = parameters.get('code_challenge') ?? ''
  const isProof = parameters.get('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge)
  if (!isProof) return refuse('invalid_request', 'A code_challenge by S256 is required.')
  const asked = (parameters.get('scope') ?? 'full_access').split(' ').filter((each) => each !== '')
  if (asked.length === 0 || !asked.every((each) => Object.hasOwn(scopes, each))) {
    return refuse('invalid_scope', `The scopes are ${Object.keys(scopes).join(' and ')}.`)
  }
  return { client, redirectUri, state, challenge, scope: asked.join(' ') }
}

/** Binds the consent page to this request and lets it expire, so no other site can submit its form. */
function ticketFor(platform: Platform, parameters: URLSearchParams): string {
  return createSignedToken(platform.secret, 'ask+jwt', parameters.toString(), platform.now() + pageLife)
}

async function showConsent(platform: Platform, parameters: URLSearchParams): Promise<Response> {
  const asked = await parseAuthorization(platform, parameters)
  if (asked instanceof Response) return asked
  const { client, redirectUri, scope } = asked
  const wishes = scope.split(' ').map((each) => `<li>${scopes[each as Scope]}</li>`)
  return page(
    'Sign in',
    `<p><strong>${escapeHtml(client.name)}</strong> asks to:</p>
<ul>${wishes.join('')}</ul>
<form method="post" action="/oauth/authorize">
  <input type="hidden" name="ticket" value="${escapeHtml(ticketFor(platform, parameters))}">
  <button name="decision" value="allow">Allow</button>
  <button name="decision" value="deny">Deny</button>
</form>`,
    redirectUri,
  )
}

async function handleConsent(platform: Platform, form: URLSearchParams): Promise<Response> {
  const ticket = verifySignedToken(platform.secret, 'ask+jwt', form.get('ticket') ?? '', platform.now())
  if (ticket === 'expired' || ticket === 'forged') {
    return page('Start again', '<p>This page is too old, or not ours. Start again from the program.</p>')
  }
  const asked = await parseAuthorization(platform, new URLSearchParams(ticket.sub))
  if (asked instanceof Response) return asked
  const { client, redirectUri, state, scope, challenge } = asked
  if (form.get('decision') !== 'allow') {
    return redirectToClient(platform, redirectUri, {
      error: 'access_denied',
      error_description: 'The person said no.',
      state,
    })
  }
  const { db, now } = platform
  const code = db.transaction(() => addGrant(db, { clientId: client.id, redirectUri, challenge, scope }, now()))
  return redirectToClient(platform, redirectUri, { code, state })
}

/** Redirects the browser to the client. @param answer null values are omitted */
function redirectToClient(
  platform: Platform,
  redirectUri: string,
  answer: Readonly<Record<string, string | null>>,
): Response {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) {
    if (value !== null) target.searchParams.set(name, value)
  }
  target.searchParams.set('iss', platform.baseUrl())
  return new Response(null, {
    status: 303,
    headers: { ...noStore, location: target.href, 'referrer-policy': 'no-referrer' },
  })
}

function handleTokenRequest(platform: Platform, form: URLSearchParams): Response {
  const { db, now, settings } = platform
  const clientId = form.get('client_id') ?? ''
  if (findClient(db, clientId) === null) return refusal('invalid_client', 'This client is not registered.', 401)
  const type = form.get('grant_type')
  if (type !== 'authorization_code' && type !== 'refresh_token') {
    return refusal('unsupported_grant_type', 'Use authorization_code or refresh_token.')
  }
  return db.transaction(() => {
    const grant =
      type === 'authorization_code'
        ? redeemCode(
            db,
            {
              code: form.get('code') ?? '',
              clientId,
              redirectUri: form.get('redirect_uri') ?? '',
              verifier: form.get('code_verifier') ?? '',
            },
            now(),
          )
        : redeemRefreshToken(
            db,
            { token: form.get('refresh_token') ?? '', clientId, grace: settings.refreshGrace },
            now(),
          )
    return grant === null
      ? refusal('invalid_grant', 'It is not valid, or was used before.')
      : issueTokens(platform, grant)
  })
}

function issueTokens({ db, secret, now, settings: { accessLife } }: Platform, grant: GrantRow): Response {
  return Response.json(
    {
      access_token: createSignedToken(secret, 'at+jwt', grant.id, now() + accessLife),
      token_type: 'Bearer',
      expires_in: accessLife / 1000,
      refresh_token: addRefreshToken(db, grant.seq, now()),
      scope: grant.scope,
    },
    { headers: noStore },
  )
}

/** RFC 7009: revoking an unknown token succeeds too. */
function revoke({ db, secret, now }: Platform, form: URLSearchParams): Response {
  const token = form.get('token') ?? ''
  const access = verifySignedToken(secret, 'at+jwt', token, now())
  const grant = typeof access === 'string' ? findGrantByRefreshToken(db, token) : findGrant(db, access.sub)
  if (grant !== null) db.transaction(() => revokeGrant(db, grant.seq, now()))
  return new Response(null, { status: 200, headers: noStore })
}

function refusal(error: OAuthError, about: string, status = 400): Response {
  return Response.json({ error, error_description: about }, { status, headers: noStore })
}

async function readForm(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await context.req.text())
}

/** @param redirectUri allowed form target, as browsers check a form's whole redirect chain against the policy */
function page(title: string, body: string, redirectUri?: string): Response {
  const targets = redirectUri === undefined ? "'none'" : `'self' ${new URL(redirectUri).protocol}`
  return new Response(
    `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; margin: 15vh auto; max-width: 26rem; padding: 0 1rem }
  button { font: inherit; margin-right: 0.5rem; padding: 0.4rem 1.2rem }
</style>
<h1>${title}</h1>
${body}
</html>
`,
    {
      status: redirectUri === undefined ? 400 : 200,
      headers: {
        ...noStore,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${targets}; frame-ancestors 'none'; base-uri 'none'`,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
    },
  )
}
