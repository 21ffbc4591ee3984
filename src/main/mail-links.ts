import type { App } from 'electron'
import { ProblemError } from '../shared/result.ts'
import type { OwnCommand } from './own-command.ts'

/** The system's program for `mailto:` links: asked for by a person, never taken. */
export const createMailLinks = (
  app: Pick<App, 'isDefaultProtocolClient' | 'setAsDefaultProtocolClient'>,
  { file, args }: OwnCommand,
) => {
  // Windows alone needs to be told how the program is started.
  const isOurs = (): boolean => app.isDefaultProtocolClient('mailto', file, [...args])
  return {
    isOurs,
    /** @throws ProblemError `refused` where the system did not take it */
    take: (): void => {
      if (app.setAsDefaultProtocolClient('mailto', file, [...args]) && isOurs()) return
      const message =
        'Your system did not accept Linnet for mail links. Choose it as the mail app in the system’s settings.'
      throw new ProblemError({ code: 'refused', message })
    },
  }
}
