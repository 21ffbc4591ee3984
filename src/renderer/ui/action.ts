import type { Component } from 'svelte'

/** An action in a thing's menus. */
export interface Action {
  readonly name: string
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>
  /** The key that does the same where the thing has the focus; empty where none does. */
  readonly keys: string
  /** Shown as unavailable; where it is run all the same, it says why. */
  readonly isDisabled?: boolean
  /** The room that a row needs to have a button for it; the row's menu has it everywhere. */
  readonly room?: 'some' | 'wide'
  readonly run: () => void
}
