import type { CommandName } from './contract.ts'

/**
 * Commands that a window sends before it shows a list. Their stored responses are shown at the next start, before the
 * engine is running.
 */
export const STARTUP_COMMANDS = [
  'account.state',
  'inbox.list',
  'label.list',
  'thread.list',
] as const satisfies readonly CommandName[]
export type StartupCommand = (typeof STARTUP_COMMANDS)[number]

export const isStartupCommand = (name: string): name is StartupCommand => STARTUP_COMMANDS.some((each) => each === name)

export interface StartupResponse {
  readonly name: StartupCommand
  readonly accountId: string | null
  readonly input: unknown
  readonly data: unknown
}

export const requestKey = (name: string, input: unknown, accountId: string | null): string =>
  JSON.stringify([name, accountId, input])

/** ID of the page element that contains the stored responses (JSON, which browsers do not run). */
export const STARTUP_RESPONSES_ID = 'first-answers'
