import type { Command } from '../../kernel/commands.ts'
import type { Keymap } from '../../kernel/keymap.svelte.ts'

export type HiddenField = 'from' | 'cc' | 'bcc' | 'subject'

/** Ways to send. Each may first ask the user a question. */
export type SendMode = 'send' | 'archive' | 'schedule'

export interface ComposerForm {
  readonly hasFocus: boolean
  readonly canArchive: boolean
  readonly canChooseFrom: boolean
  readonly isPlain: boolean
  /** Checks the message, asks for any confirmation needed, and sends it. */
  readonly send: (mode: SendMode) => void
  readonly show: (field: HiddenField) => void
  readonly toggleFormatting: () => void
  readonly togglePlain: () => void
  /** Null if nothing is quoted. */
  readonly toggleQuote: (() => void) | null
  readonly attach: () => void
  readonly remind: () => void
  readonly discard: () => void
  /** Toggles the large layout; null if unavailable. */
  readonly widen: (() => void) | null
  readonly openWindow: (() => void) | null
}

/** Below the message being answered, in a pane, in a large pane, or in a window of its own. */
export type ComposerLayout = 'thread' | 'pane' | 'large' | 'window'

export interface SenderChoice {
  readonly id: string
  readonly name: string | null
  readonly address: string
}

export const formatCommandTitle = (command: Command, keymap: Pick<Keymap, 'capsOf'>): string => {
  const caps = keymap.capsOf(command)
  return caps === undefined ? command.name : `${command.name} (${caps.join(' ')})`
}
