import { parseHex } from 'culori/fn'

/** What a style says of whether the words in an element can be seen; undefined where it says nothing. */
interface Declared {
  /** All that is in it is hidden, whatever that says of itself. */
  readonly isGone?: boolean
  /** What the elements in it take over until they say otherwise. */
  readonly isTooSmall?: boolean
  readonly isInvisible?: boolean
  readonly color?: string
  readonly background?: string
}

const GONE: readonly RegExp[] = [
  /(?:^|[;\s])display\s*:\s*none/,
  /(?:^|[;\s])content-visibility\s*:\s*hidden/,
  /(?:^|[;\s])opacity\s*:\s*(?:0?\.0\d*|0(?:\.0+)?)%?\s*(?:;|!|$)/,
  /(?:^|[;\s])max-(?:height|width)\s*:\s*[01]?(?:\.\d+)?(?:px|pt|em|%)?\s*(?:;|!|$)/,
  /(?:^|[;\s])text-indent\s*:\s*-\d{3,}/,
  /(?:^|[;\s])(?:margin-left|margin-top)\s*:\s*-\d{3,}/,
  /(?:^|[;\s])clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]|inset\(\s*(?:50|100)%)/,
  /(?:^|[;\s])mso-hide\s*:\s*all/,
]
const NO_ROOM = /(?:^|[;\s])(?:height|width)\s*:\s*[01]?(?:\.\d+)?(?:px|pt|em|%)?\s*(?:;|!|$)/
const PLACED = /(?:^|[;\s])position\s*:\s*(?:absolute|relative|fixed)/
const OUTSIDE = /(?:^|[;\s])(?:left|top|right|bottom)\s*:\s*-\d{3,}/
const CUT = /(?:^|[;\s])overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/
const FONT_SIZE = /(?:^|[;\s])font(?:-size)?\s*:[^;]*?(\d*\.?\d+)(px|pt|em|rem|%|)?(?=[\s;/!]|$)/
const VISIBILITY = /(?:^|[;\s])visibility\s*:\s*(\w+)/
const COLOR = /(?:^|[;\s])color\s*:\s*([^;!]+)/
const BACKGROUND = /(?:^|[;\s])background(?:-color)?\s*:\s*([^;!]+)/

const SMALLEST = 3

/** @param style declarations, in small letters */
const readDeclared = (style: string): Declared => {
  const isGone =
    GONE.some((hiding) => hiding.test(style)) ||
    (NO_ROOM.test(style) && CUT.test(style)) ||
    (OUTSIDE.test(style) && PLACED.test(style))
  const size = FONT_SIZE.exec(style)
  const visibility = VISIBILITY.exec(style)?.[1]
  const color = COLOR.exec(style)?.[1]?.trim()
  const background = BACKGROUND.exec(style)?.[1]?.trim()
  // Parts of the size around it are small where they are nothing.
  const isRelative = /^(?:em|rem|%)$/.test(size?.[2] ?? '')
  return {
    ...(isGone ? { isGone } : {}),
    ...(size === null ? {} : { isTooSmall: Number(size[1]) < (isRelative ? 0.1 : SMALLEST) }),
    ...(visibility === undefined ? {} : { isInvisible: visibility === 'hidden' || visibility === 'collapse' }),
    ...(color === undefined ? {} : { color }),
    ...(background === undefined ? {} : { background }),
  }
}

interface StyleRule {
  readonly selector: string
  readonly declared: Declared
}

/** Whether rules under such a head hold for what is on the screen now. */
const holds = (head: string): boolean => {
  if (/^@(?:-webkit-)?(?:keyframes|page|font-face|property)/.test(head)) return false
  const media = /^@media\s*([^]*)$/.exec(head)
  // Where that cannot be told, what would be hidden is: rather words too few than words that nobody saw.
  return media === null || typeof matchMedia === 'undefined' || matchMedia(media[1] ?? '').matches
}

/** The rules of a style sheet that say whether words are seen. */
const rulesOf = (sheet: string): readonly StyleRule[] => {
  const css = sheet.replace(/\/\*[^]*?\*\//g, '').replace(/"[^"\n]*"|'[^'\n]*'/g, (text) => text.replace(/[{};]/g, ''))
  const rules: StyleRule[] = []
  const heads: string[] = []
  let begun = 0
  for (const { index, 0: mark } of css.matchAll(/[{};]/g)) {
    const piece = css.slice(begun, index).trim()
    if (mark === '{') heads.push(piece.toLowerCase().startsWith('@') ? piece.toLowerCase() : piece)
    else if (mark === ';' && heads.length > 0 && !(heads.at(-1) ?? '').startsWith('@')) continue
    else if (mark === '}') {
      const selector = heads.pop()
      if (
        selector !== undefined &&
        !selector.startsWith('@') &&
        heads.every((head) => !head.startsWith('@') || holds(head))
      ) {
        rules.push({ selector, declared: readDeclared(piece.toLowerCase()) })
      }
    }
    begun = index + 1
  }
  return rules.filter(({ declared }) => Object.keys(declared).length > 0)
}

/** What an element hands down to those in it. */
interface Surroundings {
  readonly isTooSmall: boolean
  readonly isInvisible: boolean
  readonly color: string
  /** Null where it is no plain colour: a picture, or a course of colours. */
  readonly background: string | null
}

const PAGE: Surroundings = { isTooSmall: false, isInvisible: false, color: '#000000', background: '#ffffff' }

const NAMED: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  snow: '#fffafa',
  ivory: '#fffff0',
}

/** A colour as its three parts from 0 to 1; null for one that is written in another way. */
const partsOf = (color: string): readonly number[] | null => {
  const rgb = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(color)
  if (rgb !== null) return rgb.slice(1, 4).map((part) => Number(part) / 255)
  const parsed = parseHex(NAMED[color] ?? color)
  return parsed === undefined ? null : [parsed.r, parsed.g, parsed.b]
}

const isClear = (color: string): boolean =>
  color === 'transparent' || /^(?:rgba|hsla)\([^)]*[,\s/]0(?:\.0+)?\s*\)$/.test(color)

/** Differences that no eye sees. */
const ALIKE = 0.06

const isDrawnAway = ({ color, background }: Surroundings): boolean => {
  if (isClear(color)) return true
  const [words, paper] = [partsOf(color), background === null ? null : partsOf(background)]
  if (words === null || paper === null) return false
  return words.every((part, index) => Math.abs(part - (paper[index] ?? 0)) < ALIKE)
}

const within = (around: Surroundings, { isTooSmall, isInvisible, color, background }: Declared): Surroundings => ({
  isTooSmall: isTooSmall ?? around.isTooSmall,
  isInvisible: isInvisible ?? around.isInvisible,
  color: color === undefined || color === 'inherit' ? around.color : color,
  background:
    background === undefined || isClear(background) || /^(?:none|inherit|initial)$/.test(background)
      ? around.background
      : partsOf(background) === null
        ? null
        : background,
})

/** Elements that browsers themselves do not show, whatever a style sheet says of others. */
const UNSHOWN = '[hidden], dialog:not([open])'

/** What attributes say without a style: those that hide, and those that were there before styles were. */
const attributesOf = (element: Element): Declared => {
  const background = element.getAttribute('bgcolor')?.trim().toLowerCase()
  const color = element.localName === 'font' ? element.getAttribute('color')?.trim().toLowerCase() : undefined
  return {
    ...(element.matches(UNSHOWN) ? { isGone: true } : {}),
    ...(background === undefined ? {} : { background }),
    ...(color === undefined ? {} : { color }),
    ...(element.hasAttribute('background') ? { background: 'picture' } : {}),
  }
}

/**
 * Takes the words and pictures away that mail and web pages have in the text and show nobody: they would be seen, or sent
 * in the person's name, where the style is gone. Style sheets go as well.
 */
export const removeUnseen = (root: Element | DocumentFragment): void => {
  const bySheets = new Map<Element, Declared>()
  for (const sheet of [...root.querySelectorAll('style')]) {
    for (const { selector, declared } of rulesOf(sheet.textContent)) {
      try {
        for (const element of root.querySelectorAll(selector)) {
          bySheets.set(element, { ...bySheets.get(element), ...declared })
        }
      } catch {
        // A browser passes over a selector that it does not know, with its rule.
      }
    }
    sheet.remove()
  }
  const walk = (parent: Element | DocumentFragment, around: Surroundings): void => {
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 3) {
        const isUnseen = around.isTooSmall || around.isInvisible || isDrawnAway(around)
        if (isUnseen && (node.nodeValue ?? '').trim() !== '') node.remove()
        continue
      }
      if (node.nodeType !== 1) continue
      const element = node as Element
      const inline = readDeclared((element.getAttribute('style') ?? '').toLowerCase())
      const declared = { ...attributesOf(element), ...bySheets.get(element), ...inline }
      if (declared.isGone === true) element.remove()
      else if (element.localName === 'img' && within(around, declared).isInvisible) element.remove()
      else walk(element, within(around, declared))
    }
  }
  walk(root, PAGE)
}
