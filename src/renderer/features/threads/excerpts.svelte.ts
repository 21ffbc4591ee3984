/* eslint-disable svelte/prefer-svelte-reactivity -- what the search before had is a value that does not change */
import { SvelteMap } from 'svelte/reactivity'
import { MOST_EXCERPTS, type FoundHere, type ListedThread, type ThreadExcerpt } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'

type AskForExcerpts = (found: readonly FoundHere[]) => Promise<Result<readonly ThreadExcerpt[]>>

/** A row as it was when this was said of it: one that has changed may have another text by now. */
interface Known {
  readonly row: ListedThread
  readonly text: string | null
}

/** The e-mail of this computer for which a thread was found. */
const emailOf = ({ match }: ListedThread): string | null => (match?.by === 'computer' ? match.emailId : null)

/** What stands around the words that a search found, of rows that are on the screen: it comes after them, and into them. */
export class Excerpts {
  readonly #ask: AskForExcerpts
  /** By thread. */
  readonly #known = new SvelteMap<string, Known>()
  /** What the screen showed of the search before, which stays until this one's is known: most letters change nothing of it. */
  readonly #before: ReadonlyMap<string, Known>
  #wanted: readonly ListedThread[] = []
  #isAsking = false
  #reading = Promise.resolve()

  constructor(ask: AskForExcerpts, before?: Excerpts) {
    this.#ask = ask
    this.#before = before === undefined ? new Map() : before.#shown()
  }

  /** Null where there is nothing to show; reactive. */
  of(thread: ListedThread): string | null {
    const emailId = emailOf(thread)
    const known = this.#known.get(thread.id) ?? this.#before.get(thread.id)
    return known === undefined || emailId === null || emailOf(known.row) !== emailId ? null : known.text
  }

  /** Excerpts that came with their rows. @param rowOf the row of a thread, as it is in the list */
  take(excerpts: readonly ThreadExcerpt[], rowOf: (threadId: string) => ListedThread | undefined): void {
    for (const { threadId, emailId, text } of excerpts) {
      const row = rowOf(threadId)
      if (row !== undefined && emailOf(row) === emailId) this.#known.set(threadId, { row, text })
    }
  }

  /** These rows are on the screen now; what was wanted before is not any more. */
  want(rows: readonly ListedThread[]): void {
    this.#wanted = rows.filter((row) => emailOf(row) !== null)
    if (!this.#isAsking) this.#reading = this.#read()
  }

  /** Resolves when nothing of what is wanted is on its way any more. */
  caughtUp(): Promise<void> {
    return this.#reading
  }

  #shown(): ReadonlyMap<string, Known> {
    return new Map(
      this.#wanted.flatMap(({ id }) => {
        const known = this.#known.get(id) ?? this.#before.get(id)
        return known === undefined ? [] : [[id, known] as const]
      }),
    )
  }

  async #read(): Promise<void> {
    this.#isAsking = true
    for (;;) {
      const missing = new Map(
        this.#wanted
          .filter((row) => this.#known.get(row.id)?.row !== row)
          .slice(0, MOST_EXCERPTS)
          .map((row) => [row.id, row]),
      )
      if (missing.size === 0) break
      const found = [...missing].map(([threadId, row]) => ({ threadId, emailId: emailOf(row) ?? '' }))
      const answer = await this.#ask(found)
      // The rows are read without them. They are asked for again when rows are next read.
      if (!answer.ok || answer.data.length === 0) break
      this.take(answer.data, (threadId) => missing.get(threadId))
    }
    this.#isAsking = false
  }
}
