import { join } from 'node:path'
import { openSettingsFile } from '../../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../../src/host/settings-names.ts'
import { eventually } from '../../engine/support/eventually.ts'
import type { TestPlatform } from '../../engine/support/test-platform.ts'
import { openTestMachine, type TestHost } from '../../host/support/test-host.ts'

/** A data folder as a host keeps it on the disk, settings included. */
export interface DataFolder {
  readonly directory: string
  /** Starts a host over it, as a window does. */
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

/** Waits until a host has everything and has sent everything. */
const settled = (host: TestHost): Promise<unknown> =>
  eventually(
    () => host.ask('sync.status', {}),
    ({ progress, lastSyncAt, pendingChanges, connection }) =>
      progress === null && lastSyncAt !== null && pendingChanges === 0 && connection === 'online',
    undefined,
    ({ progress, pendingChanges }) => JSON.stringify([progress, pendingChanges]),
  )

/** A host that is connected to a platform and has all of its mail. */
export const connect = async (folder: DataFolder, { baseUrl, apiKey }: TestPlatform): Promise<TestHost> => {
  const host = folder.start()
  await host.ask('account.connect', { baseUrl, apiKey })
  await settled(host)
  return host
}
