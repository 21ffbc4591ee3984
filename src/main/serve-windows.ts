import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import type { Host } from '../host/host.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../shared/channels.ts'
import type { AddressedEvent } from '../shared/contract.ts'
import { isWindowUrl } from './window-origin.ts'

/** A window, as far as it is told of events. */
interface ToldWindow {
  readonly webContents: { readonly id: number; readonly send: (channel: string, event: AddressedEvent) => void }
}

/** By which a window's calls are known (`Asking`). */
export const callerOfWindow = ({ webContents }: Pick<ToldWindow, 'webContents'>): string => `window ${webContents.id}`

/** Tells one window alone. */
export const tellWindow = (window: ToldWindow | null, event: AddressedEvent): void =>
  window?.webContents.send(EVENT_CHANNEL, event)

/** Whether a call comes from the window's own top page: a mail's frame shares its process but not its rights. */
const isFromWindow = ({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>): boolean =>
  senderFrame?.parent === null && isWindowUrl(senderFrame.url)

/**
 * Answers the windows' calls, and tells them what happens.
 * @param windows those that are open now, the one that had the focus last first
 */
export const serveWindows = (
  host: Pick<Host, 'call' | 'subscribe' | 'leave'>,
  ipcMain: Pick<IpcMain, 'handle'>,
  windows: () => readonly ToldWindow[],
): void => {
  const callers = new Set<string>()
  const callerOf = ({ sender }: Pick<IpcMainInvokeEvent, 'sender'>): string => {
    const caller = callerOfWindow({ webContents: sender })
    if (callers.has(caller)) return caller
    callers.add(caller)
    // The page that comes after it says anew what it looks at.
    sender.on('render-process-gone', () => host.leave(caller))
    sender.once('destroyed', () => {
      callers.delete(caller)
      host.leave(caller)
    })
    return caller
  }
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown, accountId: unknown) => {
    if (!isFromWindow(event)) throw new Error('not the window')
    const asking = { accountId: typeof accountId === 'string' ? accountId : null, caller: callerOf(event) }
    return host.call(String(name), input, asking)
  })
  host.subscribe((event) => {
    // A link is followed by one window, and in sight.
    const told = event.name === 'link.waiting' ? windows().slice(0, 1) : windows()
    for (const window of told) tellWindow(window, event)
  })
}
