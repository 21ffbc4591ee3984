import type { Component } from 'svelte'

/** Suggestion for the text before the caret. */
export interface Offer {
  readonly name: string
  readonly detail?: string
  readonly icon?: Component
  /** Emoji in place of the icon. */
  readonly emoji?: string
  /** Offers with the same heading are adjacent. */
  readonly heading?: string
  /** @param takeTyped selects the typed text, so that the next insertion replaces it */
  readonly choose: (takeTyped: () => void) => void
}

/** Suggestions that open after a character. */
export interface OfferList {
  /** Accessible name. */
  readonly label: string
  /** @param typed the text after the character */
  readonly find: (typed: string) => readonly Offer[] | Promise<readonly Offer[]>
}

/** Maximum number of suggestions: nobody looks through more, and typing narrows the list. */
export const MAX_OFFERS = 20

/** After a line start, a space, or an opening bracket or quote, so that `24/7`, `10:30` and addresses open no list. */
const WORD_START = '(?:^|[\\s([{<"\'“‘«])'
const afterSign = (sign: string, text: string): RegExp => new RegExp(`${WORD_START}${sign}(${text})$`, 'iu')

/** Texts that open a list, in characters below `MAX_BEFORE`. */
const STARTS = {
  reply: afterSign('[;；]', '[^\\s;][^;\\n]{0,60}|'),
  menu: afterSign('/', '[^\\s/][^/\\n]{0,40}|'),
  // One letter would open a list for `:D`.
  emoji: afterSign('[:：]', '[a-z+-][\\w+-]{1,40}'),
  person: afterSign('@', '\\p{L}[^@\\n]{0,40}'),
}

export type OfferKind = keyof typeof STARTS

export interface TypedStart {
  readonly kind: OfferKind
  /** Text after the character. */
  readonly text: string
}

/** Finds the text that opens a list. If there are several, the last one counts. @param before text before the caret */
export const parseTypedStart = (before: string): TypedStart | null => {
  if (!/[;；/:：@]/u.test(before)) return null
  let last: TypedStart | null = null
  for (const [kind, start] of Object.entries(STARTS) as [OfferKind, RegExp][]) {
    const text = start.exec(before)?.[1]
    if (text !== undefined && (last === null || text.length < last.text.length)) last = { kind, text }
  }
  return last
}
