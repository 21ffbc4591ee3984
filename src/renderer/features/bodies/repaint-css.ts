import { tokenTypes as type } from 'css-tree/tokenizer'
import { decodeCssName } from '../../../shared/css/css-name.ts'
import { isColorName } from '../../../shared/css/rgba-color.ts'
import { darkenColor, type ColorRole } from './darken-color.ts'
import type { MailPaper } from './frame-document.ts'
import {
  applyEdits,
  declarationsIn,
  findClosingBracket,
  nextOf,
  replaceTokens,
  sourceOf,
  startOf,
  tokenizeCss,
  wordsIn,
  type CssTokens,
  type Declaration,
  type TextEdit,
} from './css-tokens.ts'

const INK =
  /^(?:color|-webkit-text-(?:fill-color|stroke|stroke-color)|(?:-webkit-)?text-(?:decoration|emphasis)(?:-color)?|fill|stroke)$/
const GROUND =
  /^(?:background|background-color|background-image|(?:-webkit-)?box-shadow|(?:-webkit-)?border-image(?:-source)?)$/
const LINE =
  /^(?:(?:-webkit-)?border(?:-(?:top|right|bottom|left|block|inline)(?:-(?:start|end))?)?(?:-color)?|outline(?:-color)?|(?:-webkit-)?column-rule(?:-color)?)$/
const BACKGROUND = /^background(?:-color|-image)?$/
const CLIP = /^(?:-webkit-)?background(?:-clip)?$/
/** They apply the browser's light colours, or blend dark layers into light ones. The frame sets its own scheme. */
const DISABLED_PROPERTIES = /^(?:color-scheme|forced-color-adjust|background-blend-mode)$/

const COLOR_FUNCTIONS = new Set(['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color'])
/** System colours, which follow the theme (CSS Color 4, 6.2 and appendix A). */
const SYSTEM_COLORS = new Set(
  (
    'canvastext windowtext buttontext captiontext infotext menutext fieldtext linktext visitedtext activetext graytext inactivecaptiontext highlighttext selecteditemtext marktext accentcolortext ' +
    'canvas window background buttonface buttonhighlight buttonshadow threedface threedhighlight threedlightshadow threedshadow threeddarkshadow appworkspace scrollbar menu infobackground field highlight selecteditem mark accentcolor activecaption inactivecaption activeborder inactiveborder windowframe buttonborder'
  ).split(' '),
)
const THEME_COLORS: Readonly<Record<ColorRole, string>> = {
  ink: 'var(--linnet-ink)',
  ground: 'var(--linnet-paper)',
  line: 'var(--linnet-line)',
}
/** Replaces `currentcolor` as a background: the surrounding ink, darkened enough for light text. */
const GROUND_OF_INK = 'color-mix(in srgb, currentcolor 20%, #000)'
/** Shade over a background picture, whose lightness is unknown, so that text on it stays readable. */
const PICTURE_SHADE = ';box-shadow:inset 0 0 0 100vmax rgb(18 16 14 / .65)'
/** Characters. No real colour is longer. */
const MAX_COLOR_LENGTH = 200
/** Prefix of custom properties that mail can't set (`sanitizeCss`). */
const OWN_PREFIX = '--linnet-'
const PICTURE = `${OWN_PREFIX}picture-`
/** Custom properties are emitted twice more, as ink and as background, since their use decides the lightness. */
const prefixFor = (paint: ColorRole): string => `${OWN_PREFIX}${paint === 'ink' ? 'ink' : 'ground'}`

const paintOf = (name: string): ColorRole | null => {
  if (INK.test(name)) return 'ink'
  if (GROUND.test(name)) return 'ground'
  return LINE.test(name) ? 'line' : null
}

/** A colour in a value, with its first and last token. */
interface ColorInValue {
  readonly first: number
  readonly last: number
  readonly color: string
}

const colorAt = (tokens: CssTokens, index: number): ColorInValue | null => {
  const kind = tokens.types[index]
  if (kind === type.Function && COLOR_FUNCTIONS.has(decodeCssName(sourceOf(tokens, index)).slice(0, -1))) {
    const last = findClosingBracket(tokens, index)
    const source = sourceOf(tokens, index, last)
    return { first: index, last, color: source.length > MAX_COLOR_LENGTH ? '' : source.toLowerCase() }
  }
  if (kind !== type.Hash && kind !== type.Ident) return null
  const color = decodeCssName(sourceOf(tokens, index))
  const isColor = kind === type.Hash ? /^#[\da-f]{3,8}$/.test(color) : isColorName(color)
  return isColor ? { first: index, last: index, color } : null
}

const colorsIn = (tokens: CssTokens, { first, end }: Declaration): readonly ColorInValue[] => {
  const found: ColorInValue[] = []
  for (let index = first; index < end; index += 1) {
    const said = colorAt(tokens, index)
    if (said === null) continue
    found.push(said)
    index = said.last
  }
  return found
}

const paintValue = (
  tokens: CssTokens,
  { first, end }: Pick<Declaration, 'first' | 'end'>,
  paint: ColorRole,
): TextEdit[] => {
  const edits: TextEdit[] = []
  for (let index = first; index < end; index += 1) {
    const said = colorAt(tokens, index)
    if (said !== null) {
      const darkened = said.color === '' ? null : darkenColor(said.color, paint)
      // Colours that can't be computed fall back to the theme's.
      if (darkened !== said.color)
        edits.push(replaceTokens(tokens, said.first, said.last, darkened ?? THEME_COLORS[paint]))
      index = said.last
      continue
    }
    const kind = tokens.types[index]
    if (kind !== type.Ident && kind !== type.Function) continue
    const name = decodeCssName(sourceOf(tokens, index))
    if (name === 'attr(') {
      const last = findClosingBracket(tokens, index)
      edits.push(replaceTokens(tokens, index, last, THEME_COLORS[paint]))
      index = last
    } else if (name === 'var(') {
      const property = nextOf(tokens, index + 1)
      const isTheirs =
        tokens.types[property] === type.Ident && !decodeCssName(sourceOf(tokens, property)).startsWith(OWN_PREFIX)
      const at = startOf(tokens, property)
      if (isTheirs) edits.push({ from: at, to: at, text: prefixFor(paint) })
      index = isTheirs ? property : index
    } else if (kind === type.Function) continue
    else if (SYSTEM_COLORS.has(name)) edits.push(replaceTokens(tokens, index, index, THEME_COLORS[paint]))
    else if (name === 'currentcolor' && paint === 'ground')
      edits.push(replaceTokens(tokens, index, index, GROUND_OF_INK))
  }
  return edits
}

const duplicateCustomProperty = (tokens: CssTokens, declaration: Declaration): TextEdit => {
  const name = sourceOf(tokens, declaration.property)
  const value = tokenizeCss(sourceOf(tokens, declaration.first, declaration.end - 1))
  const parts = (['ink', 'ground'] as const).map((paint) => {
    const edits = paintValue(value, { first: 0, end: value.types.length }, paint)
    return `;${prefixFor(paint)}${name}:${applyEdits(value.css, edits)}`
  })
  const end = startOf(tokens, declaration.end)
  return { from: end, to: end, text: parts.join('') }
}

/** True if a picture is drawn, either an embedded one or one still loading. */
const hasPicture = (tokens: CssTokens, declaration: Declaration): boolean =>
  wordsIn(tokens, declaration).some(
    ([index, text]) => tokens.types[index] === type.Url || text === 'url(' || text.startsWith(PICTURE),
  )

const paintRule = (tokens: CssTokens, rule: readonly Declaration[]): TextEdit[] => {
  const isClipped = rule.some(
    (each) => CLIP.test(each.name) && wordsIn(tokens, each).some(([, text]) => text === 'text'),
  )
  // Repaint a border like the background if it has the same colour.
  const grounds = new Set(
    rule.flatMap((each) => (BACKGROUND.test(each.name) ? colorsIn(tokens, each).map(({ color }) => color) : [])),
  )
  return rule.flatMap((declaration) => {
    const { name, property, end } = declaration
    if (name.startsWith('--')) return name.startsWith(OWN_PREFIX) ? [] : [duplicateCustomProperty(tokens, declaration)]
    if (DISABLED_PROPERTIES.test(name)) return [replaceTokens(tokens, property, property, '--off')]
    const paint = paintOf(name)
    if (paint === null) return []
    const isBackground = BACKGROUND.test(name)
    const isEdge = paint === 'line' && colorsIn(tokens, declaration).some(({ color }) => grounds.has(color))
    const edits = paintValue(tokens, declaration, isBackground && isClipped ? 'ink' : isEdge ? 'ground' : paint)
    const at = startOf(tokens, end)
    return isBackground && !isClipped && hasPicture(tokens, declaration)
      ? [...edits, { from: at, to: at, text: PICTURE_SHADE }]
      : edits
  })
}

/** Resolves `prefers-color-scheme` in a media query according to the paper. */
const resolveColorScheme = (
  tokens: CssTokens,
  { from, end }: { readonly from: number; readonly end: number },
  paper: MailPaper,
): TextEdit[] => {
  const edits: TextEdit[] = []
  for (let index = from; index < end; index += 1) {
    if (tokens.types[index] !== type.Ident || decodeCssName(sourceOf(tokens, index)) !== 'prefers-color-scheme')
      continue
    const colon = nextOf(tokens, index + 1)
    const asked = nextOf(tokens, colon + 1)
    const scheme = tokens.types[colon] === type.Colon && asked < end ? decodeCssName(sourceOf(tokens, asked)) : ''
    if (scheme !== 'light' && scheme !== 'dark') continue
    // Substitutes that always match or never match.
    edits.push(replaceTokens(tokens, index, asked, scheme === paper ? 'min-width:0px' : 'max-width:-1px'))
    index = asked
  }
  return edits
}

/**
 * Restyles an e-mail for its paper. Dark paper keeps hues, but makes all ink light and every background dark, so that
 * any text is readable on any background (`darkenColor`). Light paper keeps the sender's colours.
 * `prefers-color-scheme` follows the paper, not the desktop theme. Inserts only colours, property names and one shadow.
 * @param css output of `sanitizeCss`: a style sheet, or an element's own declarations
 */
export const repaintCss = (css: string, paper: MailPaper): string => {
  const tokens = tokenizeCss(css)
  const rules = [...declarationsIn(tokens)]
  return applyEdits(
    css,
    rules.flatMap(({ declarations, prelude }) => [
      ...(paper === 'dark' ? paintRule(tokens, declarations) : []),
      ...(prelude === null ? [] : resolveColorScheme(tokens, prelude, paper)),
    ]),
  )
}

export const repaintMediaQuery = (query: string, paper: MailPaper): string => {
  const tokens = tokenizeCss(query)
  return applyEdits(query, resolveColorScheme(tokens, { from: 0, end: tokens.types.length }, paper))
}
