import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type SecureVersion } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import {
  type BaseBlock,
  BitString,
  Boolean as Truth,
  Constructed,
  fromBER,
  GeneralizedTime,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  Set as Group,
  Utf8String,
} from 'asn1js'
import { onTestFinished } from 'vitest'

const DAY_MS = 86_400_000

/** A certificate (RFC 5280) and its key, as PEM. */
export interface TestCertificate {
  readonly certificate: string
  readonly key: string
  readonly signer: { readonly name: string; readonly key: KeyObject }
}

interface Wanted {
  readonly name: string
  /** Server names that the certificate is valid for; omitted for a CA. */
  readonly hosts?: readonly string[]
  /** The issuer; self-signed if omitted. */
  readonly by?: TestCertificate
  /** Validity, in days from now. */
  readonly from?: number
  readonly to?: number
}

const octets = (value: Uint8Array): ArrayBuffer => Uint8Array.from(value).buffer
const der = (block: BaseBlock): Buffer => Buffer.from(block.toBER())
const list = (...value: BaseBlock[]): Sequence => new Sequence({ value })
const oid = (value: string): ObjectIdentifier => new ObjectIdentifier({ value })
const tagged = (tagNumber: number, ...value: BaseBlock[]): Constructed =>
  new Constructed({ idBlock: { tagClass: 3, tagNumber }, value })
const commonName = (value: string): Sequence =>
  list(new Group({ value: [list(oid('2.5.4.3'), new Utf8String({ value }))] }))
const day = (days: number): GeneralizedTime =>
  new GeneralizedTime({ valueDate: new Date(Math.floor((Date.now() + days * DAY_MS) / 1000) * 1000) })
const extension = (id: string, value: BaseBlock): Sequence =>
  list(oid(id), new Truth({ value: true }), new OctetString({ valueHex: value.toBER() }))
const hostName = (host: string): Primitive =>
  /^[\d.]+$/.test(host)
    ? new Primitive({
        idBlock: { tagClass: 3, tagNumber: 7 },
        valueHex: octets(Buffer.from(host.split('.').map(Number))),
      })
    : new Primitive({ idBlock: { tagClass: 3, tagNumber: 2 }, valueHex: octets(Buffer.from(host)) })
const ECDSA_SHA256 = list(oid('1.2.840.10045.4.3.2'))

export const makeCertificate = ({ name, hosts = [], by, from = -1, to = 30 }: Wanted): TestCertificate => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = { name, key: privateKey }
  const issuer = by?.signer ?? signer
  const isAuthority = hosts.length === 0
  const extensions = isAuthority
    ? [extension('2.5.29.19', list(new Truth({ value: true })))]
    : [extension('2.5.29.17', list(...hosts.map(hostName)))]
  const content = list(
    tagged(0, new Integer({ value: 2 })),
    new Integer({ value: Math.floor(Math.random() * 2 ** 31) }),
    ECDSA_SHA256,
    commonName(issuer.name),
    list(day(from), day(to)),
    commonName(name),
    fromBER(octets(publicKey.export({ type: 'spki', format: 'der' }))).result,
    tagged(3, list(...extensions)),
  )
  const signature = sign('sha256', der(content), issuer.key)
  const whole = der(list(content, ECDSA_SHA256, new BitString({ valueHex: octets(signature) })))
  const lines =
    whole
      .toString('base64')
      .match(/.{1,64}/g)
      ?.join('\n') ?? ''
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signer,
  }
}

/** A TLS server that records everything it receives. */
export interface TlsServer {
  readonly url: string
  readonly port: number
  /** Decrypted data received so far. */
  readonly heard: () => string
  readonly connections: () => number
}

/** Listens on loopback until the test finishes, always returning the same JSON. @param host the host in `url` */
export const listenWithCertificate = async (
  { certificate, key }: Pick<TestCertificate, 'certificate' | 'key'>,
  {
    host = 'localhost',
    answer = '{}',
    ...limits
  }: {
    readonly host?: string
    readonly answer?: string
    readonly maxVersion?: SecureVersion
  } = {},
): Promise<TlsServer> => {
  let heard = ''
  let connections = 0
  const open = new Set<Socket>()
  const server = createServer({ cert: certificate, key, ...limits }, (socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n'
      if (heard.includes('\r\n\r\n')) socket.end(`${head}content-length: ${answer.length}\r\n\r\n${answer}`)
    })
  })
  server.on('tlsClientError', () => undefined)
  server.on('connection', (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    open.forEach((socket) => socket.destroy())
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `https://${host}:${port}`, port, heard: () => heard, connections: () => connections }
}
