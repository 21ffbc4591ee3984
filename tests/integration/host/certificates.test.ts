import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { listenWithCertificate, makeCertificate } from '../../support/certificates.ts'
import { BUILT, root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const source = (path: string): string => JSON.stringify(pathToFileURL(join(root, 'src', path)).href)
const LISTENERS =
  "{ event() {}, keyAccepted() {}, keyRenewed() {}, log() {}, routesTo: () => Promise.resolve(['direct']) }"

/** The engine runs in a thread of the host, or in the process of the command line. */
const ENGINES = {
  'in a thread': `import { startEngineWorker } from ${source('host/engine-worker.ts')}
    const engine = startEngineWorker(${JSON.stringify(join(root, BUILT.engine))}, { isSafe: false }, ${LISTENERS}, () => {})`,
  'in its process': `import { createEngine } from ${source('engine/engine.ts')}
    const engine = createEngine(${LISTENERS})`,
} as const

/** Tests a key with an engine in a separate process, where only the startup environment counts. */
const testKey = async (kind: keyof typeof ENGINES, baseUrl: string, env: Readonly<Record<string, string>>) => {
  const asking = `console.log(JSON.stringify(await engine.test({ baseUrl: process.argv[1], apiKey: 're_key' })))`
  const script = `${ENGINES[kind]}\n${asking}\nprocess.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, baseUrl], {
    env: { ...process.env, ...env },
  })
  return JSON.parse(stdout) as unknown
}

describe('a company’s certificate', () => {
  it.each([
    ['in a thread', 'SSL_CERT_FILE'],
    ['in a thread', 'NODE_EXTRA_CA_CERTS'],
    ['in its process', 'NODE_EXTRA_CA_CERTS'],
    ['in a thread', null],
  ] as const)('is trusted by an engine %s if the environment names it: %s', async (kind, variable) => {
    const authority = makeCertificate({ name: 'Example Company Root' })
    const file = join(temporaryDirectory(), 'root.pem')
    writeFileSync(file, authority.certificate)
    const server = await listenWithCertificate(makeCertificate({ name: 'mail', hosts: ['localhost'], by: authority }), {
      answer: JSON.stringify({ object: 'list', has_more: false, data: [] }),
    })
    const answer = await testKey(kind, server.url, variable === null ? {} : { [variable]: file })
    if (variable === null) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable', details: { needsPerson: true } } })
      expect(server.heard()).toBe('')
    } else {
      expect(answer).toEqual({ ok: true, data: [] })
      expect(server.heard()).toContain('authorization: Bearer re_key')
    }
  })
})
