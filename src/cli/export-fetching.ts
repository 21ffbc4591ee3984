import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExportState } from '../shared/export.ts'
import type { AccountHere } from './accounts-here.ts'
import { chooseMail, type ExportOptions } from './export.ts'
import { describeProgress, tellDone, tellPaused } from './export-words.ts'
import { Interrupted, untilInterrupted } from './interruption.ts'
import { openAccountHere, takeKey, type OpenedAccount } from './open-account.ts'
import { untilSynced } from './sync.ts'
import { CommandError, EXIT, type ExitCode, type Terminal } from './terminal.ts'

const LOOK_EVERY_MS = 200

const follow = async (
  { ask }: OpenedAccount,
  id: string,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<ExportState> => {
  for (;;) {
    const state = (await ask('export.list', {})).find((each) => each.id === id)
    if (state === undefined) throw new CommandError('The export was interrupted.', EXIT.failed)
    if (state.stage === 'done' || state.stage === 'paused') return state
    if (signal.aborted) await ask('export.pause', { id })
    else {
      terminal.progress(describeProgress(state))
      await wait(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

/**
 * `linnet export --fetch`: opens the account as a window does, fetches what is new, and exports with what is missing asked
 * of the platform.
 * @param options of a new one; null to go on with what is there for the path
 */
export const exportFetching = async (
  account: AccountHere,
  path: string,
  options: ExportOptions | null,
  isJson: boolean,
  terminal: Terminal,
): Promise<ExitCode> => {
  const file = resolve(path)
  const opened = await openAccountHere(account, takeKey(account), terminal)
  let state: ExportState | null = null
  try {
    const begin = async (): Promise<ExportState> => {
      if (options === null) {
        const found = (await opened.ask('export.list', {})).find(
          (each) => each.path === file && each.stage === 'paused',
        )
        if (found !== undefined) {
          await opened.ask('export.resume', { id: found.id })
          return found
        }
        throw new CommandError(`This account has no unfinished export to ${file}.`, EXIT.nothing)
      }
      const mail = chooseMail(account, options)
      const wish = { mail, format: options.format, isFetching: true, name: '' }
      return opened.startExport(wish, { path: file, mayReplace: options.canReplace })
    }
    state = await untilInterrupted(async ({ signal }) => {
      await untilSynced(opened, terminal, signal)
      const { id } = await begin()
      return follow(opened, id, signal, terminal)
    })
  } catch (thrown) {
    if (!(thrown instanceof Interrupted) && !(thrown instanceof Error && thrown.name === 'AbortError')) throw thrown
    terminal.note('Interrupted before the export started. Nothing was written.')
    return EXIT.interrupted
  } finally {
    // What is done is put away; what is not is there for a window as well.
    if (state?.stage === 'done') await opened.ask('export.cancel', { id: state.id })
    await opened.close()
  }
  if (state.stage === 'done') return tellDone(state, { isJson, wasFetching: true }, terminal)
  const code = tellPaused(state, ['--fetch'], terminal)
  if (state.problem !== null) throw new CommandError(state.problem.message, EXIT.failed)
  return code
}
