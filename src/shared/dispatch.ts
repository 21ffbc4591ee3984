import { contract, type Asking, type CommandName, type CommandsOf, type Handlers, type Room } from './contract.ts'
import { describeRefusal } from './describe-refusal.ts'
import { fail, ok, toProblem, type Result } from './result.ts'

/** Whether the contract has a command of this name. */
export const isCommand = (name: string): name is CommandName => Object.hasOwn(contract, name)

/** The room that answers a command; null for a name that the contract does not know. */
export const roomOf = (name: string): Room | null => (isCommand(name) ? contract[name].room : null)

/**
 * The door of a room: takes any name and any input, lets through what the contract allows and turns everything that
 * goes wrong into a `Problem`. Never throws.
 * @param report is given what was thrown where it is no `ProblemError`: for the log, never for the screen
 */
export const createDispatcher =
  <Where extends Room>(room: Where, handlers: Handlers<CommandsOf<Where>>, report: (thrown: unknown) => void) =>
  async (name: string, input: unknown, asking: Asking): Promise<Result<unknown>> => {
    if (!isCommand(name) || contract[name].room !== room) {
      return fail('invalid_input', `There is no command named ${JSON.stringify(name)} here.`)
    }
    const parsed = contract[name].input.safeParse(input)
    if (!parsed.success) {
      return { ok: false, error: describeRefusal(name, parsed.error.issues) }
    }
    try {
      // The table above has tied this name to this input; TypeScript cannot follow a union of functions that far.
      const handler = handlers[name as CommandsOf<Where>] as (parsedInput: unknown, asking: Asking) => unknown
      return ok(await handler(parsed.data, asking))
    } catch (thrown) {
      const problem = toProblem(thrown)
      if (problem.code === 'internal') report(thrown)
      return { ok: false, error: problem }
    }
  }
