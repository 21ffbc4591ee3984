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
  group: command.group,
  what: command,
})

export const toItemEntry = (offer: PaletteItem): PaletteEntry => ({
  id: offer.id,
  name: offer.name,
  words: offer.detail,
  detail: offer.detail,
  icon: offer.icon,
  caps: undefined,
  isPossible: true,
  group: 'Go to',
  what: offer,
})

/** Entries listed. Nobody reads further. */
const MAX = 200

/** UTF-16 units searched, since subjects can be arbitrarily long. */
const MAX_LENGTH = { text: 120, wanted: 60 } as const

const RECENT = 5

/** Entry with its heading; search results have none. */
export interface ListedEntry extends PaletteEntry {
  readonly heading: string | null
}

/** Available entries: recent ones first, then the others by group. @param recent IDs, most recent first */
export const groupEntries = (entries: readonly PaletteEntry[], recent: readonly string[]): readonly ListedEntry[] => {
  const possible = entries.filter(({ isPossible }) => isPossible)
  const last = recent.flatMap((id) => possible.find((entry) => entry.id === id) ?? []).slice(0, RECENT)
  const others = possible.filter((entry) => !last.includes(entry))
  return [
    ...last.map((entry) => ({ ...entry, heading: 'Recent' })),
    ...others
      .toSorted((a, b) => DISTANCES[a.group] - DISTANCES[b.group])
      .map((entry) => ({ ...entry, heading: entry.group })),
  ].slice(0, MAX)
}

/** Match score; 0 means no match. Each typed word must start a word of the entry, or be the initials of its name. */
export const scoreEntry = ({ name, words }: Pick<PaletteEntry, 'name' | 'words'>, typed: string): number => {
  if (typed.length > MAX_LENGTH.wanted) return 0
  const wanted = tokenizeWords(typed)
  if (wanted.length === 0) return 0
  const own = tokenizeWords(name.slice(0, MAX_LENGTH.text))
  const besides = tokenizeWords(words.slice(0, MAX_LENGTH.text))
  const initials = own.map((word) => word[0]).join('')
  const scores = wanted.map((word): number => {
    if (own.includes(word)) return own[0] === word ? 1 : 0.9
    if (own.some((each) => each.startsWith(word))) return own[0]?.startsWith(word) === true ? 0.95 : 0.85
    if (word.length > 1 && initials.startsWith(word)) return 0.8
    if (besides.includes(word)) return 0.5
    return besides.some((each) => each.startsWith(word)) ? 0.4 : 0
  })
  if (scores.includes(0)) return 0
  // A complete name beats a longer one that starts the same.
  const whole = own.length <= wanted.length ? 0.05 : 0
  return whole + scores.reduce((sum, score) => sum + score, 0) / scores.length
}

/** Usage decides between similar scores. */
const weigh = ({ score, uses }: { readonly score: number; readonly uses: number }): number =>
  score * (1 + Math.min(uses, 20) / 50)

/** The matching entries: available ones first, and best matches first in each group. */
export const rankEntries = (
  entries: readonly PaletteEntry[],
  typed: string,
  usesOf: (id: string) => number,
): readonly ListedEntry[] =>
  entries
    .map((entry) => ({ entry, uses: usesOf(entry.id), score: scoreEntry(entry, typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => {
      const isPossible = Number(b.entry.isPossible) - Number(a.entry.isPossible)
      return isPossible || weigh(b) - weigh(a) || DISTANCES[a.entry.group] - DISTANCES[b.entry.group]
    })
    .slice(0, MAX)
    .map(({ entry }) => ({ ...entry, heading: null }))

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
