import { SvelteSet } from 'svelte/reactivity'
import type { Email } from '../../../shared/model.ts'
import { firstExpanded, firstShown } from './first-expanded.ts'
import { firstFolded, nextOfRun, partsOf, type ConversationPart } from './fold-conversation.ts'

/** What of an open conversation is unfolded: from its opening on a person decides. */
export class ConversationFolds {
  /** Index of the e-mail at which it opened; -1 where there was none. */
  readonly start: number
  readonly #expanded: SvelteSet<string>
  /** Those that are not even a line. An e-mail that arrives later is none of them. */
  readonly #folded: SvelteSet<string>

  /** @param matchedId the e-mail for which a search found the conversation */
  constructor(emails: readonly Email[], matchedId: string | null) {
    const expanded = firstExpanded(emails, matchedId)
    this.start = firstShown(emails, matchedId)
    this.#expanded = new SvelteSet(expanded)
    this.#folded = new SvelteSet(firstFolded(emails, this.start, expanded))
  }

  partsOf(emails: readonly Email[]): readonly ConversationPart[] {
    return partsOf(emails, this.#folded)
  }

  isExpanded(id: string): boolean {
    return this.#expanded.has(id)
  }

  expand(id: string, isExpanded: boolean): void {
    if (isExpanded) {
      this.#folded.delete(id)
      this.#expanded.add(id)
    } else {
      this.#expanded.delete(id)
    }
  }

  /** Makes a line of an e-mail, where it is none yet. */
  showLine(id: string): void {
    this.#folded.delete(id)
  }

  /**
   * Makes lines of some e-mails of a run that a button stands for.
   * @param run what the button stands for, oldest first
   * @param from 1 where a person comes from above it, -1 from below
   */
  unfold(run: readonly Email[], from: 1 | -1): void {
    for (const { id } of nextOfRun(run, from)) this.#folded.delete(id)
  }
}
