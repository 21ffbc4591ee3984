import { getContext, setContext } from 'svelte'
import type { HighlightTerms } from '../../../shared/search/highlight-terms.ts'

const KEY = Symbol('marks')

export const provideSearchMarks = (marks: () => HighlightTerms | null): void => {
  setContext(KEY, marks)
}

/** Null outside search results. */
export const useSearchMarks = (): (() => HighlightTerms | null) =>
  getContext<(() => HighlightTerms | null) | undefined>(KEY) ?? (() => null)
