/** Width in pixels if no mail is open. */
const USUAL_WIDTH = 800

/** The reader's placeholders of pictures show their text in any surroundings. */
const STYLE = '<style>.linnet-image { font-size: 12px }</style>'

/** Width of the open mail, so that its media queries apply as they do in the reader. */
const widthOfMail = (): number => {
  const width = document.querySelector('iframe[srcdoc]')?.clientWidth ?? 0
  return width > 0 ? width : USUAL_WIDTH
}

/**
 * Calls `use` with HTML drawn in an invisible frame, where the browser computes its styles as in the reader. The frame
 * runs no scripts, and the window's policy blocks all loading.
 * @param markup from `sanitizeHtml`
 */
export const useDrawnHtml = <T>(
  markup: string,
  use: (body: HTMLElement, styleOf: (element: Element) => CSSStyleDeclaration) => T,
): T => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  Object.assign(frame.style, { position: 'fixed', visibility: 'hidden', width: `${widthOfMail()}px` })
  document.body.append(frame)
  try {
    const [page, view] = [frame.contentDocument, frame.contentWindow]
    if (page === null || view === null) throw new Error('The frame has no document.')
    // Only a written document has a doctype; without one, browsers lay out HTML differently.
    page.open()
    // oxlint-disable-next-line typescript/no-deprecated -- the only synchronous way to draw a document
    page.write(`<!doctype html>${STYLE}${markup}`)
    page.close()
    return use(page.body, (element) => view.getComputedStyle(element))
  } finally {
    frame.remove()
  }
}
