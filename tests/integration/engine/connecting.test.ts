import { describe, expect, it, onTestFinished } from 'vitest'
import { Network } from '../../../src/engine/platform/network.ts'
import { testCredentials } from '../../../src/engine/platform/test-credentials.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { startTestPlatform } from './support/test-platform.ts'

const test = (baseUrl: string, apiKey = 're_some_key') =>
  createEngine({
    event: () => undefined,
    keyAccepted: () => undefined,
    keyRenewed: () => Promise.resolve(),
    log: () => undefined,
  }).test({ baseUrl, apiKey })
const codeOf = async (result: ReturnType<typeof test>): Promise<string> => {
  const answer = await result
  return answer.ok ? 'ok' : answer.error.code
}

const startWebServer = (status: number, type: string, body: string): Promise<string> =>
  listenOnLoopback((_request, response) => {
    response.writeHead(status, { 'content-type': type, location: 'https://elsewhere.example/' }).end(body)
  })

/** A server whose response drips one space at a time, forever. */
const startDripping = async (): Promise<{ readonly baseUrl: string; readonly asked: Promise<void> }> => {
  const drips: ReturnType<typeof setInterval>[] = []
  onTestFinished(() => drips.forEach((drip) => clearInterval(drip)))
  let isAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const baseUrl = await listenOnLoopback((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(' ')
    drips.push(setInterval(() => response.write(' '), 10))
    isAsked()
  })
  return { baseUrl, asked }
}

describe('testing a base URL and a key', () => {
  it('stops at once when cancelled during an endless response', async () => {
    const { baseUrl, asked } = await startDripping()
    const engine = createEngine({
      event: () => undefined,
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: () => undefined,
    })
    const dripping = engine.test({ baseUrl, apiKey: 're_some_key' })
    await asked
    await engine.cancelTests()
    expect(await dripping).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    const platform = await startTestPlatform()
    expect((await engine.test(platform)).ok).toBe(true)
  })

  it('gives up on an endless response', async () => {
    const { baseUrl } = await startDripping()
    const given = testCredentials({ baseUrl, apiKey: 're_some_key' }, { network: new Network(), longestAnswer: 100 })
    await expect(given).rejects.toMatchObject({
      problem: { code: 'unreachable', message: 'The platform is taking too long to answer. Try again later.' },
    })
  })

  it('passes with a full key, in one request', async () => {
    const platform = await startTestPlatform()
    expect(await codeOf(test(platform.baseUrl, platform.apiKey))).toBe('ok')
    expect(platform.requests()).toEqual(['GET /inboxes 200'])
  })

  it.each([400, 401, 403] as const)('detects a wrong key by its message, whatever the status: %i', async (status) => {
    const platform = await startTestPlatform({ invalidKeyStatus: status })
    expect(await codeOf(test(platform.baseUrl, 're_wrong'))).toBe('key_rejected')
    expect(platform.requests()).toHaveLength(1)
  })

  it('explains what a send-only key can do', async () => {
    const platform = await startTestPlatform()
    const { token } = await platform.ask<{ token: string }>('POST', '/api-keys', {
      name: 'sender',
      permission: 'sending_access',
    })
    expect(await test(platform.baseUrl, token)).toMatchObject({
      error: {
        code: 'key_restricted',
        message: 'This API key can only send mail. Linnet needs an API key with full access.',
      },
    })
  })

  it.each(['not_found', 'forbidden'] as const)('passes for an account without inboxes: %s', async (inboxes) => {
    const platform = await startTestPlatform({ inboxes })
    expect(await codeOf(test(platform.baseUrl, platform.apiKey))).toBe('ok')
    expect(platform.requests()).toHaveLength(2)
  })

  it('passes on a contract-only platform', async () => {
    const platform = await startTestPlatform({ operations: 'contract' })
    expect(await codeOf(test(platform.baseUrl, platform.apiKey))).toBe('ok')
  })

  it.each([
    ['a web page', 200, 'text/html', '<!doctype html><h1>Welcome</h1>'],
    ['a missing web page', 404, 'text/html', '<h1>Not found</h1>'],
    ['a forbidden page', 403, 'text/html', '<h1>Forbidden</h1>'],
    ['JSON of another shape', 200, 'application/json', '{"hello":"world"}'],
    ['broken JSON', 200, 'application/json', '{"object":"list","data":['],
    ['another address', 301, 'text/html', ''],
  ])('detects what is not a mail platform: %s', async (_name, status, type, body) => {
    expect(await codeOf(test(await startWebServer(status, type, body)))).toBe('not_a_mail_platform')
  })

  it('distinguishes platform trouble from a wrong address', async () => {
    expect(await codeOf(test(await startWebServer(502, 'text/html', '<h1>Bad gateway</h1>')))).toBe('platform_failed')
  })

  it('distinguishes a network sign-in from a wrong address', async () => {
    expect(await test(await startWebServer(511, 'text/html', '<h1>Welcome</h1>'))).toMatchObject({
      error: { code: 'unreachable', message: 'This network wants you to sign in first.' },
    })
  })

  it('reports a missing response and a failed secure connection', async () => {
    const platform = await startTestPlatform()
    expect(await codeOf(test(platform.baseUrl.replace('http:', 'https:'), platform.apiKey))).toBe('unreachable')
    await platform.stop()
    expect(await codeOf(test(platform.baseUrl, platform.apiKey))).toBe('unreachable')
  })

  it('rejects an impossible base URL or key before sending anything', async () => {
    const platform = await startTestPlatform()
    expect(await codeOf(test('http://api.example.com'))).toBe('invalid_input')
    expect(await codeOf(test(platform.baseUrl, 'two words'))).toBe('invalid_input')
    expect(await codeOf(test(platform.baseUrl, 'line\r\nbreak'))).toBe('invalid_input')
    expect(platform.requests()).toEqual([])
  })
})
