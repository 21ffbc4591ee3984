import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import type { Host } from '../host/start-host.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../shared/channels.ts'
import type { LinnetEvent } from '../shared/contract.ts'
import { isWindowUrl } from './window-origin.ts'

/** A window, as far as it is told of events. */
interface ToldWindow {
  readonly webContents: { readonly send: (channel: string, event: LinnetEvent) => void }
}

/** Whether a call comes from the window's own top page: a mail's frame shares its process but not its rights. */
const isFromWindow = ({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>): boolean =>
  senderFrame?.parent === null && isWindowUrl(senderFrame.url)

/**
 * Answers the windows' calls, and tells them what happens.
 * @param windows those that are open now
 */
export const serveWindows = (
  host: Pick<Host, 'call' | 'subscribe'>,
  ipcMain: Pick<IpcMain, 'handle'>,
  windows: () => readonly ToldWindow[],
): void => {
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown) => {
    if (!isFromWindow(event)) throw new Error('not the window')
    return host.call(String(name), input)
  })
  host.subscribe((event) => {
    for (const window of windows()) window.webContents.send(EVENT_CHANNEL, event)
  })
}
