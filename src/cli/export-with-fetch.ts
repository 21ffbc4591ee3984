import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExportState } from '../shared/export.ts'
import type { LocalAccount } from './local-accounts.ts'
import {
  resolveExportedMail,
  type ExportOptions,
  describeExportProgress,
  reportExport,
  reportInterrupted,
} from './export.ts'
import { InterruptedError, runInterruptible } from './interruption.ts'
import { openLocalAccount, requireEnvironmentKey, type ExclusiveAccount } from './open-account.ts'
import { waitUntilSynced } from './sync.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

const POLL_INTERVAL_MS = 200
const INTERRUPTED = 'The export was interrupted.'

/** @returns null if interrupted */
const waitForExport = async (
  opened: Pick<ExclusiveAccount, 'ask'>,
  id: string,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<ExportState | null> => {
  for (;;) {
    const state = (await opened.ask('export.list', {})).find((each) => each.id === id)
    if (state === undefined) throw new CommandError(INTERRUPTED, EXIT.failed)
    const isOver = state.stage === 'done' || state.stage === 'stopped'
    if (isOver || signal.aborted) {
      // Cancels an interrupted export, or dismisses a finished one.
      await opened.ask('export.cancel', { id })
      return isOver ? state : null
    }
    terminal.progress(describeExportProgress(state))
    await wait(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** `linnet export --fetch`: opens the account as a window does, syncs, and exports, fetching missing mail. */
export const exportWithFetch = async (
  account: LocalAccount,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> => {
  const path = resolve(options.path)
  const opened = await openLocalAccount(account, requireEnvironmentKey(account), terminal)
  try {
    const state = await runInterruptible(async ({ signal }) => {
      await waitUntilSynced(opened, terminal, signal)
      const request = { mail: resolveExportedMail(account, options), format: options.format, isFetching: true }
      const { id } = await opened.startExport(request, { path, mayReplace: options.canReplace })
      return waitForExport(opened, id, signal, terminal)
    })
    if (state === null) return reportInterrupted(terminal)
    if (state.stage === 'stopped') throw new CommandError(state.problem?.message ?? INTERRUPTED, EXIT.failed)
    return reportExport(state, { isJson: options.isJson, wasFetching: true }, terminal)
  } catch (thrown) {
    if (!(thrown instanceof InterruptedError) && !(thrown instanceof Error && thrown.name === 'AbortError'))
      throw thrown
    return reportInterrupted(terminal)
  } finally {
    await opened.close()
  }
}
