import type { z } from 'zod'

/**
 * Who answers: the host, which holds the key and the desktop, or the engine, which holds the mail: of one account, or
 * `across` several of them, which are named in the input.
 */
export type Room = 'host' | 'engine' | 'across'

/**
 * Where a command goes that is asked in “All inboxes”, of all accounts as one (`renderer/kernel/across`):
 * - `window`: as it is; it is about no account.
 * - `owner`: to the account of what its input names: a thread, an e-mail, a draft, an inbox, or whatever `id` is of.
 * - `open`: to the account of the open conversation: it is asked beside that, and names nothing that says whose it is.
 * - `each`: to every account, all of which answer null.
 * - `refused`: nowhere; it belongs to one account, and is offered there alone.
 * - `joined`: to some or all, whose answers become one: a handler in `renderer/kernel/across` says how.
 */
export type Way = 'window' | 'owner' | 'open' | 'each' | 'refused' | 'joined'

interface Command<Where extends Room, Across extends Way, Input extends z.ZodType, Output> {
  readonly room: Where
  readonly across: Across
  readonly input: Input
  /** Exists for the type alone. */
  readonly output?: Output
}

/** What a command takes, made when it is asked for: a start asks for a few of them, in three processes. */
type Making<Input extends z.ZodType> = Input | (() => Input)

const command = <Where extends Room, Across extends Way, Input extends z.ZodType, Output>(
  room: Where,
  across: Across,
  making: Making<Input>,
): Command<Where, Across, Input, Output> => {
  let made: Input | null = null
  return {
    room,
    across,
    get input() {
      return (made ??= typeof making === 'function' ? making() : making)
    },
  }
}

/** A command of the host about no account. */
export const host =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'host', 'window', Input, Output>('host', 'window', making)

/** A command of the host about the mail of an account. */
export const hostOf =
  <Output>() =>
  <Across extends 'owner' | 'open', Input extends z.ZodType>(way: Across, making: Making<Input>) =>
    command<'host', Across, Input, Output>('host', way, making)

/** A command of the engine about the mail of an account. */
export const engine =
  <Output>() =>
  <Across extends (null extends Output ? Way : Exclude<Way, 'each'>), Input extends z.ZodType>(
    way: Across,
    making: Making<Input>,
  ) =>
    command<'engine', Across, Input, Output>('engine', way, making)

/** A command of the engine about the accounts that its input names. */
export const across =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'across', 'window', Input, Output>('across', 'window', making)
