import { readFileSync } from 'node:fs'
import type * as Tls from 'node:tls'
import type { TrustCounts } from '../../shared/engine-link.ts'

/** One file with all that the system trusts, on Linux: of Debian and Arch, Fedora, openSUSE, Alpine. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Loaded at the first use: a start without the network needs none of it. */
const loadTls = (): typeof Tls => process.getBuiltinModule('node:tls')

/** The text of the first file that can be read; none where there is none. */
const firstOf = (files: readonly (string | undefined)[]): readonly string[] => {
  for (const file of files) {
    try {
      if (file !== undefined && file !== '') return [readFileSync(file, 'utf8')]
    } catch {
      // The next one, then.
    }
  }
  return []
}

/** Node's, which lacks the system's certificates before 22.15 (an older Electron). */
type ListingTls = Pick<typeof Tls, 'rootCertificates'> & Partial<Pick<typeof Tls, 'getCACertificates'>>

const extraOnes = (env: NodeJS.ProcessEnv, { getCACertificates: list }: ListingTls): readonly string[] =>
  list === undefined ? firstOf([env.NODE_EXTRA_CA_CERTS]) : list('extra')
const systemOnes = (env: NodeJS.ProcessEnv, { getCACertificates: list }: ListingTls): readonly string[] =>
  list === undefined ? firstOf([env.SSL_CERT_FILE, ...BUNDLES]) : list('system')

/** Built in, the system's, `NODE_EXTRA_CA_CERTS`: PEM, some twice. Reading the system's takes a tenth of a second. */
export const trustedCertificates = (
  env: NodeJS.ProcessEnv = process.env,
  tls: ListingTls = loadTls(),
): readonly string[] => [
  // `default` alone lacks the extra ones in a thread whose environment does not name them.
  ...(tls.getCACertificates?.('default') ?? tls.rootCertificates),
  ...extraOnes(env, tls),
  ...systemOnes(env, tls),
]

/** The certificates of each list, as the text between a PEM's lines. */
const contentsOf = (env: NodeJS.ProcessEnv, tls: ListingTls): Readonly<Record<keyof TrustCounts, Set<string>>> => {
  const read = (list: readonly string[]): Set<string> => {
    const all = list.flatMap((pem) => [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)/g)])
    return new Set(all.map(([, text = '']) => text.replaceAll(/\s/g, '')))
  }
  return { builtIn: read(tls.rootCertificates), system: read(systemOnes(env, tls)), extra: read(extraOnes(env, tls)) }
}

export const countTrusted = (env: NodeJS.ProcessEnv = process.env, tls: ListingTls = loadTls()): TrustCounts => {
  const { builtIn, system, extra } = contentsOf(env, tls)
  return { builtIn: builtIn.size, system: system.size, extra: extra.size }
}

/** The first list with a certificate, or null. @param raw as DER */
export const whoTrusts = (
  raw: Buffer,
  env: NodeJS.ProcessEnv = process.env,
  tls: ListingTls = loadTls(),
): keyof TrustCounts | null => {
  const lists = contentsOf(env, tls)
  return (['builtIn', 'system', 'extra'] as const).find((name) => lists[name].has(raw.toString('base64'))) ?? null
}

/** Trust in these certificates, and in nothing else. @param certificates PEM */
export const trustIn = (certificates: readonly string[]): Tls.SecureContext =>
  loadTls().createSecureContext({ ca: [...new Set(certificates)] })
