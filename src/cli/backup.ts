import { join, resolve } from 'node:path'
import { StoredAccounts } from '../host/stored-accounts.ts'
import { ensureDirectory } from '../host/data-directory.ts'
import { openBackup, restoreBackup } from '../host/restore-backup.ts'
import { openSettingsFile, prepareSettingsFile } from '../host/settings-file.ts'
import { SETTINGS_NAME } from '../host/settings-names.ts'
import { isAccountLocked } from '../engine/own/account-files.ts'
import type { LocalAccount } from './local-accounts.ts'
import { openLocalAccount } from './open-account.ts'
import { toSafeJson, sanitizeLine } from './safe-text.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

/** `linnet backup`: backs up an account that no window has open. */
export const backUpAccount = async (
  account: LocalAccount,
  folder: string | undefined,
  isJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> => {
  const opened = await openLocalAccount(account, null, terminal)
  try {
    const made = await opened.ask('backup.now', folder === undefined ? {} : { folder: resolve(folder) })
    const { at, directory, bytes, files } = made
    if (isJson)
      terminal.print(
        toSafeJson({ type: 'backup', account: account.id, at: new Date(at).toISOString(), directory, bytes, files }),
      )
    else terminal.print(directory)
    return EXIT.done
  } finally {
    await opened.close()
  }
}

export const restoreAccount = async (
  folder: string,
  typedDirectory: string,
  canReplace: boolean,
  terminal: Terminal,
): Promise<ExitCode> => {
  const dataDirectory = resolve(typedDirectory)
  const { account } = await openBackup(resolve(folder))
  if (canReplace && isAccountLocked(join(dataDirectory, 'accounts', account.id))) {
    throw new CommandError('This account is open in Linnet. Close Linnet before you replace the account.', EXIT.busy)
  }
  await ensureDirectory(dataDirectory)
  const settingsFile = join(dataDirectory, `${SETTINGS_NAME}.json`)
  const problem = prepareSettingsFile(settingsFile)
  if (problem !== null) terminal.note(problem.message)
  const settings = new StoredAccounts(openSettingsFile(settingsFile))
  const restored = await restoreBackup(folder, dataDirectory, settings, { canReplace })
  terminal.print(restored.id)
  terminal.note(`Restored ${sanitizeLine(restored.addresses.join(', '))}. Open Linnet and enter the account’s API key.`)
  if (restored.setAside !== null) terminal.note(`The earlier data is in ${restored.setAside}.`)
  if (restored.unsent > 0) {
    terminal.note(`Unsent changes in the backup: ${restored.unsent}. Linnet will send them once you enter the API key.`)
  }
  return EXIT.done
}
