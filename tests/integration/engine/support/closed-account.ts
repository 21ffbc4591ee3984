import { rmSync } from 'node:fs'
import { StoredAccounts } from '../../../../src/host/stored-accounts.ts'
import { restoreBackup } from '../../../../src/host/restore-backup.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { eventually } from './eventually.ts'
import { madeOnce } from './synced-once.ts'
import { openSettledEngine } from './test-engine.ts'
import { startTestPlatform } from './test-platform.ts'

export const closedAccount = async (): Promise<string> => {
  const { folder } = await madeOnce('an account with mail and files', async (original) => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform, original, { days: null, bytes: null })
    await eventually(
      () => engine.call('keeping.state', {}),
      ({ kept }) => kept > 40,
    )
    await engine.close()
    await platform.stop()
  })
  return folder
}

const settings = () => {
  const values = new Map<string, unknown>()
  return new StoredAccounts({
    get: (key: string) => values.get(key),
    set: (next: object) => Object.entries(next).forEach(([key, value]) => values.set(key, value)),
  })
}

/** Restores a backup, which checks every file. @throws if a file differs from the original */
export const expectToRestore = async (backup: string): Promise<void> => {
  const elsewhere = temporaryDirectory()
  await restoreBackup(backup, elsewhere, settings(), { canReplace: false })
  rmSync(elsewhere, { recursive: true })
}
