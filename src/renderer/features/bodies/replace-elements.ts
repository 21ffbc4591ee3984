/** Formulas as text, since MathML can contain scripts: around the element and between its children. */
const FORMULAS = new Map([
  ['mfrac', ['(', ')/(', ')']],
  ['msqrt', ['√(', '', ')']],
  ['mtd', ['', '', ' ']],
])
/** Elements whose children after the first are raised or lowered. */
const SCRIPTS = new Map([
  ['msup', ['sup']],
  ['mover', ['sup']],
  ['mroot', ['sup']],
  ['msub', ['sub']],
  ['munder', ['sub']],
  ['msubsup', ['sub', 'sup']],
  ['munderover', ['sub', 'sup']],
])
const FORMULA_CLASS = 'linnet-formula-'

/** Browsers don't parse the text of some of these, and a frameset replaces the body. */
const BLOCKS = ['frameset', 'noframes', 'noembed', 'iframe', 'video', 'audio', 'object', 'canvas', 'mtr']
const INLINE = 'math maction menclose merror mfenced mi mn mo mpadded mrow ms mstyle mtable mtext semantics'.split(' ')
const NAMES = new Map([
  ...BLOCKS.map((name) => [name, 'div'] as const),
  ...INLINE.map((name) => [name, 'span'] as const),
  ...[...FORMULAS.keys(), ...SCRIPTS.keys()].map((name) => [name, `span class="${FORMULA_CLASS}${name}"`] as const),
])
const TAGS = new RegExp(`<(/?)(${[...NAMES.keys()].join('|')})(?![\\w:-])`, 'gi')

/** Renames elements whose words would be lost, before the HTML is parsed. */
export const renameElements = (html: string): string =>
  html.replace(TAGS, (_, slash: string, name: string) => {
    const renamed = NAMES.get(name.toLowerCase()) ?? 'span'
    return `<${slash}${slash === '' ? renamed : renamed.split(' ', 1).join('')}`
  })

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
