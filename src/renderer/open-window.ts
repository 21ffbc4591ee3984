import { mount } from 'svelte'
import type { Transport } from '../shared/contract.ts'
import App from './app/App.svelte'
import { focusDefaultElement } from './app/keep-focus.ts'
import { createShell } from './kernel/session.ts'
import { createBrowserTransport, loadWindowKey } from './browser-transport.ts'
import { takeStartupResponses, withStartupResponses } from './startup-responses.ts'

declare global {
  interface Window {
    /** Set by Electron's preload; absent in a browser. */
    readonly linnet?: Transport
  }
}

export const openWindow = (target: Element): void => {
  const { linnet } = window
  const transport =
    linnet === undefined
      ? createBrowserTransport(loadWindowKey())
      : withStartupResponses(linnet, takeStartupResponses(document))
  mount(App, { target, props: { shell: createShell(transport) } })
}

export const focusFirstControl = (): void => {
  if (document.activeElement === document.body) focusDefaultElement()
}
