/** Style of a paragraph without bottom margin, as Enter creates it. */
export const LINE_STYLE = 'margin:0'

const isZeroLength = (length: string | undefined): boolean => /^[-+]?0*\.?0+(?:[a-z]+|%)?$/i.test(length ?? '')

/** True if the paragraph's style has no bottom margin. Paragraphs from pages and other programs have one by default. */
export const isLine = (paragraph: Element): boolean => {
  let below: string | undefined
  for (const declaration of (paragraph.getAttribute('style') ?? '').split(';')) {
    const [name = '', value = ''] = declaration.split(':').map((part) => part.trim().toLowerCase())
    const lengths = value.replace(/\s*!important$/, '').split(/\s+/)
    if (name === 'margin') below = lengths[2] ?? lengths[0]
    if (name === 'margin-bottom') [below] = lengths
  }
  return isZeroLength(below)
}

/** Turns spaced paragraphs into lines with blank lines between them, the form that Enter produces in the editor. */
export const convertSpacingToLines = (html: string): string => {
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
