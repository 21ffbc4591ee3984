import { spawn } from 'node:child_process'

/** A program that hasn't failed within this time has started; in milliseconds. */
const LAUNCH_GRACE_MS = 3_000

const commandFor = (what: string): readonly [command: string, args: readonly string[]] => {
  if (process.platform === 'darwin') return ['open', [what]]
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', what]]
  return ['xdg-open', [what]]
}

/** Opens a file or link in the system's program, which outlives this process. False if the system reports a failure. */
export const openExternally = (what: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, args] = commandFor(what)
    const timer = setTimeout(() => resolve(true), LAUNCH_GRACE_MS)
    const end = (isOpened: boolean): void => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    spawn(command, args, { stdio: 'ignore', detached: true })
      .on('error', () => end(false))
      .on('exit', (code) => end(code === 0))
      .unref()
  })
