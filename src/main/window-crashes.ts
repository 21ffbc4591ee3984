import type { BrowserWindow, MessageBoxOptions, RenderProcessGoneDetails } from 'electron'
import { RestartPolicy } from '../host/restart-policy.ts'
import type { PartCrash } from '../host/run-state-tracker.ts'
import { logLine, type Log } from '../shared/log.ts'
import { WINDOW_URL } from './window-origin.ts'

type RevivedWindow = Pick<BrowserWindow, 'isDestroyed' | 'loadURL'> & {
  readonly webContents: Pick<BrowserWindow['webContents'], 'on' | 'getURL' | 'reload'>
}

interface ReviveParts {
  readonly log: Log
  readonly recordCrash: (end: PartCrash) => void
  /** Continues in safe mode. */
  readonly choose: (mode: 'safe') => void
  /** A native dialog, because there is no page. */
  readonly ask: (options: MessageBoxOptions) => Promise<{ readonly response: number }>
  readonly quit: () => void
}

const CRASH_LOOP_DIALOG: MessageBoxOptions = {
  type: 'error',
  title: 'Linnet',
  message: 'Linnet’s window keeps crashing',
  detail:
    'Your mail and changes are safe. Safe mode turns off search indexing, downloads of older mail, and pictures. Next time, Linnet starts normally.',
  buttons: ['Start in safe mode', 'Try again', 'Quit'],
  defaultId: 0,
  cancelId: 2,
  noLink: true,
}

/** Reloads a crashed window's page: at once, then delayed if it keeps crashing, and finally only if the user agrees. */
export const createWindowReloader =
  ({ log, recordCrash, choose, ask, quit }: ReviveParts, now?: () => number) =>
  (window: RevivedWindow): void => {
    const restarts = new RestartPolicy(now)
    const show = (): void => {
      if (window.isDestroyed()) return
      restarts.started()
      // If the window crashed before its first page, there is nothing to reload.
      if (window.webContents.getURL() === '') void window.loadURL(WINDOW_URL)
      else window.webContents.reload()
    }
    const offer = async (): Promise<void> => {
      const { response } = await ask(CRASH_LOOP_DIALOG)
      if (response === 2) {
        quit()
        return
      }
      restarts.forgive()
      if (response === 0) choose('safe')
      show()
    }
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }: RenderProcessGoneDetails) => {
      if (reason === 'clean-exit' || window.isDestroyed()) return
      const pause = restarts.recordCrash()
      recordCrash({
        reason: logLine`${reason}, code ${exitCode}`,
        isOutOfMemory: reason === 'oom',
        isRestarted: pause !== null,
      })
      if (pause === null) void offer()
      else setTimeout(show, pause)
    })
    window.webContents.on('unresponsive', () => log('warn', logLine`host: the window does not respond`))
  }
