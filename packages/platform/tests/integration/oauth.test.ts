import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService, type TestOptions } from './service-under-test.ts'

/** OAuth sign-in (platform.md 3.4) with plain requests: what clients can rely on, and what they can't do. */

let service: ServiceUnderTest
const start = async (options: TestOptions = {}): Promise<void> => {
  service = await startTestService(options)
}
afterEach(() => service.close())

const AGENT = { 'user-agent': 'service-tests' }
const REDIRECT = 'http://127.0.0.1/oauth/callback'
/** The redirect with the port of a listening program. */
const LISTENING = 'http://127.0.0.1:49152/oauth/callback'

const newProof = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
const post = (path: string, body: Readonly<Record<string, string>> | string): Promise<Response> =>
  fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: AGENT,
    body: typeof body === 'string' ? body : new URLSearchParams(body),
  })
const register = async (metadata: object = { client_name: 'Linnet', redirect_uris: [REDIRECT] }) => {
  const answer = await post('/oauth/register', JSON.stringify(metadata))
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}
const page = (parameters: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${service.baseUrl}/oauth/authorize?${new URLSearchParams(parameters).toString()}`, {
    headers: AGENT,
    redirect: 'manual',
  })
const ticketOn = async (answer: Response): Promise<string> =>
  /name="ticket" value="([^"]+)"/.exec(await answer.text())?.[1] ?? ''
const asked = (clientId: string, challenge: string, other: Readonly<Record<string, string>> = {}) => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: LISTENING, scope: 'full_access', state: 'a&b' },
  ...{ code_challenge: challenge, code_challenge_method: 'S256', ...other },
})
/** Submits the consent page. @returns the redirect's target */
const decide = async (parameters: Readonly<Record<string, string>>, decision = 'allow'): Promise<URL> => {
  const answer = await post('/oauth/authorize', { ticket: await ticketOn(await page(parameters)), decision })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}
const tokens = async (form: Readonly<Record<string, string>>) => {
  const answer = await post('/oauth/token', form)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}
const signIn = async (scope = 'full_access') => {
  const clientId = (await register()).body.client_id ?? ''
  const { verifier, challenge } = newProof()
  const led = await decide(asked(clientId, challenge, { scope }))
  const exchange = {
    ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: LISTENING },
    ...{ code: led.searchParams.get('code') ?? '', code_verifier: verifier },
  }
  return { clientId, exchange, first: await tokens(exchange) }
}
const refresh = (clientId: string, token = '') =>
  tokens({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
const inboxesWith = async (token = ''): Promise<readonly [number, unknown]> => {
  const answer = await fetch(`${service.baseUrl}/inboxes`, { headers: { ...AGENT, authorization: `Bearer ${token}` } })
  return [answer.status, ((await answer.json()) as { readonly name?: string }).name]
}

test('a program registers, is allowed, and uses its token until it expires or is revoked', async () => {
  await start()
  const about = (await (
    await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`, { headers: AGENT })
  ).json()) as object
  expect(about).toMatchObject({ issuer: service.baseUrl, code_challenge_methods_supported: ['S256'] })
  const { clientId, first } = await signIn()
  expect(first).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 900, scope: 'full_access' } })
  expect(await inboxesWith(first.body.access_token)).toEqual([200, undefined])
  service.advance(900_000)
  expect(await inboxesWith(first.body.access_token)).toEqual([401, 'invalid_api_key'])
  const second = await refresh(clientId, first.body.refresh_token)
  expect(await inboxesWith(second.body.access_token)).toEqual([200, undefined])
  expect((await post('/oauth/revoke', { token: second.body.refresh_token ?? '' })).status).toBe(200)
  expect(await inboxesWith(second.body.access_token)).toEqual([401, 'invalid_api_key'])
  expect((await refresh(clientId, second.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await post('/oauth/revoke', { token: 'nothing' })).status).toBe(200)
})

test('the consent page shows the request, returns the state, and can’t be framed or forged', async () => {
  await start()
  const { client_id: clientId = '' } = (await register({ client_name: '<b>Linnet</b>', redirect_uris: [REDIRECT] }))
    .body
  const { challenge } = newProof()
  const shown = await page(asked(clientId, challenge))
  expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(await shown.text()).toContain('&lt;b&gt;Linnet&lt;/b&gt;')
  const led = await decide(asked(clientId, challenge), 'deny')
  expect(led.origin).toBe('http://127.0.0.1:49152')
  expect(Object.fromEntries(led.searchParams)).toMatchObject({
    ...{ error: 'access_denied', state: 'a&b', iss: service.baseUrl },
  })
  expect((await post('/oauth/authorize', { ticket: 'x.y.z', decision: 'allow' })).status).toBe(400)
  const ticket = await ticketOn(await page(asked(clientId, challenge)))
  service.advance(10 * 60_000)
  expect((await post('/oauth/authorize', { ticket, decision: 'allow' })).status).toBe(400)
})

test('redirects only to the program’s address, and requires a proof', async () => {
  await start()
  for (const uri of [
    'https://evil.example/cb',
    'http://localhost/cb',
    'http://10.0.0.1/cb',
    `${REDIRECT}#x`,
    'javascript:1',
  ]) {
    expect((await register({ client_name: 'Linnet', redirect_uris: [uri] })).status, uri).toBe(400)
  }
  expect((await register({ client_name: 'App', redirect_uris: ['com.example.app:/done'] })).status).toBe(201)
  const { client_id: clientId = '' } = (await register()).body
  const { challenge } = newProof()
  for (const other of [
    { client_id: 'nobody' },
    { redirect_uri: 'http://127.0.0.1:1/other' },
    { redirect_uri: 'http://127.0.0.1.evil.example/oauth/callback' },
  ]) {
    expect((await page(asked(clientId, challenge, other))).status).toBe(400)
  }
  for (const [other, error] of [
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ scope: 'everything' }, 'invalid_scope'],
  ] as const) {
    const answer = await page(asked(clientId, challenge, other))
    expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe(error)
  }
})

test('a code works once, for its program, address and proof', async () => {
  await start()
  const { exchange, first, clientId } = await signIn()
  const again = await tokens(exchange)
  expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  // The first use may have been the thief's, so the entire grant is revoked.
  expect(await inboxesWith(first.body.access_token)).toEqual([401, 'invalid_api_key'])
  expect((await refresh(clientId, first.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })

  const { verifier, challenge } = newProof()
  const other = (await register()).body.client_id ?? ''
  for (const wrong of [
    { code_verifier: newProof().verifier },
    { client_id: other },
    { redirect_uri: 'http://127.0.0.1:1/oauth/callback' },
  ]) {
    const code = (await decide(asked(clientId, challenge))).searchParams.get('code') ?? ''
    expect((await tokens({ ...exchange, code, code_verifier: verifier, ...wrong })).body).toMatchObject({
      error: 'invalid_grant',
    })
  }
  const late = (await decide(asked(clientId, challenge))).searchParams.get('code') ?? ''
  service.advance(60_000)
  expect((await tokens({ ...exchange, code: late, code_verifier: verifier })).status).toBe(400)
})

test('a refresh token works once, and reuse revokes the grant', async () => {
  await start()
  const { clientId, first } = await signIn()
  const second = await refresh(clientId, first.body.refresh_token)
  expect(second.status).toBe(200)
  expect((await refresh(clientId, first.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
  expect((await refresh(clientId, second.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' })
  expect(await inboxesWith(second.body.access_token)).toEqual([401, 'invalid_api_key'])

  const other = await signIn()
  expect((await refresh(clientId, other.first.body.refresh_token)).status).toBe(400)
  service.advance(60 * 24 * 60 * 60_000)
  expect((await refresh(other.clientId, other.first.body.refresh_token)).status).toBe(400)
})

test('a refresh token may be repeated within the configured grace period', async () => {
  await start({ refreshGrace: 30_000 })
  const { clientId, first } = await signIn()
  expect((await refresh(clientId, first.body.refresh_token)).status).toBe(200)
  expect((await refresh(clientId, first.body.refresh_token)).status).toBe(200)
  service.advance(31_000)
  expect((await refresh(clientId, first.body.refresh_token)).status).toBe(400)
})

test('a program that may only send is denied the rest', async () => {
  await start()
  const { first } = await signIn('emails:send')
  expect(first.body.scope).toBe('emails:send')
  expect(await inboxesWith(first.body.access_token)).toEqual([403, 'invalid_permission'])
})

test('only keys work with OAuth switched off', async () => {
  await start({ oauth: false })
  expect((await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server`, { headers: AGENT })).status).toBe(
    401,
  )
  expect(await inboxesWith(service.apiKey)).toEqual([200, undefined])
})

test('a client document is read only up to its size limit', async () => {
  await start()
  let written = 0
  const server = createServer((_request, response) => {
    const more = (): void => {
      while (!response.destroyed && written < 85_000_000) {
        written += 65_536
        if (!response.write(Buffer.alloc(65_536, ' '))) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  try {
    const clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}/large.json`
    expect((await page(asked(clientId, newProof().challenge))).status).toBe(400)
    expect(written).toBeLessThan(20_000_000)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
