import { join } from 'node:path'
import { openSettingsFile } from '../../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../../src/host/settings-names.ts'
import { eventually } from '../../engine/support/eventually.ts'
import type { TestPlatform } from '../../engine/support/test-platform.ts'
import { openTestMachine, type TestHost } from '../../host/support/test-host.ts'

export interface DataFolder {
  readonly directory: string
  readonly start: () => TestHost
}

export const openDataFolder = (): DataFolder => {
  const machine = openTestMachine()
  return {
    directory: machine.dataDirectory,
    start: () =>
      machine.start({
        settings: openSettingsFile(join(machine.dataDirectory, `${SETTINGS_NAME}.json`)),
      }),
  }
}

/** Waits until a host has fetched and sent everything. */
const settled = (host: TestHost): Promise<unknown> =>
  eventually(
    () => host.ask('sync.status', {}),
    ({ progress, lastSyncAt, pendingChanges, connection }) =>
      progress === null && lastSyncAt !== null && pendingChanges === 0 && connection === 'online',
    undefined,
    ({ progress, pendingChanges }) => JSON.stringify([progress, pendingChanges]),
  )

/** A connected host that has fetched all mail. */
export const connect = async (folder: DataFolder, { baseUrl, apiKey }: TestPlatform): Promise<TestHost> => {
  const host = folder.start()
  await host.ask('account.connect', { baseUrl, apiKey })
  await settled(host)
  return host
}
