import type { Readable } from 'node:stream'
import type { utilityProcess as UtilityProcess } from 'electron'
import type { LaunchPlatform } from '../host/demo-platform.ts'

/**
 * Starts the local mail platform in a process that Electron ends with the app. It is not a Node child process, as the
 * shipped app cannot be made to run as Node (fuses).
 * @param entry the platform's built file
 */
export const createLaunchPlatform =
  (utilityProcess: Pick<typeof UtilityProcess, 'fork'>, entry: string): LaunchPlatform =>
  (args) => {
    const child = utilityProcess.fork(entry, [...args], { stdio: 'pipe', serviceName: 'Linnet demo platform' })
    // With `pipe` both are there, though the types cannot say so; they are Node streams of Electron's own making.
    return {
      stdout: child.stdout as Readable,
      stderr: child.stderr as Readable,
      kill: () => void child.kill(),
      onExit: (listener) => void child.once('exit', listener),
    }
  }
