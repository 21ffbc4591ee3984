import { FORMULA_CLASS, FORMULAS, SCRIPTS } from '../../../shared/mail-text/rename-elements.ts'

const writeFormulas = (root: Element): void => {
  // Children first, so that a fraction within a fraction is complete.
  for (const element of [...root.querySelectorAll(`[class^="${FORMULA_CLASS}"]`)].toReversed()) {
    const name = element.className.slice(FORMULA_CLASS.length)
    const [open = '', between = '', close = ''] = FORMULAS.get(name) ?? []
    for (const [place, child] of [...element.children].slice(1).entries()) {
      const script = SCRIPTS.get(name)?.[place]
      if (script === undefined) child.before(between)
      else {
        const moved = element.ownerDocument.createElement(script)
        child.replaceWith(moved)
        moved.append(child)
      }
    }
    element.prepend(open)
    element.append(close)
    element.removeAttribute('class')
  }
}

const BOXES = '[role="checkbox" i], [role="radio" i], [role="switch" i], [data-checked], [data-list], .task-list-item'
const BOX_CHARACTER = /^\s*[\u2610-\u2612\u2705\u2713-\u2718\u25a0-\u25a3\u25c9-\u25cf]/

const isChecked = (box: Element): boolean => {
  const said = ['aria-checked', 'data-checked', 'data-list'].map((name) => box.getAttribute(name)?.toLowerCase())
  return said.some((value) => value === 'true' || value === 'checked') || /\bchecked\b/i.test(box.className)
}

const textOfField = (field: Element): string => {
  const type = field.getAttribute('type')?.toLowerCase() ?? 'text'
  if (type === 'checkbox' || type === 'radio') return field.hasAttribute('checked') ? '☑' : '☐'
  return /^(?:hidden|password|file|image|range|color)$/.test(type) ? '' : (field.getAttribute('value') ?? '')
}

/** Replaces formulas and fields with text, in particular check boxes, which say what is done. */
export const replaceElements = (root: Element): void => {
  writeFormulas(root)
  for (const box of root.querySelectorAll(BOXES)) {
    const list = box.getAttribute('data-list')?.toLowerCase()
    const isOther = list !== undefined && list !== 'checked' && list !== 'unchecked'
    const hasOwn = box.querySelector(`input, ${BOXES}`) !== null || BOX_CHARACTER.test(box.textContent)
    if (!isOther && !hasOwn) box.prepend(isChecked(box) ? '☑ ' : '☐ ')
    for (const name of ['data-checked', 'data-list']) box.removeAttribute(name)
  }
  for (const other of root.querySelectorAll('[src]:not(img, input)')) other.removeAttribute('src')
  for (const field of root.querySelectorAll('input')) field.replaceWith(textOfField(field))
}
