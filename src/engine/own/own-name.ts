import { z } from 'zod'
import { toAssigneeLabelName, parseAssigneeName } from '../../shared/assignees.ts'
import { LocalList, type LocalLists } from '../store/local-list.ts'
import { createProblem } from '../../shared/result.ts'

const entry = z.object({ name: z.string().min(1).max(200) })

/** The user's own assignee name. Stored and backed up with the account. */
export class OwnName {
  readonly #list: LocalList<z.infer<typeof entry>>
  readonly #onChange: () => void
  #name: string | null

  constructor(own: LocalLists, changed: () => void) {
    this.#list = new LocalList(own, 'own-name', entry)
    this.#onChange = changed
    this.#name = this.#list.read().at(-1)?.name ?? null
  }

  /** The name as a list with at most one element, for parsing searches. */
  all(): readonly string[] {
    return this.#name === null ? [] : [this.#name]
  }

  /** @throws ProblemError `invalid_input` for a name that no label can have; disk errors */
  set(typed: string | null): void {
    const label = typed === null ? null : toAssigneeLabelName(typed)
    if (typed !== null && label === null)
      throw createProblem('invalid_input', 'A name needs at least one letter or digit.')
    const name = label === null ? null : parseAssigneeName(label)
    if (name === this.#name) return
    this.#list.write(name === null ? [] : [{ name }])
    this.#name = name
    this.#onChange()
  }
}
