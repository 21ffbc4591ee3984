import { getContext, setContext } from 'svelte'
import type { SearchMarks } from '../../../shared/search/mark-words.ts'

const KEY = Symbol('marks')

/** Says for all that is drawn within a component what of it is marked. */
export const provideMarks = (marks: () => SearchMarks | null): void => {
  setContext(KEY, marks)
}

/** What is marked here; null where nothing is, outside of the results of a search. */
export const useMarks = (): (() => SearchMarks | null) =>
  getContext<(() => SearchMarks | null) | undefined>(KEY) ?? (() => null)
