import type { z } from 'zod'

/**
 * `host` handles keys and the desktop. `engine` handles the mail of one account. `across` handles several accounts,
 * which the input names.
 */
export type CommandTarget = 'host' | 'engine' | 'across'

/**
 * Routing of a command from “All inboxes”, which shows all accounts as one (`renderer/kernel/unified`):
 * - `window`: unchanged, because the command doesn't concern an account.
 * - `owner`: to the account that owns the thread, e-mail, draft or inbox in the input, or whatever `id` refers to.
 * - `open`: to the account of the open thread, because the input names no owner.
 * - `each`: to every account; all of them return null.
 * - `refused`: nowhere, because the command is offered only within a single account.
 * - `joined`: to some or all accounts; a handler in `renderer/kernel/unified` merges their responses.
 */
export type UnifiedRouting = 'window' | 'owner' | 'open' | 'each' | 'refused' | 'joined'

interface Command<Where extends CommandTarget, Across extends UnifiedRouting, Input extends z.ZodType, Output> {
  readonly target: Where
  readonly across: Across
  readonly input: Input
  /** Never set; carries the output type. */
  readonly output?: Output
}

/** Input schema, or a function that builds it on first use: at start, each process needs only a few schemas. */
type SchemaSource<Input extends z.ZodType> = Input | (() => Input)

const command = <Where extends CommandTarget, Across extends UnifiedRouting, Input extends z.ZodType, Output>(
  target: Where,
  across: Across,
  making: SchemaSource<Input>,
): Command<Where, Across, Input, Output> => {
  let made: Input | null = null
  return {
    target,
    across,
    get input() {
      return (made ??= typeof making === 'function' ? making() : making)
    },
  }
}

/** A host command that concerns no account. */
export const defineHostCommand =
  <Output>() =>
  <Input extends z.ZodType>(making: SchemaSource<Input>) =>
    command<'host', 'window', Input, Output>('host', 'window', making)

/** A host command that concerns an account's mail. */
export const defineHostMailCommand =
  <Output>() =>
  <Across extends 'owner' | 'open', Input extends z.ZodType>(routing: Across, making: SchemaSource<Input>) =>
    command<'host', Across, Input, Output>('host', routing, making)

/** An engine command that concerns an account's mail. */
export const defineEngineCommand =
  <Output>() =>
  <Across extends (null extends Output ? UnifiedRouting : Exclude<UnifiedRouting, 'each'>), Input extends z.ZodType>(
    routing: Across,
    making: SchemaSource<Input>,
  ) =>
    command<'engine', Across, Input, Output>('engine', routing, making)

/** An engine command that concerns the accounts named in its input. */
export const defineUnifiedCommand =
  <Output>() =>
  <Input extends z.ZodType>(making: SchemaSource<Input>) =>
    command<'across', 'window', Input, Output>('across', 'window', making)
