import { foldText } from './word-tokenizer.ts'

/** Each typed part must occur, anywhere and in any order. @returns a predicate for texts folded with `foldText` */
export const createTypedFilter = (typed: string): ((folded: string) => boolean) => {
  const parts = foldText(typed)
    .split(/\s+/u)
    .filter((part) => part !== '')
  return (folded) => parts.every((part) => folded.includes(part))
}
