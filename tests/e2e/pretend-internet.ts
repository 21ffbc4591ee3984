import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeCertificate } from '../support/certificates.ts'
import { drawPng } from '../support/drawn-pictures.ts'
import type { HostOptions } from './linnet.ts'

/** A public address that never receives a request. All names of the pretend Internet resolve to it. */
const PUBLIC_ADDRESS = '93.184.215.14'

/**
 * Preload for a host and its engine's thread. Names that end in `.test`, except `private.test`, resolve to a public
 * address, and connections to them reach the test's server. The program itself has no switch for this.
 */
const preload = (port: number, tlsPort: number, file: string): string => `
if (!globalThis.isInternetPretended) {
  globalThis.isInternetPretended = true
  const dns = require('node:dns')
  const net = require('node:net')
  const tls = require('node:tls')
  const threads = require('node:worker_threads')
  const isPretended = (host) => typeof host === 'string' && host.endsWith('.test')
  const { lookup } = dns
  dns.lookup = (host, options, callback) => {
    if (!isPretended(host)) return lookup(host, options, callback)
    const address = host === 'private.test' ? '127.0.0.1' : '${PUBLIC_ADDRESS}'
    setImmediate(() => options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4))
  }
  const led = (options, port) => ({
    ...options,
    port,
    // The program's own lookup decides first; only then does the connection go to the test's server.
    lookup: (host, how, callback) => (options.lookup ?? dns.lookup)(host, how, (error) =>
      error ? callback(error) : how.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)),
  })
  for (const [door, to] of [[net, ${port}], [tls, ${tlsPort}]]) {
    const { connect } = door
    door.connect = (options, ...rest) =>
      isPretended(options?.host) && !options.socket ? connect(led(options, to), ...rest) : connect(options, ...rest)
  }
  threads.Worker = class extends threads.Worker {
    constructor(entry, options) {
      super(entry, { ...options, execArgv: ['--require', ${JSON.stringify(file)}] })
    }
  }
}
`

interface Launch {
  readonly env: Readonly<Record<string, string>>
  readonly switches: readonly string[]
}

/** The Internet's servers as a host sees them; in fact one local server. */
export interface PretendInternet {
  /** Requested hosts and paths, in order. */
  readonly asked: () => readonly string[]
  /** Requests to the mailing lists at `list.test`, over HTTPS: method, path and body. */
  readonly told: () => readonly string[]
  readonly requests: () => readonly IncomingMessage[]
  readonly launch: Launch
  /** Launches Linnet behind a proxy that both Linnet and Chromium use. */
  readonly launchBehindProxy: Launch
  readonly stop: () => Promise<void>
}

export const pretendInternet = async (
  directory: string,
  hostKind: HostOptions['hostKind'],
): Promise<PretendInternet> => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, answer) => {
    requests.push(request)
    // Requests to a proxy have absolute URLs.
    request.url = request.url?.replace(/^http:\/\/[^/]+/, '')
    if (request.url?.startsWith('/to-private') === true)
      answer.writeHead(302, { location: 'http://private.test/' }).end()
    else if (request.url?.startsWith('/drawing') === true) answer.end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    else answer.writeHead(200, { 'set-cookie': 'seen=1; Path=/' }).end(drawPng(40, 30))
  })
  server.on('connect', (request, socket) => {
    requests.push(request)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const told: string[] = []
  const authority = makeCertificate({ name: 'Pretended authority' })
  const { certificate: cert, key } = makeCertificate({ name: 'list.test', hosts: ['list.test'], by: authority })
  const lists = createTlsServer({ cert, key }, (request, answer) => {
    requests.push(request)
    const { method = '', url = '' } = request
    let words = ''
    request.on('data', (chunk: Buffer) => (words += chunk.toString('latin1')))
    request.on('end', () => {
      told.push(`${method} ${url} ${words}`)
      if (url.startsWith('/to-private')) answer.writeHead(307, { location: 'https://private.test/' }).end()
      else answer.writeHead(200, { 'set-cookie': 'seen=1; Path=/' }).end('Gone')
    })
  })
  await new Promise<void>((resolve) => lists.listen(0, '127.0.0.1', resolve))
  const trust = { NODE_EXTRA_CA_CERTS: join(directory, 'pretended-authority.pem') }
  await writeFile(trust.NODE_EXTRA_CA_CERTS, authority.certificate)
  const file = join(directory, 'pretend-internet.cjs')
  const { port } = server.address() as AddressInfo
  await writeFile(file, preload(port, (lists.address() as AddressInfo).port, file))
  // Playwright removes NODE_OPTIONS from Electron's environment, but Electron has a switch for it.
  const launch: Launch =
    hostKind === 'browser'
      ? { env: { ...trust, NODE_OPTIONS: `--require ${file}` }, switches: [] }
      : { env: trust, switches: ['-r', file] }
  const proxy = `http://127.0.0.1:${port}`
  return {
    asked: () => requests.map(({ headers, url }) => `${headers.host ?? ''}${url ?? ''}`),
    told: () => told,
    requests: () => requests,
    launch,
    launchBehindProxy: {
      env: { ...launch.env, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      switches: [...launch.switches, `--proxy-server=${proxy}`],
    },
    stop: async () => {
      for (const each of [server, lists]) {
        each.closeAllConnections()
        await new Promise((resolve) => each.close(resolve))
      }
    },
  }
}
