/** A company network: only its proxy knows the platform's name, and only clients with its root CA trust it. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { makeCertificate } from '../support/certificates.ts'
import type { Platform } from '../support/platform.ts'
import { startHttpProxy, type TestHttpProxy } from '../support/proxies.ts'

/** Reserved names (RFC 6761, 6.5), so direct requests fail. */
export const HOST = 'mail.company.example'
const EXCEPT = 'direct.company.example'
const PORTAL = 'login.hotel.example'

/** Responses to requests for the platform's name: the platform's own, or a captive portal's in one form or another. */
const ANSWERS = {
  platform: null,
  'a redirect': `HTTP/1.1 302 Found\r\nlocation: https://${PORTAL}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
  'a page':
    'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<!doctype html><h1>Harbour Hotel</h1>',
  'a certificate': null,
} as const

export interface CompanyNetwork {
  readonly host: string
  /** A host requested directly, according to the PAC file or `NO_PROXY`. */
  readonly except: string
  /** Host that the captive portal redirects to. */
  readonly portal: string
  readonly baseUrl: string
  readonly proxy: () => TestHttpProxy
  readonly proxyUrl: string
  readonly pacUrl: string
  /** The company's root certificate, as PEM. */
  readonly rootFile: string
  /** Restarts a stopped proxy. */
  readonly startProxy: () => Promise<void>
  readonly answerBy: (answer: keyof typeof ANSWERS) => void
  readonly stop: () => Promise<void>
}

const HERE = '127.0.0.1'
const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, HERE), 'listening')
  return (server.address() as AddressInfo).port
}

/** @param folder for the company's root certificate */
export const openCompanyNetwork = async (platform: Platform, folder: string): Promise<CompanyNetwork> => {
  const root = makeCertificate({ name: 'Example Company Root' })
  const rootFile = join(folder, 'root.pem')
  await writeFile(rootFile, root.certificate)
  const contextOf = (host: string) => {
    const { certificate: cert, key } = makeCertificate({ name: host, hosts: [host], by: root })
    return { cert, key }
  }

  let answer: string | null = null
  const underWay = new Set<Socket>()
  const door = createTlsServer(contextOf(HOST), (near) => {
    underWay.add(near)
    near.on('error', () => undefined)
    const instead = answer
    if (instead !== null) {
      near.once('data', () => near.end(instead))
      return
    }
    const far = connect(Number(new URL(platform.baseUrl).port), HERE)
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
  const doorPort = await listen(door)

  const ends: (() => Promise<void>)[] = []
  const until = (stop: () => Promise<void>): void => void ends.push(stop)
  let proxy = await startHttpProxy({ until })
  const { host: proxyHost, port: proxyPort } = new URL(proxy.url)
  const pac = createHttpServer((_request, response) => {
    response.end(
      `function FindProxyForURL(url, host) { return host === '${EXCEPT}' ? 'DIRECT' : 'PROXY ${proxyHost}' }`,
    )
  })
  const endAll = (): void => underWay.forEach((socket) => socket.destroy())
  return {
    ...{ host: HOST, except: EXCEPT, portal: PORTAL, rootFile },
    baseUrl: `https://${HOST}:${doorPort}`,
    proxy: () => proxy,
    proxyUrl: proxy.url,
    pacUrl: `http://${HERE}:${await listen(pac)}/proxy.pac`,
    startProxy: async () => {
      proxy = await startHttpProxy({ port: Number(proxyPort), until })
    },
    answerBy: (next) => {
      answer = ANSWERS[next]
      door.setSecureContext(contextOf(next === 'a certificate' ? PORTAL : HOST))
      endAll()
    },
    stop: async () => {
      for (const stop of ends) await stop()
      endAll()
      door.close()
      pac.closeAllConnections()
      pac.close()
    },
  }
}
