import { OPEN_LINK, reachLinnet, type SocketLine } from '../host/command-socket.ts'
import type { OutgoingMessage } from '../host/serve-requests.ts'
import type { AddressedEvent, CommandInput, CommandName, CommandOutput } from '../shared/contract.ts'
import { fail, type Result } from '../shared/result.ts'

const GONE = fail(
  'cancelled',
  'Linnet closed before it responded. Check whether the command took effect before you try again.',
)

export class RunningLinnet {
  readonly #waiting = new Map<number, (result: Result<unknown>) => void>()
  readonly #listeners = new Set<(event: AddressedEvent) => void>()
  readonly #gone = Promise.withResolvers<undefined>()
  #line: SocketLine | null = null
  #asked = 0

  /** @returns null if none is running */
  static async find(dataDirectory: string): Promise<RunningLinnet | null> {
    const running = new RunningLinnet()
    const line = await reachLinnet(
      dataDirectory,
      (message) => running.#hear(message),
      () => running.#end(),
    )
    running.#line = line
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
    return this.#ask(accountId, name, input) as Promise<Result<CommandOutput<Name>>>
  }

  /** Follows a link in a window and brings it to the front (`shared/app-link.ts`). */
  open(link: string): Promise<Result<unknown>> {
    return this.#ask(null, OPEN_LINK, link)
  }

  listen(listener: (event: AddressedEvent) => void): void {
    this.#listeners.add(listener)
  }

  close(): void {
    this.#line?.close()
  }

  #ask(accountId: string | null, name: string, input: unknown): Promise<Result<unknown>> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#line?.send(JSON.stringify({ id, name, input, accountId }))
    })
  }

  #hear(message: string): void {
    // The other process has proved that it is Linnet, so its messages can be trusted.
    const told = JSON.parse(message) as OutgoingMessage
    if ('event' in told) return this.#listeners.forEach((listener) => listener(told.event))
    this.#waiting.get(told.id)?.(told.result)
    this.#waiting.delete(told.id)
  }

  #end(): void {
    for (const answer of this.#waiting.values()) answer(GONE)
    this.#waiting.clear()
    this.#gone.resolve(undefined)
  }
}
