import { spawn } from 'node:child_process'

/** What has not failed by then has begun. */
const PATIENCE_MS = 3_000

const commandFor = (what: string): readonly [command: string, args: readonly string[]] => {
  if (process.platform === 'darwin') return ['open', [what]]
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', what]]
  return ['xdg-open', [what]]
}

/**
 * Has the system open a file or a link with the program that it has for it, which goes on when this one ends.
 * @returns whether there is one, as far as the system says so
 */
export const openBySystem = (what: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, args] = commandFor(what)
    const timer = setTimeout(() => resolve(true), PATIENCE_MS)
    const end = (isOpened: boolean): void => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    spawn(command, args, { stdio: 'ignore', detached: true })
      .on('error', () => end(false))
      .on('exit', (code) => end(code === 0))
      .unref()
  })
