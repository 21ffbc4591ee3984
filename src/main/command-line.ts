/** Linnet's command line (src/cli) by the packaged app: `linnet search …`, `linnet mcp`. It opens no window. */
import type { App } from 'electron'
import type { AssistantServer } from '../shared/assistants.ts'
import type { OwnCommand } from './own-command.ts'

/** What a command is called; a link has a colon, a switch begins with a dash. */
const COMMAND = /^[a-z]+$/

/**
 * The command that Linnet was started with.
 * @param argv the process's; without a package the app's path stands before what is meant for the app
 * @returns its name and what was typed behind it; null where Linnet is to open its window
 */
export const commandIn = (argv: readonly string[], isPackaged: boolean): readonly string[] | null => {
  const words = argv.flatMap((arg, index) => (index > 0 && !arg.startsWith('-') ? [index] : []))
  const at = words[isPackaged ? 0 : 1] ?? argv.length
  if (COMMAND.test(argv[at] ?? '')) return argv.slice(at)
  return argv.includes('--version') ? ['version'] : null
}

/** Has Chromium do without a display. */
const HEADLESS = '--ozone-platform=headless'

/**
 * How an assistant starts `linnet mcp` by the app; null on Windows, where the app has no standard input.
 * @param own starts the app with its usual data folder
 * @param dataDirectory the folder that was asked for; null for the usual one
 */
export const assistantServer = (
  platform: NodeJS.Platform,
  { file, args }: OwnCommand,
  dataDirectory: string | null,
): AssistantServer | null =>
  platform === 'win32'
    ? null
    : {
        command: file,
        // Assistants start servers with little of their own environment, and without a display.
        args: [
          ...args,
          ...(platform === 'linux' ? [HEADLESS] : []),
          'mcp',
          ...(dataDirectory === null ? [] : ['--data', dataDirectory]),
        ],
      }

/** Chromium looks for a display before it is ready, and ends the process where there is none, as over SSH. */
const lacksDisplay = ({ platform, env, argv }: Pick<NodeJS.Process, 'platform' | 'env' | 'argv'>): boolean =>
  platform === 'linux' &&
  `${env.DISPLAY ?? ''}${env.WAYLAND_DISPLAY ?? ''}` === '' &&
  !argv.some((arg) => arg.startsWith('--ozone-platform='))

/** Runs a command in this process and ends it. To be called before Electron is ready. @throws where there is no display */
export const runInApp = async (app: App, command: readonly string[]): Promise<void> => {
  if (lacksDisplay(process)) {
    throw new Error(`There is no display here. Run “linnet ${HEADLESS} ${command[0]} …”.`)
  }
  app.disableHardwareAcceleration()
  if (process.platform === 'darwin') app.setActivationPolicy('prohibited')
  // Until then Electron takes the signals that end a process.
  await app.whenReady()
  const { runCommand } = await import('../cli/run-command.ts')
  app.exit(await runCommand(command))
}
