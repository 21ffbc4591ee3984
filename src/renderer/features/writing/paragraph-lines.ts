/** How a paragraph without room below it is sent: a line, as Enter makes it. */
export const LINE_STYLE = 'margin:0'

const isNothing = (length: string | undefined): boolean => /^[-+]?0*\.?0+(?:[a-z]+|%)?$/i.test(length ?? '')

/**
 * Whether a paragraph stands close to the next one, by what its style attribute says. Paragraphs of pages and of other programs
 * have room below them unless they say otherwise.
 */
export const isLine = (paragraph: Element): boolean => {
  let below: string | undefined
  for (const declaration of (paragraph.getAttribute('style') ?? '').split(';')) {
    const [name = '', value = ''] = declaration.split(':').map((part) => part.trim().toLowerCase())
    const lengths = value.replace(/\s*!important$/, '').split(/\s+/)
    if (name === 'margin') below = lengths[2] ?? lengths[0]
    if (name === 'margin-bottom') [below] = lengths
  }
  return isNothing(below)
}

/** Paragraphs with room between them as lines with an empty one between: what Enter goes on from in the editor. */
export const spacesAsLines = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const paragraph of body.querySelectorAll('p:not(li > p, td > p, th > p)')) {
    if (isLine(paragraph)) continue
    paragraph.setAttribute('style', LINE_STYLE)
    if (paragraph.nextElementSibling === null) continue
    const empty = body.ownerDocument.createElement('p')
    empty.setAttribute('style', LINE_STYLE)
    paragraph.after(empty)
  }
  return body.innerHTML
}
