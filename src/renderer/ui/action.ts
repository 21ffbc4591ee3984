import type { Component } from 'svelte'

export interface Action {
  readonly name: string
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  /** Key for the action while the item has focus. */
  readonly keys?: string | undefined
  /** Shown as unavailable; running it anyway explains why. */
  readonly isDisabled?: boolean
  /** The main button of a pane. */
  readonly isPrimary?: boolean
  /** Minimum row width for a button of this action. The row's menu always has it. */
  readonly minWidth?: 'some' | 'wide'
  readonly run: () => void
}
