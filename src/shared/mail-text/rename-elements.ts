/** Formulas as text, since MathML can contain scripts: around the element and between its children. */
export const FORMULAS = new Map([
  ['mfrac', ['(', ')/(', ')']],
  ['msqrt', ['√(', '', ')']],
  ['mtd', ['', '', ' ']],
])
/** Elements whose children after the first are raised or lowered. */
export const SCRIPTS = new Map([
  ['msup', ['sup']],
  ['mover', ['sup']],
  ['mroot', ['sup']],
  ['msub', ['sub']],
  ['munder', ['sub']],
  ['msubsup', ['sub', 'sup']],
  ['munderover', ['sub', 'sup']],
])
export const FORMULA_CLASS = 'linnet-formula-'

/** Browsers don't parse the text of some of these, and a frameset replaces the body. */
const BLOCKS = ['frameset', 'noframes', 'noembed', 'iframe', 'video', 'audio', 'object', 'canvas', 'mtr']
const INLINE = 'math maction menclose merror mfenced mi mn mo mpadded mrow ms mstyle mtable mtext semantics'.split(' ')
const NAMES = new Map([
  ...BLOCKS.map((name) => [name, 'div'] as const),
  ...INLINE.map((name) => [name, 'span'] as const),
  ...[...FORMULAS.keys(), ...SCRIPTS.keys()].map((name) => [name, `span class="${FORMULA_CLASS}${name}"`] as const),
])
const TAGS = new RegExp(`<(/?)(${[...NAMES.keys()].join('|')})(?![\\w:-])`, 'gi')

/** Renames elements whose words would be lost, before the HTML is parsed for the reader. */
export const renameElements = (html: string): string =>
  html.replace(TAGS, (_, slash: string, name: string) => {
    const renamed = NAMES.get(name.toLowerCase()) ?? 'span'
    return `<${slash}${slash === '' ? renamed : renamed.split(' ', 1).join('')}`
  })
