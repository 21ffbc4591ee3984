import { lookup as lookUp } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isFetchablePicture, publicLookup } from '../../../src/engine/api/fetchable-address.ts'
import { openContents } from '../../../src/engine/contents/contents.ts'
import { fetchPicture, PICTURE_LIMITS, type PictureReach } from '../../../src/engine/pictures/fetch-picture.ts'
import { createPictures } from '../../../src/engine/pictures/pictures.ts'
import { openSenderChoices } from '../../../src/engine/pictures/sender-choices.ts'
import { openCache } from '../../../src/engine/store/cache.ts'
import { folderQuery } from '../../../src/shared/thread-query.ts'
import { listenOnLoopback } from '../../support/door.ts'
import { drawAvif, drawPng } from '../../support/drawn-pictures.ts'
import { receivedEmailOf } from '../../support/platform-words.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { problemOf } from './support/problem-of.ts'
import { openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const PICTURE = drawPng(3, 2)
const never = new AbortController().signal

/** A world in which `*.pictures.test` is a server of the test on this computer, and everything else is as it is. */
const pretend = (origin: string): { readonly url: (path: string) => string; readonly reach: PictureReach } => {
  const { port } = new URL(origin)
  const isPretended = (hostname: string): boolean => /(?:^|\.)pictures\.test$/.test(hostname)
  const lookup: LookupFunction = (hostname, options, callback) => {
    if (isPretended(hostname)) lookUp('127.0.0.1', options, callback as never)
    else publicLookup(hostname, options, callback)
  }
  return {
    url: (path) => `http://pictures.test:${port}${path}`,
    reach: { mayFetch: isFetchablePicture, lookup },
  }
}

describe('a picture that an e-mail names', () => {
  it('is fetched without a word about who asks, and where its address leads on', async () => {
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
      const picture = await fetchPicture(url(path), never, PICTURE_LIMITS, reach)
      expect(picture.type).toBe('image/png')
      expect(Buffer.from(picture.content).equals(PICTURE)).toBe(true)
    }
    expect(asked.map(({ url: path }) => path)).toEqual(['/a', '/b', '/b'])
    for (const { headers } of asked) {
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
      expect(headers['user-agent']).toBe('Mozilla/5.0')
    }
  })

  it('is asked for nowhere in the person’s own network, at once or behind a redirect', async () => {
    let knocks = 0
    const door = await listenOnLoopback((_request, answer) => {
      knocks += 1
      answer.end(PICTURE)
    })
    const { port } = new URL(door)
    const aims = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0', '[::1]', '[::]'],
      ...['[::ffff:127.0.0.1]', '[::127.0.0.1]', 'localhost', 'localhost.', 'a.localhost', '127.0.0.1.nowhere.test'],
      ...['10.0.0.1', '192.168.0.1', '169.254.169.254', '172.16.0.1'],
    ].map((host) => `http://${host}:${port}/`)
    const origin = await listenOnLoopback((request, answer) => {
      answer.writeHead(307, { location: aims[Number(request.url?.slice(1))] }).end()
    })
    const { url, reach } = pretend(origin)
    for (const [index, aim] of aims.entries()) {
      for (const asked of [aim, url(`/${index}`)]) {
        const problem = await problemOf(fetchPicture(asked, never, PICTURE_LIMITS, reach))
        // A name that is nobody's cannot be reached.
        expect([asked, problem]).toMatchObject([asked, { code: aim.includes('nowhere') ? 'unreachable' : 'refused' }])
      }
    }
    expect(knocks).toBe(0)
  })

  it('is asked for by no name that leads into that network when the connection is made', async () => {
    let knocks = 0
    const origin = await listenOnLoopback(() => (knocks += 1))
    // `localhost` as a name of the Internet would be: allowed by its letters, judged by where it leads.
    const reach: PictureReach = { mayFetch: () => true, lookup: publicLookup }
    const problem = await problemOf(
      fetchPicture(origin.replace('127.0.0.1', 'localhost'), never, PICTURE_LIMITS, reach),
    )
    expect(problem).toMatchObject({ code: 'refused', message: expect.stringContaining('Internet') as string })
    expect(knocks).toBe(0)
  })

  it('is refused where it is no picture, too large, unpacks, leads in a circle, or never ends', async () => {
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
      problemOf(fetchPicture(url(path), never, { ...PICTURE_LIMITS, bytes: 50_000, ...limits }, reach))
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
  const openWith = (reach: PictureReach) => {
    const directory = temporaryDirectory()
    const { cache } = openCache(`${directory}/cache.sqlite`, {
      threads: { overlay: () => undefined, confirmedSince: () => false },
      topics: () => new Map(),
    })
    const report = (thrown: unknown) => expect.unreachable(String(thrown))
    const choices = openSenderChoices(directory, () => undefined, report)
    cache.receivedEmails.storeWhole(
      receivedEmailOf({ id: 'e', from: 'Ann <Ann@pier.example>', created_at: '2026-01-01T00:00:00Z' }),
    )
    return {
      choices,
      pictures: createPictures({
        cache,
        contents: openContents(directory, cache.contents, never),
        choices,
        signal: never,
        report,
        reach,
      }),
      close: () => cache.close(),
    }
  }
  const of = { list: 'received', emailId: 'e' } as const

  it('are fetched four at a time, each once, and read again without the network', async () => {
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
    const { pictures, close } = openWith(reach)
    const paths = Array.from({ length: 10 }, (_, index) => `/${index}`)
    const reading = Promise.all([...paths, ...paths].map((path) => pictures.read(of, url(path))))
    for (const _path of paths) {
      await eventually(
        () => waiting.length,
        (count) => count > 0,
      )
      waiting.shift()?.()
    }
    expect(await reading).toHaveLength(20)
    await Promise.all(paths.map((path) => pictures.read(of, url(path))))
    expect(asked.toSorted()).toEqual(paths)
    expect(most).toBe(4)
    close()
  })

  it('are no more than one e-mail has a use for', async () => {
    let asked = 0
    const origin = await listenOnLoopback((_request, answer) => {
      asked += 1
      answer.end(PICTURE)
    })
    const { url, reach } = pretend(origin)
    const { pictures, close } = openWith(reach)
    const answers = await Promise.all(
      Array.from({ length: 205 }, (_, index) => problemOf(pictures.read(of, url(`/${index}`)))),
    )
    expect(answers.filter((answer) => answer === 'no problem')).toHaveLength(200)
    expect(answers.at(-1)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('more pictures') as string,
    })
    expect(asked).toBe(200)
    close()
  })

  it('are shown by a choice for the sender’s address or the domain', () => {
    const { pictures, choices, close } = openWith({ mayFetch: () => false, lookup: publicLookup })
    expect(pictures.policyOf(of)).toEqual({
      sender: 'ann@pier.example',
      domain: 'pier.example',
      pictures: 'asked',
      isDark: false,
    })
    choices.set({ about: 'pictures', who: 'domain', name: 'pier.example' }, true)
    expect(pictures.policyOf(of).pictures).toBe('domain')
    choices.set({ about: 'pictures', who: 'sender', name: 'ann@pier.example' }, true)
    expect(pictures.policyOf(of).pictures).toBe('sender')
    expect(() => pictures.policyOf({ list: 'sent', emailId: 'e' })).toThrow(/not on this computer/)
    close()
  })
})

it('pictures stay blocked in spam, whoever asks and whatever was chosen', async () => {
  const platform = await startTestPlatform()
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'Offer',
    html: '<img src="http://pictures.test/a">',
  })
  const engine = await openTestEngine(platform)
  await engine.settled()
  const inboxId = platform.inboxId
  const { items } = await engine.call('thread.list', { query: folderQuery(inboxId, 'inbox'), offset: 0, limit: 10 })
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
  expect(await engine.problemOf('picture.read', { of, url: 'http://pictures.test/a' })).toMatchObject({
    code: 'refused',
    message: expect.stringContaining('spam') as string,
  })
})
