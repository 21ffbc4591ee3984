import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { drawPng } from '../support/drawn-pictures.ts'
import type { HostOptions } from './linnet.ts'

/** A public address of which nothing is ever asked: what every name of the pretended Internet has. */
const PUBLIC_ADDRESS = '93.184.215.14'

/**
 * What is loaded into a host before its program, and into its engine's thread: names that end in `.test` lead to a public
 * address, but for `private.test`, and what is connected to by such a name is the test's server. The program itself has
 * no switch for it.
 */
const preload = (port: number, file: string): string => `
if (!globalThis.isInternetPretended) {
  globalThis.isInternetPretended = true
  const dns = require('node:dns')
  const net = require('node:net')
  const threads = require('node:worker_threads')
  const isPretended = (host) => typeof host === 'string' && host.endsWith('.test')
  const { lookup } = dns
  dns.lookup = (host, options, callback) => {
    if (!isPretended(host)) return lookup(host, options, callback)
    const address = host === 'private.test' ? '127.0.0.1' : '${PUBLIC_ADDRESS}'
    setImmediate(() => options.all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4))
  }
  const { connect } = net
  net.connect = (options, ...rest) => {
    if (!isPretended(options?.host)) return connect(options, ...rest)
    return connect({
      ...options,
      port: ${port},
      // Judged by what the program finds it to be, and led to the test's server after that.
      lookup: (host, how, callback) => (options.lookup ?? dns.lookup)(host, how, (error) =>
        error ? callback(error) : how.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)),
    }, ...rest)
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

/** Servers of the Internet, as a host sees them in a test: all of them are one on this computer. */
export interface PretendInternet {
  /** What was asked for, in order: host and path. */
  readonly asked: () => readonly string[]
  readonly requests: () => readonly IncomingMessage[]
  /** How Linnet is launched into it. */
  readonly launch: Launch
  /** The same, behind a proxy that both Linnet and Chromium are told of. */
  readonly launchBehindProxy: Launch
  readonly stop: () => Promise<void>
}

/** @param directory a folder of the test's own */
export const pretendInternet = async (
  directory: string,
  hostKind: HostOptions['hostKind'],
): Promise<PretendInternet> => {
  const requests: IncomingMessage[] = []
  const server = createServer((request, answer) => {
    requests.push(request)
    // A proxy is told the whole address.
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
  const file = join(directory, 'pretend-internet.cjs')
  const { port } = server.address() as AddressInfo
  await writeFile(file, preload(port, file))
  // Playwright takes the variable away from Electron, which has a switch of its own for it.
  const launch: Launch =
    hostKind === 'browser'
      ? { env: { NODE_OPTIONS: `--require ${file}` }, switches: [] }
      : { env: {}, switches: ['-r', file] }
  const proxy = `http://127.0.0.1:${port}`
  return {
    asked: () => requests.map(({ headers, url }) => `${headers.host ?? ''}${url ?? ''}`),
    requests: () => requests,
    launch,
    launchBehindProxy: {
      env: { ...launch.env, HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
      switches: [...launch.switches, `--proxy-server=${proxy}`],
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
