import type { CommandName } from './contract.ts'

/** Sent by a window before it shows a list. Stored responses appear at the next start, before the engine is up. */
export const FIRST_COMMANDS = [
  'account.state',
  'inbox.list',
  'label.list',
  'thread.list',
] as const satisfies readonly CommandName[]
export type FirstCommand = (typeof FIRST_COMMANDS)[number]

export const isFirstCommand = (name: string): name is FirstCommand => FIRST_COMMANDS.some((each) => each === name)

export interface FirstAnswer {
  readonly name: FirstCommand
  readonly accountId: string | null
  readonly input: unknown
  readonly data: unknown
}

export const keyOfQuestion = (name: string, input: unknown, accountId: string | null): string =>
  JSON.stringify([name, accountId, input])

/** ID of the page element that holds them (JSON, which browsers do not run). */
export const FIRST_ANSWERS_ID = 'first-answers'
