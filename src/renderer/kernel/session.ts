import { createContext } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Transport } from '../../shared/contract.ts'
import { ALL_INBOXES } from '../../shared/unified-ids.ts'
import { AccountManager } from './account-manager.svelte.ts'
import { createBackend } from './backend.ts'
import { Clock } from './clock.svelte.ts'
import { PreferencesManager, readEmbeddedPreferences, AppearanceManager } from './preferences-manager.svelte.ts'
import { RouteManager } from './route-manager.svelte.ts'
import { RunManager, UpdateManager, ConnectionMonitor, ProxyLoginManager } from './host-managers.svelte.ts'
import type { SyncManager } from './sync-manager.svelte.ts'
import { ToastManager } from './toast-manager.svelte.ts'

/** State independent of accounts, created once when the window opens. */
export const createShell = (transport: Transport) => {
  const backend = createBackend(transport)
  const toasts = new ToastManager()
  const root = document.documentElement
  const preferences = new PreferencesManager(backend, toasts, readEmbeddedPreferences(root))
  const route = new RouteManager()
  return {
    backend,
    toasts,
    connection: new ConnectionMonitor(transport),
    account: new AccountManager(backend, route, preferences),
    preferences,
    appearance: new AppearanceManager(preferences, root, new MediaQuery('prefers-color-scheme: dark')),
    proxyLogin: new ProxyLoginManager(backend, toasts),
    clock: new Clock(),
    run: new RunManager(backend, toasts),
    updates: new UpdateManager(backend, toasts),
    route,
    /** True in a window for all inboxes of all accounts. */
    isAllInboxes: false,
  }
}

/** Screens read a manager's fields, and change them only through its methods. */
export type Managers<All> = { readonly [Name in keyof All]: Readonly<All[Name]> }

export type Shell = Managers<ReturnType<typeof createShell>>

/** Shell for one account, or for all inboxes: every call applies to it. @param accountId may be `ALL_INBOXES` */
export const createAccountShell = (shell: Shell, accountId: string): Shell => ({
  ...shell,
  backend: shell.backend.of(accountId),
  isAllInboxes: accountId === ALL_INBOXES,
})

/**
 * State while an account is open: all that the frame creates (`app/create-session.ts`). It declares the rest there, so
 * the kernel depends on no feature.
 */
export interface Session {
  readonly sync: SyncManager
}

export const [useShell, provideShell] = createContext<Shell>()
export const [useSession, provideSession] = createContext<Session>()
