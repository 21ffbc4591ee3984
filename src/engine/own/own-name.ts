import { z } from 'zod'
import { toAssigneeLabelName, parseAssigneeName } from '../../shared/assignees.ts'
import { LocalList, type LocalLists } from './local-list.ts'
import { createProblem } from '../../shared/result.ts'

const entry = z.object({ name: z.string().min(1).max(200) })

/** The user's own assignee name. Stored and backed up with the account. */
export class OwnName {
  readonly #list: LocalList<z.infer<typeof entry>>

  constructor(own: LocalLists, changed: () => void) {
    this.#list = new LocalList(own, 'own-name', entry, changed)
  }

  /** The name as a list with at most one element, for parsing searches. */
  all(): readonly string[] {
    return this.#list.entries.map(({ name }) => name)
  }

  /** @throws ProblemError `invalid_input` for a name that no label can have; disk errors */
  set(typed: string | null): void {
    const label = typed === null ? null : toAssigneeLabelName(typed)
    if (typed !== null && label === null)
      throw createProblem('invalid_input', 'A name needs at least one letter or digit.')
    const name = label === null ? null : parseAssigneeName(label)
    if (name !== (this.all()[0] ?? null)) this.#list.set(name === null ? [] : [{ name }])
  }
}
