import { createCommands } from '../../../../src/renderer/app/commands.ts'
import { createSession } from '../../../../src/renderer/app/create-session.ts'
import type { Command } from '../../../../src/renderer/kernel/commands.ts'
import { findFocusedMail } from '../../../../src/renderer/features/threads/chosen-threads.ts'
import { listenForKeys } from '../../../../src/renderer/kernel/listen-for-keys.ts'
import { isThreadRoute, type Route } from '../../../../src/renderer/kernel/route.ts'
import { createAccountShell, createShell, type Shell } from '../../../../src/renderer/kernel/session.ts'
import { ALL_INBOXES } from '../../../../src/shared/unified-ids.ts'
import { SyncManager } from '../../../../src/renderer/kernel/sync-manager.svelte.ts'
import { INBOX } from './fixture-mail.ts'
import { createFixtureTransport, type FixtureHandlers } from './fixture-transport.ts'
import { until } from './until.ts'

// jsdom has no Web Locks; this is the only window.
Object.defineProperty(navigator, 'locks', {
  configurable: true,
  value: { request: (_name: string, _options: object, hold: () => Promise<void>) => hold() },
})

/** jsdom has no media queries: a screen without preferences. Kept for later tests in the worker. */
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), { matches: ['', 'all', 'screen'].includes(query.trim()) }) as MediaQueryList

export const inbox = (threadId: string | null): Route => ({
  view: 'folder',
  inboxId: INBOX.id,
  folder: 'inbox',
  threadId,
})

/**
 * The window's managers without components. They follow the address as the frame does.
 * @param isAllInboxes true for all inboxes as one
 */
export const openWindow = async (
  start: Route,
  ending: AbortSignal,
  handlers: FixtureHandlers = {},
  isAllInboxes = false,
) => {
  const transport = createFixtureTransport({ threads: 70, handlers })
  const own = createShell(transport)
  const shell: Shell = isAllInboxes ? createAccountShell(own, ALL_INBOXES) : own
  const session = createSession(shell, new SyncManager(shell.backend, ending), ending)
  const asked: string[] = []
  const commands = createCommands(shell, session, {
    focusSearch: () => asked.push('search'),
    showPalette: () => asked.push('palette'),
    show: (dialog) => asked.push(dialog),
    focusList: () => asked.push('list'),
    focusListFromOutside: () => undefined,
  })
  const follow = async (): Promise<void> => {
    const route = shell.route.current
    commands.navigator.show(route)
    const list = commands.navigator.screen?.list ?? null
    if (list !== null) {
      await until(() => list.rows.phase === 'ready')
      list.cursor.settle(list.rows)
    }
    if (!isThreadRoute(route) || handlers['thread.open'] !== undefined) return
    await until(() => route.threadId === null || session.conversation.conversation !== null)
  }
  await session.mailboxes.load()
  shell.route.replace(start)
  await follow()
  const commandOf = (id: string): Command => {
    const found = commands.all.find((command) => command.id === id)
    if (found === undefined) throw new Error(`There is no command ${id}.`)
    return found
  }
  return {
    shell,
    session,
    commands,
    asked,
    follow,
    /** Enables shortcuts, as in the frame. */
    listen: (): void => listenForKeys(commands, ending, () => ({ pointedMail: findFocusedMail() })),
    commandOf,
    run: (id: string): void => commands.run(commandOf(id)),
    emit: transport.emit,
    calls: transport.calls,
    refuse: transport.refuse,
    called: (name: string): readonly unknown[] =>
      transport.calls.filter((call) => call.name === name).map(({ input }) => input),
  }
}

export type OpenWindow = Awaited<ReturnType<typeof openWindow>>
