import type { Handlers } from '../shared/contract.ts'
import type { DesktopState } from '../shared/desktop-state.ts'
import { ProblemError } from '../shared/result.ts'

/** Registers Linnet with the desktop's system, only if a person asks for it. */
export interface Desktop {
  readonly state: () => DesktopState
  /** @throws where the system did not take it */
  readonly startAtLogin: (isWanted: boolean) => void
  /** Has `mailto:` links open in Linnet. @throws ProblemError `refused` where the system did not take it */
  readonly openMailLinks: () => void
}

/** A browser has no desktop: nothing is offered there. */
export const desktopHandlers = (
  desktop: Desktop | null,
): Handlers<'desktop.state' | 'desktop.startAtLogin' | 'desktop.openMailLinks'> => {
  const here = (): Desktop => {
    if (desktop === null)
      throw new ProblemError({ code: 'not_found', message: 'This setting is not available in a browser.' })
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
