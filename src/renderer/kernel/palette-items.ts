import type { Component } from 'svelte'
import type { CommandContext } from './commands.ts'

/** Palette entry other than a command: a label, a saved search, a thread. */
export interface PaletteItem {
  /** Also the key for stored usage. */
  readonly id: string
  readonly name: string
  /** Kind of entry, or the rest of its name. */
  readonly detail: string
  readonly icon: Component
  readonly go: (context: CommandContext) => void
}

export type PaletteSource = (context: CommandContext) => readonly PaletteItem[]
