import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { announceHost, askRunningHost } from '../../src/browser/running-host.ts'
import { Downloads } from '../../src/browser/downloads.ts'
import { startBrowserServer, type BrowserServer } from '../../src/browser/server.ts'
import type { ServedHost } from '../../src/host/host.ts'
import { DEFAULT_PREFERENCES } from '../../src/shared/preferences.ts'
import { ok } from '../../src/shared/result.ts'
import { damage } from '../integration/engine/support/damage.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'

const COUNT = counts(15)

const nothing = (): void => undefined
/** Never called: only the server's files are tested here. */
const host: ServedHost = {
  call: () => Promise.resolve(ok(null)),
  subscribe: () => nothing,
  preferences: () => DEFAULT_PREFERENCES,
  leave: nothing,
}

const start = async () => {
  const directory = temporaryDirectory()
  const openingFile = join(directory, 'open-linnet.html')
  const server: BrowserServer = await startBrowserServer({
    ...{ host, downloads: new Downloads(), rendererDirectory: directory, openingFile, port: 0, log: nothing },
  })
  onTestFinished(() => server.close())
  return { directory, openingFile, server, ownOrigin: new URL(server.url).origin }
}

it('finds the running host or nothing when its file is randomly damaged', async () => {
  const { directory, server, ownOrigin } = await start()
  await eachCase(COUNT, async (seed) => {
    await announceHost(directory, { port: server.port, secret: server.ownSecret })
    damage(join(directory, 'browser-host.json'), seed)
    const answer = await askRunningHost(directory)
    if (answer !== null) expect(new URL(answer.url).origin).toBe(ownOrigin)
  })
})

it('rewrites the page that opens the window after random damage', async () => {
  const { openingFile, server, ownOrigin } = await start()
  await eachCase(COUNT, async (seed) => {
    await server.writeOpeningFile()
    damage(openingFile, seed)
    await server.writeOpeningFile()
    expect(readFileSync(openingFile, 'utf8')).toContain(`action="${ownOrigin}/`)
    expect(statSync(openingFile).mode & 0o777).toBe(0o600)
  })
})
