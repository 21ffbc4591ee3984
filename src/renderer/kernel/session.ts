import { createContext } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Transport } from '../../shared/contract.ts'
import { AccountManager, type AccountInbox } from './account-manager.svelte.ts'
import { AppearanceManager } from './appearance-manager.svelte.ts'
import { createBackend } from './backend.ts'
import { Clock } from './clock.svelte.ts'
import { ConnectionManager } from './connection-manager.svelte.ts'
import { PreferencesManager, servedPreferences } from './preferences-manager.svelte.ts'
import { ProxyLoginManager } from './proxy-login-manager.svelte.ts'
import { RouteManager } from './route-manager.svelte.ts'
import { RunManager } from './run-manager.svelte.ts'
import type { SyncManager } from './sync-manager.svelte.ts'
import { ToastManager } from './toast-manager.svelte.ts'
import { UpdateManager } from './update-manager.svelte.ts'

/** What there is before an account: made once, when the window opens. */
export const createShell = (transport: Transport) => {
  const backend = createBackend(transport)
  const toasts = new ToastManager()
  const root = document.documentElement
  const preferences = new PreferencesManager(backend, toasts, servedPreferences(root))
  const route = new RouteManager()
  return {
    backend,
    toasts,
    connection: new ConnectionManager(transport),
    account: new AccountManager(backend, route, preferences),
    preferences,
    appearance: new AppearanceManager(preferences, root, new MediaQuery('prefers-color-scheme: dark')),
    proxyLogin: new ProxyLoginManager(backend, toasts),
    clock: new Clock(),
    run: new RunManager(backend, toasts),
    updates: new UpdateManager(backend, toasts),
    route,
    across: null,
  }
}

/** What only the inboxes of all accounts have, shown as one. */
export interface Across {
  /** Whose a thread of theirs is; null where that is not known. */
  readonly placeOf: (threadId: string) => AccountInbox | null
}

/** All of it as a part of the window has it. */
export interface Shell extends Omit<ReturnType<typeof createShell>, 'across'> {
  /** Null where one account's mail is shown. */
  readonly across: Across | null
}

/** The shell as all that shows an account's mail has it: every call is about that account. */
export const shellOf = (shell: Shell, accountId: string): Shell => ({ ...shell, backend: shell.backend.of(accountId) })

/**
 * What there is while an account is open. A feature that keeps something for that long adds it here, in its own folder
 * (`declare module`), so that the kernel knows no feature; the frame makes all of it, or does not compile.
 */
export interface Session {
  readonly sync: SyncManager
}

export const [useShell, provideShell] = createContext<Shell>()
export const [useSession, provideSession] = createContext<Session>()
