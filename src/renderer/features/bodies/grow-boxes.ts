import { tokenTypes as type } from 'css-tree/tokenizer'
import { decodeCssName } from '../../../shared/css/css-name.ts'
import {
  applyEdits,
  declarationsIn,
  nextOf,
  replaceTokens,
  sourceOf,
  tokenizeCss,
  wordsIn,
  type CssTokens,
  type Declaration,
  type TextEdit,
} from './css-tokens.ts'

/** Properties that cut text off, or give a box a size that ignores its text. `all` would undo the frame's own rules. */
const CLIPPING =
  /^(?:all|(?:-webkit-)?line-clamp|max-lines|(?:-webkit-)?clip-path|clip|aspect-ratio|content-visibility|contain.*|grid|grid-template|grid-(?:template|auto)-rows)$/
/** Values of these properties that hide a whole box. Senders hide preview text this way, so they stay. */
const HIDING =
  /^(?:hidden|(?:circle|ellipse)\( *0.*|inset\( *(?:50%|.*100%).*|path\(.*|(?:polygon|rect|xywh)\( *([\d.]+[a-z%]*)(?:[ ,]+\1)*[ ,]*\))$/
const SIZES = { height: /^(?:max-)?(?:height|block-size)$/, width: /^(?:max-)?(?:width|inline-size)$/ } as const
const MINIMUMS = { height: /^min-(?:height|block-size)$/, width: /^min-(?:width|inline-size)$/ } as const
const OVERFLOW = /^overflow(?:-(?:x|y|block|inline))?$/
/** Boxes up to this size are meant to be invisible, such as those of preview text. In pixels or points. */
const HIDDEN_SIZE = 2
/** A frame is as tall as its mail, so a box as tall as the frame would make both grow. In pixels, for 1 %. */
const VIEWPORT_PERCENT = 6

/** Index of the value's only token apart from `!important`, if it is a number, or null. */
const soleNumber = (tokens: CssTokens, { first, end }: Declaration): number | null => {
  const sole = nextOf(tokens, first)
  const kind = tokens.types[sole]
  if (sole >= end || (kind !== type.Number && kind !== type.Dimension && kind !== type.Percentage)) return null
  const next = nextOf(tokens, sole + 1)
  return next >= end || sourceOf(tokens, next) === '!' ? sole : null
}

/** A length with the viewport's height in pixels. */
const withFixedViewport = (length: string): string =>
  length.replace(/^([+-]?[\d.]+)[dls]?v(?:h|b|max|min)$/, (_, share: string) => `${Number(share) * VIEWPORT_PERCENT}px`)

const isHidingSize = (tokens: CssTokens, declaration: Declaration): boolean => {
  const sole = soleNumber(tokens, declaration)
  const length = sole === null ? 'auto' : sourceOf(tokens, sole)
  const size = Math.abs(Number.parseFloat(length))
  return size === 0 || (size <= HIDDEN_SIZE && /\d(?:px|pt)?$/i.test(length))
}

/** @param change returns what replaces a token of the value, by its decoded text */
const editValue = (
  tokens: CssTokens,
  declaration: Declaration,
  change: (text: string) => string,
): readonly TextEdit[] =>
  wordsIn(tokens, declaration).flatMap(([index, text]) => {
    const changed = change(text)
    return changed === text ? [] : [replaceTokens(tokens, index, index, changed)]
  })

const growRule = (tokens: CssTokens, rule: readonly Declaration[]): readonly TextEdit[] => {
  const isHidden = (side: keyof typeof SIZES): boolean =>
    rule.some((each) => SIZES[side].test(each.name) && isHidingSize(tokens, each)) &&
    !rule.some((each) => MINIMUMS[side].test(each.name) && !isHidingSize(tokens, each))
  return rule.flatMap((declaration): readonly TextEdit[] => {
    const { name, property, first, end } = declaration
    const rename = (names: string): TextEdit => replaceTokens(tokens, property, property, names)
    if (CLIPPING.test(name)) {
      const value = decodeCssName(sourceOf(tokens, first, end - 1))
        .replace(/!.*$/s, '')
        .trim()
      if (HIDING.test(value)) return []
      return [rename(name === 'contain' && /paint|strict|content/.test(value) ? 'overflow:clip;--off' : '--off')]
    }
    if (OVERFLOW.test(name)) {
      // Nothing scrolls on paper (`print-document.ts`).
      const edits = editValue(tokens, declaration, (word) =>
        /^(?:auto|scroll|overlay)$/.test(word) ? `var(--linnet-scroll, ${word})` : word,
      )
      const cuts = /hidden|clip/.test(decodeCssName(sourceOf(tokens, first, end - 1)))
      const widens = cuts && !isHidden('width')
      return widens ? [rename(`min-width:min-content;text-wrap-mode:wrap!important;${name}`), ...edits] : edits
    }
    if (name === 'position') {
      // On paper, what lies outside the flow is lost.
      return editValue(tokens, declaration, (word) => (word === 'absolute' ? 'var(--linnet-position, absolute)' : word))
    }
    if (MINIMUMS.width.test(name) && isHidingSize(tokens, declaration)) return [rename('--off')]
    if (MINIMUMS.height.test(name)) {
      const sole = soleNumber(tokens, declaration)
      if (sole === null || isHidingSize(tokens, declaration)) return [rename('--off')]
      const length = withFixedViewport(decodeCssName(sourceOf(tokens, sole)))
      return [replaceTokens(tokens, sole, sole, `calc-size(fit-content, max(size, ${length}))`)]
    }
    if (SIZES.height.test(name) && isHidingSize(tokens, declaration)) {
      return [rename(isHidden('height') ? `min-height:0;${name}` : '--off')]
    }
    return editValue(tokens, declaration, withFixedViewport)
  })
}

/**
 * Lets every box grow to its text, so that no style cuts text off or lets it run into other text. The frame gives each
 * box its content as minimum height (`buildMailStyle`), which is stronger than `height` and `max-height`. Boxes without
 * size stay hidden. Linear in the number of tokens. @param css output of `sanitizeCss`
 */
export const growBoxes = (css: string): string => {
  const tokens = tokenizeCss(css)
  const rules = [...declarationsIn(tokens)]
  const grown = applyEdits(
    css,
    rules.flatMap(({ declarations }) => growRule(tokens, declarations)),
  )
  // Removal can join adjacent text into an end tag, which must not close the element.
  return /<\/style/i.test(grown) ? '' : grown
}
