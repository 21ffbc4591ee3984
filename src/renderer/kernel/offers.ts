import type { Component } from 'svelte'
import type { CommandContext } from './commands.ts'

/** A place that the palette offers beside the commands: a label, a saved search, a thread. */
export interface Offer {
  /** Under which its use is kept. */
  readonly id: string
  readonly name: string
  /** What it is, in a word or two, or the rest of its name. */
  readonly detail: string
  readonly icon: Component
  readonly go: (context: CommandContext) => void
}

export type OfferSource = (context: CommandContext) => readonly Offer[]
