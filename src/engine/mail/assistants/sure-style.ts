import { parseCssColor, type RgbaColor } from '../../../shared/css/rgba-color.ts'

/**
 * Effect of a declaration on the text of its element. Only declarations on the lists below are known to hide nothing;
 * `part` may hide the text inside, and `page` may also cover or move other text.
 */
export type Effect =
  | { readonly kind: 'none' | 'part' | 'page' | 'hidden' }
  /** Null for a colour that isn't known. `same` for that of the parent. */
  | { readonly kind: 'ink' | 'ground'; readonly color: RgbaColor | null | 'same' }
  /** `most` and `least` for the largest and the smallest width. */
  | { readonly kind: 'size' | 'line' | 'width' | 'most' | 'least'; readonly length: Length }
  /**
   * Pixels taken from the width; above and below a line of text, where it is painted over its neighbours; free on the
   * left; and to the left of the first letter.
   */
  | { readonly kind: 'indent' | 'rise' | 'left' | 'hang'; readonly pixels: number }
  | {
      readonly kind:
        | 'height'
        | 'clip'
        | 'nowrap'
        | 'float'
        | 'block'
        | 'inline'
        | 'box'
        | 'table'
        | 'fixed'
        | 'unbroken'
        | 'round'
    }

export interface Length {
  readonly value: number
  /** `times` for multiples of the font size. */
  readonly unit: 'px' | 'times' | '%'
}

const NONE: Effect = { kind: 'none' }
const PART: Effect = { kind: 'part' }
const PAGE: Effect = { kind: 'page' }

const PIXELS: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, rem: 16 }

const parseLength = (written: string): Length | null => {
  const [, number = '', unit = ''] =
    /^\+?(-?(?:\d+(?:\.\d+)?|\.\d+))(px|pt|in|cm|mm|rem|em|ex|ch|%|)$/.exec(written) ?? []
  if (number === '') return null
  const value = Number(number)
  if (unit === '%') return { value, unit: '%' }
  if (unit === 'em') return { value, unit: 'times' }
  if (unit === 'ex' || unit === 'ch') return { value: value / 2, unit: 'times' }
  if (unit === '') return value === 0 ? { value, unit: 'px' } : null
  return { value: value * (PIXELS[unit] ?? 1), unit: 'px' }
}

const isWithin = (length: Length | null, pixels: number, least = 0): boolean =>
  length !== null &&
  length.value >= least &&
  length.value <= { px: pixels, times: pixels / 16, '%': pixels / 10 }[length.unit]

/** Pixels at most, for a window of ordinary width. */
export const toPixels = ({ value, unit }: Length): number => value * { px: 1, times: 16, '%': 6 }[unit]

/** Only notations that every browser reads in the same way. */
const PLAIN_COLOR =
  /^(?:#[\da-f]{3}|#[\da-f]{6}|[a-z]+|rgba?\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*(?:,\s*1(?:\.0*)?\s*)?\))$/

const knownColors = new Map<string, RgbaColor | null>()
const MAX_KNOWN = 2_000

/** Null for anything but a plain, opaque colour. Equal notations give the same object. */
export const parsePlainColor = (written: string): RgbaColor | null => {
  const known = knownColors.get(written)
  if (known !== undefined) return known
  const parsed = PLAIN_COLOR.test(written) ? parseCssColor(written) : null
  const color = parsed === null || parsed.alpha < 1 ? null : parsed
  if (knownColors.size >= MAX_KNOWN) knownColors.clear()
  knownColors.set(written, color)
  return color
}

/** Longest lengths that are sure, in pixels. */
const MAX = { room: 200, border: 30, gap: 60, width: 700, radius: 40, spacing: 1 } as const

const KEEPS = /^(?:inherit|initial|unset)$/

/** A shorthand of lengths. @param least shortest length, in pixels */
const lengths = (value: string, most: number, least = 0): Effect => {
  if (value === 'inherit') return { kind: 'indent', pixels: most }
  if (KEEPS.test(value)) return NONE
  const parts = value.split(' ')
  let pixels = 0
  for (const part of parts) {
    const length = part === 'auto' ? null : parseLength(part)
    if (part === 'auto') continue
    if (length === null || !isWithin(length, most, least)) return PAGE
    pixels = Math.max(pixels, toPixels(length))
  }
  return parts.length > 4 ? PAGE : { kind: 'indent', pixels }
}

/** Margins or paddings: of all sides, or the left one. */
const room = (value: string): readonly Effect[] => {
  const [above = '', right = above, , left = right] = value.split(' ')
  const length = left === 'auto' ? null : parseLength(left)
  return [lengths(value, MAX.room), { kind: 'left', pixels: length === null ? 0 : toPixels(length) }]
}

const padding = (value: string): readonly Effect[] => {
  const [above = '', , below = above] = value.split(' ')
  const rise = lengths(`${above} ${below}`, MAX.room)
  // A multiple of the largest letters, in the worst case.
  const factor = /(?:em|ex|ch)\b/.test(`${above} ${below}`) ? 4 : 1
  return [...room(value), rise.kind === 'indent' ? { kind: 'rise', pixels: rise.pixels * factor } : rise]
}

const border = (value: string): Effect | readonly Effect[] => {
  const parts = value.split(' ')
  if (/[a-z-]+\((?!\s*\d)/.test(value) || parts.length > 8) return PAGE
  const thick = parts.flatMap((part) => parseLength(part) ?? [])
  if (!thick.every((length) => isWithin(length, MAX.border))) return PAGE
  const pixels = value === 'inherit' ? MAX.border : thick.length === 0 ? 5 : Math.max(...thick.map(toPixels))
  return [
    { kind: 'indent', pixels },
    { kind: 'rise', pixels },
  ]
}

const color =
  (kind: 'ink' | 'ground') =>
  (value: string): Effect => {
    if (value === 'inherit' || (kind === 'ground' && value === 'transparent')) return { kind, color: 'same' }
    return { kind, color: parsePlainColor(value) }
  }

/** Parts of `background` that draw nothing. */
const LAYOUT_OF_BACKGROUND =
  /^(?:none|repeat(?:-[xy])?|no-repeat|scroll|fixed|local|top|right|bottom|left|center|\/|-?[\d.]+(?:px|%|em|pt)?)$/

const background = (value: string): Effect | readonly Effect[] => {
  const parts = value
    .replace(/\(\s*/g, '(')
    .replace(/\s*\)/g, ')')
    .replace(/\s*,\s*/g, ',')
    .split(' ')
  const telling = parts.filter((part) => !LAYOUT_OF_BACKGROUND.test(part))
  const [only] = telling
  if (only === undefined || KEEPS.test(value)) return { kind: 'ground', color: 'same' }
  if (telling.length > 1) return { kind: 'ground', color: null }
  // With other parts, the declaration may be invalid.
  return parts.length === 1 ? color('ground')(only) : [color('ground')(only), { kind: 'ground', color: 'same' }]
}

const SIZES: Readonly<Record<string, number>> = {
  ...{ 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, initial: 16 },
}

const size = (value: string): Effect => {
  const factor = { inherit: 1, larger: 1.2, smaller: 0.8 }[value]
  if (factor !== undefined) return { kind: 'size', length: { value: factor, unit: 'times' } }
  const named = SIZES[value]
  const length = named === undefined ? parseLength(value) : ({ value: named, unit: 'px' } as const)
  // A resolution is no size, and is ignored.
  if (/^\d+x$/.test(value)) return PART
  if (length === null || /(?:ex|ch)$/.test(value)) return PAGE
  return { kind: 'size', length: length.unit === '%' ? { value: length.value / 100, unit: 'times' } : length }
}

const lineHeight = (value: string): Effect => {
  if (value === 'inherit' || value === 'normal' || value === 'initial') return NONE
  if (/^\d*\.?\d+$/.test(value)) return { kind: 'line', length: { value: Number(value), unit: 'times' } }
  const length = parseLength(value)
  if (length === null) return PAGE
  // Only a plain number is passed on as a factor.
  return { kind: 'line', length: length.unit === 'times' ? { value: length.value * 100, unit: '%' } : length }
}

/** Fonts that draw other letters than the text has, or none. */
const ODD_FONTS = /dings|blank|barcode|redact|hidden|invisible|last ?resort|(?:^|[,'"]\s*)symbol\b/i
const FAMILY = /^(?:-?[a-z_][\w-]*(?: -?[a-z_][\w-]*)*|'[^'"\\]*'|"[^'"\\]*")$/
const families = (value: string): Effect =>
  value === 'inherit' ||
  (!ODD_FONTS.test(value) &&
    value
      .split(',')
      .every((name) => FAMILY.test(name.trim()) && !/^(?:inherit|initial|unset|revert.*|default)$/.test(name.trim())))
    ? NONE
    : PART

const FONT =
  /^(?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]00) )*([\w.%-]+)(?: ?\/ ?([\w.%-]+))? ([^/]+)$/

/** Room that every window has, or nearly: many newsletters are this wide. */
const isNarrow = (length: Length): boolean =>
  length.unit === '%' ? length.value <= 100 : toPixels(length) <= MAX.width

const width =
  (kind: 'width' | 'most' | 'least') =>
  (value: string): Effect | readonly Effect[] => {
    if (/^(?:auto|none|initial|unset)$/.test(value)) return NONE
    const length = parseLength(value)
    if (length === null || length.value > 4_000) return PAGE
    // A wider box may put its text beside the window.
    return kind !== 'most' && !isNarrow(length) ? [PART, { kind, length }] : { kind, length }
  }

const words =
  (list: string, otherwise: Effect = PART) =>
  (value: string): Effect =>
    new RegExp(`^(?:${list}|inherit)$`).test(value) ? NONE : otherwise

const spacing = (value: string, least = 0): Effect =>
  /^(?:normal|inherit|initial)$/.test(value) || isWithin(parseLength(value), MAX.spacing, least) ? NONE : PAGE

/** Letters in the corners of a very round box may lie outside its colour. */
const radius = (value: string): Effect =>
  value.split(/[ /]+/).every((part) => isWithin(parseLength(part), MAX.radius) && !part.endsWith('%'))
    ? NONE
    : { kind: 'round' }

type Judge = (value: string) => Effect | readonly Effect[]

const NO = 'none|normal|auto|0|1|initial|unset'

const each = (names: readonly string[], judge: Judge): Readonly<Record<string, Judge>> =>
  Object.fromEntries(names.map((name) => [name, judge]))

/** A property with those of its four sides. */
const sides = (name: string, part = ''): readonly string[] =>
  ['', '-top', '-right', '-bottom', '-left'].map((side) => `${name}${side}${part}`)

/** Properties that hide nothing, whatever their value. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'align-content align-items align-self background-attachment background-origin background-position ' +
    'background-position-x background-position-y background-repeat background-size border-collapse box-sizing ' +
    'break-after break-before break-inside caption-side caret-color clear color-adjust color-scheme cursor ' +
    'empty-cells font-kerning font-smoothing font-variant-ligatures font-variant-numeric forced-color-adjust hyphens ' +
    'image-rendering justify-content line-break list-style-position nbsp-mode object-fit orphans ' +
    'overflow-scrolling page page-break-after page-break-before page-break-inside print-color-adjust ' +
    'supported-color-schemes tap-highlight-color text-align text-align-last text-decoration-color ' +
    'text-decoration-skip text-decoration-skip-ink text-justify text-overflow text-rendering ' +
    'text-underline-position touch-callout transition transition-duration transition-property user-select widows'
  ).split(' '),
)

/** Effects of each known property by its value. Any other property may hide or cover text. */
const PROPERTIES: Readonly<Record<string, Judge>> = {
  ...each(sides('padding'), padding),
  'padding-left': room,
  'padding-right': (value) => lengths(value, MAX.room),
  ...each(sides('margin'), (value) => lengths(value, MAX.room)),
  margin: room,
  'margin-left': room,
  ...each(
    ['', '-width', '-style', '-color'].flatMap((part) => sides('border', part)),
    border,
  ),
  ...each(
    ['', '-top-left', '-top-right', '-bottom-left', '-bottom-right'].map((corner) => `border${corner}-radius`),
    radius,
  ),
  'border-spacing': (value) => lengths(value, MAX.border),
  outline: words('none|0|0px|none 0|0 none|medium none', PAGE),
  'box-shadow': words(NO, PAGE),
  ...each(['text-shadow', 'appearance', 'clip', 'clip-path', 'mask', 'mask-image'], words(NO)),
  color: color('ink'),
  'text-fill-color': () => PART,
  'background-color': color('ground'),
  background,
  'background-image': (value) => (value === 'none' || KEEPS.test(value) ? NONE : { kind: 'ground', color: null }),
  'background-clip': words('border-box|padding-box|initial'),
  'font-size': size,
  'line-height': lineHeight,
  'font-family': families,
  font: (value) => {
    if (value === 'inherit') return NONE
    const [, ofText = '', ofLine = 'normal', named = ''] = FONT.exec(value) ?? []
    const before = value.slice(0, value.indexOf(ofText)).trim().split(' ')
    const isOdd =
      ofText === '' || new Set(before).size < before.length || families(named) !== NONE || named === 'inherit'
    return isOdd ? PAGE : [size(ofText), lineHeight(ofLine)]
  },
  'font-weight': words('normal|bold|bolder|lighter|[1-9]0?0?|[1-9]\\d\\d|1000|initial'),
  'font-style': words('normal|italic|oblique|initial'),
  ...each(['font-variant', 'font-variant-caps'], words('normal|small-caps|initial')),
  'font-stretch': words('normal|initial|100%'),
  'font-feature-settings': words('normal'),
  'text-size-adjust': words('none|auto|100%'),
  'text-transform': words('none|uppercase|lowercase|capitalize|initial'),
  'text-decoration': words(
    '(?:(?:none|underline|overline|solid|dotted|dashed|initial|inherit|unset|currentcolor|#[\\da-f]{3,6}|(?!line-)[a-z]+)(?: |$))+',
    PAGE,
  ),
  'text-decoration-line': words('none|underline|overline'),
  'text-decoration-style': words('solid|dotted|dashed|double|initial'),
  'text-indent': (value) => {
    const length = parseLength(value)
    if (length !== null && length.value < 0 && isWithin(length, 0, -MAX.gap))
      return { kind: 'hang', pixels: -toPixels(length) }
    return isWithin(length, MAX.gap) ? NONE : PAGE
  },
  'letter-spacing': (value) => spacing(value, value.endsWith('px') ? -1 : 0),
  'word-spacing': (value) => spacing(value),
  'vertical-align': words('baseline|top|middle|bottom|text-top|text-bottom|super|sub|initial|center', PAGE),
  'white-space': (value) =>
    /^(?:nowrap|pre)$/.test(value) ? { kind: 'nowrap' } : words('normal|pre-wrap|pre-line|break-spaces|initial')(value),
  'word-break': words('normal|break-word|break-all|keep-all|initial|auto|word'),
  ...each(['overflow-wrap', 'word-wrap'], words('break-word|anywhere', { kind: 'unbroken' })),
  'unicode-bidi': words('normal|embed|isolate|plaintext'),
  'tab-size': (value) => (/^[0-8]$/.test(value) ? NONE : PART),
  'list-style': words('[a-z -]+'),
  'list-style-type': words('[a-z-]+'),
  'list-style-image': words('none'),
  'table-layout': (value) => (value === 'fixed' ? { kind: 'fixed' } : NONE),
  'text-stroke-width': words('0|0px', PAGE),
  width: width('width'),
  'max-width': width('most'),
  'min-width': width('least'),
  height: (value) =>
    value === 'auto' || value === 'initial'
      ? NONE
      : (parseLength(value)?.value ?? 0) > 4_000
        ? PAGE
        : { kind: 'height' },
  'max-height': (value) => (value === 'none' || value === 'initial' ? NONE : { kind: 'height' }),
  'min-height': (value) =>
    /^(?:auto|initial|inherit)$/.test(value) || isWithin(parseLength(value), 2_000) ? NONE : PAGE,
  ...each(['overflow', 'overflow-x', 'overflow-y'], () => ({ kind: 'clip' })),
  display: (value) => {
    if (value === 'none') return { kind: 'hidden' }
    if (/^(?:block|list-item)$/.test(value)) return { kind: 'block' }
    if (/^table(?:-row|-cell|-row-group|-header-group|-footer-group)?$/.test(value))
      return [{ kind: 'block' }, { kind: 'table' }]
    if (value === 'inline' || value === 'initial') return { kind: 'inline' }
    // Something else than none, in any case.
    if (value === 'inline-table') return [{ kind: 'box' }, { kind: 'table' }]
    return value === 'inline-block' ? { kind: 'box' } : [PART, { kind: 'block' }]
  },
  visibility: words('visible|initial'),
  opacity: words('1|1\\.0*|100%'),
  float: (value) =>
    value === 'none' || value === 'initial' ? NONE : /^(?:left|right)$/.test(value) ? { kind: 'float' } : PAGE,
  position: words('static|relative|initial', PAGE),
  ...each(['top', 'right', 'bottom', 'left'], words('auto|0|0px|initial', PAGE)),
  'z-index': (value) => (/^(?:auto|\d{1,9})$/.test(value) ? NONE : PAGE),
  'content-visibility': words('visible|auto'),
  zoom: words('1|100%|normal', PAGE),
}

/** Names that Chromium doesn't know: of other browsers, of Word, custom properties, and tricks for old programs. */
const UNKNOWN =
  /^(?:mso-|-?ms-|-moz-|-o-|-khtml-|-apple-|--|[*_]|panose-|tab-stops|text-underline$|text-effect$|layout-grid|interpolation-mode)/

/** Names that Chromium knows with its prefix. */
const ALIASES =
  /^-webkit-(?:animation|appearance|background-(?:clip|origin|size)|border-(?:image|radius|(?:top|bottom)-(?:left|right)-radius)|box-(?:shadow|sizing)|clip-path|filter|font-(?:feature-settings|smoothing)|hyphens|line-break|mask|mask-image|nbsp-mode|overflow-scrolling|print-color-adjust|tap-highlight-color|text-(?:decoration|decoration-skip|fill-color|security|size-adjust|stroke-width)|touch-callout|transform|transition|transition-(?:property|duration)|user-select)$/

/** Effects of a declaration, as far as they are known; several for a shorthand. @param written with or without `!important` */
export const effectsOf = (property: string, written: string): readonly Effect[] => {
  const full = property.toLowerCase()
  const name = ALIASES.test(full) ? full.replace('-webkit-', '') : full
  if (/[^a-z*_-]/.test(name) && !name.startsWith('--')) return [PAGE]
  if (UNKNOWN.test(name) || HARMLESS.has(name)) return [NONE]
  if (full === 'text-fill-color' || full === 'text-stroke-width') return [NONE]
  const judge = Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name] : undefined
  if (judge === undefined) return [PAGE]
  const value = written
    .toLowerCase()
    .replace(/!\s*important\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
  // Browsers skip values with these signs, or read them in ways of their own.
  if (/[\\{}]/.test(value) || (name !== 'font-family' && /[^ -~\s]/.test(written))) return [PAGE]
  const effects = judge(name === 'font-family' ? value.replace(/[^ -~]/g, 'x') : value)
  return 'kind' in effects ? [effects] : effects
}
