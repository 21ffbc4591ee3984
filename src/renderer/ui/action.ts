import type { Component } from 'svelte'

export interface Action {
  readonly name: string
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  /** The key for it while the item has the focus, or empty. */
  readonly keys: string
  /** Shown as unavailable; running it anyway explains why. */
  readonly isDisabled?: boolean
  /** Row width needed to show a button for it. The row's menu always has it. */
  readonly minWidth?: 'some' | 'wide'
  readonly run: () => void
}
