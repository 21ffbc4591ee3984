const QUOTES = 'blockquote[type="cite"], .gmail_quote, .protonmail_quote, .yahoo_quoted'

/** The quotes that lie in no other quote. */
const outermostQuotes = (body: Element): readonly Element[] => {
  // What is rejected is not entered, so that quotes in quotes cost nothing.
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_ELEMENT, (node) => {
    const isInQuote = node.parentElement?.matches(QUOTES) === true && node.parentElement !== body
    return isInQuote ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
  })
  const quotes: Element[] = []
  while (walker.nextNode() !== null) {
    const element = walker.currentNode as Element
    if (element.matches(QUOTES)) quotes.push(element)
  }
  return quotes
}

/** Folds what an earlier e-mail said, unless there is nothing else. */
export const foldQuotes = (body: Element): void => {
  const total = body.textContent.trim().length
  for (const quote of outermostQuotes(body)) {
    if (total - quote.textContent.trim().length < 8) continue
    const fold = quote.ownerDocument.createElement('details')
    const summary = quote.ownerDocument.createElement('summary')
    fold.className = 'linnet-quote'
    summary.textContent = 'Quoted text'
    quote.replaceWith(fold)
    fold.append(summary, quote)
  }
}
