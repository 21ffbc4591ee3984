import { setTimeout as wait } from 'node:timers/promises'
import type { SyncStatus } from '../shared/model.ts'
import type { LocalAccount } from './local-accounts.ts'
import { openLocalAccount, requireEnvironmentKey, type ExclusiveAccount } from './open-account.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

const POLL_INTERVAL_MS = 200

const failureOf = ({ connection, problem }: SyncStatus): string | null => {
  if (problem !== null) return problem
  if (connection === 'offline') return 'The platform cannot be reached. Nothing changed on this computer.'
  if (connection === 'refused' || connection === 'needsKey')
    return 'The platform rejected this API key for this account.'
  return null
}

/** Waits for all downloads and sends, with progress. @throws CommandError if it can't sync; the signal's reason */
export const waitUntilSynced = async (
  opened: Pick<ExclusiveAccount, 'ask'>,
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> => {
  const begun = Date.now()
  let told = ''
  for (;;) {
    const status = await opened.ask('sync.status', {})
    const { progress, lastSyncAt, pendingChanges } = status
    const line = progress === null ? '' : `Fetched ${progress.done} of ${progress.total}`
    if (line !== '' && line !== told) terminal.note(line)
    told = line
    const failure = failureOf(status)
    if (failure !== null && Date.now() - begun > POLL_INTERVAL_MS) throw new CommandError(failure, EXIT.failed)
    if (lastSyncAt !== null && lastSyncAt >= begun && progress === null && pendingChanges === 0) return
    await wait(POLL_INTERVAL_MS, undefined, { signal })
  }
}

/** `linnet sync --once`: fetches new mail, sends the outbox, and exits. */
export const syncOnce = async (account: LocalAccount, terminal: Terminal): Promise<ExitCode> => {
  const opened = await openLocalAccount(account, requireEnvironmentKey(account), terminal)
  try {
    await waitUntilSynced(opened, terminal)
    terminal.note('All mail has been downloaded, and nothing is waiting to be sent.')
    return EXIT.done
  } finally {
    await opened.close()
  }
}
