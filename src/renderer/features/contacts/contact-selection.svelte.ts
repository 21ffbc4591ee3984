/* eslint-disable svelte/prefer-svelte-reactivity -- its map is a value that is replaced, never changed */
import type { Contact } from '../../../shared/people.ts'
import type { RowSource } from '../../ui/row-source.ts'

/** The most contacts that one change is of (contract, `contact.delete`). */
const MOST = 500

/** The contacts that a person has selected in their list, which commands then act on. */
export class ContactSelection {
  readonly #rows: () => RowSource<Contact> & { readonly atHand: () => readonly Contact[] }
  #picked = $state.raw<ReadonlyMap<string, Contact>>(new Map())
  /** From which row on a person extends. */
  #anchor: string | null = null

  constructor(rows: () => RowSource<Contact> & { readonly atHand: () => readonly Contact[] }) {
    this.#rows = rows
  }

  get isEmpty(): boolean {
    return this.#picked.size === 0
  }

  get size(): number {
    return this.#picked.size
  }

  /** As the list has them now. */
  get contacts(): readonly Contact[] {
    const rows = this.#rows()
    return [...this.#picked.values()].map((contact) => rows.at(rows.indexOf(contact.id)) ?? contact)
  }

  has({ id }: Pick<Contact, 'id'>): boolean {
    return this.#picked.has(id)
  }

  /** Selects the contact in a row, or takes it out; from it a person extends. */
  toggle(index: number): void {
    const contact = this.#rows().at(index)
    if (contact === undefined) return
    const others = [...this.#picked].filter(([id]) => id !== contact.id)
    this.#pick(this.has(contact) ? others : [...others, [contact.id, contact]])
    this.#anchor = contact.id
  }

  /** Selects from where a person began to the row at an index. Rows that were not read yet are not among them. */
  extend(from: number, to: number): void {
    const rows = this.#rows()
    const begun = this.#anchor === null ? -1 : rows.indexOf(this.#anchor)
    const start = begun === -1 ? from : begun
    this.#anchor ??= rows.at(start)?.id ?? null
    const [first, last] = [Math.min(start, to), Math.max(start, to)]
    const range = Array.from({ length: last - first + 1 }, (_, step) => rows.at(first + step) ?? []).flat()
    this.#pick([...this.#picked, ...range.map((contact) => [contact.id, contact] as const)])
  }

  /** Selects every contact that is at hand. */
  addAtHand(): void {
    const all = this.#rows().atHand()
    this.#pick([...this.#picked, ...all.map((contact) => [contact.id, contact] as const)])
  }

  clear(): void {
    this.#pick([])
    this.#anchor = null
  }

  #pick(picked: readonly (readonly [string, Contact])[]): void {
    this.#picked = new Map([...new Map(picked)].slice(0, MOST))
  }
}
