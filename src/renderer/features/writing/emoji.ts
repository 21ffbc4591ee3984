import { gemoji, type Gemoji } from 'gemoji'
import { MAX_OFFERS } from './typed-offers.ts'

/** Rank of a match, best first: the name, the start of it, the start of another word. Null without a match. */
const rankOf = ({ names, tags, description }: Gemoji, typed: string): number | null => {
  if (names.includes(typed)) return 0
  if (names.some((name) => name.startsWith(typed))) return 1
  const words = [...names, ...tags, description.toLowerCase()].map((word) => `_${word.replaceAll(' ', '_')}`)
  return words.some((word) => word.includes(`_${typed}`)) ? 2 : null
}

/** Finds emoji by the start of a word in their names and tags, best first. `name` is the matching one. */
export const findEmoji = (text: string): readonly (Gemoji & { readonly name: string })[] => {
  const typed = text.toLowerCase()
  const found = gemoji.flatMap((each) => {
    const rank = rankOf(each, typed)
    const name = each.names.find((one) => one.startsWith(typed)) ?? each.names[0]
    return rank === null || name === undefined ? [] : [{ ...each, name, rank }]
  })
  return found.toSorted((a, b) => a.rank - b.rank).slice(0, MAX_OFFERS)
}
