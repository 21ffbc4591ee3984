import { X509Certificate } from 'node:crypto'
import { lookup } from 'node:dns'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HttpClient } from '../../../../src/engine/platform/http-client.ts'
import { RequestBudget } from '../../../../src/engine/platform/request-budget.ts'
import { SignedDownloads } from '../../../../src/engine/platform/signed-downloads.ts'
import { Network } from '../../../../src/engine/platform/network.ts'
import {
  countTrustedCertificates,
  listTrustedCertificates,
  findTrustSource,
} from '../../../../src/engine/platform/trusted-certificates.ts'
import { UntrustedCertificateError } from '../../../../src/engine/platform/untrusted-certificate.ts'
import { fetchPicture, PICTURE_LIMITS } from '../../../../src/engine/mail/pictures/fetch-picture.ts'
import { DIRECT_ROUTE, type ProxyRoute } from '../../../../src/shared/proxy.ts'
import { ProblemError } from '../../../../src/shared/result.ts'
import { listenWithCertificate, makeCertificate, type TestCertificate } from '../../../support/certificates.ts'
import { listenOnLoopback } from '../../../support/loopback-server.ts'
import { startHttpProxy, startSocksProxy } from '../../../support/proxies.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const KEY = 're_secret_key'
const DAY_MS = 86_400_000
const never = new AbortController().signal

const root = makeCertificate({ name: 'Example Company Root' })
const day = (days: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(Date.now() + days * DAY_MS)

/** A platform client that trusts this file's CA by default. */
const openClient = (
  baseUrl: string,
  trusted: readonly string[] = [root.certificate],
  routes: readonly ProxyRoute[] = [DIRECT_ROUTE],
) => {
  const certificates = vi.fn(() => trusted)
  const network = new Network({ certificates, routesTo: () => Promise.resolve(routes) })
  const client = new HttpClient({ network, baseUrl: new URL(baseUrl), apiKey: () => KEY, budget: new RequestBudget() })
  onTestFinished(() => client.close())
  const ask = () => client.request({ method: 'GET', path: '/inboxes', priority: 'screen', signal: never })
  return { ask, certificates, network }
}

const problemOf = async (asking: Promise<unknown>) => {
  const thrown = await asking.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(thrown instanceof ProblemError)) throw new Error('Nothing was refused.', { cause: thrown })
  return thrown.problem
}

describe('a certificate', () => {
  it.each(['localhost', '127.0.0.1'])('is trusted through its listed issuer: %s', async (host) => {
    const server = await listenWithCertificate(makeCertificate({ name: 'mail', hosts: [host], by: root }), { host })
    const { ask } = openClient(server.url, [makeCertificate({ name: 'Other' }).certificate, root.certificate])
    expect(await ask()).toEqual({})
    expect(server.heard()).toContain(`authorization: Bearer ${KEY}`)
  })

  it('is trusted if listed itself', async () => {
    const own = makeCertificate({ name: 'mail', hosts: ['localhost'] })
    const server = await listenWithCertificate(own)
    expect(await openClient(server.url, [own.certificate]).ask()).toEqual({})
  })

  const old = makeCertificate({ name: 'Old Root', from: -9, to: -2 })
  const faults: readonly (readonly [string, TestCertificate, string])[] = [
    [
      'of an unknown issuer',
      makeCertificate({ name: 'mail', hosts: ['localhost'], by: makeCertificate({ name: 'Inspection CA' }) }),
      `Your computer does not trust the certificate used by localhost. Nothing was sent. It was issued to “mail” by “Inspection CA”, valid until ${day(30)}. If your company or a security program issued it, add its root certificate to your computer and restart Linnet. Otherwise use another network.`,
    ],
    [
      'that has expired',
      makeCertificate({ name: 'mail', hosts: ['localhost'], by: root, from: -9, to: -2 }),
      `A certificate used by localhost expired on ${day(-2)}. Nothing was sent. It was issued to “mail” by “Example Company Root”. Your computer’s date is ${day(0)}. If that is wrong, set the clock. If it is right, tell the server’s administrator.`,
    ],
    [
      'whose issuer’s has expired',
      makeCertificate({ name: 'mail', hosts: ['localhost'], by: old }),
      `A certificate used by localhost expired on ${day(-2)}. Nothing was sent. It was issued to “Old Root” by “Old Root”. Your computer’s date is ${day(0)}. If that is wrong, set the clock. If it is right, tell the server’s administrator.`,
    ],
    [
      'that is not yet valid',
      makeCertificate({ name: 'mail', hosts: ['localhost'], by: root, from: 3 }),
      `A certificate used by localhost is not valid until ${day(3)}. Nothing was sent. It was issued to “mail” by “Example Company Root”. Your computer’s date is ${day(0)}. If that is wrong, set the clock. If it is right, tell the server’s administrator.`,
    ],
    [
      'for other names',
      makeCertificate({ name: 'portal', hosts: ['a.example', 'b.example', 'c.example', 'd.example'], by: root }),
      `The certificate at localhost is for another name: “a.example”, “b.example”, “c.example” and 1 more. Nothing was sent. It was issued by “Example Company Root”, valid until ${day(30)}. If this network has a sign-in page, open that first. Otherwise check the platform address.`,
    ],
    [
      'that is self-signed',
      makeCertificate({ name: 'mail', hosts: ['localhost'] }),
      `The certificate used by localhost is self-signed, so no one vouches for it. Nothing was sent. It was issued to “mail”, valid until ${day(30)}. If the server is yours, add its certificate to your computer and restart Linnet. Otherwise check the platform address.`,
    ],
  ]
  it.each(faults)('%s is reported as such, with nothing sent on any attempt', async (_fault, own, words) => {
    const certificate = own.certificate + old.certificate
    // TLS 1.2 too, whose sessions can be resumed: the first connection must not let the second through.
    for (const maxVersion of ['TLSv1.3', 'TLSv1.2'] as const) {
      const server = await listenWithCertificate({ ...own, certificate }, { maxVersion })
      const { ask, network } = openClient(server.url, [root.certificate, old.certificate])
      expect(await problemOf(ask())).toMatchObject({ code: 'unreachable', message: words })
      // An immediate retry is pointless.
      expect(server.connections()).toBe(1)
      expect(await problemOf(ask())).toMatchObject({ message: words, details: { needsPerson: true } })
      const file = new SignedDownloads(network, new URL(server.url)).fetch(`${server.url}/file`, never)
      expect((await problemOf(file)).message).toBe(words.replace(' Otherwise check the platform address.', ''))
      expect(server.connections()).toBe(3)
      expect(server.heard()).toBe('')
    }
  })

  it('is checked behind proxies too', async () => {
    const [http, socks] = await Promise.all([startHttpProxy(), startSocksProxy()])
    const host = 'mail.platform.example'
    const other = makeCertificate({ name: 'Inspection CA' })
    const own = await listenWithCertificate(makeCertificate({ name: 'mail', hosts: [host], by: root }), { host })
    const inspected = await listenWithCertificate(makeCertificate({ name: 'x', hosts: [host], by: other }), { host })
    const told = await Promise.all(
      [http, socks].map(async (proxy) => {
        expect(await openClient(own.url, [root.certificate], [proxy.url]).ask()).toEqual({})
        return problemOf(openClient(inspected.url, [root.certificate], [proxy.url]).ask())
      }),
    )
    expect(told).toMatchObject([
      { message: expect.stringContaining('issued to “x” by “Inspection CA”') as string },
      {
        message: expect.stringMatching(/^Your computer does not trust this server’s certificate\./) as string,
        details: { needsPerson: true },
      },
    ])
    expect(http.asked).toEqual([own, inspected].map(({ port }) => `CONNECT ${host}:${port}`))
    expect(inspected.heard()).toBe('')
  })

  it('from a picture’s server is reported the same way', async () => {
    const server = await listenWithCertificate(makeCertificate({ name: 'pictures', hosts: ['localhost'] }))
    const { network } = openClient(server.url)
    const reach = { mayFetch: () => true, lookup }
    const { message } = await problemOf(fetchPicture(network, `${server.url}/p.png`, never, PICTURE_LIMITS, reach))
    expect(message).toMatch(/^The certificate used by localhost is self-signed, so no one.*restart Linnet\.$/)
    expect(server.heard()).toBe('')
  })

  it('quotes foreign text briefly and safely', () => {
    const name = `x”. All is well. “\u202egnp\u200b\u0007\n${'y'.repeat(5_000)}`
    const shown = { subject: { CN: name }, issuer: {}, subjectaltname: `DNS:${name}`, valid_from: '', valid_to: 'soon' }
    for (const code of ['', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']) {
      const words = new UntrustedCertificateError(code, 'mail.example', shown as never).describe(false)
      expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(words).toMatch(/“x \. All is well\. gnp y+…”|“no name”/)
      expect(words.match(/[“”]/g)?.length).toBeLessThanOrEqual(4)
      expect(words.length).toBeLessThan(450)
    }
  })
})

describe('trusted certificates', () => {
  it('are loaded once, on the first https connection', async () => {
    const plain = await listenOnLoopback((_request, answer) => answer.end('{}'))
    const { ask, certificates, network } = openClient(plain)
    await ask()
    expect(certificates).not.toHaveBeenCalled()
    const servers = await Promise.all(
      [1, 2].map(() => listenWithCertificate(makeCertificate({ name: 'mail', hosts: ['localhost'], by: root }))),
    )
    for (const { url } of servers) {
      const downloads = new SignedDownloads(network, new URL(url))
      expect(Buffer.from(await downloads.fetch(`${url}/file`, never)).toString()).toBe('{}')
    }
    expect(certificates).toHaveBeenCalledTimes(1)
  })

  it('come from Node, the system and the extra file', () => {
    const tls = { rootCertificates: [], getCACertificates: (kind = 'default') => [`${kind} 1`, `${kind} 2`] }
    expect(listTrustedCertificates({}, tls)).toEqual(
      ['default', 'extra', 'system'].flatMap((kind) => [`${kind} 1`, `${kind} 2`]),
    )
    expect(listTrustedCertificates().length).toBeGreaterThan(100)
  })

  it('are counted by source, once each, and found in their list', () => {
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((name) => makeCertificate({ name }).certificate)
    const lists: Readonly<Record<string, readonly (string | undefined)[]>> = {
      extra: [c, a],
      system: [`${b ?? ''}\n${a ?? ''}`, b],
    }
    const tls = {
      rootCertificates: [a ?? ''],
      getCACertificates: (kind = 'default') => (lists[kind] ?? []) as string[],
    }
    expect(countTrustedCertificates({}, tls)).toEqual({ builtIn: 1, extra: 2, system: 2 })
    const found = [a, b, c, d].map((pem) => findTrustSource(new X509Certificate(pem ?? '').raw, {}, tls))
    expect(found).toEqual(['builtIn', 'system', 'extra', null])
    const [builtIn = ''] = rootCertificates
    expect(findTrustSource(new X509Certificate(builtIn).raw)).toBe('builtIn')
  })

  it('are read completely from files if Node can’t list them', async () => {
    const directory = temporaryDirectory()
    const own = makeCertificate({ name: 'mail', hosts: ['localhost'], by: root })
    const system = join(directory, 'system.pem')
    writeFileSync(system, makeCertificate({ name: 'Other' }).certificate + root.certificate)
    const extra = join(directory, 'extra.pem')
    writeFileSync(extra, 'no certificate')
    const trusted = listTrustedCertificates(
      { SSL_CERT_FILE: system, NODE_EXTRA_CA_CERTS: extra },
      { rootCertificates: ['built in'] },
    )
    expect(trusted).toEqual(['built in', 'no certificate', expect.stringContaining(root.certificate)])
    const missing = { SSL_CERT_FILE: join(directory, 'none'), NODE_EXTRA_CA_CERTS: join(directory, 'none') }
    expect(listTrustedCertificates(missing, { rootCertificates: ['built in'] })[0]).toBe('built in')
    const server = await listenWithCertificate(own)
    expect(await openClient(server.url, trusted).ask()).toEqual({})
  })
})
