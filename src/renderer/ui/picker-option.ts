import type { Component } from 'svelte'

export interface PickerOption {
  readonly name: string
  readonly detail?: string
  readonly caps?: readonly string[] | undefined
  readonly icon?: Component | undefined
  /** False if choosing it currently has no effect. */
  readonly isPossible?: boolean
  /** Reason why it can't be chosen, shown while it is active. */
  readonly fault?: string | null
  /** `all` if all targets have it, `some` if only some do. */
  readonly carried?: 'all' | 'some' | 'none'
  /** Options with the same heading are adjacent. */
  readonly heading?: string | null
  /** In a picker with `apply`: the effect of Enter, and true if it is ticked or unticked. */
  readonly enter?: string
  readonly isTicked?: boolean
}

/** Accessible name of an option. */
export const formatOptionName = ({ name, detail = '', caps = [] }: PickerOption): string =>
  [name, detail, caps.join(' ')].filter((part) => part !== '').join(', ')
