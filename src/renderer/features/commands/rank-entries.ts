import type { Component } from 'svelte'
import { tokenizeWords } from '../../../shared/search/word-tokenizer.ts'
import type { Command, COMMAND_GROUPS, PaletteItem } from '../../kernel/commands.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** Further search terms. */
  readonly words: string
  readonly detail: string
  readonly icon: Component | undefined
  readonly caps: readonly string[] | undefined
  /** False if choosing it would do nothing now. */
  readonly isPossible: boolean
  /** Never first for a few letters or part of a phrase. */
  readonly isDestructive: boolean
  /** Heading while nothing is typed. */
  readonly group: (typeof COMMAND_GROUPS)[number]
  readonly what: Command | PaletteItem
}

/** Lower means closer to the visible content. */
const DISTANCES: Readonly<Record<(typeof COMMAND_GROUPS)[number], number>> = {
  Actions: 0,
  Writing: 1,
  Search: 2,
  'Go to': 3,
  Threads: 4,
  Selection: 5,
  Reading: 6,
  View: 7,
  Linnet: 8,
  Help: 9,
}

export const toCommandEntry = (
  command: Command,
  { isPossible, caps }: Pick<PaletteEntry, 'isPossible' | 'caps'>,
): PaletteEntry => ({
  id: command.id,
  name: command.name,
  words: `${command.words} ${command.group}`,
  detail: '',
  icon: command.icon,
  caps,
  isPossible,
  isDestructive: command.isDestructive === true,
  group: command.group,
  what: command,
})

export const toItemEntry = (offer: PaletteItem): PaletteEntry => ({
  id: offer.id,
  name: offer.name,
  words: `${offer.words ?? ''} ${offer.detail}`,
  detail: offer.detail,
  icon: offer.icon,
  caps: undefined,
  isPossible: true,
  isDestructive: false,
  group: 'Go to',
  what: offer,
})

/** Entries listed: all commands, and more matches than anybody reads. */
const MAX = 300

/** UTF-16 units searched, since subjects can be arbitrarily long. */
const MAX_LENGTH = { text: 200, wanted: 60 } as const

const RECENT = 5

/** Entry with its heading; search results have none. */
export interface ListedEntry extends PaletteEntry {
  readonly heading: string | null
}

/** Available entries: recent ones first, then the others by group. @param recent IDs, most recent first */
export const groupEntries = (entries: readonly PaletteEntry[], recent: readonly string[]): readonly ListedEntry[] => {
  const possible = entries.filter(({ isPossible }) => isPossible)
  const last = recent.flatMap((id) => possible.find((entry) => entry.id === id) ?? []).slice(0, RECENT)
  const others = possible.filter((entry) => !last.includes(entry) && !('go' in entry.what && entry.what.isOnlyFound))
  return [
    ...last.map((entry) => ({ ...entry, heading: 'Recent' })),
    ...others
      .toSorted((a, b) => DISTANCES[a.group] - DISTANCES[b.group])
      .map((entry) => ({ ...entry, heading: entry.group })),
  ].slice(0, MAX)
}

/** Words that say nothing alone: optional, and never the only match unless nothing else is typed. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an and as at by can do for from how i in into is it me my of on or please that the this to with'.split(' '),
)

export interface Match {
  /** Number of typed words that match nothing, without fillers. */
  readonly missing: number
  /** Average of the words' scores. */
  readonly score: number
}

/**
 * Matches typed words with word starts of an entry, or with the initials of its name. A phrase of its search terms
 * counts as much as its name. @returns null if no word matches
 */
export const matchEntry = ({ name, words }: Pick<PaletteEntry, 'name' | 'words'>, typed: string): Match | null => {
  if (typed.length > MAX_LENGTH.wanted) return null
  const wanted = tokenizeWords(typed)
  const own = tokenizeWords(name.slice(0, MAX_LENGTH.text))
  const besides = tokenizeWords(words.slice(0, MAX_LENGTH.text))
  const initials = own.map((word) => word[0]).join('')
  const isPhrase = wanted.length > 1 && ` ${besides.join(' ')} `.includes(` ${wanted.join(' ')} `)
  const scoreWord = (word: string): number => {
    if (isPhrase) return 1
    if (own.includes(word)) return own[0] === word ? 1 : 0.9
    if (own.some((each) => each.startsWith(word))) return own[0]?.startsWith(word) === true ? 0.95 : 0.85
    if (word.length > 1 && initials.startsWith(word)) return 0.8
    // The first search terms are the closest.
    const [term, prefix] = [besides.indexOf(word), besides.findIndex((each) => each.startsWith(word))]
    if (term !== -1) return 0.5 - term / 1000
    return prefix === -1 ? 0 : 0.4 - prefix / 1000
  }
  const scores = wanted.map((word) => ({
    score: scoreWord(word) || (word.endsWith('s') ? 0.9 * scoreWord(word.slice(0, -1)) : 0),
    isFiller: FILLERS.has(word),
  }))
  const telling = scores.every(({ isFiller }) => isFiller) ? scores : scores.filter(({ isFiller }) => !isFiller)
  const missing = telling.filter(({ score }) => score === 0).length
  if (missing === telling.length) return null
  // A complete name beats a longer one that starts the same.
  const length = Math.max(1, own.filter((word) => !FILLERS.has(word)).length)
  const named = Math.min(1, scores.filter(({ score }) => score >= 0.8).length / length)
  return { missing, score: 0.05 * named + scores.reduce((sum, { score }) => sum + score, 0) / scores.length }
}

/** Usage decides between similar scores. An action comes before a place or a value of the same name. */
const weigh = ({ what }: PaletteEntry, score: number, uses: number): number =>
  score *
  (1 + Math.min(uses, 20) / 50) *
  ('run' in what && what.choice === undefined ? (what.isUrgent === true ? 1.6 : 1) : 0.95)

/** Rows that match only some of the typed words. */
const MAX_PARTIAL = 8

/** True for a name from the mail, such as a label or a subject. All typed words must match it. */
const isFromMail = ({ what }: PaletteEntry): boolean => !('run' in what) && what.words === undefined

/** Letters from which a destructive entry may come first. */
const DESTRUCTIVE_LETTERS = 4

/**
 * The matching entries: those that match the most words first, then available ones, then the best matches. A
 * destructive entry comes first only if it matches every word and more than a few letters are typed.
 * @param fallback listed last, or first if no other entry may be
 */
export const rankEntries = (
  entries: readonly PaletteEntry[],
  typed: string,
  usesOf: (id: string) => number,
  fallback: readonly PaletteEntry[] = [],
): readonly ListedEntry[] => {
  const matching = entries
    .flatMap((entry) => {
      const match = matchEntry(entry, typed)
      if (match === null || (match.missing > 0 && isFromMail(entry))) return []
      return { entry, ...match, weight: weigh(entry, match.score, usesOf(entry.id)) }
    })
    .toSorted(
      (a, b) =>
        a.missing - b.missing ||
        Number(b.entry.isPossible) - Number(a.entry.isPossible) ||
        b.weight - a.weight ||
        DISTANCES[a.entry.group] - DISTANCES[b.entry.group],
    )
  const complete = matching.filter(({ missing }) => missing === 0).length
  const ranked = [...matching.slice(0, Math.min(MAX, complete + MAX_PARTIAL)).map(({ entry }) => entry), ...fallback]
  const isUnsure = typed.trim().length < DESTRUCTIVE_LETTERS || complete === 0
  const safe =
    isUnsure && ranked[0]?.isDestructive
      ? ranked.filter(({ isDestructive, isPossible }) => isPossible && !isDestructive).slice(0, 1)
      : []
  return [...safe, ...ranked.filter((entry) => !safe.includes(entry))].map((entry) => ({ ...entry, heading: null }))
}

/** Halve all counts when one reaches this, so that old habits fade. */
const MAX_USES = 64
const MAX_REMEMBERED = 200

/** Usage counts of palette entries, most recent last. Stored locally. */
export class CommandUsage {
  readonly #preferences: Readonly<PreferencesManager>

  constructor(preferences: Readonly<PreferencesManager>) {
    this.#preferences = preferences
  }

  of(id: string): number {
    return this.#preferences.values.commandUse[id] ?? 0
  }

  /** Moves the count to an entry's new ID. Repeating it, for example in a second window, has no effect. */
  rename(was: string, id: string): void {
    const { [was]: uses, ...others } = this.#preferences.values.commandUse
    if (uses === undefined) return
    void this.#preferences.choose({ commandUse: { ...others, [id]: Math.min(MAX_USES, uses + this.of(id)) } })
  }

  /** IDs of chosen entries, most recent first. */
  get recent(): readonly string[] {
    return Object.keys(this.#preferences.values.commandUse).toReversed()
  }

  count(id: string): void {
    const { [id]: uses = 0, ...others } = this.#preferences.values.commandUse
    const all = Object.entries({ ...others, [id]: uses + 1 })
    const share = uses + 1 >= MAX_USES ? 0.5 : 1
    const rarest = all.toSorted(([, a], [, b]) => a - b).slice(0, Math.max(0, all.length - MAX_REMEMBERED))
    const left = all.filter((entry) => entry[0] === id || !rarest.includes(entry))
    void this.#preferences.choose({
      commandUse: Object.fromEntries(left.map(([each, times]) => [each, times * share])),
    })
  }
}
