import { SvelteSet } from 'svelte/reactivity'
import type { BodyOwner } from '../../../shared/contract.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly asText: AsTextManager
  }
}

const keyOf = (of: BodyOwner): string => JSON.stringify(of)

/** The formatted e-mails of which a person wants to see the words alone: as long as the account is open. */
export class AsTextManager {
  readonly #shown = new SvelteSet<string>()

  has(of: BodyOwner): boolean {
    return this.#shown.has(keyOf(of))
  }

  toggle(of: BodyOwner): void {
    if (!this.#shown.delete(keyOf(of))) this.#shown.add(keyOf(of))
  }
}
