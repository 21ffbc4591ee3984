import { createContext, type Component } from 'svelte'
import type { Frame } from './frame.ts'
import type { Keymap } from './keymap.svelte.ts'
import type { Navigator } from './navigator.ts'
import type { Route } from './route.ts'
import type { Session, Shell } from './session.ts'

/** In whose company a command stands in the help and in the palette, in that order. */
export const COMMAND_GROUPS = [
  'Threads',
  'Selection',
  'Reading',
  'Actions',
  'Writing',
  'Search',
  'Go to',
  'View',
  'Linnet',
  'Help',
] as const

/** Everything that a command may look at and act on: whatever the window shows at that moment. */
export interface CommandContext {
  readonly shell: Shell
  readonly session: Session
  readonly navigator: Navigator
  readonly frame: Frame
}

/**
 * Something that a person can have done, wherever it is asked for: by a key, in the palette, in a menu or by a button. A new
 * one is an entry in its feature's `commands.ts`, and nothing else.
 */
export interface Command {
  /** Under which its keys and its use are kept. */
  readonly id: string
  /** In the words of its button. */
  readonly name: string
  /** What else a person may call it, in the palette. */
  readonly words: string
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly icon?: Component
  /** As `nameChord` names them; a space stands between keys that are struck one after the other. */
  readonly keys: readonly string[]
  /** Its chords work while a text field has the focus, too. */
  readonly inText?: true
  /** Its chords work while a dialog or a menu is open, too. */
  readonly overDialogs?: true
  /** Its chords work where the list has the focus alone: anywhere else they are the window's. */
  readonly inList?: true
  /** Whether it has something to act on; left out where it always has. Cheap: asked at each key and for each button. */
  readonly when?: (context: CommandContext) => boolean
  /** Of what it chooses which one, and whether that is chosen already; left out where it is no choice. */
  readonly choice?: {
    readonly of: string
    readonly option: string
    readonly isOn: (context: CommandContext) => boolean
  }
  /**
   * Why there is nothing to act on, for who asks for it all the same. Null or left out where nothing happens then, and the
   * button is dead.
   */
  readonly otherwise?: string | ((context: CommandContext) => string | null)
  /** The list of the whole account to which it leads, as its entry in the side bar; left out where it leads to none. */
  readonly accountList?: AccountList
  readonly run: (context: CommandContext) => void
}

interface AccountList {
  readonly title: string
  readonly icon: Component
  readonly route: Route
}

/** The command that leads to a list of the whole account, which has its entry in the side bar by it. */
export const goToAccountList = (
  list: AccountList,
  about: Pick<Command, 'id' | 'name' | 'words' | 'keys'>,
): Command => ({
  ...about,
  group: 'Go to',
  icon: list.icon,
  accountList: list,
  run: ({ shell }) => shell.route.go(list.route),
})

/** The one registry: keys, palette, menus, toolbar and help are made of it, and run what they show through it. */
export class Commands {
  readonly all: readonly Command[]
  readonly keymap: Keymap
  readonly context: CommandContext

  constructor(all: readonly Command[], keymap: Keymap, context: CommandContext) {
    this.all = all
    this.keymap = keymap
    this.context = context
  }

  /** Whether the command has something to act on now; reactive. */
  can(command: Command): boolean {
    return command.when?.(this.context) ?? true
  }

  /** Why the command has nothing to act on now; null where it has, and where it has no words for that. Reactive. */
  whyNot(command: Command): string | null {
    if (this.can(command)) return null
    const { otherwise = null } = command
    return typeof otherwise === 'function' ? otherwise(this.context) : otherwise
  }

  /** Runs a command where it has something to act on, else says why it has not, where the command has words for that. */
  run(command: Command): void {
    if (this.can(command)) {
      command.run(this.context)
      return
    }
    const why = this.whyNot(command)
    if (why !== null) this.context.shell.toasts.say(why)
  }

  /** The same commands, told of something else to act on than what the window is at. */
  about(what: Partial<CommandContext>): Commands {
    return new Commands(this.all, this.keymap, { ...this.context, ...what })
  }

  /** The navigator, for lists that a person clicks through. */
  get navigator(): Navigator {
    return this.context.navigator
  }

  get frame(): Frame {
    return this.context.frame
  }
}

export const [useCommands, provideCommands] = createContext<Commands>()
