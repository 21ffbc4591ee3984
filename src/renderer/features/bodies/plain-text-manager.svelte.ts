import { SvelteSet } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** Formatted e-mails that the user wants to see as plain text, remembered while the account is open. */
export class PlainTextManager {
  readonly #shown = new SvelteSet<string>()

  has(of: BodyOwner): boolean {
    return this.#shown.has(keyOf(of))
  }

  toggle(of: BodyOwner): void {
    if (!this.#shown.delete(keyOf(of))) this.#shown.add(keyOf(of))
  }
}
