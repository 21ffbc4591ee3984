import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import type { Host } from '../host/host.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../shared/channels.ts'
import type { AddressedEvent } from '../shared/contract.ts'
import { isWindowUrl } from './window-origin.ts'

interface ReceivingWindow {
  readonly webContents: { readonly id: number; readonly send: (channel: string, event: AddressedEvent) => void }
}

/** A window's caller name (`CallContext`). */
export const toWindowCaller = ({ webContents }: Pick<ReceivingWindow, 'webContents'>): string =>
  `window ${webContents.id}`

export const sendToWindow = (window: ReceivingWindow | null, event: AddressedEvent): void =>
  window?.webContents.send(EVENT_CHANNEL, event)

/** True if a call comes from the window's top page. An e-mail's frame shares its process but not its rights. */
const isFromWindow = ({ senderFrame }: Pick<IpcMainInvokeEvent, 'senderFrame'>): boolean =>
  senderFrame?.parent === null && isWindowUrl(senderFrame.url)

/** Handles the windows' calls and sends them events. @param windows open ones, most recently focused first */
export const serveWindows = (
  host: Pick<Host, 'call' | 'subscribe' | 'leave'>,
  ipcMain: Pick<IpcMain, 'handle'>,
  windows: () => readonly ReceivingWindow[],
): void => {
  const callers = new Set<string>()
  const callerOf = ({ sender }: Pick<IpcMainInvokeEvent, 'sender'>): string => {
    const caller = toWindowCaller({ webContents: sender })
    if (callers.has(caller)) return caller
    callers.add(caller)
    // The reloaded page registers again.
    sender.on('render-process-gone', () => host.leave(caller))
    sender.once('destroyed', () => {
      callers.delete(caller)
      host.leave(caller)
    })
    return caller
  }
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, input: unknown, accountId: unknown) => {
    if (!isFromWindow(event)) throw new Error('The call did not come from a Linnet window.')
    const context = { accountId: typeof accountId === 'string' ? accountId : null, caller: callerOf(event) }
    return host.call(String(name), input, context)
  })
  host.subscribe((event) => {
    // Only one window, the one in front, follows a link.
    const told = event.name === 'link.waiting' ? windows().slice(0, 1) : windows()
    for (const window of told) sendToWindow(window, event)
  })
}
