import type { Command } from '../../kernel/commands.ts'
import type { Keymap } from '../../kernel/keymap.svelte.ts'

/** Fields that a composer leaves out until somebody needs them. */
export type HiddenField = 'from' | 'cc' | 'bcc' | 'subject'

/** The ways to send that questions can hold up. */
export type SendWay = 'send' | 'archive' | 'schedule'

/** A composer on the screen, as commands reach it. */
export interface ComposerForm {
  readonly hasFocus: boolean
  readonly canArchive: boolean
  /** Whether there is more than one inbox to send from. */
  readonly canChooseFrom: boolean
  readonly isPlain: boolean
  /** Checks what is written, asks what has to be asked, and sends it. */
  readonly send: (way: SendWay) => void
  readonly show: (field: HiddenField) => void
  readonly toggleFormatting: () => void
  readonly togglePlain: () => void
  /** Shows or hides the quoted text; null where nothing is quoted. */
  readonly toggleQuote: (() => void) | null
  readonly attach: () => void
  /** Has a time chosen at which the thread comes back unless somebody answers. */
  readonly remind: () => void
  readonly discard: () => void
  /** Makes it large, or as it was; null where it cannot be. */
  readonly widen: (() => void) | null
  readonly openWindow: (() => void) | null
}

/** Below the message that it answers, in a pane, in a large one, or in a window of its own. */
export type ComposerPlace = 'thread' | 'pane' | 'large' | 'window'

/** An inbox that a message can be sent from. */
export interface SenderChoice {
  readonly id: string
  readonly name: string | null
  readonly address: string
}

/** A button's title: what it does, and by which key. */
export const titleOf = (command: Command, keymap: Pick<Keymap, 'capsOf'>): string => {
  const caps = keymap.capsOf(command)
  return caps === undefined ? command.name : `${command.name} (${caps.join(' ')})`
}
