import type { Element } from 'domhandler'
import { contrastOf, parseLegacyColor, type RgbaColor } from '../../../shared/css/rgba-color.ts'
import { gapOf } from '../../../shared/mail-text/html-to-text.ts'
import { GAP } from '../../../shared/mail-text/text-lines.ts'
import type { ElementEffects } from './page-styles.ts'
import { effectsOf, parsePlainColor, toPixels, type Effect, type Length } from './sure-style.ts'

/** Possible colours; null if some are unknown. */
type Colors = readonly RgbaColor[] | null

/** Everything that decides whether text in an element is surely visible. */
export interface TextStyle {
  readonly inks: Colors
  /** Behind the text, behind the nearest block, and behind all elements around. */
  readonly grounds: Colors
  readonly blockGrounds: Colors
  readonly allGrounds: Colors
  /** Possible font sizes in pixels, from smallest to largest. */
  readonly sizes: readonly [number, number]
  /** Smallest line height; null for a normal one. */
  readonly line: Length | null
  /** Width for the text in pixels, at least; Infinity in a cell, which grows with its words. */
  readonly width: number
  /** True where lines don't wrap. */
  readonly isUnwrapped: boolean
  /** True if the text may be hidden by an element around it. */
  readonly isPart: boolean
  /** True if the text may run out of a box, over what follows. */
  readonly isSpilling: boolean
  /** Letters of the current word, where long words aren't broken; null elsewhere. */
  readonly run: { letters: number } | null
  /** Pixels that the line is painted over its neighbours. */
  readonly rise: number
  /** True in a table with a fixed layout, whose cells don't grow. */
  readonly isFixed: boolean
  /** True if parts of the page may have another direction, and in such a part. What is too wide there is cut off. */
  readonly isMixed: boolean
  readonly isReversed: boolean
}

const BLACK: RgbaColor = { red: 0.122, green: 0.106, blue: 0.094, alpha: 1 }
const WHITE: RgbaColor = { red: 1, green: 1, blue: 1, alpha: 1 }
const LINK: RgbaColor = { red: 0.165, green: 0.333, blue: 0.471, alpha: 1 }
const MARKED: RgbaColor = { red: 1, green: 0.902, blue: 0.58, alpha: 1 }

/** A page as the reader draws it (`frame-document.ts`), in a narrow window. */
export const PAGE_STYLE: TextStyle = {
  inks: [BLACK],
  grounds: [WHITE],
  blockGrounds: [WHITE],
  allGrounds: [WHITE],
  sizes: [14, 16],
  line: null,
  width: 320,
  isUnwrapped: false,
  isPart: false,
  isSpilling: false,
  run: null,
  rise: 0,
  isFixed: false,
  isMixed: false,
  isReversed: false,
}

/** Text is sure between these font sizes, and with at least this contrast (WCAG). */
const SIZES = { least: 8, most: 120 } as const
const MIN_CONTRAST = 1.5
/** Line height and letter width, relative to the font size. */
const LINE = { least: 0.9, overlapping: 0.7 } as const
const LETTER_WIDTH = 0.65
/** Widest space between letters that is sure, in pixels, on average. */
const MAX_SPACING = 1
/** Height of the tallest letters, relative to the font size. */
const TALLEST = 1.25
/** Width that text needs, relative to the font size. */
const MIN_WIDTH = 3
const MAX_COLORS = 30
/** Pixels that a part of a line, or its letters, may be painted over the lines around. */
const MAX_RISE = { ofLine: 3, ofLetters: 6 } as const

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const CELLS = names('td th')
const WITH_GROUND = names('table thead tbody tfoot tr td th body')
/** Grow with their content, whatever their height. */
const GROWING = names('table thead tbody tfoot tr td th img hr br html body')
/** Elements that the reader replaces, or whose look depends on the program. */
const UNSURE = names(
  'audio bdo button dialog details marquee meter noscript progress rp rt ruby s select strike del textarea',
)
/** Elements that the reader keeps with their styles; of others, it keeps the content. */
const KEPT = names(
  'a abbr acronym address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr html i img ins kbd label li main map mark menu nav nobr ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
)
/** May lie outside the box and the colours of the element around. */
const ELSEWHERE = names('caption legend')

const FONT_SIZES: Readonly<Record<string, number>> = {
  ...{ h1: 2, h2: 1.5, h3: 1.17, h4: 1, h5: 0.83, h6: 0.67 },
  ...{ small: 0.8, sub: 0.8, sup: 0.8, code: 0.8, pre: 0.8, tt: 0.8, kbd: 0.8, samp: 0.8, big: 1.2 },
}

/** Pixels of the sizes 1 to 7 of a `font` element. */
const FONT_STEPS = [10, 13, 16, 18, 24, 32, 48] as const

/** The reader's element around the mail. */
const ROOT_ID = 'linnet-mail'

/** Equal colours are one object (`parsePlainColor`). */
const union = (...all: readonly Colors[]): Colors => {
  const [first = [], ...others] = all
  if (others.every((each) => each === first)) return first
  if (all.includes(null)) return null
  const colors = [...new Set(all.flatMap((each) => each ?? []))]
  return colors.length > MAX_COLORS ? null : colors
}

/** Effects of one kind. `isSure` if one of them applies in any case, so what is inherited doesn't. */
const pick = <Kind extends Effect['kind']>(
  { own, ofRules, important }: ElementEffects,
  kind: Kind,
): { readonly found: readonly Extract<Effect, { kind: Kind }>[]; readonly isSure: boolean } => {
  const isOne = (effect: Effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === kind
  const [ofAttribute, strong] = [own.filter(isOne), important.filter(isOne)]
  if (ofAttribute.length > 0) return { found: [...ofAttribute, ...strong], isSure: true }
  return { found: [...ofRules.filter(isOne), ...strong], isSure: false }
}

const colorsOf = (
  effects: ElementEffects,
  kind: 'ink' | 'ground',
  inherited: Colors,
  hint: Colors | undefined,
): Colors => {
  const { found, isSure } = pick(effects, kind)
  const declared = found.map(({ color }): Colors => (color === 'same' ? inherited : color === null ? null : [color]))
  const isRepeated = found.length > 1 && found.some(({ color }) => color === 'same')
  const otherwise = hint === undefined ? [inherited] : [hint]
  return union(...declared, ...(isSure && !isRepeated ? [] : otherwise))
}

/** Null for a value that the reader may remove. */
const legacy = (written: string | undefined): Colors | undefined => {
  if (written !== undefined && !/^\s*(?:#?[\da-f]{3}|#?[\da-f]{6}|[a-z]+)\s*$/i.test(written)) return null
  const color = written === undefined ? null : parseLegacyColor(written)
  return color === null ? undefined : [parsePlainColor(color) ?? []].flat()
}

const inkHint = (element: Element): Colors | undefined => {
  if (element.name === 'font') return legacy(element.attribs.color)
  if (element.name === 'body') return legacy(element.attribs.text)
  if (element.name === 'a') return [LINK]
  return element.name === 'mark' ? [BLACK] : undefined
}

const groundHint = (element: Element): Colors | undefined => {
  // The reader turns this attribute into a style.
  if (element.attribs.background !== undefined) return null
  if (element.name === 'mark') return [MARKED]
  return WITH_GROUND.has(element.name) ? legacy(element.attribs.bgcolor) : undefined
}

const sizesOf = (element: Element, effects: ElementEffects, around: TextStyle['sizes']): TextStyle['sizes'] => {
  const { found, isSure } = pick(effects, 'size')
  const declared = found.flatMap(({ length: { value, unit } }) =>
    unit === 'times' ? around.map((size) => size * value) : [value],
  )
  const factor = FONT_SIZES[element.name] ?? 1
  const size = element.name === 'font' ? (element.attribs.size ?? '').trim() : ''
  const [, sign = '', step = ''] = /^([+-]?)(\d+)/.exec(size) ?? []
  const place = sign === '' ? Number(step) : 3 + Number(`${sign}${step}`)
  const ofFont = step === '' ? [] : [FONT_STEPS[Math.min(7, Math.max(1, place)) - 1] ?? 16]
  const otherwise = isSure ? [] : [...around.map((each) => each * factor), ...ofFont]
  const all = [...declared, ...otherwise]
  return [Math.min(...all), Math.max(...all)]
}

export const hasKind = ({ own, ofRules, important }: ElementEffects, ...kinds: readonly Effect['kind'][]): boolean =>
  [own, ofRules, important].some((all) => all.some(({ kind }) => kinds.includes(kind)))

/** True for boxes that grow with their content, unless another display makes them something else. */
const isGrowing = ({ name }: Element, effects: ElementEffects): boolean =>
  GROWING.has(name) && !hasKind(effects, 'block', 'inline', 'box', 'float')

const lineOf = (effects: ElementEffects, around: Length | null, [smallest]: TextStyle['sizes']): Length | null => {
  const { found, isSure } = pick(effects, 'line')
  const declared = found.map(({ length: { value, unit } }): Length =>
    unit === '%' ? { value: (value * smallest) / 100, unit: 'px' } : { value, unit },
  )
  const all = [...declared, ...(isSure || around === null ? [] : [around])]
  const inPixels = ({ value, unit }: Length): number => (unit === 'times' ? value * SIZES.least : value)
  return all.toSorted((a, b) => inPixels(a) - inPixels(b))[0] ?? null
}

/** Relative to the font size. */
const heightOf = (line: Length | null, size: number): number =>
  line === null ? Infinity : line.unit === 'times' ? line.value : line.value / size

/** How far letters may reach over the neighbouring lines, in pixels. */
const overlapOf = (line: Length | null, [, largest]: TextStyle['sizes']): number =>
  Math.max(0, ((TALLEST - heightOf(line, largest)) * largest) / 2)

/** The width, and whether the box may be wider than the one around. */
const widthOf = (element: Element, effects: ElementEffects, around: TextStyle): readonly [number, boolean] => {
  const all = [...effects.own, ...effects.ofRules, ...effects.important]
  const isTable = isGrowing(element, effects)
  const isCell = isTable && CELLS.has(element.name)
  const indents = all.flatMap((effect) => (effect.kind === 'indent' ? effect.pixels : []))
  // Both sides.
  const taken = isTable ? 0 : 2 * Math.max(0, ...indents)
  const base = isCell && !around.isFixed ? Infinity : around.width - taken
  const inPixels = ({ value, unit }: Length): number =>
    unit === '%' ? (Math.min(base, 600) * value) / 100 : unit === 'times' ? value * SIZES.least : value
  const isWide = all.some(
    (effect) =>
      (effect.kind === 'width' || effect.kind === 'least') &&
      (effect.length.unit === '%' ? effect.length.value >= 100 && taken > 0 : toPixels(effect.length) > base),
  )
  const limits = all.flatMap((effect) => {
    if (effect.kind !== 'most' && (effect.kind !== 'width' || isTable)) return []
    if (isTable && element.name === 'table') return []
    return effect.length.unit === '%' && effect.length.value >= 100 ? [] : [inPixels(effect.length)]
  })
  return [
    Math.min(base, ...limits),
    isWide || (base < Infinity && (element.name === 'table' || hasKind(effects, 'table'))),
  ]
}

/** Pixels that browsers or the reader leave on each side, on average. */
const INDENTS: Readonly<Record<string, number>> = {
  blockquote: 7,
  dd: 20,
  dir: 20,
  figure: 40,
  menu: 20,
  ol: 20,
  ul: 20,
}

const MORE_BLOCKS = names('dir hgroup listing menu search')

/** Attributes as effects: sides of a table, and gaps in its cells. */
const effectsOfAttributes = (element: Element): readonly Effect[] => {
  const effects: Effect[] = []
  const align = (element.attribs.align ?? '').toLowerCase()
  if (/^(?:left|right)$/.test(align) && /^(?:table|img)$/.test(element.name)) effects.push({ kind: 'float' })
  if (element.attribs.nowrap !== undefined || element.name === 'nobr') effects.push({ kind: 'nowrap' })
  if (element.attribs.hidden !== undefined || element.attribs.popover !== undefined || UNSURE.has(element.name))
    effects.push({ kind: 'part' })
  const indent = INDENTS[element.name]
  if (indent !== undefined) effects.push({ kind: 'indent', pixels: indent })
  if (element.name === 'font') effects.push(...effectsOf('font-family', element.attribs.face ?? 'serif'))
  // Cells of later rows may lie over it.
  if (Number(element.attribs.rowspan ?? 1) !== 1) effects.push({ kind: 'page' })
  const sizes = ['cellpadding', 'cellspacing', 'border', 'hspace', 'vspace'].map((name) => element.attribs[name] ?? '0')
  if (sizes.some((size) => Number.parseFloat(size) > 200)) effects.push({ kind: 'page' })
  const sides = ['width', 'height'].map((name) => element.attribs[name] ?? '0')
  if (sides.some((side) => Number.parseFloat(side) > 4_000)) effects.push({ kind: 'page' })
  const [, wide = '', unit = ''] = /^\s*(\d+)(?:\.\d*)?(%?)/.exec(sides[0] ?? '') ?? []
  if (element.name !== 'img' && Number(wide) > 0) effects.push(...effectsOf('min-width', `${wide}${unit || 'px'}`))
  return effects
}

/** The style of the text in an element, and whether the element may cover or move other text. */
export const computeTextStyle = (
  around: TextStyle,
  element: Element,
  ofStyles: ElementEffects,
): { readonly style: TextStyle; readonly isCovering: boolean } => {
  const effects = { ...ofStyles, ofRules: [...ofStyles.ofRules, ...effectsOfAttributes(element)] }
  const { name } = element
  const isOut = hasKind(effects, 'float') || ELSEWHERE.has(name)
  const isSureBlock =
    gapOf(name) >= GAP.line ||
    CELLS.has(name) ||
    isOut ||
    effects.own.some(({ kind }) => kind === 'block' || kind === 'box')
  const isBox = isSureBlock || MORE_BLOCKS.has(name) || hasKind(effects, 'block', 'box')
  const [width, isWide] = widthOf(element, effects, around)
  // May lie beside the boxes around.
  const base = isOut || isWide ? around.allGrounds : isBox ? union(around.grounds, around.blockGrounds) : around.grounds
  const own = colorsOf(effects, 'ground', base, groundHint(element))
  const grounds = hasKind(effects, 'round', 'hang') ? union(own, base) : own
  const isInline = !isBox || hasKind(effects, 'inline')
  const all = [...effects.own, ...effects.ofRules, ...effects.important]
  const sizes = sizesOf(element, effects, around.sizes)
  const line = lineOf(effects, around.line, sizes)
  // Paddings, borders and raised letters of a line add up, also of lines within lines.
  const ownRise = all.reduce(
    (sum, effect) => sum + (effect.kind === 'rise' ? effect.pixels : 0),
    /^su[bp]$/.test(name) ? 2 : own === base ? 0 : overlapOf(line, sizes),
  )
  const rise = isInline ? around.rise + ownRise : 0
  const hang = Math.max(0, ...all.map((effect) => (effect.kind === 'hang' ? effect.pixels : 0)))
  const left = all.flatMap((effect) => (effect.kind === 'left' ? effect.pixels : []))
  const hasClip = hasKind(effects, 'clip')
  const hasHeight = !isGrowing(element, effects) && hasKind(effects, 'height')
  const isFixed = name === 'table' ? hasKind(effects, 'fixed') : around.isFixed
  const { dir } = element.attribs
  const isReversed = around.isReversed || dir?.toLowerCase() === 'rtl' || (around.isMixed && dir !== undefined)
  // The column of a table styles cells that are elsewhere.
  const isColumn = /^col(?:group)?$/.test(name) && hasKind(effects, 'ground', 'part', 'hidden', 'clip')
  return {
    isCovering:
      hasKind(effects, 'page') ||
      (!KEPT.has(name) && (all.length > 0 || element.attribs.bgcolor !== undefined)) ||
      (name === 'html' && hasKind(effects, 'size')) ||
      isColumn ||
      // Nothing around the mail scrolls.
      ((name === 'body' || element.attribs.id === ROOT_ID) && hasKind(effects, 'table', 'inline', 'box')) ||
      (isInline && ownRise > 0 && rise > MAX_RISE.ofLine) ||
      hang > (isReversed || around.isMixed ? 0 : Math.min(Infinity, ...left)),
    style: {
      inks: colorsOf(effects, 'ink', around.inks, inkHint(element)),
      grounds,
      // A rule may make it a block, or may not.
      blockGrounds: isInline ? around.blockGrounds : isSureBlock ? grounds : union(around.blockGrounds, grounds),
      // The reader scrolls what is too wide, on the page's own ground.
      allGrounds: element.attribs.id === ROOT_ID ? grounds : union(around.allGrounds, grounds),
      sizes,
      line,
      width,
      isUnwrapped: around.isUnwrapped || hasKind(effects, 'nowrap'),
      run: name === 'table' || hasKind(effects, 'unbroken') ? { letters: 0 } : around.run,
      rise,
      isPart: around.isPart || isFixed || hasKind(effects, 'part', 'hidden', 'clip', 'float') || (isReversed && isWide),
      isSpilling: around.isSpilling || (hasHeight && !hasClip),
      isFixed,
      isMixed: around.isMixed,
      isReversed,
    },
  }
}

/** Letters of other scripts may be twice as wide. */
const countLetters = (words: string): number => words.length + (words.match(/[^ -~]/g)?.length ?? 0)

/** Letters of the longest word, which may have begun in the text before. */
const longestRun = (run: { letters: number }, words: string): number => {
  let longest = run.letters
  for (const [place, word] of words.split(/\s+/).entries()) {
    run.letters = (place === 0 ? run.letters : 0) + countLetters(word)
    longest = Math.max(longest, run.letters)
  }
  return longest
}

const hasContrast = (inks: Colors, grounds: Colors): boolean =>
  inks !== null &&
  grounds !== null &&
  inks.every((ink) => grounds.every((ground) => contrastOf(ink, ground) >= MIN_CONTRAST))

/**
 * Says if text with this style can surely be seen.
 * @returns `page` if it may cover other text
 */
export const judgeText = (style: TextStyle, words: string): 'sure' | 'part' | 'page' => {
  const { inks, grounds, sizes, line, width, run } = style
  const [smallest, largest] = sizes
  const wide = LETTER_WIDTH * largest + MAX_SPACING
  const height = heightOf(line, largest)
  const isRunningOut =
    (style.isUnwrapped && width < Infinity) || (run !== null && longestRun(run, words) * wide > width)
  const isTight = overlapOf(line, sizes) > MAX_RISE.ofLetters
  if (style.isSpilling || height < LINE.overlapping || isTight || isRunningOut) return 'page'
  const hasRoom =
    height >= LINE.least && width >= MIN_WIDTH * smallest && smallest >= SIZES.least && largest <= SIZES.most
  return hasRoom && !style.isPart && hasContrast(inks, grounds) ? 'sure' : 'part'
}
