import type { EngineLink, HostLink } from '../shared/engine-link.ts'
import { createDispatcher } from '../shared/dispatch.ts'
import { fail, ok, ProblemError, toProblem, type Result } from '../shared/result.ts'
import { openAccount, type OpenAccount } from './account.ts'
import { testCredentials } from './api/test-credentials.ts'
import { createHandlers, downloadRaw } from './handlers.ts'
import { inStorageWords } from './store/storage-problem.ts'

/** Names a failure of ours for the log: never its message, which may hold an address, a subject or a path. */
const nameOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return typeof thrown
  const place = /\bat .*?([\w-]+\.[cm]?[jt]s:\d+:\d+)/.exec(thrown.stack ?? '')?.[1]
  const code = 'code' in thrown && typeof thrown.code === 'string' ? ` ${thrown.code}` : ''
  return `${thrown.name}${code}${place === undefined ? '' : ` at ${place}`}`
}

/**
 * The mail engine: one account at a time, with no knowledge of windows or of Electron. Runs in a worker thread behind
 * either host, and in plain Node.
 */
export const createEngine = (host: Pick<HostLink, 'event' | 'log'>): EngineLink => {
  let account: OpenAccount | null = null

  const report = (thrown: unknown): void => host.log(`engine: ${nameOf(thrown)}`)
  const current = (): OpenAccount => {
    if (account === null) throw new ProblemError({ code: 'no_account', message: 'Connect an account first.' })
    return account
  }
  const attempt = async <Data>(work: () => Promise<Data> | Data): Promise<Result<Data>> => {
    try {
      return ok(await work())
    } catch (thrown) {
      const problem = toProblem(inStorageWords(thrown))
      if (problem.code === 'internal') report(thrown)
      return { ok: false, error: problem }
    }
  }
  const close = async (): Promise<void> => {
    const closing = account
    account = null
    await closing?.close()
  }
  const dispatch = createDispatcher('engine', createHandlers(current), report)

  return {
    test: (credentials) =>
      attempt(async () => {
        await testCredentials(credentials)
        return null
      }),
    open: (credentials, directory) =>
      attempt(async () => {
        await close()
        account = openAccount(credentials, directory, host.event, report)
        return null
      }),
    close,
    call: async (name, input) => {
      if (account === null) return fail('no_account', 'Connect an account first.')
      return dispatch(name, input)
    },
    rawEmail: (id) => attempt(() => downloadRaw(current(), id)),
  }
}
