import { findFragmentSpans, type WordTerm } from '../../../shared/search/highlight-terms.ts'
import { findVisibleTextNodes } from './visible-text-nodes.ts'

/** Highlight name for search hits. Random, so the mail's style sheets can neither hide nor imitate hits. */
export const SEARCH_HIGHLIGHT = `found-${crypto.randomUUID()}`

/** More hits help nobody, and each is painted separately. */
const MAX_HITS = 2000

/** Opens the quotes if all hits are inside quotes. */
const expandQuotes = (ranges: readonly StaticRange[]): void => {
  const folds = ranges.map(
    ({ startContainer }) => startContainer.parentElement?.closest('details.linnet-quote') ?? null,
  )
  if (folds.includes(null)) return
  for (const fold of new Set(folds)) fold?.setAttribute('open', '')
}

/** Highlights leave the document unchanged (CSS Custom Highlight API), so selectors match as before. */
export const highlightFrame = (frame: HTMLIFrameElement, terms: readonly WordTerm[]): void => {
  const view = frame.contentWindow as (Window & typeof globalThis) | null
  const mail = frame.contentDocument?.getElementById('linnet-mail')
  if (view === null || !mail) return
  view.CSS.highlights.delete(SEARCH_HIGHLIGHT)
  if (terms.length === 0) return
  const texts = findVisibleTextNodes(mail)
  const ranges = findFragmentSpans(texts, terms)
    .flatMap((spans, index) => {
      const startContainer = texts[index]?.node
      if (startContainer === undefined) return []
      return spans.map(
        ({ start, end }) =>
          new view.StaticRange({ startContainer, startOffset: start, endContainer: startContainer, endOffset: end }),
      )
    })
    .slice(0, MAX_HITS)
  if (ranges.length === 0) return
  view.CSS.highlights.set(SEARCH_HIGHLIGHT, new view.Highlight(...ranges))
  expandQuotes(ranges)
}
