import { markPieces, type WordTerm } from '../../../shared/search/mark-words.ts'
import { textsOf } from './drawn-texts.ts'

/**
 * What marked words are called in the document of a mail. The mail cannot know the name, so its own style sheets can
 * neither hide what is marked nor have other words pass for it.
 */
export const FOUND_NAME = `found-${crypto.randomUUID()}`

/** More than these are no help to anybody, and each is drawn by itself. */
const MOST = 2000

/** A quote in which alone something was found is not folded away. */
const openQuotes = (ranges: readonly StaticRange[]): void => {
  const folds = ranges.map(
    ({ startContainer }) => startContainer.parentElement?.closest('details.linnet-quote') ?? null,
  )
  if (folds.includes(null)) return
  for (const fold of new Set(folds)) fold?.setAttribute('open', '')
}

/**
 * Marks words in a mail that is shown. They are highlights (CSS Custom Highlight API): the document stays as it is, so that
 * no rule of the mail's style sheets meets another element than before, and nothing is laid out anew.
 */
export const markFrame = (frame: HTMLIFrameElement, terms: readonly WordTerm[]): void => {
  const view = frame.contentWindow as (Window & typeof globalThis) | null
  const mail = frame.contentDocument?.getElementById('linnet-mail')
  if (view === null || !mail) return
  view.CSS.highlights.delete(FOUND_NAME)
  if (terms.length === 0) return
  const texts = textsOf(mail)
  const ranges = markPieces(texts, terms)
    .flatMap((spans, index) => {
      const startContainer = texts[index]?.node
      if (startContainer === undefined) return []
      return spans.map(
        ({ start, end }) =>
          new view.StaticRange({ startContainer, startOffset: start, endContainer: startContainer, endOffset: end }),
      )
    })
    .slice(0, MOST)
  if (ranges.length === 0) return
  view.CSS.highlights.set(FOUND_NAME, new view.Highlight(...ranges))
  openQuotes(ranges)
}
