/* eslint-disable svelte/prefer-svelte-reactivity -- the previous excerpts are immutable */
import { SvelteMap } from 'svelte/reactivity'
import { MAX_EXCERPTS, type LocalMatch, type ListedThread, type ThreadExcerpt } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'

type AskForExcerpts = (found: readonly LocalMatch[]) => Promise<Result<readonly ThreadExcerpt[]>>

/** Excerpt with its row: if the row changes, the excerpt may too. */
interface Known {
  readonly row: ListedThread
  readonly text: string | null
}

const emailOf = ({ match }: ListedThread): string | null => (match?.by === 'computer' ? match.emailId : null)

/** Excerpts of the visible search results; they arrive with the rows or later. */
export class Excerpts {
  readonly #ask: AskForExcerpts
  readonly #known = new SvelteMap<string, Known>()
  /** Excerpts of the previous search, shown until new ones arrive: most keystrokes don't change them. */
  readonly #before: ReadonlyMap<string, Known>
  #wanted: readonly ListedThread[] = []
  #isAsking = false
  #pendingRead = Promise.resolve()

  constructor(ask: AskForExcerpts, before?: Excerpts) {
    this.#ask = ask
    this.#before = before === undefined ? new Map() : before.#shown()
  }

  of(thread: ListedThread): string | null {
    const emailId = emailOf(thread)
    const known = this.#known.get(thread.id) ?? this.#before.get(thread.id)
    return known === undefined || emailId === null || emailOf(known.row) !== emailId ? null : known.text
  }

  /** Stores excerpts that came with their rows. @param rowOf returns a thread's current row */
  take(excerpts: readonly ThreadExcerpt[], rowOf: (threadId: string) => ListedThread | undefined): void {
    for (const { threadId, emailId, text } of excerpts) {
      const row = rowOf(threadId)
      if (row !== undefined && emailOf(row) === emailId) this.#known.set(threadId, { row, text })
    }
  }

  want(rows: readonly ListedThread[]): void {
    this.#wanted = rows.filter((row) => emailOf(row) !== null)
    if (!this.#isAsking) this.#pendingRead = this.#read()
  }

  whenSettled(): Promise<void> {
    return this.#pendingRead
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
          .slice(0, MAX_EXCERPTS)
          .map((row) => [row.id, row]),
      )
      if (missing.size === 0) break
      const found = [...missing].map(([threadId, row]) => ({ threadId, emailId: emailOf(row) ?? '' }))
      const answer = await this.#ask(found)
      // The next read of rows retries.
      if (!answer.ok || answer.data.length === 0) break
      this.take(answer.data, (threadId) => missing.get(threadId))
    }
    this.#isAsking = false
  }
}
