/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: these sets are replaced, never mutated */
import { SvelteSet } from 'svelte/reactivity'
import { MAX_CHUNK_LENGTH, type Email } from '../../../shared/model.ts'

/** Conversations up to this length are fully expanded. */
const SHORT = 2

/** Limits for expanding at the start: the user reads one at a time, and each costs a document. */
const MAX = { emails: 8, characters: 600_000 } as const

const sizeOf = ({ html, text, apart }: Email): number =>
  apart === null ? (html?.length ?? text?.length ?? 0) : (apart.html || apart.text) * MAX_CHUNK_LENGTH

/** E-mail to open a conversation at: search match, else first unread, else newest. @returns its index, or -1 */
export const findOpeningIndex = (emails: readonly Email[], matchedId: string | null): number => {
  const matched = emails.findIndex(({ id }) => id === matchedId)
  if (matched !== -1) return matched
  const unread = emails.findIndex(({ read }) => !read)
  return unread === -1 ? emails.length - 1 : unread
}

/** E-mails expanded at the start, within `MAX`: the one opened at, then the newest and unread ones, newest first. */
export const chooseExpandedEmails = (emails: readonly Email[], matchedId: string | null): ReadonlySet<string> => {
  const newestFirst = emails
    .filter((email, index) => emails.length <= SHORT || !email.read || index === emails.length - 1)
    .toReversed()
  const start = emails[findOpeningIndex(emails, matchedId)]
  const wanted = [...(start === undefined ? [] : [start]), ...newestFirst.filter(({ id }) => id !== start?.id)]
  let characters = 0
  const end = wanted.findIndex((email, index) => {
    characters += sizeOf(email)
    return index > 0 && (index === MAX.emails || characters > MAX.characters)
  })
  const ids = new Set((end === -1 ? wanted : wanted.slice(0, end)).map(({ id }) => id))
  return new Set(emails.flatMap(({ id }) => (ids.has(id) ? [id] : [])))
}

/** Initial lines of a long conversation, and how many more each press of a fold button reveals. */
export const LONG_CONVERSATION = {
  /** Conversations up to this length show a line for every e-mail. */
  emails: 30,
  newest: 10,
  /** Number of e-mails with a line, starting with the one that the conversation opens at. */
  fromStart: 15,
  /** Folding a shorter run saves no space. */
  run: 3,
  step: 40,
} as const

type ConversationPart =
  | { readonly kind: 'email'; readonly email: Email }
  | { readonly kind: 'folded'; readonly emails: readonly Email[] }

/** Parts to render, oldest first. @param folded e-mails without a line */
export const toConversationParts = (
  emails: readonly Email[],
  folded: ReadonlySet<string>,
): readonly ConversationPart[] => {
  const parts: (
    | { readonly kind: 'email'; readonly email: Email }
    | { readonly kind: 'folded'; readonly emails: Email[] }
  )[] = []
  for (const email of emails) {
    const last = parts.at(-1)
    if (!folded.has(email.id)) parts.push({ kind: 'email', email })
    else if (last?.kind === 'folded') last.emails.push(email)
    else parts.push({ kind: 'folded', emails: [email] })
  }
  return parts
}

/** E-mails without a line at the start, so any conversation opens fast. @param start index of the e-mail opened at */
export const chooseFoldedEmails = (
  emails: readonly Email[],
  start: number,
  expanded: ReadonlySet<string>,
): ReadonlySet<string> => {
  if (emails.length <= LONG_CONVERSATION.emails) return new Set()
  const folded = emails.filter(
    ({ id }, index) =>
      !expanded.has(id) &&
      index < emails.length - LONG_CONVERSATION.newest &&
      (index < start || index >= start + LONG_CONVERSATION.fromStart),
  )
  const ids = new Set(folded.map(({ id }) => id))
  const short = toConversationParts(emails, ids).filter(
    (part) => part.kind === 'folded' && part.emails.length < LONG_CONVERSATION.run,
  )
  for (const part of short) if (part.kind === 'folded') for (const { id } of part.emails) ids.delete(id)
  return ids
}

/** The part of a run to reveal next. @param from 1 when coming from above, -1 from below */
export const selectEmailsToReveal = (run: readonly Email[], from: 1 | -1): readonly Email[] =>
  run.length <= LONG_CONVERSATION.step + LONG_CONVERSATION.run
    ? run
    : from === 1
      ? run.slice(0, LONG_CONVERSATION.step)
      : run.slice(-LONG_CONVERSATION.step)

export class ConversationFolds {
  /** Index of the e-mail that the conversation opened at, or -1. */
  readonly start: number
  readonly #expanded: SvelteSet<string>
  /** E-mails without a line; new arrivals are never added. */
  readonly #folded: SvelteSet<string>

  constructor(emails: readonly Email[], matchedId: string | null) {
    const expanded = chooseExpandedEmails(emails, matchedId)
    this.start = findOpeningIndex(emails, matchedId)
    this.#expanded = new SvelteSet(expanded)
    this.#folded = new SvelteSet(chooseFoldedEmails(emails, this.start, expanded))
  }

  partsOf(emails: readonly Email[]): readonly ConversationPart[] {
    return toConversationParts(emails, this.#folded)
  }

  isExpanded(id: string): boolean {
    return this.#expanded.has(id)
  }

  expand(id: string, isExpanded: boolean): void {
    if (isExpanded) {
      this.#folded.delete(id)
      this.#expanded.add(id)
    } else {
      this.#expanded.delete(id)
    }
  }

  reveal(id: string): void {
    this.#folded.delete(id)
  }

  /** Reveals the next lines of a run (oldest first). @param from 1 when coming from above, -1 from below */
  unfold(run: readonly Email[], from: 1 | -1): void {
    for (const { id } of selectEmailsToReveal(run, from)) this.#folded.delete(id)
  }
}
