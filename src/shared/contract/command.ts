import type { z } from 'zod'

/**
 * Who answers: the host, which holds the key and the desktop, or the engine, which holds the mail: of one account, or
 * `across` several of them, which are named in the input.
 */
export type Room = 'host' | 'engine' | 'across'

interface Command<Where extends Room, Input extends z.ZodType, Output> {
  readonly room: Where
  readonly input: Input
  /** Exists for the type alone. */
  readonly output?: Output
}

/** What a command takes, made when it is asked for: a start asks for a few of them, in three processes. */
type Making<Input extends z.ZodType> = Input | (() => Input)

const command = <Where extends Room, Input extends z.ZodType, Output>(
  room: Where,
  making: Making<Input>,
): Command<Where, Input, Output> => {
  let made: Input | null = null
  return {
    room,
    get input() {
      return (made ??= typeof making === 'function' ? making() : making)
    },
  }
}

export const host =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'host', Input, Output>('host', making)
export const engine =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'engine', Input, Output>('engine', making)
export const across =
  <Output>() =>
  <Input extends z.ZodType>(making: Making<Input>) =>
    command<'across', Input, Output>('across', making)
