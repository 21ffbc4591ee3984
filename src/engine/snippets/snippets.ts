import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { countCharacters } from '../../shared/search/words.ts'
import {
  SNIPPET_LIMITS,
  type CannedReply,
  type PortableSnippets,
  type Signature,
  type SnippetsImported,
} from '../../shared/snippets.ts'
import { problem } from '../saying.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'

type KeptSignature = Omit<Signature, 'address'>

/**
 * The signatures and canned replies of an account. They are no cache, as nobody else has them. What changes them is on the
 * disk when it returns, or has changed nothing. @throws what the disk throws
 */
export interface KeptSnippets {
  readonly signatures: () => readonly KeptSignature[]
  /** By their names. */
  readonly cannedReplies: () => readonly CannedReply[]
  /** @param html '' for none */
  readonly setSignature: (inboxId: string, html: string) => void
  /**
   * Keeps a canned reply in the place of what it was; one that is not there is new, under this ID.
   * @param id null for a new one
   * @throws ProblemError `invalid_input` for no name, a name that is taken or too long, and for too many
   */
  readonly save: (reply: { readonly id: string | null; readonly name: string; readonly html: string }) => CannedReply
  /** Removing what is not there is no error. */
  readonly remove: (id: string) => void
  /**
   * Takes over what was exported, all in one write. Nothing that is here is changed: a canned reply whose name is taken gets a
   * number behind it. @throws ProblemError `invalid_input` where there would be too many
   */
  readonly take: (snippets: PortableSnippets, inboxOf: (address: string) => string | null) => SnippetsImported
}

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

/** Each once, whatever copies of them there are. */
const toLists = (entries: readonly Entry[]): Lists => {
  const signatures = new Map<string, KeptSignature>()
  const replies = new Map<string, CannedReply>()
  for (const each of entries) {
    if (each.kind === 'signature') {
      const { inboxId, html } = each
      if (!signatures.has(inboxId)) signatures.set(inboxId, { inboxId, html })
    } else if (!replies.has(each.id)) {
      const { id, name, html } = each
      replies.set(id, { id, name, html })
    }
  }
  return {
    signatures: [...signatures.values()],
    replies: [...replies.values()].toSorted((one, other) => collator.compare(one.name, other.name)),
  }
}

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase()

const nameOf = (typed: string): string => {
  const name = typed.trim().replace(/\s+/gu, ' ')
  if (name === '') throw problem('invalid_input', 'Type a name for the canned reply.')
  if (countCharacters(name) > SNIPPET_LIMITS.name) {
    throw problem('invalid_input', `A name can have at most ${SNIPPET_LIMITS.name} characters. Shorten it.`)
  }
  return name
}

const TOO_MANY = `You can have at most ${SNIPPET_LIMITS.cannedReplies} canned replies. Delete some first.`

/** Opens the signatures and canned replies of an account. @param changed is told after each change */
export const openSnippets = (own: OwnLists, changed: () => void): KeptSnippets => {
  const list = new OwnList(own, 'snippets', entry)
  let lists = toLists(list.read())

  const keep = (part: Partial<Lists>): void => {
    const next = toLists(toEntries({ ...lists, ...part }))
    list.write(toEntries(next))
    lists = next
    changed()
  }

  const take: KeptSnippets['take'] = (given, inboxOf) => {
    const leftOut: string[] = []
    let same = 0
    const signatures = [...lists.signatures]
    for (const { address, html } of given.signatures) {
      const inboxId = inboxOf(address)
      const here = signatures.find((each) => each.inboxId === inboxId)
      if (html === '') continue
      if (here?.html === html) same += 1
      else if (inboxId === null || here !== undefined) leftOut.push(address)
      else signatures.push({ inboxId, html })
    }
    const replies = [...lists.replies]
    const taken = new Set(replies.map(({ name }) => nameKey(name)))
    for (const { name: typed, html } of given.cannedReplies) {
      const name = nameOf(typed)
      if (replies.some((each) => each.html === html && nameKey(each.name) === nameKey(name))) {
        same += 1
        continue
      }
      let free = name
      for (let number = 2; taken.has(nameKey(free)); number += 1) {
        const ending = ` (${number})`
        free = `${name.slice(0, SNIPPET_LIMITS.name - ending.length).trimEnd()}${ending}`
      }
      taken.add(nameKey(free))
      replies.push({ id: randomUUID(), name: free, html })
    }
    if (replies.length > SNIPPET_LIMITS.cannedReplies) throw problem('invalid_input', TOO_MANY)
    const added = {
      cannedReplies: replies.length - lists.replies.length,
      signatures: signatures.length - lists.signatures.length,
    }
    if (added.cannedReplies + added.signatures > 0) keep({ signatures, replies })
    return { ...added, same, leftOut }
  }

  return {
    signatures: () => lists.signatures,
    cannedReplies: () => lists.replies,
    setSignature: (inboxId, html) => {
      const others = lists.signatures.filter((each) => each.inboxId !== inboxId)
      if (html === '' && others.length === lists.signatures.length) return
      keep({ signatures: html === '' ? others : [...others, { inboxId, html }] })
    },
    save: ({ id, name: typed, html }) => {
      const name = nameOf(typed)
      if (lists.replies.some((each) => each.id !== id && nameKey(each.name) === nameKey(name))) {
        throw problem('invalid_input', `There is already a canned reply “${name}”. Use another name.`)
      }
      const isThere = lists.replies.some((each) => each.id === id)
      if (!isThere && lists.replies.length >= SNIPPET_LIMITS.cannedReplies) throw problem('invalid_input', TOO_MANY)
      const reply = { id: id ?? randomUUID(), name, html }
      keep({ replies: [...lists.replies.filter((each) => each.id !== reply.id), reply] })
      return reply
    },
    remove: (id) => {
      const others = lists.replies.filter((each) => each.id !== id)
      if (others.length < lists.replies.length) keep({ replies: others })
    },
    take,
  }
}
