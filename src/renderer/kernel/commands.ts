import { createContext, type Component } from 'svelte'
import type { Keymap } from './keymap.svelte.ts'
import type { ListNavigator } from './list-navigator.ts'
import type { Route } from './route.ts'
import type { Session, Shell } from './session.ts'

/** Palette entry other than a command: a label, a saved search, a thread. */
export interface PaletteItem {
  /** Also the key for stored usage. */
  readonly id: string
  readonly name: string
  /** Kind of entry, or the rest of its name. */
  readonly detail: string
  /** Further search terms; omitted for names from the mail. */
  readonly words?: string
  /** True if left out while nothing is typed, unless chosen recently. */
  readonly isOnlyFound?: true
  readonly icon: Component
  readonly go: (context: CommandContext) => void
}

export type PaletteSource = (context: CommandContext) => readonly PaletteItem[]

/** Dialogs of the window itself. */
export type FrameDialog = 'shortcuts' | 'about' | 'connection test' | 'first steps'

/** Window-frame actions for commands that don't act on mail, such as focusing the search bar. */
export interface FrameActions {
  readonly focusSearch: () => void
  readonly showPalette: () => void
  readonly show: (dialog: FrameDialog) => void
  readonly focusList: () => void
  /** Focuses the list only if focus is outside the list and the reading pane: in the side bar, or nowhere. */
  readonly focusListFromOutside: () => void
}

/** Groups of commands in the help and palette, in display order. */
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

export interface CommandContext {
  readonly shell: Shell
  readonly session: Session
  readonly navigator: ListNavigator
  readonly frame: FrameActions
  readonly keymap: Keymap
}

/** An action available by key, palette, menu or button. To add one, add an entry to the feature's `commands.ts`. */
export interface Command {
  /** Also the key for stored shortcuts and usage. */
  readonly id: string
  readonly name: string
  /** Search terms for the palette. */
  readonly words: string
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly icon?: Component
  /** True if it deletes, discards, rejects or blocks something. */
  readonly isDestructive?: true
  /** Needed whenever it is possible, such as a sign-in, so the palette lists it before places and settings. */
  readonly isUrgent?: true
  /** Default shortcuts, as named by `nameChord`; a space separates the keys of a sequence. */
  readonly keys?: readonly string[] | undefined
  /** Shortcuts also work in a text field. */
  readonly inText?: true
  /** Shortcuts also work over a dialog or menu. */
  readonly overDialogs?: true
  /** Shortcuts work only with focus in the list; elsewhere the window handles them. */
  readonly inList?: true
  /** True if there is something to act on; omitted if there always is. Must be cheap: runs per key and per button. */
  readonly when?: (context: CommandContext) => boolean
  /** For a setting with options: its name, this option, and whether it is active. */
  readonly choice?: {
    readonly of: string
    readonly option: string
    readonly isOn: (context: CommandContext) => boolean
  }
  /** Explains why there is nothing to act on. If null or omitted, nothing happens and the button is disabled. */
  readonly disabledReason?: string | ((context: CommandContext) => string | null)
  /** For a list of the whole account: its entry in the side bar. */
  readonly accountList?: { readonly title: string; readonly icon: Component; readonly route: Route }
  readonly run: (context: CommandContext) => void
}

/** The only registry: keys, palette, menus, toolbar and help are built from it and run commands through it. */
export class Commands {
  readonly all: readonly Command[]
  readonly context: CommandContext

  constructor(all: readonly Command[], context: CommandContext) {
    this.all = all
    this.context = context
  }

  /** True if the command has something to act on; reactive. */
  can(command: Command): boolean {
    return command.when?.(this.context) ?? true
  }

  /** Reason why the command can't run; null if it can, or has no explanation. Reactive. */
  whyNot(command: Command): string | null {
    if (this.can(command)) return null
    const { disabledReason = null } = command
    return typeof disabledReason === 'function' ? disabledReason(this.context) : disabledReason
  }

  /** Runs a command, or else shows its reason why not, if any. */
  run(command: Command): void {
    if (this.can(command)) {
      command.run(this.context)
      return
    }
    const why = this.whyNot(command)
    if (why !== null) this.context.shell.toasts.show(why)
  }

  /** The same commands with a different target. */
  about(what: Partial<CommandContext>): Commands {
    return new Commands(this.all, { ...this.context, ...what })
  }

  get keymap(): Keymap {
    return this.context.keymap
  }

  get navigator(): ListNavigator {
    return this.context.navigator
  }

  get frame(): FrameActions {
    return this.context.frame
  }
}

export const [useCommands, provideCommands] = createContext<Commands>()
