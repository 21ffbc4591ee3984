import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isFetchablePicture, lookupPublicAddress } from '../../../src/engine/platform/fetchable-address.ts'
import { StoredBlobs } from '../../../src/engine/store/blobs.ts'
import { Network } from '../../../src/engine/platform/network.ts'
import {
  fetchPicture,
  PICTURE_LIMITS,
  type PictureFetchPolicy,
} from '../../../src/engine/mail/pictures/fetch-picture.ts'
import { Pictures } from '../../../src/engine/mail/pictures/pictures.ts'
import { SenderChoices } from '../../../src/engine/own/sender-choices.ts'
import type { Authentication } from '../../../src/shared/authentication.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { drawAvif, drawPng } from '../../support/drawn-pictures.ts'
import { openUnchangedCache } from '../../support/open-cache.ts'
import { receivedEmailOf } from '../../support/raw-payloads.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { problemOf } from './support/problem-of.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { partial } from '../../support/partial.ts'
import { systemClock } from '../../../src/engine/timing/clock.ts'

const PICTURE = drawPng(3, 2)
const never = new AbortController().signal

/** Resolves `*.pictures.test` to a local test server, and everything else normally. */
const pretend = (origin: string): { readonly url: (path: string) => string; readonly reach: PictureFetchPolicy } => {
  const { port } = new URL(origin)
  const isPretended = (hostname: string): boolean => /(?:^|\.)pictures\.test$/.test(hostname)
  const lookup: LookupFunction = (hostname, options, callback) => {
    if (isPretended(hostname)) lookUp('127.0.0.1', options, callback as never)
    else lookupPublicAddress(hostname, options, callback)
  }
  return {
    url: (path) => `http://pictures.test:${port}${path}`,
    reach: { mayFetch: isFetchablePicture, lookup },
  }
}

describe('a remote picture', () => {
  it('is fetched anonymously and through redirects', async () => {
    const asked: IncomingMessage[] = []
    const origin = await listenOnLoopback((request, answer) => {
      asked.push(request)
      if (request.url === '/a') {
        answer.writeHead(302, { location: '/b', 'set-cookie': 'who=ann; Path=/' }).end()
      } else {
        answer.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'who=ann; Path=/' }).end(PICTURE)
      }
    })
    const { url, reach } = pretend(origin)
    for (const path of ['/a', '/b']) {
      const picture = await fetchPicture(new Network(), url(path), never, PICTURE_LIMITS, reach)
      expect(picture.type).toBe('image/png')
      expect(Buffer.from(picture.content).equals(PICTURE)).toBe(true)
    }
    expect(asked.map(({ url: path }) => path)).toEqual(['/a', '/b', '/b'])
    for (const { headers } of asked) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
      expect(headers['user-agent']).toBe('Mozilla/5.0')
    }
  })

  it('is rejected if invalid, too large or endless', async () => {
    const origin = await listenOnLoopback((request, answer) => {
      const send: Readonly<Record<string, () => void>> = {
        '/drawing': () => answer.writeHead(200, { 'content-type': 'image/png' }).end('<svg xmlns="x"><script/></svg>'),
        '/page': () => answer.writeHead(200, { 'content-type': 'image/gif' }).end('<html>'),
        '/empty': () => answer.end(),
        '/bomb': () => answer.end(drawPng(1, 1, [50_000, 50_000])),
        '/clipped-bomb': () => answer.end(drawAvif(20_000, 20_000)),
        '/packed': () => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(PICTURE),
        '/circle': () => answer.writeHead(301, { location: '/circle' }).end(),
        '/away': () => answer.writeHead(301, { location: 'file:///etc/passwd' }).end(),
        '/none': () => answer.writeHead(404).end(PICTURE),
        '/large': () => answer.end(Buffer.concat([PICTURE, Buffer.alloc(60_000)])),
        '/endless': () => {
          answer.write(PICTURE)
          const timer = setInterval(() => answer.write('x'), 2)
          answer.on('close', () => clearInterval(timer))
        },
        '/silent': () => undefined,
      }
      send[request.url ?? '']?.()
    })
    const { url, reach } = pretend(origin)
    const ask = (path: string, limits = {}) =>
      problemOf(fetchPicture(new Network(), url(path), never, { ...PICTURE_LIMITS, bytes: 50_000, ...limits }, reach))
    for (const path of [
      '/drawing',
      '/page',
      '/empty',
      '/bomb',
      '/clipped-bomb',
      '/packed',
      '/circle',
      '/away',
      '/large',
    ]) {
      expect([path, await ask(path)]).toMatchObject([path, { code: 'refused' }])
    }
    expect(await ask('/none')).toMatchObject({ code: 'platform_failed' })
    for (const path of ['/endless', '/silent']) {
      expect([path, await ask(path, { overall: 150 })]).toMatchObject([path, { code: 'platform_failed' }])
    }
  })
})

describe('the pictures of an e-mail', () => {
  /** @param urls the pictures that the e-mail refers to */
  const openWith = (reach: PictureFetchPolicy, urls: readonly string[] = [], found: Authentication | null = null) => {
    const directory = temporaryDirectory()
    const cache = openUnchangedCache(`${directory}/cache.sqlite`)
    const report = (thrown: unknown) => expect.unreachable(String(thrown))
    const choices = new SenderChoices({ list: () => [], writeList: () => undefined }, () => undefined)
    cache.receivedEmails.storeWhole(
      receivedEmailOf({
        id: 'e',
        from: 'Ann <Ann@pier.example>',
        created_at: '2026-01-01T00:00:00Z',
        html: urls.map((each) => `<img src="${each}">`).join(''),
      }),
    )
    return {
      choices,
      pictures: new Pictures({
        network: new Network(),
        cache,
        blobs: new StoredBlobs(directory, cache.blobs, never),
        choices,
        inlinePictures: {
          read: () => Promise.reject(new Error('carried by nothing')),
          located: () => Promise.resolve([]),
        },
        authentications: partial({ known: () => found, read: () => Promise.resolve(found) }),
        signedHtmlOf: () => null,
        isSafe: false,
        clock: systemClock,
        signal: never,
        report,
        reach,
      }),
      close: () => cache.close(),
    }
  }
  const of = { list: 'received', emailId: 'e' } as const

  it('are fetched four at a time, once each, and cached', async () => {
    let [now, most] = [0, 0]
    const waiting: (() => void)[] = []
    const asked: string[] = []
    const origin = await listenOnLoopback((request, answer) => {
      asked.push(request.url ?? '')
      now += 1
      most = Math.max(most, now)
      waiting.push(() => {
        now -= 1
        answer.end(PICTURE)
      })
    })
    const { url, reach } = pretend(origin)
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`)
    const { pictures, close } = openWith(reach, paths.map(url))
    const reading = Promise.all([...paths, ...paths].map((path) => pictures.read(of, url(path), false)))
    for (const at of paths.keys()) {
      // Wait for as many requests as the concurrency limit, or all that are left.
      await eventually(
        () => waiting.length,
        (count) => count >= Math.min(4, paths.length - at),
      )
      waiting.shift()?.()
    }
    expect(await reading).toHaveLength(20)
    await Promise.all(paths.map((path) => pictures.read(of, url(path), false)))
    expect(asked.toSorted()).toEqual(paths)
    expect(most).toBe(4)
    close()
  })

  it('are limited in number per e-mail', async () => {
    let asked = 0
    const origin = await listenOnLoopback((_request, answer) => {
      asked += 1
      answer.end(PICTURE)
    })
    const { url, reach } = pretend(origin)
    const urls = Array.from({ length: 205 }, (_, index) => url(`/${index}`))
    const { pictures, close } = openWith(reach, urls)
    const answers = await Promise.all(urls.map((each) => problemOf(pictures.read(of, each, false))))
    expect(answers.filter((answer) => answer === 'no problem')).toHaveLength(200)
    expect(answers.at(-1)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('more pictures') as string,
    })
    expect(asked).toBe(200)
    close()
  })

  it('are limited to 50 MB per e-mail', async () => {
    let asked = 0
    const large = Buffer.concat([PICTURE, Buffer.alloc(PICTURE_LIMITS.bytes - PICTURE.byteLength)])
    const origin = await listenOnLoopback((_request, answer) => {
      asked += 1
      answer.end(large)
    })
    const { url, reach } = pretend(origin)
    const urls = Array.from({ length: 8 }, (_, index) => url(`/${index}`))
    const { pictures, close } = openWith(reach, urls)
    const given: string[] = []
    for (const each of urls) {
      const outcome = await problemOf(pictures.read(of, each, false))
      if (outcome === 'no problem') given.push(each)
      else
        expect(outcome).toMatchObject({ code: 'refused', message: expect.stringContaining('more pictures') as string })
    }
    expect(given).toEqual(urls.slice(0, Math.floor((50 * 1024 * 1024) / large.byteLength)))
    // Pictures beyond the limit may be fetched, because their size isn't known in advance.
    expect(asked).toBeLessThanOrEqual(urls.length)
    expect(await problemOf(pictures.read(of, urls[0] ?? '', false))).toBe('no problem')
    close()
  })

  it('are only those that it refers to', async () => {
    const asked: string[] = []
    const origin = await listenOnLoopback((request, answer) => {
      asked.push(request.url ?? '')
      answer.end(PICTURE)
    })
    const { url, reach } = pretend(origin)
    const { pictures, close } = openWith(reach, [url('/a?b=1')])
    for (const other of ['/a?b=2', '/A?b=1', '/a', '/a?b=1&who=ann']) {
      expect([other, await problemOf(pictures.read(of, url(other), true))]).toMatchObject([other, { code: 'refused' }])
    }
    expect(await problemOf(pictures.read(of, url('/a?b=1'), false))).toBe('no problem')
    expect(asked).toEqual(['/a?b=1'])
    close()
  })

  it('aren’t fetched again after a failure until the user retries', async () => {
    const asked: string[] = []
    const origin = await listenOnLoopback((request, answer) => {
      asked.push(request.url ?? '')
      if (request.url === '/gone') answer.writeHead(404).end()
      else if (request.url === '/cut') request.socket.destroy()
      else answer.end('<html>')
    })
    const { url, reach } = pretend(origin)
    const { pictures, close } = openWith(reach, ['/gone', '/page', '/cut'].map(url))
    for (const isRetry of [false, false, true]) {
      expect(await problemOf(pictures.read(of, url('/gone'), isRetry))).toMatchObject({ code: 'platform_failed' })
      expect(await problemOf(pictures.read(of, url('/page'), isRetry))).toMatchObject({ code: 'refused' })
      expect(await problemOf(pictures.read(of, url('/cut'), isRetry))).toMatchObject({ code: 'unreachable' })
    }
    const times = (path: string): number => asked.filter((each) => each === path).length
    // Connection failures aren't remembered, as they may be temporary.
    expect([times('/gone'), times('/page'), times('/cut')]).toEqual([2, 2, 3])
    close()
  })

  it('are shown if the user trusts the sender’s address or domain', async () => {
    const { pictures, choices, close } = openWith({ mayFetch: () => false, lookup: lookupPublicAddress })
    expect(await pictures.policyOf(of)).toEqual({
      sender: 'ann@pier.example',
      domain: 'pier.example',
      pictures: 'asked',
      isDark: false,
    })
    choices.set({ about: 'pictures', who: 'domain', name: 'pier.example' }, true)
    expect((await pictures.policyOf(of)).pictures).toBe('domain')
    choices.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
    expect((await pictures.policyOf(of)).pictures).toBe('sender')
    expect(await problemOf(pictures.policyOf({ list: 'sent', emailId: 'e' }))).toMatchObject({ code: 'not_found' })
    close()
  })

  it('are shown only if a trusted sender is authenticated', async () => {
    const policyFor = async (found: Authentication | null): Promise<readonly string[]> => {
      const { pictures, choices, close } = openWith({ mayFetch: () => false, lookup: lookupPublicAddress }, [], found)
      const before = await pictures.policyOf(of)
      choices.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
      const after = await pictures.policyOf(of)
      close()
      return [before.pictures, after.pictures]
    }
    expect(await policyFor({ spf: 'pass', dkim: 'pass', dmarc: 'fail' })).toEqual(['forged', 'forged'])
    expect(await policyFor({ spf: 'fail', dkim: 'fail', dmarc: 'gray' })).toEqual(['forged', 'forged'])
    expect(await policyFor({ spf: 'fail', dkim: 'pass', dmarc: 'unknown' })).toEqual(['asked', 'sender'])
    expect(await policyFor({ spf: 'fail', dkim: 'fail', dmarc: 'pass' })).toEqual(['asked', 'sender'])
  })
})

it('delays a sender choice until the platform confirms the sender', async () => {
  const platform = await startTestPlatform()
  const deliver = (subject: string, dmarc: string) =>
    platform.deliver({
      from: 'Ann <ann@pier.example>',
      subject,
      html: '<img src="http://pictures.test/a">',
      headers: { 'Authentication-Results': `mx.example.com; spf=pass; dkim=pass; dmarc=${dmarc}` },
    })
  await deliver('True', 'pass')
  await deliver('False', 'fail')
  const engine = await openSettledEngine(platform)
  await engine.call('senderChoice.set', { about: 'pictures', who: 'domain', name: 'pier.example', isOn: true })
  const { inboxId } = platform
  const items = await listCached(engine, inboxId, 'inbox')
  const policies = await Promise.all(
    items.map(async ({ id: threadId, subject }) => {
      const { emails } = await engine.call('thread.open', { inboxId, threadId })
      const of = { list: 'threads', inboxId, threadId, emailId: emails[0]?.id ?? '' } as const
      return [subject, (await engine.call('senderChoice.of', { of })).pictures]
    }),
  )
  expect(Object.fromEntries(policies)).toEqual({ True: 'domain', False: 'forged' })
})

it('blocks pictures in spam, whatever was chosen', async () => {
  const platform = await startTestPlatform()
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'Offer',
    html: '<img src="http://pictures.test/a">',
  })
  const engine = await openSettledEngine(platform)
  const inboxId = platform.inboxId
  const items = await listCached(engine, inboxId, 'inbox')
  const thread = items[0] ?? expect.unreachable('the thread')
  const { emails } = await engine.call('thread.open', { inboxId, threadId: thread.id })
  const of = { list: 'threads', inboxId, threadId: thread.id, emailId: emails[0]?.id ?? '' } as const

  await engine.call('senderChoice.set', { about: 'pictures', who: 'sender', name: 'ann@pier.example', isOn: true })
  expect((await engine.call('senderChoice.of', { of })).pictures).toBe('sender')
  await eventually(
    () => engine.events('senderChoices.changed').length,
    (count) => count === 1,
  )

  await engine.call('thread.change', { inboxId, threadIds: [thread.id], change: { folder: 'spam' } })
  expect((await engine.call('senderChoice.of', { of })).pictures).toBe('spam')
  expect(await engine.problemOf('picture.read', { of, url: 'http://pictures.test/a', isRetry: true })).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('spam') as string,
  })

  // The same message in the list of received e-mails.
  const { items: received } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
  const copy = { list: 'received', emailId: received[0]?.id ?? '' } as const
  await engine.call('receivedEmail.get', { id: copy.emailId })
  expect((await engine.call('senderChoice.of', { of: copy })).pictures).toBe('spam')
  expect(
    await engine.problemOf('picture.read', { of: copy, url: 'http://pictures.test/a', isRetry: true }),
  ).toMatchObject({ code: 'refused', message: expect.stringContaining('spam') as string })

  await engine.call('thread.change', { inboxId, threadIds: [thread.id], change: { folder: 'inbox' } })
  expect((await engine.call('senderChoice.of', { of: copy })).pictures).toBe('sender')
})
