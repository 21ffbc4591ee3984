import { OPEN_LINK_COMMAND, connectToLinnet, type CommandConnection } from '../host/command-socket.ts'
import type { ServerMessage } from '../host/serve-requests.ts'
import type { AddressedEvent, CommandInput, CommandName, CommandOutput } from '../shared/contract.ts'
import { fail, type Result } from '../shared/result.ts'

const CLOSED_RESULT = fail(
  'cancelled',
  'Linnet closed before it responded. Check whether the command took effect before you try again.',
)

export class RunningLinnet {
  readonly #waiting = new Map<number, (result: Result<unknown>) => void>()
  readonly #listeners = new Set<(event: AddressedEvent) => void>()
  readonly #gone = Promise.withResolvers<undefined>()
  #socket: CommandConnection | null = null
  #lastRequestId = 0

  /** @returns null if none is running */
  static async find(dataDirectory: string): Promise<RunningLinnet | null> {
    const running = new RunningLinnet()
    const line = await connectToLinnet(
      dataDirectory,
      (message) => running.#handleMessage(message),
      () => running.#handleClose(),
    )
    running.#socket = line
    return line === null ? null : running
  }

  get closed(): Promise<undefined> {
    return this.#gone.promise
  }

  /** Runs a command of the contract. @param accountId null for commands without an account */
  ask<Name extends CommandName>(
    accountId: string | null,
    name: Name,
    input: CommandInput<Name>,
  ): Promise<Result<CommandOutput<Name>>> {
    return this.#request(accountId, name, input) as Promise<Result<CommandOutput<Name>>>
  }

  /** Follows a link in a window and brings it to the front (`shared/app-link.ts`). */
  open(link: string): Promise<Result<unknown>> {
    return this.#request(null, OPEN_LINK_COMMAND, link)
  }

  listen(listener: (event: AddressedEvent) => void): void {
    this.#listeners.add(listener)
  }

  close(): void {
    this.#socket?.close()
  }

  #request(accountId: string | null, name: string, input: unknown): Promise<Result<unknown>> {
    this.#lastRequestId += 1
    const id = this.#lastRequestId
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#socket?.send(JSON.stringify({ id, name, input, accountId }))
    })
  }

  #handleMessage(message: string): void {
    // The other process has proved that it is Linnet, so its messages can be trusted.
    const told = JSON.parse(message) as ServerMessage
    if ('event' in told) return this.#listeners.forEach((listener) => listener(told.event))
    this.#waiting.get(told.id)?.(told.result)
    this.#waiting.delete(told.id)
  }

  #handleClose(): void {
    for (const answer of this.#waiting.values()) answer(CLOSED_RESULT)
    this.#waiting.clear()
    this.#gone.resolve(undefined)
  }
}
