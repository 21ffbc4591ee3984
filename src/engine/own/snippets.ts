import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  SNIPPET_LIMITS,
  type CannedReply,
  type PortableSnippets,
  type Signature,
  type SnippetImportResult,
} from '../../shared/snippets.ts'
import { requireName } from './require-name.ts'
import { LocalList, type LocalLists } from './local-list.ts'
import { createProblem } from '../../shared/result.ts'

type KeptSignature = Omit<Signature, 'address'>

const signature = z.object({ inboxId: z.string().min(1), html: z.string().min(1) })
const reply = z.object({ id: z.string().min(1), name: z.string().min(1), html: z.string() })

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

/** The name, with a number appended if it is taken. @param taken names as returned by `nameKey` */
const freeName = (name: string, taken: ReadonlySet<string>): string => {
  let free = name
  for (let number = 2; taken.has(nameKey(free)); number += 1) {
    const ending = ` (${number})`
    free = `${name.slice(0, SNIPPET_LIMITS.name - ending.length).trimEnd()}${ending}`
  }
  return free
}

const TOO_MANY = `You can have at most ${SNIPPET_LIMITS.cannedReplies} canned replies. Delete some first.`

/**
 * Signatures and canned replies, which exist only locally. A change is on disk when the call returns. @throws disk
 * errors
 */
export class SnippetStore {
  readonly #signatures: LocalList<KeptSignature>
  readonly #replies: LocalList<CannedReply>

  constructor(own: LocalLists, changed: () => void) {
    this.#signatures = new LocalList(own, 'signatures', signature, changed)
    this.#replies = new LocalList(own, 'canned-replies', reply, changed)
  }

  signatures(): readonly KeptSignature[] {
    return this.#signatures.entries
  }

  /** Sorted by name. */
  cannedReplies(): readonly CannedReply[] {
    return this.#replies.entries.toSorted((one, other) => collator.compare(one.name, other.name))
  }

  /** @param html '' removes the signature */
  setSignature(inboxId: string, html: string): void {
    const others = this.signatures().filter((each) => each.inboxId !== inboxId)
    if (html === '') this.#signatures.drop((each) => each.inboxId === inboxId)
    else this.#signatures.set([...others, { inboxId, html }])
  }

  /** Adds or replaces a reply. @param reply a null ID adds a new one @throws ProblemError `invalid_input` */
  save({ id, name: typed, html }: Omit<CannedReply, 'id'> & { readonly id: string | null }): CannedReply {
    const name = requireName(typed, SNIPPET_LIMITS.name, 'Type a name for the canned reply.')
    const { entries: replies } = this.#replies
    if (replies.some((each) => each.id !== id && nameKey(each.name) === nameKey(name))) {
      throw createProblem('invalid_input', `There is already a canned reply “${name}”. Use another name.`)
    }
    const isThere = replies.some((each) => each.id === id)
    if (!isThere && replies.length >= SNIPPET_LIMITS.cannedReplies) throw createProblem('invalid_input', TOO_MANY)
    const saved = { id: id ?? randomUUID(), name, html }
    this.#replies.set([...replies.filter((each) => each.id !== saved.id), saved])
    return saved
  }

  /** Does nothing if the reply doesn't exist. */
  remove(id: string): void {
    this.#replies.drop((each) => each.id === id)
  }

  /**
   * A reply whose name is taken gets a number. @throws ProblemError if there are too many; disk errors. What was stored
   * before one is left out by the next import
   */
  importSnippets(given: PortableSnippets, inboxOf: (address: string) => string | null): SnippetImportResult {
    const leftOut: string[] = []
    let same = 0
    const signatures = [...this.signatures()]
    for (const { address, html } of given.signatures) {
      const inboxId = inboxOf(address)
      const here = signatures.find((each) => each.inboxId === inboxId)
      if (html === '') continue
      if (here?.html === html) same += 1
      else if (inboxId === null || here !== undefined) leftOut.push(address)
      else signatures.push({ inboxId, html })
    }
    const replies = [...this.#replies.entries]
    const taken = new Set(replies.map(({ name }) => nameKey(name)))
    for (const { name: typed, html } of given.cannedReplies) {
      const name = requireName(typed, SNIPPET_LIMITS.name, 'Type a name for the canned reply.')
      if (replies.some((each) => each.html === html && nameKey(each.name) === nameKey(name))) {
        same += 1
        continue
      }
      const free = freeName(name, taken)
      taken.add(nameKey(free))
      replies.push({ id: randomUUID(), name: free, html })
    }
    if (replies.length > SNIPPET_LIMITS.cannedReplies) throw createProblem('invalid_input', TOO_MANY)
    const added = {
      cannedReplies: replies.length - this.#replies.entries.length,
      signatures: signatures.length - this.signatures().length,
    }
    if (added.signatures > 0) this.#signatures.set(signatures)
    if (added.cannedReplies > 0) this.#replies.set(replies)
    return { ...added, same, leftOut }
  }
}
