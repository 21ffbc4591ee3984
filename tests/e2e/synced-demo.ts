import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StoredAccounts } from '../../src/host/stored-accounts.ts'
import { digestKey } from '../../src/host/account-matching.ts'
import { openSettingsFile } from '../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../src/host/settings-names.ts'
import { madeOnceForAll } from '../support/demo-file.ts'
import { startPlatform, type Platform } from '../support/platform.ts'
import { BUILT, root } from '../support/program.ts'

const ID = 'the-demo-mailbox'

/** Adds the platform's account to a data folder, under the ID above. */
const addAccount = (
  dataDirectory: string,
  { baseUrl, apiKey, inboxId, inboxAddress }: Pick<Platform, 'baseUrl' | 'apiKey' | 'inboxId' | 'inboxAddress'>,
): void =>
  new StoredAccounts(openSettingsFile(join(dataDirectory, `${SETTINGS_NAME}.json`))).keep({
    id: ID,
    kind: 'platform',
    baseUrl,
    inboxes: [{ id: inboxId, address: inboxAddress }],
    keyDigest: digestKey(baseUrl, apiKey),
    sealedKey: null,
    name: null,
    color: '#5B5BD6',
    isConnected: false,
  })

const make = async (dataDirectory: string): Promise<void> => {
  const platform = await startPlatform('demo')
  await mkdir(dataDirectory)
  addAccount(dataDirectory, platform)
  const env = { ...process.env, LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  await promisify(execFile)(process.execPath, [join(root, BUILT.linnet), 'sync', '--once', '--data', dataDirectory], {
    env,
  })
  await platform.stop()
}

/**
 * Copies the synced demo mailbox into a data folder, as if left by an earlier start. Syncing it takes longer than most
 * tests.
 * @param platform has the demo mailbox; start Linnet with its key
 */
export const laySyncedDemo = async (dataDirectory: string, platform: Platform): Promise<void> => {
  const original = await madeOnceForAll('synced demo', make)
  await cp(join(original, 'accounts'), join(dataDirectory, 'accounts'), { recursive: true })
  addAccount(dataDirectory, platform)
}
