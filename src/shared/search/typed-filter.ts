import { foldText } from './words.ts'

/**
 * What shortens a list while a person types: a text has each part that was typed, wherever in it, in any order. Nothing
 * typed leaves the list whole.
 * @returns whether a text, as `foldText` gives it, stays in the list
 */
export const typedFilter = (typed: string): ((folded: string) => boolean) => {
  const parts = foldText(typed)
    .split(/\s+/u)
    .filter((part) => part !== '')
  return (folded) => parts.every((part) => folded.includes(part))
}
