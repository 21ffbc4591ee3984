import { expect, it } from 'vitest'
import { describeDiagnostics } from '../../../src/host/app-handlers.ts'
import type { EngineDiagnostics } from '../../../src/shared/engine-api.ts'
import type { RouteKind } from '../../../src/shared/proxy.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const ENGINE: EngineDiagnostics = {
  counts: {},
  sync: {
    ...{ connection: 'online', progress: null, lastSyncAt: null, waitingUntil: null, pendingChanges: 0, problem: null },
    confirmedAt: { inboxes: null, received: null, sent: null, contacts: null, threads: {} },
  },
  trusted: { builtIn: 144, system: 139, extra: 1 },
  tested: [
    { name: 'way', state: 'well', words: 'Linnet connects through the proxy http://marked.example:8080.' },
    { name: 'line', state: 'wrong', words: 'marked' },
    { name: 'key', state: 'untried', words: 'Not tried.' },
  ],
}

const describe = (way: RouteKind | null, engine: EngineDiagnostics | null = ENGINE): Promise<string> => {
  const dataDirectory = temporaryDirectory()
  return describeDiagnostics({
    ...{ kind: 'browser', dataDirectory, browser: null, crashes: [], mode: 'usual' },
    logFile: { level: () => 'info', lastLines: () => [] },
    accounts: [{ kind: 'platform', directory: dataDirectory, way, engine }],
  })
}

it.each<readonly [RouteKind | null, string]>([
  [{ kind: 'http', by: 'system' }, 'http proxy, set by the system'],
  [{ kind: 'socks5', by: 'environment' }, 'socks5 proxy, set by the environment'],
  [{ kind: 'unreadable', by: 'person' }, 'an unreadable proxy, set in Settings'],
  [{ kind: 'direct', by: 'nobody' }, 'direct, no proxy set'],
  [null, 'unknown'],
])('describes how the platform is reached (%#)', async (way, words) => {
  expect(await describe(way)).toContain(`\nRoute: ${words}\n`)
  // An engine that doesn't respond is the usual reason to open the diagnostics.
  expect(await describe(way, null)).toContain(`\nRoute: ${words}\n`)
})

it('describes certificates and the last test, naming nobody', async () => {
  const text = await describe({ kind: 'http', by: 'system' })
  expect(text).toContain('\nCertificates: 144 built in, 139 from the system, 1 from NODE_EXTRA_CA_CERTS\n')
  expect(text).toContain('\nLast test: way well, line wrong, key untried\n')
  expect(text).not.toContain('marked')
  expect(await describe(null, { ...ENGINE, tested: [] })).not.toContain('Last test')
})
