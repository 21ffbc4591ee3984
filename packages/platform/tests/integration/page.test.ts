import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type MailPlatform, startPlatform } from '../../src/start-platform.ts'

interface Listed {
  readonly inboxes: readonly { readonly id: string; readonly address: string }[]
  readonly messages: readonly { readonly id: string; readonly subject: string; readonly direction: string }[]
  readonly has_more: boolean
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Sends a request as a browser would: without a key, and with headers that only a browser may set. */
const browse = (
  platform: MailPlatform,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { port, host } = new URL(platform.baseUrl)
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host, accept: 'text/html,*/*;q=0.8', ...headers },
    }
    const outgoing = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    outgoing.on('error', reject).end(body)
  })
const listed = async (platform: MailPlatform, query = ''): Promise<Listed> =>
  JSON.parse((await browse(platform, `/_page/messages${query}`)).text) as Listed
const subjects = async (platform: MailPlatform, query = ''): Promise<readonly string[]> =>
  (await listed(platform, query)).messages.map(({ subject }) => subject)
const post = (platform: MailPlatform, path: string, body: object) =>
  fetch(`${platform.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.apiKey}`, 'user-agent': 'tests' },
    body: JSON.stringify(body),
  })

describe('the page at /', () => {
  test('is only for browsers; other programs get JSON', async () => {
    await using platform = await startPlatform()
    const page = await browse(platform, '/')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('id="messages"')
    expect(page.text).toContain(`127.0.0.1:${platform.smtpPort}`)
    expect(page.text).not.toMatch(/\{\{\w+\}\}/)
    expect(page.text).not.toContain(platform.apiKey)
    const json = JSON.parse((await browse(platform, '/', { accept: '*/*' })).text) as object
    expect(json).toMatchObject({ base_url: platform.baseUrl })
  })

  test('runs only its own script and style, by a fresh nonce, and in no frame', async () => {
    await using platform = await startPlatform()
    const policyOf = (answer: Answer) => String(answer.headers['content-security-policy'])
    const [first, second] = [await browse(platform, '/'), await browse(platform, '/')]
    const nonce = /script-src 'nonce-([^']+)'/.exec(policyOf(first))?.[1] ?? ''
    expect(nonce.length).toBeGreaterThan(20)
    expect(first.text.match(/<script[^>]*>/g)).toEqual([`<script type="module" nonce="${nonce}">`])
    expect(policyOf(second)).not.toContain(nonce)
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
      expect(policyOf(first).split('; ')).toContain(rule)
    }
    expect(policyOf(first)).not.toContain('unsafe')
  })

  test('is replaced by a welcome when off, without mail', async () => {
    await using platform = await startPlatform({ settings: { page: false } })
    const welcome = await browse(platform, '/')
    expect(welcome.status).toBe(200)
    expect(welcome.text).not.toContain('<script')
    expect((await browse(platform, '/_page/messages', { 'user-agent': 'x' })).status).toBe(401)
  })

  test('rejects other sites and ports', async () => {
    await using platform = await startPlatform()
    await platform.deliver({ subject: 'Secret' })
    const { port } = new URL(platform.baseUrl)
    const [{ id } = { id: '' }] = (await listed(platform)).messages
    const paths = ['', `/${id}`, `/${id}/html`, `/${id}/source`, `/${id}/download`].map(
      (end) => `/_page/messages${end}`,
    )
    const refused: readonly Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of refused) {
      for (const path of [...paths, '/_page/attachments/x']) {
        const answer = await browse(platform, path, headers)
        expect([answer.status, answer.text], JSON.stringify({ path, headers })).toEqual([
          403,
          'This is for the page of the local mail platform, in a browser on the same machine.',
        ])
      }
    }
    const allowed: readonly Readonly<Record<string, string>>[] = [
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { host: `localhost:${port}`, origin: `http://localhost:${port}` },
    ]
    for (const headers of allowed) expect((await browse(platform, paths[0] ?? '', headers)).text).toContain('Secret')
  })

  test('answers only to local or allowed host names, like all endpoints', async () => {
    await using platform = await startPlatform({
      settings: { allowedHosts: ['mail.example', 'Mail-Host', 'bücher.example'] },
    })
    await platform.deliver({ subject: 'Secret' })
    const { port } = new URL(platform.baseUrl)
    const authorization = `Bearer ${platform.apiKey}`
    const statusOf = async (host: string, path: string, method = 'GET'): Promise<number> =>
      (await browse(platform, path, { host, authorization, 'user-agent': 'test' }, method)).status
    for (const host of [
      `rebound.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example:${port}`,
    ]) {
      for (const path of ['/', '/_page/messages', '/inboxes', '/openapi.json', '/oauth/authorize']) {
        expect([host, path, await statusOf(host, path)]).toEqual([host, path, 403])
      }
      expect(await statusOf(host, '/oauth/authorize', 'POST')).toBe(403)
    }
    for (const host of [
      `localhost:${port}`,
      '127.0.0.1',
      '192.168.0.7:80',
      `[::1]:${port}`,
      'mail.example',
      'mail.example:8080',
      'mail-host',
      'MAIL-HOST:80',
      'xn--bcher-kva.example',
    ]) {
      expect([host, await statusOf(host, '/inboxes')]).toEqual([host, 200])
    }
  })

  test('grants no cross-origin access, and rejects changes without an Origin', async () => {
    await using platform = await startPlatform()
    await platform.deliver({ subject: 'Kept' })
    for (const path of ['/', '/_page/messages']) {
      const { headers } = await browse(platform, path)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['cache-control']).toBe('no-store')
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect((await browse(platform, '/_page/messages', {}, method)).status).toBe(403)
      const { host } = new URL(platform.baseUrl)
      expect((await browse(platform, '/_page/messages', { origin: `http://${host}` }, method)).status).toBe(404)
    }
    expect(await subjects(platform)).toEqual(['Kept'])
  })

  test('lists received and sent mail by direction and inbox, newest first', async () => {
    await using platform = await startPlatform({ now: () => 1_800_000_000_000 })
    await post(platform, '/inboxes', { email_address: 'desk@linnet.example' })
    await platform.deliver({ subject: 'One' })
    await platform.deliver({ subject: 'Two', to: 'desk@linnet.example' })
    await post(platform, '/emails', {
      from: platform.inboxAddress,
      to: 'eve@else.example',
      subject: 'Three',
      text: 'x',
    })
    await platform.deliver({ subject: 'Nobody’s', to: 'nobody@linnet.example' })
    const { inboxes } = await listed(platform)
    expect(inboxes.map(({ address }) => address)).toEqual([platform.inboxAddress, 'desk@linnet.example'])
    expect(await subjects(platform)).toEqual(['Nobody’s', 'Three', 'Two', 'One'])
    expect(await subjects(platform, '?direction=inbound')).toEqual(['Nobody’s', 'Two', 'One'])
    expect(await subjects(platform, '?direction=outbound')).toEqual(['Three'])
    expect(await subjects(platform, `?inbox=${platform.inboxId}`)).toEqual(['Three', 'One'])
    expect(await subjects(platform, '?inbox=nowhere')).toEqual([])
    expect(await listed(platform, '?limit=2')).toMatchObject({ has_more: true, messages: [{}, { subject: 'Three' }] })
    expect(await listed(platform, '?limit=4')).toMatchObject({ has_more: false })
    for (const limit of ['x', '-1', '0', '1e9'])
      expect((await browse(platform, `/_page/messages?limit=${limit}`)).status).toBe(200)
  })

  test('doesn’t resend an unchanged response', async () => {
    await using platform = await startPlatform()
    const etag = String((await browse(platform, '/_page/messages')).headers.etag)
    expect(await browse(platform, '/_page/messages', { 'if-none-match': etag })).toMatchObject({
      status: 304,
      text: '',
    })
    await platform.deliver({})
    expect((await browse(platform, '/_page/messages', { 'if-none-match': etag })).status).toBe(200)
  })

  test('shows a message with sandboxed HTML and downloadable files', async () => {
    await using platform = await startPlatform()
    const [email] = await platform.deliver({
      subject: '<script>alert(1)</script>',
      html: '<p onclick=x>Hi<script>alert(2)</script><img src="http://evil.example/x"><img src="cid:dot"></p>',
      attachments: [
        { filename: 'dot.png', content: 'p', contentType: 'image/png', contentId: 'dot' },
        { filename: 'x.html', content: '<script>alert(3)</script>', contentType: 'text/html' },
      ],
    })
    const path = `/_page/messages/${email?.id}`
    const message = JSON.parse((await browse(platform, path)).text) as {
      readonly attachments: readonly { readonly id: string }[]
    }
    expect(message).toMatchObject({ subject: '<script>alert(1)</script>', has_html: true, remote_images: 1 })
    const html = await browse(platform, `${path}/html`)
    expect(html.text.split('</style>')[1]?.trim()).toBe('<p>Hi<img src="data:image/png;base64,cA=="></p>')
    const policy = String(html.headers['content-security-policy']).split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox allow-popups allow-popups-to-escape-sandbox')
    expect(html.headers['x-dns-prefetch-control']).toBe('off')
    const source = await browse(platform, `${path}/source`)
    expect(source.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(source.text).toMatch(/^From: sender@example\.com\r\n/)
    for (const file of [`${path}/download`, ...message.attachments.map(({ id }) => `/_page/attachments/${id}`)]) {
      const { headers } = await browse(platform, file)
      expect(headers['content-disposition'], file).toMatch(/^attachment;/)
      expect(headers['content-security-policy'], file).toBe("default-src 'none'; sandbox")
      expect(headers['x-content-type-options'], file).toBe('nosniff')
    }
    for (const missing of [
      '/_page/messages/x',
      '/_page/messages/x/html',
      '/_page/messages/x/source',
      '/_page/attachments/x',
      '/_page/x',
    ]) {
      expect((await browse(platform, missing)).status, missing).toBe(404)
    }
  })

  test('decodes old charsets, and shows the start of a large source', async () => {
    await using platform = await startPlatform()
    const [old] = await platform.deliver(Buffer.from('Subject: jos\xe9\r\n\r\nx', 'latin1'))
    expect((await browse(platform, `/_page/messages/${old?.id}/source`)).text).toContain('Subject: josé')
    const [large] = await platform.deliver(`Subject: large\r\n\r\n${'0123456789abcde\n'.repeat(100_000)}`)
    expect((await browse(platform, `/_page/messages/${large?.id}/source`)).text).toHaveLength(1024 * 1024)
  })

  test('changes threads as the dashboard or the agent, but nothing else', async () => {
    await using platform = await startPlatform()
    const hook = platform.webhook({ events: ['inbox.thread.folder.updated', 'inbox.thread.assigned'] })
    const [email] = await platform.deliver({ subject: 'Order' })
    const thread = `/inboxes/${platform.inboxId}/threads/${email?.threadId}`
    const shown = async () =>
      JSON.parse((await browse(platform, `/_page/messages/${email?.id}`)).text) as { readonly thread: object }
    expect((await shown()).thread).toEqual({
      id: email?.threadId,
      inbox_id: platform.inboxId,
      folder: 'inbox',
      assignee: null,
      labels: [],
    })
    const headers = { origin: platform.baseUrl, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const act = async (method: string, path: string, body: object, more: Readonly<Record<string, string>> = headers) =>
      (await browse(platform, `/_page/as${path}`, more, method, JSON.stringify(body))).status
    const archive = { folder: 'archive' }
    expect(await act('PATCH', `/dashboard${thread}`, archive, { origin: 'http://evil.example' })).toBe(403)
    expect(await act('PATCH', `/dashboard${thread}`, archive, {})).toBe(403)
    expect(await act('PATCH', `/dashboard${thread}`, archive)).toBe(200)
    expect(await act('PUT', `/agent${thread}/assignee`, { assignee_email: 'ada@example.com' })).toBe(200)
    expect(await act('PATCH', `/system${thread}`, archive)).toBe(404)
    expect(await act('POST', '/dashboard/api-keys', { name: 'mine' })).toBe(404)
    expect(await act('POST', '/dashboard/emails', {})).toBe(404)
    expect((await shown()).thread).toMatchObject({ folder: 'archive', assignee: 'ada@example.com' })
    await platform.settled()
    expect(hook.received.map(({ type, data }) => [type, data.source])).toEqual([
      ['inbox.thread.folder.updated', 'dashboard'],
      ['inbox.thread.assigned', 'agent'],
    ])
  })

  test('lists webhooks with their events and attempts, without secrets', async () => {
    await using platform = await startPlatform()
    const hook = platform.webhook({ events: ['email.received'] })
    platform.faults(['error_503 POST /_webhooks times=1'])
    await platform.deliver({ subject: 'Order' })
    await platform.settled()
    const { text } = await browse(platform, '/_page/webhooks')
    expect(JSON.parse(text)).toMatchObject({
      webhooks: [
        {
          endpoint: hook.endpoint,
          status: 'enabled',
          types: ['email.received'],
          events: [
            {
              type: 'email.received',
              status: 'attempting',
              next_attempt_at: expect.any(Number) as number,
              payload: expect.stringContaining('"subject": "Order"') as string,
              attempts: [{ code: 503 }],
            },
          ],
        },
      ],
    })
    expect(text).not.toContain(hook.signingSecret)
  })

  test('stays out of the log, the rate limit and faults', async () => {
    const lines: string[] = []
    await using platform = await startPlatform({
      settings: { rateLimit: 1 },
      faults: ['error_500'],
      log: (line) => lines.push(line),
    })
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await browse(platform, '/_page/messages')).status),
    )
    expect(statuses).toEqual([200, 200, 200, 200, 200])
    expect(lines.join()).not.toContain('_page')
  })
})
