import type { MenuCommand } from '../../shared/menu-command.ts'
import type { Backend } from '../kernel/backend.ts'
import type { Command, Commands } from '../kernel/commands.ts'

/** Milliseconds. A menu is opened by hand: it need not follow each step of a held key. */
const PAUSE = 100

const menuCommand = (commands: Commands, command: Command): MenuCommand => {
  const { id, name, group, choice } = command
  return {
    id,
    name,
    group,
    keys: commands.keymap.keysOf(command)[0] ?? null,
    caps: commands.keymap.capsOf(command) ?? [],
    isEnabled: commands.can(command),
    choice: choice === undefined ? null : { of: choice.of, option: choice.option, isOn: choice.isOn(commands.context) },
  }
}

/** All commands as the desktop's menu bar shows them now; reactive. */
export const menuOf = (commands: Commands): readonly MenuCommand[] =>
  commands.all.map((command) => menuCommand(commands, command))

/** Tells the desktop what its menu bar shows, when that has changed and has rested for a moment. */
export class MenuTeller {
  readonly #backend: Backend
  #told = ''
  #next: readonly MenuCommand[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(backend: Backend) {
    this.#backend = backend
  }

  show(commands: readonly MenuCommand[]): void {
    this.#next = commands
    this.#timer ??= setTimeout(() => this.#tell(), PAUSE)
  }

  /** The window has nothing to act on any more: no account is open. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#next = []
    this.#tell()
  }

  #tell(): void {
    this.#timer = undefined
    const telling = JSON.stringify(this.#next)
    if (telling === this.#told) return
    this.#told = telling
    void this.#backend.call('menu.show', { commands: this.#next })
  }
}
