/* eslint-disable svelte/prefer-svelte-reactivity -- what the search before had is a value that does not change */
import { SvelteMap } from 'svelte/reactivity'
import { MOST_EXCERPTS, type FoundHere, type ListedThread, type ThreadExcerpt } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'

type AskForExcerpts = (found: readonly FoundHere[]) => Promise<Result<readonly ThreadExcerpt[]>>

/** The row that the text was read for: a changed row may have another text. */
interface Known {
  readonly row: ListedThread
  readonly text: string | null
}

const emailOf = ({ match }: ListedThread): string | null => (match?.by === 'computer' ? match.emailId : null)

/** Excerpts of the visible rows of a search: they come with the rows or after them. */
export class Excerpts {
  readonly #ask: AskForExcerpts
  readonly #known = new SvelteMap<string, Known>()
  /** Excerpts of the previous search, shown until the new ones come: most letters do not change them. */
  readonly #before: ReadonlyMap<string, Known>
  #wanted: readonly ListedThread[] = []
  #isAsking = false
  #reading = Promise.resolve()

  constructor(ask: AskForExcerpts, before?: Excerpts) {
    this.#ask = ask
    this.#before = before === undefined ? new Map() : before.#shown()
  }

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

  want(rows: readonly ListedThread[]): void {
    this.#wanted = rows.filter((row) => emailOf(row) !== null)
    if (!this.#isAsking) this.#reading = this.#read()
  }

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
      // The next read of rows asks again.
      if (!answer.ok || answer.data.length === 0) break
      this.take(answer.data, (threadId) => missing.get(threadId))
    }
    this.#isAsking = false
  }
}
