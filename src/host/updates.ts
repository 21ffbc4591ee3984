import type { Handlers } from '../shared/contract.ts'
import { createProblem } from '../shared/result.ts'
import type { UpdateState } from '../shared/updates.ts'

export interface HostUpdates {
  readonly state: () => UpdateState
  /** @throws ProblemError `refused` without the user's consent, or if this build can't update itself */
  readonly check: () => Promise<UpdateState>
  /** Closes everything and restarts as the new version. @throws ProblemError `refused` if there is none */
  readonly install: () => Promise<void>
}

export interface UnfinishedWork {
  /** Unsent changes and messages in all accounts. */
  readonly unsent: number
  readonly exports: number
}

const formatCount = (count: number, one: string, more: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${more}`

const describeUnfinished = ({ unsent, exports }: UnfinishedWork): string | null => {
  const parts = [
    ...(unsent > 0
      ? [`${formatCount(unsent, 'change or message has', 'changes and messages have')} not been sent yet`]
      : []),
    ...(exports > 0 ? [`${formatCount(exports, 'export is', 'exports are')} still running`] : []),
  ]
  return parts.length === 0 ? null : `The update has to wait: ${parts.join(', and ')}. Linnet was not restarted.`
}

/**
 * Updates wait for unsent changes, which the next version may not understand. @param unfinished called just before
 * installing
 */
export const createUpdateHandlers = (
  updates: HostUpdates | null,
  unfinished: () => Promise<UnfinishedWork>,
): Handlers<'update.state' | 'update.check' | 'update.install'> => {
  const here = (): HostUpdates => {
    if (updates === null) {
      throw createProblem(
        'not_found',
        'You can’t update Linnet from a browser. Update it on the computer where it runs.',
      )
    }
    return updates
  }
  return {
    'update.state': () => updates?.state() ?? null,
    'update.check': () => here().check(),
    'update.install': async () => {
      const { step } = here().state()
      const waits = step.kind === 'ready' ? describeUnfinished(await unfinished()) : null
      if (waits !== null) throw createProblem('refused', waits)
      await here().install()
    },
  }
}
