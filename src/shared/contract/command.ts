import type { z } from 'zod'

/** `host` handles keys and the desktop. `engine` handles mail. */
export type CommandTarget = 'host' | 'engine'

/**
 * Routing of a command for “All inboxes”, which shows all accounts as one (`engine/handlers/all-inboxes.ts`):
 * - `owner`: to the account that the IDs in the input name. If there are none, to the account of the open thread.
 * - `merged`: to every account or inbox that the input concerns. The responses are merged; some may fail.
 * - `whole`: like `merged`, but all or none: if one fails, the changes of the others are undone.
 * - `refused`: nowhere, because the command is offered only within a single account.
 */
export type UnifiedRouting = 'owner' | 'merged' | 'whole' | 'refused'

interface Command<Where extends CommandTarget, Input extends z.ZodType, Output> {
  readonly target: Where
  readonly across: UnifiedRouting
  readonly input: Input
  /** Never set; carries the output type. */
  readonly output?: Output
}

/** Input schema, or a function that builds it on first use: at start, each process needs only a few schemas. */
type SchemaSource<Input extends z.ZodType> = Input | (() => Input)

const command = <Where extends CommandTarget, Input extends z.ZodType, Output>(
  target: Where,
  across: UnifiedRouting,
  making: SchemaSource<Input>,
): Command<Where, Input, Output> => {
  let made: Input | null = null
  return {
    target,
    across,
    get input() {
      return (made ??= typeof making === 'function' ? making() : making)
    },
  }
}

export const defineHostCommand =
  <Output>() =>
  <Input extends z.ZodType>(making: SchemaSource<Input>) =>
    command<'host', Input, Output>('host', 'refused', making)

/** An engine command that concerns mail. */
export const defineEngineCommand =
  <Output>() =>
  <Input extends z.ZodType>(across: UnifiedRouting, making: SchemaSource<Input>) =>
    command<'engine', Input, Output>('engine', across, making)
