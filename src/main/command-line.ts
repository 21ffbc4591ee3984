/** Runs the command line (src/cli) in the packaged app, without a window: `linnet search …`, `linnet mcp`. */
import type { App } from 'electron'
import type { AssistantServer } from '../shared/assistants.ts'
import type { LaunchCommand } from './launch-command.ts'

/** Form of a command name. Links contain a colon, and switches start with a dash. */
const COMMAND = /^[a-z]+$/

/** The given command with its arguments, or null to open a window. Unpackaged, the app's path comes first in `argv`. */
export const parseCliCommand = (argv: readonly string[], isPackaged: boolean): readonly string[] | null => {
  const words = argv.flatMap((arg, index) => (index > 0 && !arg.startsWith('-') ? [index] : []))
  const at = words[isPackaged ? 0 : 1] ?? argv.length
  if (COMMAND.test(argv[at] ?? '')) return argv.slice(at)
  return argv.includes('--version') ? ['version'] : null
}

/** Lets Chromium run without a display. */
const HEADLESS = '--ozone-platform=headless'

/**
 * Command that assistants use to start `linnet mcp` through the app. Null on Windows, where the app has no stdin. The
 * launch command starts the app with its default data folder.
 * @param dataDirectory the requested folder, or null for the default
 */
export const resolveAssistantServer = (
  platform: NodeJS.Platform,
  { file, args }: LaunchCommand,
  dataDirectory: string | null,
): AssistantServer | null =>
  platform === 'win32'
    ? null
    : {
        command: file,
        // Assistants start servers with a minimal environment and no display.
        args: [
          ...args,
          ...(platform === 'linux' ? [HEADLESS] : []),
          'mcp',
          ...(dataDirectory === null ? [] : ['--data', dataDirectory]),
        ],
      }

/** Without a display (e.g. over SSH), Chromium exits before it is ready. */
const lacksDisplay = ({ platform, env, argv }: Pick<NodeJS.Process, 'platform' | 'env' | 'argv'>): boolean =>
  platform === 'linux' &&
  `${env.DISPLAY ?? ''}${env.WAYLAND_DISPLAY ?? ''}` === '' &&
  !argv.some((arg) => arg.startsWith('--ozone-platform='))

/** Runs a command in this process, then exits. Call before Electron is ready. @throws if there is no display */
export const runCommandAndExit = async (app: App, command: readonly string[]): Promise<void> => {
  if (lacksDisplay(process)) {
    throw new Error(`No display found. Run “linnet ${HEADLESS} ${command[0]} …” instead.`)
  }
  app.disableHardwareAcceleration()
  if (process.platform === 'darwin') app.setActivationPolicy('prohibited')
  // Electron handles the termination signals until it is ready.
  await app.whenReady()
  const { runCommand } = await import('../cli/run-command.ts')
  app.exit(await runCommand(command))
}
