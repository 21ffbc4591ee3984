import type { Handlers } from '../shared/contract.ts'
import type { DesktopState } from '../shared/desktop-state.ts'
import { createProblem } from '../shared/result.ts'

export interface Desktop {
  readonly state: () => DesktopState
  /** @throws if the system rejects it */
  readonly startAtLogin: (isWanted: boolean) => void
  /** Makes Linnet the handler of `mailto:` links. @throws ProblemError `refused` if the system rejects it */
  readonly openMailLinks: () => void
}

/** All handlers fail in a browser, which has no desktop. */
export const createDesktopHandlers = (
  desktop: Desktop | null,
): Handlers<'desktop.state' | 'desktop.startAtLogin' | 'desktop.openMailLinks'> => {
  const here = (): Desktop => {
    if (desktop === null) throw createProblem('not_found', 'This setting is not available in a browser.')
    return desktop
  }
  return {
    'desktop.state': () => desktop?.state() ?? null,
    'desktop.startAtLogin': ({ isWanted }) => {
      here().startAtLogin(isWanted)
      return here().state()
    },
    'desktop.openMailLinks': () => {
      here().openMailLinks()
      return here().state()
    },
  }
}
