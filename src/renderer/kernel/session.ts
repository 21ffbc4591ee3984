import { createContext } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Transport } from '../../shared/contract.ts'
import { AccountManager, type AccountInbox } from './account-manager.svelte.ts'
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
    allInboxes: null,
  }
}

/** Screens read a manager's fields, and change them only through its methods. */
export type Managers<All> = { readonly [Name in keyof All]: Readonly<All[Name]> }

/** Available only while all inboxes are combined. */
export interface AllInboxes {
  readonly placeOf: (threadId: string) => AccountInbox | null
}

export interface Shell extends Managers<Omit<ReturnType<typeof createShell>, 'allInboxes'>> {
  /** Null if a single account is displayed. */
  readonly allInboxes: AllInboxes | null
}

/** Shell for one account: every call applies to it. */
export const createAccountShell = (shell: Shell, accountId: string): Shell => ({
  ...shell,
  backend: shell.backend.of(accountId),
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
