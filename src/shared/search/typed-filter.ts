import { foldText } from './words.ts'

/** Each typed part must occur, anywhere and in any order. @returns a predicate for texts folded with `foldText` */
export const typedFilter = (typed: string): ((folded: string) => boolean) => {
  const parts = foldText(typed)
    .split(/\s+/u)
    .filter((part) => part !== '')
  return (folded) => parts.every((part) => folded.includes(part))
}
