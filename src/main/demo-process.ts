import type { Readable } from 'node:stream'
import type { utilityProcess as UtilityProcess } from 'electron'
import type { LaunchPlatform } from '../host/demo-platform.ts'

/**
 * Starts the local platform in a process that exits with the app. The packaged app can't run as Node (fuses), so it
 * isn't a Node child process.
 * @param entry the platform's built file
 */
export const createLaunchPlatform =
  (utilityProcess: Pick<typeof UtilityProcess, 'fork'>, entry: string): LaunchPlatform =>
  (args) => {
    const child = utilityProcess.fork(entry, [...args], { stdio: 'pipe', serviceName: 'Linnet demo platform' })
    // `pipe` guarantees both streams, which the types don't express. They are Electron's own Node streams.
    return {
      stdout: child.stdout as Readable,
      stderr: child.stderr as Readable,
      kill: () => void child.kill(),
      onExit: (listener) => void child.once('exit', listener),
    }
  }
