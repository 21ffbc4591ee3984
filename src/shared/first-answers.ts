import type { CommandName } from './contract.ts'

/**
 * What a window asks before it can show a list. The answers are kept from one start for the next, which shows them before the
 * engine is there.
 */
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

/** By which the same question is known again. */
export const keyOfQuestion = (name: string, input: unknown, accountId: string | null): string =>
  JSON.stringify([name, accountId, input])

/** The ID of the element of the page that holds them (JSON, which no browser runs). */
export const FIRST_ANSWERS_ID = 'first-answers'
