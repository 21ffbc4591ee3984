/* eslint-disable svelte/prefer-svelte-reactivity -- what the search before had is a value that does not change */
import { SvelteMap } from 'svelte/reactivity'
import { MOST_EXCERPTS, type FoundHere, type ListedThread, type ThreadExcerpt } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'

type Known = Omit<ThreadExcerpt, 'threadId'>
type AskForExcerpts = (found: readonly FoundHere[]) => Promise<Result<readonly ThreadExcerpt[]>>

/** The e-mail of this computer for which a thread was found. */
const foundHere = ({ id, match }: ListedThread): FoundHere | null =>
  match?.by === 'computer' ? { threadId: id, emailId: match.emailId } : null

/** What stands around the words that a search found, of rows that are on the screen: it comes after them, and into them. */
export class Excerpts {
  readonly #ask: AskForExcerpts
  /** By thread. */
  readonly #known = new SvelteMap<string, Known>()
  /** What the screen showed of the search before, which stays until this one's is known: most letters change nothing of it. */
  readonly #before: ReadonlyMap<string, Known>
  #wanted: readonly FoundHere[] = []
  #isAsking = false

  constructor(ask: AskForExcerpts, before?: Excerpts) {
    this.#ask = ask
    this.#before = before === undefined ? new Map() : before.#shown()
  }

  /** Null where there is nothing to show; reactive. */
  of(thread: ListedThread): string | null {
    const found = foundHere(thread)
    if (found === null) return null
    const known = this.#known.get(found.threadId) ?? this.#before.get(found.threadId)
    return known?.emailId === found.emailId ? known.text : null
  }

  /** These rows are on the screen now; what was wanted before is not any more. */
  want(rows: readonly ListedThread[]): void {
    this.#wanted = rows.flatMap((row) => foundHere(row) ?? [])
    if (!this.#isAsking) void this.#read()
  }

  #shown(): ReadonlyMap<string, Known> {
    return new Map(
      this.#wanted.flatMap(({ threadId }) => {
        const known = this.#known.get(threadId) ?? this.#before.get(threadId)
        return known === undefined ? [] : [[threadId, known] as const]
      }),
    )
  }

  async #read(): Promise<void> {
    this.#isAsking = true
    for (;;) {
      const missing = this.#wanted.filter(({ threadId, emailId }) => this.#known.get(threadId)?.emailId !== emailId)
      if (missing.length === 0) break
      const answer = await this.#ask(missing.slice(0, MOST_EXCERPTS))
      // The rows are read without them. They are asked for again when rows are next read.
      if (!answer.ok || answer.data.length === 0) break
      for (const { threadId, emailId, text } of answer.data) this.#known.set(threadId, { emailId, text })
    }
    this.#isAsking = false
  }
}
