import type { Handlers } from '../shared/contract.ts'
import { ProblemError } from '../shared/result.ts'
import type { UpdateState } from '../shared/updates.ts'

/** How a desktop's Linnet becomes the next one. A browser's is whatever its host is. */
export interface HostUpdates {
  readonly state: () => UpdateState
  /** @throws ProblemError `refused` where no one has agreed, or where this Linnet does not replace itself */
  readonly check: () => Promise<UpdateState>
  /** Closes everything and restarts as the next version. @throws ProblemError `refused` without one */
  readonly install: () => Promise<void>
}

/** Work that an update would cut off. */
export interface Unfinished {
  /** Changes and messages that the platform has not got, over all accounts. */
  readonly unsent: number
  /** Exports that are being written. */
  readonly exports: number
}

const counted = (count: number, one: string, more: string): string => (count === 1 ? `1 ${one}` : `${count} ${more}`)

/** Why an update has to wait, in words; null where nothing does. */
const describeUnfinished = ({ unsent, exports }: Unfinished): string | null => {
  const parts = [
    ...(unsent > 0 ? [`${counted(unsent, 'change or message is', 'changes and messages are')} not sent yet`] : []),
    ...(exports > 0 ? [`${counted(exports, 'export is', 'exports are')} being written`] : []),
  ]
  return parts.length === 0 ? null : `The update waits: ${parts.join(', and ')}. Nothing was restarted.`
}

/** An update waits for what is unsent: the next version may not understand it. @param unfinished asked right before */
export const updateHandlers = (
  updates: HostUpdates | null,
  unfinished: () => Promise<Unfinished>,
): Handlers<'update.state' | 'update.check' | 'update.install'> => {
  const here = (): HostUpdates => {
    if (updates === null) {
      throw new ProblemError({
        code: 'not_found',
        message: 'In a browser, Linnet is updated where it runs.',
      })
    }
    return updates
  }
  return {
    'update.state': () => updates?.state() ?? null,
    'update.check': () => here().check(),
    'update.install': async () => {
      const { step } = here().state()
      const waits = step.kind === 'ready' ? describeUnfinished(await unfinished()) : null
      if (waits !== null) throw new ProblemError({ code: 'refused', message: waits })
      await here().install()
    },
  }
}
