import { z } from 'zod'
import { labelNameOfAssignee, assigneeName } from '../../shared/assignees.ts'
import { problem } from '../saying.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'

const entry = z.object({ name: z.string().min(1).max(200) })

/** By which name a person goes among those who have threads of an account: their own choice, kept and backed up with it. */
export class OwnName {
  readonly #list: OwnList<z.infer<typeof entry>>
  readonly #changed: () => void
  #name: string | null

  /** @param changed is told after each change */
  constructor(own: OwnLists, changed: () => void) {
    this.#list = new OwnList(own, 'own-name', entry)
    this.#changed = changed
    this.#name = this.#list.read().at(-1)?.name ?? null
  }

  /** Null where they have not said. */
  get(): string | null {
    return this.#name
  }

  /** As a search is read with it. */
  all(): readonly string[] {
    return this.#name === null ? [] : [this.#name]
  }

  /** @throws ProblemError `invalid_input` for a name that no label can have; what the disk throws */
  set(typed: string | null): void {
    const label = typed === null ? null : labelNameOfAssignee(typed)
    if (typed !== null && label === null) throw problem('invalid_input', 'A name needs a letter or a digit.')
    const name = label === null ? null : assigneeName(label)
    if (name === this.#name) return
    this.#list.write(name === null ? [] : [{ name }])
    this.#name = name
    this.#changed()
  }
}
