import { readFileSync } from 'node:fs'
import type * as Tls from 'node:tls'

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

/**
 * Whose certificates count: those that are built in, the system's, and those of `NODE_EXTRA_CA_CERTS`. Reading the system's takes a
 * tenth of a second.
 * @param tls Node's; before 22.15 it knows nothing of the system's (an older Electron)
 * @returns PEM, some of it twice
 */
export const trustedCertificates = (
  env: NodeJS.ProcessEnv = process.env,
  tls: Pick<typeof Tls, 'rootCertificates'> & Partial<Pick<typeof Tls, 'getCACertificates'>> = loadTls(),
): readonly string[] => {
  const list = tls.getCACertificates
  // `default` alone lacks the extra ones in a thread whose environment does not name them.
  if (list !== undefined) return (['default', 'extra', 'system'] as const).flatMap((kind) => list(kind))
  return [...tls.rootCertificates, ...firstOf([env.NODE_EXTRA_CA_CERTS]), ...firstOf([env.SSL_CERT_FILE, ...BUNDLES])]
}

/** Trust in these certificates, and in nothing else. @param certificates PEM */
export const trustIn = (certificates: readonly string[]): Tls.SecureContext =>
  loadTls().createSecureContext({ ca: [...new Set(certificates)] })
