import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendPlain } from './send-plain.ts'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'

/** Any input gets a 4xx in the platform's format or a real success, never a 5xx or silence. */
describe('bad requests', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body: string) =>
    sendPlain(service.baseUrl, method, path, headers, body)

  test.each([
    ['a list in lists', '['.repeat(200_000), ']'.repeat(200_000)],
    ['a field of objects in objects', '{"email":'.repeat(100_000), '}'.repeat(100_000)],
  ])('with endlessly nested bodies: %s', async (_what, open, close) => {
    for (const key of ['', 'once']) {
      const headers = { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'fuzz', 'idempotency-key': key }
      const { status, text } = await send('POST', '/emails', headers, `${open}1${close}`)
      expect(status, text).toBe(400)
    }
  })

  test.each(['HELLO\r\n\r\n', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'])('that aren’t HTTP: %j', async (bytes) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      socket.on('end', () => {
        resolve(text)
      })
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"name":"validation_error"')
  })

  test.each(['a b', '[', '%', 'a/b'])('with an invalid Host: %s', async (host) => {
    const { status, text } = await send('GET', '/inboxes', { host, 'user-agent': 'fuzz' }, '')
    expect(status).toBe(400)
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['statusCode', 'message', 'name'])
  })

  test.each(['/downloads/raw/%zz', '/downloads/attachments/%E0%A4%A', '/shared?token=%zz'])(
    'for a keyless page with an invalid escape: %s',
    async (path) => {
      expect((await send('GET', path, {}, '')).status).toBe(403)
    },
  )
})
