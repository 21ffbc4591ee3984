import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lookupPublicAddress } from '../../../src/engine/platform/fetchable-address.ts'
import { Network } from '../../../src/engine/platform/network.ts'
import { postOneClick, UnsubscribeService } from '../../../src/engine/mail/unsubscribe-service.ts'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import type { Problem } from '../../../src/shared/result.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { openUnchangedCache } from '../../support/open-cache.ts'
import { receivedEmailOf } from '../../support/raw-payloads.ts'
import { startHttpProxy } from '../../support/proxies.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { problemOf } from './support/problem-of.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { partial } from '../../support/partial.ts'

const never = new AbortController().signal
const BODY = 'List-Unsubscribe=One-Click'

const authority = makeCertificate({ name: 'Test authority' })
const trusted = makeCertificate({ name: 'list.test', hosts: ['list.test', 'other.test'], by: authority })

interface Heard {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Listens with a certificate until the test ends. @param answer may send nothing */
const listen = async (
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  certificate: Pick<typeof trusted, 'certificate' | 'key'> = trusted,
): Promise<{ readonly port: number; readonly heard: readonly Heard[]; readonly connections: () => number }> => {
  const heard: Heard[] = []
  let connections = 0
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    let body = ''
    response.on('error', () => undefined)
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      heard.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, body })
      answer(request, response)
    })
  })
  server.on('connection', () => (connections += 1))
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, heard, connections: () => connections }
}

/** Resolves `list.test` and `other.test` to local test servers, and everything else normally. */
const lookup: LookupFunction = (hostname, options, callback) => {
  if (/^(?:list|other)\.test$/.test(hostname)) lookUp('127.0.0.1', options, callback as never)
  else lookupPublicAddress(hostname, options, callback)
}
const network = new Network({ certificates: () => [authority.certificate] })
const post: typeof postOneClick = (by, url, signal, options) => postOneClick(by, url, signal, { lookup, ...options })
const ask = (url: string, overall?: number) => post(network, url, never, overall === undefined ? {} : { overall })

describe('a mailing list’s server', () => {
  it('receives one constant word and nothing about the user', async () => {
    const { port, heard } = await listen((_request, response) => {
      response.writeHead(200, { 'set-cookie': 'who=ann; Path=/' }).end('Gone <script>alert(1)</script>')
    })
    for (const round of [1, 2]) {
      const answer = await ask(`https://list.test:${port}/u?token=${round}#top`)
      expect(answer).toEqual({ outcome: 'accepted', status: 200, leadsTo: null })
    }
    expect(heard.map(({ line, body }) => `${line} ${body}`)).toEqual([
      `POST /u?token=1 ${BODY}`,
      `POST /u?token=2 ${BODY}`,
    ])
    for (const { headers } of heard) {
      expect(headers).toEqual({
        ...{ host: `list.test:${port}`, connection: 'keep-alive', accept: '*/*', 'accept-encoding': 'identity' },
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'content-length': '26', 'user-agent': 'Mozilla/5.0' },
      })
    }
  })

  it('is asked once, and its rejection is shown with the status', async () => {
    const statuses = [201, 202, 204, 304, 400, 401, 403, 404, 405, 410, 429, 500, 502, 503]
    const { port, heard } = await listen((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { 'retry-after': '0', 'www-authenticate': 'Basic' }).end()
    })
    for (const status of statuses) {
      const outcome = status < 300 ? 'accepted' : 'declined'
      expect(await ask(`https://list.test:${port}/${status}`)).toEqual({ outcome, status, leadsTo: null })
    }
    expect(heard).toHaveLength(statuses.length)
  })

  it('can’t redirect the request anywhere', async () => {
    let knocks = 0
    const inside = await listenOnLoopback((_request, answer) => {
      knocks += 1
      answer.end()
    })
    const other = await listen((_request, response) => response.end())
    const aims: readonly (readonly [to: string | undefined, host: string | null])[] = [
      [`${inside}/u`, '127.0.0.1'],
      [`https://other.test:${other.port}/u`, 'other.test'],
      ['/elsewhere', 'list.test'],
      ['http://169.254.169.254/latest', '169.254.169.254'],
      ['http://[::1]/', '[::1]'],
      ['https://xn--pypal-4ve.example/', 'xn--pypal-4ve.example'],
      [`https://${'a.'.repeat(2_000)}example/`, null],
      ['file:///etc/passwd', null],
      ['javascript:alert(1)', null],
      [undefined, null],
    ]
    const { port, heard } = await listen((request, response) => {
      const [, status, at] = request.url?.split('/') ?? []
      const location = aims[Number(at)]?.[0]
      response.writeHead(Number(status), location === undefined ? {} : { location }).end()
    })
    for (const [at, [, host]] of aims.entries()) {
      for (const status of [301, 302, 303, 307, 308]) {
        const answer = await ask(`https://list.test:${port}/${status}/${at}`)
        expect([at, answer.outcome, answer.status]).toEqual([at, 'declined', status])
        if (host === null) expect(answer.leadsTo?.length ?? 0).toBeLessThanOrEqual(253)
        else expect(answer.leadsTo).toBe(host)
      }
    }
    expect(heard).toHaveLength(aims.length * 5)
    expect([knocks, other.connections()]).toEqual([0, 0])
  })

  it('is reached through the user’s proxy, which gets no other request', async () => {
    const { port, heard } = await listen((_request, response) => response.writeHead(202).end())
    const proxy = await startHttpProxy()
    const behind = new Network({
      certificates: () => [authority.certificate],
      routesTo: () => Promise.resolve([proxy.url]),
    })
    expect(await post(behind, `https://list.test:${port}/u`, never)).toMatchObject({ outcome: 'accepted' })
    expect(heard).toMatchObject([{ line: 'POST /u', body: BODY }])
    expect(proxy.asked).toEqual([`CONNECT list.test:${port}`])
    await problemOf(post(behind, `https://localhost:${port}/u`, never))
    expect(proxy.asked).toHaveLength(1)
  })

  it('may stall or misbehave: requests are bounded, and possible arrival is reported', async () => {
    const { port, heard } = await listen((request, response) => {
      const send: Readonly<Record<string, () => void>> = {
        '/silent': () => undefined,
        '/break': () => response.socket?.destroy(),
        '/huge-headers': () => response.writeHead(200, { 'x-huge': 'x'.repeat(200_000) }).end(),
        '/nonsense': () => response.socket?.end('HTTP/1.1 what\r\n\r\n'),
        '/drip': () => {
          const timer = setInterval(() => response.socket?.write('x'), 20)
          response.on('close', () => clearInterval(timer))
        },
        '/endless': () => {
          response.writeHead(200)
          const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
          response.on('close', () => clearInterval(timer))
        },
        '/huge': () => response.writeHead(200, { 'content-length': '1000000000000' }).write('x'),
        '/packed': () => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed'),
        '/early': () => {
          for (let hint = 0; hint < 50; hint += 1) response.writeEarlyHints({ link: '</a.css>; rel=preload' })
          response.writeHead(200).end()
        },
      }
      send[request.url ?? '']?.()
    })
    const unanswered = { outcome: 'unanswered', status: null, leadsTo: null }
    for (const path of ['/silent', '/drip', '/break', '/huge-headers', '/nonsense']) {
      expect([path, await ask(`https://list.test:${port}${path}`, 400)]).toEqual([path, unanswered])
    }
    for (const path of ['/endless', '/huge', '/packed', '/early']) {
      const began = performance.now()
      expect([path, await ask(`https://list.test:${port}${path}`, 30_000)]).toMatchObject([
        path,
        { outcome: 'accepted' },
      ])
      expect(performance.now() - began).toBeLessThan(10_000)
    }
    expect(heard).toHaveLength(9)
  })

  it('receives nothing without a trusted certificate', async () => {
    const wrong = [
      makeCertificate({ name: 'list.test', hosts: ['list.test'] }),
      makeCertificate({ name: 'else.test', hosts: ['else.test'], by: authority }),
      makeCertificate({ name: 'list.test', hosts: ['list.test'], by: authority, from: -30, to: -1 }),
    ]
    for (const certificate of wrong) {
      const { port, heard } = await listen((_request, response) => response.end(), certificate)
      const problem = await problemOf(ask(`https://list.test:${port}/u`))
      expect(problem).toMatchObject({
        code: 'unreachable',
        message: expect.stringContaining('Nothing was sent.') as string,
      })
      expect(heard).toEqual([])
    }
    // URLs without TLS, without a listener, and with a name that doesn't exist.
    const plain = new URL(await listenOnLoopback((_request, answer) => answer.end())).port
    for (const url of [`https://list.test:${plain}/`, 'https://list.test:1099/', 'https://nobody.invalid/u']) {
      const problem = await problemOf(ask(url))
      expect([url, problem]).toMatchObject([url, { code: 'unreachable' }])
      expect(problem).toMatchObject({ message: expect.stringContaining('Nothing was sent.') as string })
    }
  })
})

const LIST = { list: 'received', emailId: 'e' } as const

/** The unsubscribe service with lists in memory and one e-mail from a mailing list. */
const openService = ({
  port,
  lists = new Map<string, readonly unknown[]>(),
  disk = () => undefined,
}: {
  readonly port: number
  readonly lists?: Map<string, readonly unknown[]>
  readonly disk?: () => void
}) => {
  const cache = openUnchangedCache(`${temporaryDirectory()}/cache.sqlite`)
  onTestFinished(() => cache.close())
  cache.receivedEmails.storeWhole(
    receivedEmailOf({
      ...{ id: 'e', from: 'News <news@list.test>', created_at: '2026-01-01T00:00:00Z', html: '' },
      headers: {
        'list-id': 'The news <news.list.test>',
        'list-unsubscribe': `<https://list.test:${port}/u>`,
        'list-unsubscribe-post': BODY,
      },
    }),
  )
  const reported: unknown[] = []
  const service = new UnsubscribeService({
    ...{ network, cache, hub: partial({ unsubscribed: () => undefined }), signal: never, post },
    own: partial({
      list: (name) => lists.get(name) ?? [],
      writeList: (name, entries) => {
        disk()
        lists.set(name, entries)
      },
    }),
    rawMessages: partial({ isHere: () => false, read: () => Promise.reject(new Error('not here')) }),
    authentications: partial({ known: () => null }),
    report: (thrown) => reported.push(thrown),
    clock: partial({ now: () => 1_000 }),
  })
  return { service, lists, reported, url: `https://list.test:${port}/u` }
}

describe('an unsubscribe request', () => {
  it('is stored before it is sent, and with the response afterwards', async () => {
    const kept: unknown[] = []
    const server = await listen((_request, response) => {
      kept.push(...(opened.lists.get('unsubscribed') ?? []))
      response.end()
    })
    const opened = openService(server)
    expect(await opened.service.offer(LIST)).toMatchObject({ last: null, sender: 'unverified' })
    await opened.service.post(LIST, opened.url)
    expect(kept).toMatchObject([{ outcome: 'unanswered', to: 'list.test' }])
    const again = openService({ ...server, lists: opened.lists })
    expect(await again.service.offer(LIST)).toMatchObject({
      last: { outcome: 'accepted', status: 200, to: 'list.test', at: 1_000 },
    })
  })

  it('isn’t sent if the disk rejects it, and says if only the response is unsaved', async () => {
    let isFull = true
    // The disk is full again before the response can be stored.
    const server = await listen((_request, response) => {
      isFull = true
      response.end()
    })
    const fail = (): void => {
      if (isFull) throw new Error('full')
    }
    const full = openService({ ...server, disk: fail })
    await expect(full.service.post(LIST, full.url)).rejects.toThrow('full')
    expect(server.heard).toEqual([])
    isFull = false
    const later = openService({ ...server, disk: fail })
    expect(await later.service.post(LIST, later.url)).toMatchObject({ outcome: 'accepted' })
    expect(later.reported).toHaveLength(1)
  })

  it('is forgotten if nothing was sent, keeping earlier results', async () => {
    let status = 200
    const server = await listen((_request, response) => response.writeHead(status).end())
    const { service, url } = openService(server)
    await service.post(LIST, url)
    status = 500
    expect(await service.post(LIST, url)).toMatchObject({ outcome: 'declined', status: 500 })
    expect(await service.offer(LIST)).toMatchObject({ last: { outcome: 'accepted' } })
    const away = openService({ port: 1099 })
    expect(await problemOf(away.service.post(LIST, away.url))).toMatchObject({ code: 'unreachable' })
    expect(await away.service.offer(LIST)).toMatchObject({ last: null })
  })

  it('goes to the confirmed address, one at a time', async () => {
    const waiting: (() => void)[] = []
    const server = await listen((_request, response) => waiting.push(() => response.end()))
    const { service, url } = openService(server)
    for (const other of [`${url}2`, 'https://other.test/u', 'http://list.test/u', '']) {
      expect(await problemOf(service.post(LIST, other))).toMatchObject({ code: 'refused' })
    }
    const both = [service.post(LIST, url), service.post(LIST, url)]
    await eventually(
      () => waiting.length,
      (length) => length === 1,
    )
    // `last` doesn't cover requests without a response.
    expect(await service.offer(LIST)).toMatchObject({ last: null })
    for (const go of waiting) go()
    expect(await Promise.all(both)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }])
    expect(server.heard).toHaveLength(1)
  })

  it('is skipped if its stored file is invalid', () => {
    const lists = new Map<string, readonly unknown[]>([['unsubscribed', [{ id: 1 }, {}, null]]])
    const { service } = openService({ port: 1, lists })
    return expect(service.offer(LIST)).resolves.toMatchObject({ last: null })
  })
})

const ownerOf = async (engine: TestEngine, { inboxId }: TestPlatform, subject: string): Promise<BodyOwner> => {
  const items = await listCached(engine, inboxId, 'inbox')
  const threadId = items.find((each) => each.subject === subject)?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  return { list: 'threads', inboxId, threadId, emailId: emails[0]?.id ?? '' }
}

const newsletter = (platform: TestPlatform, subject: string, headers: Readonly<Record<string, string>>) =>
  platform.deliver({
    from: 'News <news@list.example>',
    subject,
    headers: { 'List-Id': '<news.list.example>', ...headers },
  })

describe('an e-mail of a mailing list', () => {
  it('offers to unsubscribe without a request, once its sender was checked', async () => {
    const platform = await startTestPlatform()
    await newsletter(platform, 'Fog', {
      'List-Unsubscribe': '<mailto:leave@list.example?subject=off>, <https://list.example/u>',
      'List-Unsubscribe-Post': BODY,
      'Authentication-Results': 'mx.example.com; spf=pass; dkim=pass; dmarc=pass',
    })
    await platform.deliver({ from: 'Ann <ann@quill.example>', subject: 'Tide' })
    const engine = await openSettledEngine(platform)
    const of = await ownerOf(engine, platform, 'Fog')
    const asked = (): number => platform.requests().filter((each) => each.includes('/emails/receiving/')).length
    expect(await engine.call('unsubscribe.of', { of })).toBeNull()
    expect(asked()).toBe(0)
    await engine.call('sender.authentication', { of })
    expect(asked()).toBe(1)
    expect(await engine.call('unsubscribe.of', { of })).toEqual({
      ways: [
        { kind: 'oneClick', url: 'https://list.example/u' },
        { kind: 'mail', to: 'leave@list.example', subject: 'off', text: '' },
        { kind: 'page', url: 'https://list.example/u' },
      ],
      ...{ sender: 'verified', recipient: platform.inboxAddress, last: null },
    })
    const other = await ownerOf(engine, platform, 'Tide')
    await engine.call('sender.authentication', { of: other })
    expect(await engine.call('unsubscribe.of', { of: other })).toBeNull()
    expect(asked()).toBe(2)
    await platform.stop()
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await again.call('unsubscribe.of', { of })).toMatchObject({ sender: 'verified' })
    // An unknown name, as when offline: fails with a message, and nothing is queued.
    const problem: Problem = await again.problemOf('unsubscribe.post', { of, url: 'https://list.example/u' })
    expect(problem).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Nothing was sent') as string,
    })
    expect(await again.call('unsubscribe.of', { of })).toMatchObject({ last: null })
    expect((await again.status()).pendingChanges).toBe(0)
  })

  it('reads the offer from the received e-mail or the raw source', async () => {
    const platform = await startTestPlatform()
    await newsletter(platform, 'Fog', { 'List-Unsubscribe': '<https://list.example/u>' })
    const engine = await openSettledEngine(platform)
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
    const received = { list: 'received', emailId: items[0]?.id ?? '' } as const
    expect(await engine.call('unsubscribe.of', { of: received })).toBeNull()
    await engine.call('original.open', { of: received })
    expect(await engine.call('unsubscribe.of', { of: received })).toMatchObject({ ways: [{ kind: 'page' }] })
    await engine.call('receivedEmail.get', { id: received.emailId })
    expect(await engine.call('unsubscribe.of', { of: received })).toMatchObject({
      ways: [{ kind: 'page' }],
      recipient: platform.inboxAddress,
    })
  })

  it('counts as unsubscribed once the message was sent, also after a restart', async () => {
    const platform = await startTestPlatform()
    const headers = { 'List-Unsubscribe': '<mailto:leave@list.example?subject=off>' }
    await newsletter(platform, 'Fog', headers)
    await newsletter(platform, 'Tide', headers)
    const engine = await openSettledEngine(platform)
    const of = await ownerOf(engine, platform, 'Fog')
    await engine.call('sender.authentication', { of })
    const { draftId, revision } = await engine.call('draft.create', {
      ...{ inboxId: platform.inboxId, kind: 'new', target: null },
      content: {
        ...{ to: [{ name: null, address: 'leave@list.example' }], cc: [], bcc: [], subject: 'off' },
        ...{ format: 'rich', html: '<p>off</p>', text: 'off', quote: null, files: [] },
      },
    })
    await engine.call('unsubscribe.begun', { of, draftId })
    expect(await engine.call('unsubscribe.of', { of })).toMatchObject({ last: null })
    const atOnce = { holdSeconds: 0, archive: false, scheduledAt: null }
    await engine.call('draft.send', { draftId, revision, ...atOnce })
    const offer = await eventually(
      () => engine.call('unsubscribe.of', { of }),
      (each) => each?.last !== null,
    )
    expect(offer?.last).toMatchObject({ outcome: 'sent', to: 'leave@list.example' })
    await eventually(
      () => engine.events('unsubscribed.changed').length,
      (count) => count === 2,
    )
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    const later = await ownerOf(again, platform, 'Tide')
    await again.call('sender.authentication', { of: later })
    expect(await again.call('unsubscribe.of', { of: later })).toMatchObject({ last: { outcome: 'sent' } })
  })

  it('notes no message for a list without an address', async () => {
    const platform = await startTestPlatform()
    await newsletter(platform, 'Fog', { 'List-Unsubscribe': '<https://list.example/u>' })
    const engine = await openSettledEngine(platform)
    const of = await ownerOf(engine, platform, 'Fog')
    await engine.call('sender.authentication', { of })
    expect(await engine.problemOf('unsubscribe.begun', { of, draftId: 'x' })).toMatchObject({ code: 'not_found' })
  })
})
