/** Supplies the window's transport and nothing else: two functions, no key, no file, no Node. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { AddressedEvent, Transport } from '../shared/contract.ts'
import { CALL_CHANNEL, EVENT_CHANNEL } from '../shared/channels.ts'

const transport: Transport = {
  call: (name, input, accountId) => ipcRenderer.invoke(CALL_CHANNEL, name, input, accountId),
  subscribe: (listener) => {
    const forward = (_: IpcRendererEvent, event: AddressedEvent): void => listener(event)
    ipcRenderer.on(EVENT_CHANNEL, forward)
    return () => ipcRenderer.off(EVENT_CHANNEL, forward)
  },
}

contextBridge.exposeInMainWorld('linnet', transport)
