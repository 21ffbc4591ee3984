import { setTimeout as wait } from 'node:timers/promises'
import type { SyncStatus } from '../shared/model.ts'
import type { AccountHere } from './accounts-here.ts'
import { openAccountHere, takeKey } from './open-account.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

const LOOK_EVERY_MS = 200

const failureOf = ({ connection, problem }: SyncStatus): string | null => {
  if (problem !== null) return problem
  if (connection === 'offline') return 'The platform cannot be reached. What is on this computer is as it was.'
  if (connection === 'refused' || connection === 'needsKey')
    return 'The platform does not take this key for this account.'
  return null
}

/** `linnet sync --once`: fetches what is new, sends what waits, and ends. */
export const syncOnce = async (account: AccountHere, terminal: Terminal): Promise<ExitCode> => {
  const opened = await openAccountHere(account, takeKey(account), terminal)
  try {
    const begun = Date.now()
    let told = ''
    for (;;) {
      const status = await opened.ask('sync.status', {})
      const { progress, lastSyncAt, pendingChanges } = status
      const line = progress === null ? '' : `Fetched ${progress.done} of ${progress.total}`
      if (line !== '' && line !== told) terminal.note(line)
      told = line
      const failure = failureOf(status)
      if (failure !== null && Date.now() - begun > LOOK_EVERY_MS) throw new CommandError(failure, EXIT.failed)
      const isThrough = lastSyncAt !== null && lastSyncAt >= begun && progress === null && pendingChanges === 0
      if (isThrough) {
        terminal.note('Everything is fetched, and nothing waits to be sent.')
        return EXIT.done
      }
      await wait(LOOK_EVERY_MS)
    }
  } finally {
    await opened.close()
  }
}
