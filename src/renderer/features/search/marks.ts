import { getContext, setContext } from 'svelte'
import type { SearchMarks } from '../../../shared/search/highlight-terms.ts'

const KEY = Symbol('marks')

export const provideMarks = (marks: () => SearchMarks | null): void => {
  setContext(KEY, marks)
}

/** Null outside search results. */
export const useMarks = (): (() => SearchMarks | null) =>
  getContext<(() => SearchMarks | null) | undefined>(KEY) ?? (() => null)
