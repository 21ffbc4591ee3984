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

const entry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signature'), inboxId: z.string().min(1), html: z.string().min(1) }),
  z.object({ kind: z.literal('reply'), id: z.string().min(1), name: z.string().min(1), html: z.string() }),
])
type Entry = z.output<typeof entry>

interface Lists {
  readonly signatures: readonly KeptSignature[]
  readonly replies: readonly CannedReply[]
}

const toEntries = ({ signatures, replies }: Lists): readonly Entry[] => [
  ...signatures.map((signature) => ({ kind: 'signature', ...signature }) as const),
  ...replies.map((reply) => ({ kind: 'reply', ...reply }) as const),
]

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const toLists = (entries: readonly Entry[]): Lists => ({
  signatures: entries.flatMap((each) =>
    each.kind === 'signature' ? [{ inboxId: each.inboxId, html: each.html }] : [],
  ),
  replies: entries
    .flatMap((each) => (each.kind === 'reply' ? [{ id: each.id, name: each.name, html: each.html }] : []))
    .toSorted((one, other) => collator.compare(one.name, other.name)),
})

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
  readonly #list: LocalList<Entry>
  #lists: Lists

  constructor(own: LocalLists, changed: () => void) {
    this.#list = new LocalList(own, 'snippets', entry, () => {
      this.#lists = toLists(this.#list.entries)
      changed()
    })
    this.#lists = toLists(this.#list.entries)
  }

  signatures(): readonly KeptSignature[] {
    return this.#lists.signatures
  }

  /** Sorted by name. */
  cannedReplies(): readonly CannedReply[] {
    return this.#lists.replies
  }

  /** @param html '' removes the signature */
  setSignature(inboxId: string, html: string): void {
    const { signatures } = this.#lists
    const others = signatures.filter((each) => each.inboxId !== inboxId)
    if (html === '' && others.length === signatures.length) return
    this.#persist({ signatures: html === '' ? others : [...others, { inboxId, html }] })
  }

  /** Adds or replaces a reply. @param reply a null ID adds a new one @throws ProblemError `invalid_input` */
  save({
    id,
    name: typed,
    html,
  }: {
    readonly id: string | null
    readonly name: string
    readonly html: string
  }): CannedReply {
    const name = requireName(typed, SNIPPET_LIMITS.name, 'Type a name for the canned reply.')
    const { replies } = this.#lists
    if (replies.some((each) => each.id !== id && nameKey(each.name) === nameKey(name))) {
      throw createProblem('invalid_input', `There is already a canned reply “${name}”. Use another name.`)
    }
    const isThere = replies.some((each) => each.id === id)
    if (!isThere && replies.length >= SNIPPET_LIMITS.cannedReplies) throw createProblem('invalid_input', TOO_MANY)
    const reply = { id: id ?? randomUUID(), name, html }
    this.#persist({ replies: [...replies.filter((each) => each.id !== reply.id), reply] })
    return reply
  }

  /** Does nothing if the reply doesn't exist. */
  remove(id: string): void {
    const others = this.#lists.replies.filter((each) => each.id !== id)
    if (others.length < this.#lists.replies.length) this.#persist({ replies: others })
  }

  /**
   * Imports everything in a single write. A reply whose name is taken gets a number. @throws ProblemError if there are
   * too many
   */
  importSnippets(given: PortableSnippets, inboxOf: (address: string) => string | null): SnippetImportResult {
    const before = this.#lists
    const leftOut: string[] = []
    let same = 0
    const signatures = [...before.signatures]
    for (const { address, html } of given.signatures) {
      const inboxId = inboxOf(address)
      const here = signatures.find((each) => each.inboxId === inboxId)
      if (html === '') continue
      if (here?.html === html) same += 1
      else if (inboxId === null || here !== undefined) leftOut.push(address)
      else signatures.push({ inboxId, html })
    }
    const replies = [...before.replies]
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
      cannedReplies: replies.length - before.replies.length,
      signatures: signatures.length - before.signatures.length,
    }
    if (added.cannedReplies + added.signatures > 0) this.#persist({ signatures, replies })
    return { ...added, same, leftOut }
  }

  #persist(part: Partial<Lists>): void {
    this.#list.set(toEntries({ ...this.#lists, ...part }))
  }
}
