import { readFileSync } from 'node:fs'
import type * as Tls from 'node:tls'
import type { CertificateCounts } from '../../shared/engine-api.ts'

/** Files with the system's trusted certificates on Linux: Debian and Arch, Fedora, openSUSE, Alpine. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Loaded on first use: startup without the network doesn't need it. */
const loadTls = (): typeof Tls => process.getBuiltinModule('node:tls')

const firstOf = (files: readonly (string | undefined)[]): readonly string[] => {
  for (const file of files) {
    try {
      if (file !== undefined && file !== '') return [readFileSync(file, 'utf8')]
    } catch {
      // Try the next file.
    }
  }
  return []
}

/** Node before 22.15 (an older Electron) has no `getCACertificates`. */
type ListingTls = Pick<typeof Tls, 'rootCertificates'> & Partial<Pick<typeof Tls, 'getCACertificates'>>

const extraCertificates = (env: NodeJS.ProcessEnv, { getCACertificates: list }: ListingTls): readonly string[] =>
  list === undefined ? firstOf([env.NODE_EXTRA_CA_CERTS]) : list('extra')
const systemCertificates = (env: NodeJS.ProcessEnv, { getCACertificates: list }: ListingTls): readonly string[] =>
  list === undefined ? firstOf([env.SSL_CERT_FILE, ...BUNDLES]) : list('system')

/**
 * Trusted certificates as PEM: built-in ones, the system's, and those in `NODE_EXTRA_CA_CERTS`. May contain duplicates.
 * Reading the system's takes 0.1 seconds.
 */
export const listTrustedCertificates = (
  env: NodeJS.ProcessEnv = process.env,
  tls: ListingTls = loadTls(),
): readonly string[] => [
  // `default` alone lacks the extra certificates in a worker whose environment doesn't name them.
  ...(tls.getCACertificates?.('default') ?? tls.rootCertificates),
  ...extraCertificates(env, tls),
  ...systemCertificates(env, tls),
]

const certificatesByList = (
  env: NodeJS.ProcessEnv,
  tls: ListingTls,
): Readonly<Record<keyof CertificateCounts, Set<string>>> => {
  const read = (list: readonly string[]): Set<string> => {
    const all = list.flatMap((pem) => [...pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)/g)])
    return new Set(all.map(([, text = '']) => text.replaceAll(/\s/g, '')))
  }
  return {
    builtIn: read(tls.rootCertificates),
    system: read(systemCertificates(env, tls)),
    extra: read(extraCertificates(env, tls)),
  }
}

export const countTrustedCertificates = (
  env: NodeJS.ProcessEnv = process.env,
  tls: ListingTls = loadTls(),
): CertificateCounts => {
  const { builtIn, system, extra } = certificatesByList(env, tls)
  return { builtIn: builtIn.size, system: system.size, extra: extra.size }
}

/** The first list that contains a certificate, or null. @param raw the certificate in DER form */
export const findTrustSource = (
  raw: Buffer,
  env: NodeJS.ProcessEnv = process.env,
  tls: ListingTls = loadTls(),
): keyof CertificateCounts | null => {
  const lists = certificatesByList(env, tls)
  return (['builtIn', 'system', 'extra'] as const).find((name) => lists[name].has(raw.toString('base64'))) ?? null
}

/** Trusts these certificates and no others. @param certificates PEM */
export const createTrustContext = (certificates: readonly string[]): Tls.SecureContext =>
  loadTls().createSecureContext({ ca: [...new Set(certificates)] })
