import type { Component } from 'svelte'

/** What can be done with a thing, as its menus list it. */
export interface Action {
  readonly name: string
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  /** The key that does the same where the thing has the focus; empty where none does. */
  readonly keys: string
  /** Shown as unavailable; where it is run all the same, it says why. */
  readonly isDisabled?: boolean
  /** Among the buttons of a row it has a place where there is much room; the row's menu has it everywhere. */
  readonly isSpare?: boolean
  readonly run: () => void
}
