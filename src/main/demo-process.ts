import type { Readable } from 'node:stream'
import type { utilityProcess as UtilityProcess } from 'electron'
import type { LaunchPlatform } from '../host/demo-platform.ts'

/** Runs the platform in a process that exits with the app. Fuses keep the packaged app from running as Node. */
export const createPlatformLauncher =
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
