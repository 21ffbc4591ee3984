import { computeCommandScore } from 'bits-ui'
import type { Component } from 'svelte'
import type { Command, COMMAND_GROUPS } from '../../kernel/commands.ts'
import type { Offer } from '../../kernel/offers.ts'

/** Something that the palette lists. */
export interface PaletteEntry {
  readonly id: string
  readonly name: string
  /** What else it is found by. */
  readonly words: string
  readonly detail: string
  readonly icon: Component | undefined
  readonly caps: readonly string[] | undefined
  /** Whether choosing it does something now. */
  readonly isPossible: boolean
  /** The smaller, the more it is about what the window shows; places come after commands. */
  readonly distance: number
  readonly what: Command | Offer
}

/** What is about the mail on the screen comes before what leads away from it. */
const DISTANCES: Readonly<Record<(typeof COMMAND_GROUPS)[number], number>> = {
  Actions: 0,
  Threads: 1,
  Selection: 2,
  Reading: 3,
  'Go to': 4,
  View: 5,
  Linnet: 6,
  Help: 7,
}
const PLACES = 7

export const commandEntry = (
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
  distance: DISTANCES[command.group],
  what: command,
})

export const offerEntry = (offer: Offer): PaletteEntry => ({
  id: offer.id,
  name: offer.name,
  words: offer.detail,
  detail: offer.detail,
  icon: offer.icon,
  caps: undefined,
  isPossible: true,
  distance: PLACES,
  what: offer,
})

/** Entries on the screen: nobody reads on. */
const MOST = 200

/** UTF-16 units that are looked through: a subject is as long as its sender likes. */
const LONGEST = { text: 120, wanted: 60 } as const

/** Below this, letters are only found scattered over words. */
const LEAST_SCORE = 0.02

/**
 * The entries that fit what is typed, best first; without a word all of them, those that can be chosen first, the most
 * used of those first.
 * @param usesOf how often an entry was chosen
 */
export const rankEntries = (
  entries: readonly PaletteEntry[],
  typed: string,
  usesOf: (id: string) => number,
): readonly PaletteEntry[] => {
  const wanted = typed.trim()
  const scored = entries.map((entry) => ({
    entry,
    uses: usesOf(entry.id),
    score: wanted === '' ? 1 : scoreOf(entry, wanted),
  }))
  return scored
    .filter(({ score }) => score > LEAST_SCORE)
    .toSorted((a, b) => {
      const isPossible = Number(b.entry.isPossible) - Number(a.entry.isPossible)
      if (wanted === '') return isPossible || b.uses - a.uses || a.entry.distance - b.entry.distance
      return isPossible || weigh(b) - weigh(a) || a.entry.distance - b.entry.distance
    })
    .slice(0, MOST)
    .map(({ entry }) => entry)
}

/** What a thing is called counts more than what else it is found by. */
const scoreOf = ({ name, words }: PaletteEntry, wanted: string): number => {
  if (wanted.length > LONGEST.wanted) return 0
  const score = (text: string): number => computeCommandScore(text.slice(0, LONGEST.text), wanted)
  return Math.max(score(name), 0.6 * score(words))
}

/** A habit tips the scales between entries that fit about as well. */
const weigh = ({ score, uses }: { readonly score: number; readonly uses: number }): number =>
  score * (1 + Math.min(uses, 20) / 50)
