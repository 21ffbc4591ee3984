/* eslint-disable svelte/prefer-svelte-reactivity -- these sets are values that are replaced, never changed */
import { SvelteSet } from 'svelte/reactivity'
import { BODY_PIECE, type Email } from '../../../shared/model.ts'

/** Conversations up to this long are shown whole. */
const SHORT = 2

/** What is unfolded at once: a person reads one after the other, and each costs a document of its own. */
const MOST = { emails: 8, characters: 600_000 } as const

const sizeOf = ({ html, text, apart }: Email): number =>
  apart === null ? (html?.length ?? text?.length ?? 0) : (apart.html || apart.text) * BODY_PIECE

/**
 * The e-mail that a conversation opens at: the one for which a search found it, else the first that was not read yet, else
 * the newest.
 * @returns its index; -1 where there is none
 */
export const firstShown = (emails: readonly Email[], matchedId: string | null): number => {
  const matched = emails.findIndex(({ id }) => id === matchedId)
  if (matched !== -1) return matched
  const unread = emails.findIndex(({ read }) => !read)
  return unread === -1 ? emails.length - 1 : unread
}

/**
 * The e-mails that are unfolded when a conversation opens: the one that it opens at before all others, then the newest,
 * and what was not read yet, the newest of those first as far as there is room.
 * @param matchedId the e-mail for which a search found it
 */
export const firstExpanded = (emails: readonly Email[], matchedId: string | null): ReadonlySet<string> => {
  const newestFirst = emails
    .filter((email, index) => emails.length <= SHORT || !email.read || index === emails.length - 1)
    .toReversed()
  const start = emails[firstShown(emails, matchedId)]
  const wanted = [...(start === undefined ? [] : [start]), ...newestFirst.filter(({ id }) => id !== start?.id)]
  let characters = 0
  const end = wanted.findIndex((email, index) => {
    characters += sizeOf(email)
    return index > 0 && (index === MOST.emails || characters > MOST.characters)
  })
  const ids = new Set((end === -1 ? wanted : wanted.slice(0, end)).map(({ id }) => id))
  return new Set(emails.flatMap(({ id }) => (ids.has(id) ? [id] : [])))
}

/** What of a long conversation is a line at first, and how many come with each press of the button that stands for the rest. */
export const LONG = {
  /** Conversations up to this long have a line for each e-mail. */
  emails: 30,
  newest: 10,
  /** From the e-mail on at which it opens. */
  fromStart: 15,
  /** Fewer than these are no shorter as a button. */
  run: 3,
  step: 40,
} as const

/** A part of a conversation as it is drawn: an e-mail, or the button that stands for several. */
type ConversationPart =
  | { readonly kind: 'email'; readonly email: Email }
  | { readonly kind: 'folded'; readonly emails: readonly Email[] }

/** A conversation as it is drawn, oldest first. @param folded the e-mails that are no line */
export const partsOf = (emails: readonly Email[], folded: ReadonlySet<string>): readonly ConversationPart[] => {
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

/**
 * The e-mails of a long conversation that are not even a line when it opens, so that it opens as quickly as a short one
 * whatever its length.
 * @param start index of the e-mail at which it opens
 * @param expanded the e-mails that are unfolded
 */
export const firstFolded = (
  emails: readonly Email[],
  start: number,
  expanded: ReadonlySet<string>,
): ReadonlySet<string> => {
  if (emails.length <= LONG.emails) return new Set()
  const folded = emails.filter(
    ({ id }, index) =>
      !expanded.has(id) && index < emails.length - LONG.newest && (index < start || index >= start + LONG.fromStart),
  )
  const ids = new Set(folded.map(({ id }) => id))
  const short = partsOf(emails, ids).filter((part) => part.kind === 'folded' && part.emails.length < LONG.run)
  for (const part of short) if (part.kind === 'folded') for (const { id } of part.emails) ids.delete(id)
  return ids
}

/** Those of a run that are unfolded next. @param from 1 where a person comes from above it, -1 from below */
export const nextOfRun = (run: readonly Email[], from: 1 | -1): readonly Email[] =>
  run.length <= LONG.step + LONG.run ? run : from === 1 ? run.slice(0, LONG.step) : run.slice(-LONG.step)

/** What of an open conversation is unfolded: from its opening on a person decides. */
export class ConversationFolds {
  /** Index of the e-mail at which it opened; -1 where there was none. */
  readonly start: number
  readonly #expanded: SvelteSet<string>
  /** Those that are not even a line. An e-mail that arrives later is none of them. */
  readonly #folded: SvelteSet<string>

  /** @param matchedId the e-mail for which a search found the conversation */
  constructor(emails: readonly Email[], matchedId: string | null) {
    const expanded = firstExpanded(emails, matchedId)
    this.start = firstShown(emails, matchedId)
    this.#expanded = new SvelteSet(expanded)
    this.#folded = new SvelteSet(firstFolded(emails, this.start, expanded))
  }

  partsOf(emails: readonly Email[]): readonly ConversationPart[] {
    return partsOf(emails, this.#folded)
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

  /** Makes a line of an e-mail, where it is none yet. */
  showLine(id: string): void {
    this.#folded.delete(id)
  }

  /**
   * Makes lines of some e-mails of a run that a button stands for.
   * @param run what the button stands for, oldest first
   * @param from 1 where a person comes from above it, -1 from below
   */
  unfold(run: readonly Email[], from: 1 | -1): void {
    for (const { id } of nextOfRun(run, from)) this.#folded.delete(id)
  }
}
