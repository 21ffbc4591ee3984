import type { MenuCommand } from '../../shared/menu-command.ts'
import type { Backend } from '../kernel/backend.ts'
import type { Commands } from '../kernel/commands.ts'

/** Delay of menu updates in milliseconds. The menu needn't follow every repeat of a held key. */
const SEND_DELAY_MS = 100

/** All commands in the form the menu bar needs. Reactive. */
export const toMenuCommands = (commands: Commands): readonly MenuCommand[] =>
  commands.all.map((command) => {
    const { id, name, group, choice } = command
    return {
      ...{ id, name, group },
      keys: commands.keymap.keysOf(command)[0] ?? null,
      caps: commands.keymap.capsOf(command) ?? [],
      isEnabled: commands.can(command),
      choice:
        choice === undefined ? null : { of: choice.of, option: choice.option, isOn: choice.isOn(commands.context) },
    }
  })

/** Sends the menu bar's content to the desktop after a change, throttled. */
export class MenuSync {
  readonly #backend: Backend
  #sent = ''
  #next: readonly MenuCommand[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(backend: Backend) {
    this.#backend = backend
  }

  show(commands: readonly MenuCommand[]): void {
    this.#next = commands
    this.#timer ??= setTimeout(() => this.#send(), SEND_DELAY_MS)
  }

  /** Clears the menu when no account is open. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#next = []
    this.#send()
  }

  #send(): void {
    this.#timer = undefined
    const serialized = JSON.stringify(this.#next)
    if (serialized === this.#sent) return
    this.#sent = serialized
    void this.#backend.call('menu.show', { commands: this.#next })
  }
}
