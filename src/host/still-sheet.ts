/** What the rules and the elements of one Svelte component have in common. */
const SCOPE = /svelte-[a-z0-9]+/g
/** Rules that hold others. */
const GROUP = /@(?:media|supports|container|layer)\b/y

/** The place behind the brace that closes the one at `open`. */
const behind = (sheet: string, open: number): number => {
  let at = open + 1
  for (let depth = 1; depth > 0;) {
    const close = sheet.indexOf('}', at)
    if (close === -1) return sheet.length
    const inner = sheet.indexOf('{', at)
    const isInner = inner !== -1 && inner < close
    depth += isInner ? 1 : -1
    at = (isInner ? inner : close) + 1
  }
  return at
}

const keep = (sheet: string, scopes: ReadonlySet<string>): string => {
  let kept = ''
  for (let at = 0; at < sheet.length;) {
    const open = sheet.indexOf('{', at)
    const end = open === -1 ? sheet.length : behind(sheet, open)
    const head = sheet.slice(at, open === -1 ? end : open)
    GROUP.lastIndex = at
    if (GROUP.test(sheet)) {
      const inner = keep(sheet.slice(open + 1, end - 1), scopes)
      if (inner !== '') kept += `${head}{${inner}}`
    } else {
      const own = head.match(SCOPE)
      if (own === null || own.some((scope) => scopes.has(scope))) kept += sheet.slice(at, end)
    }
    at = end
  }
  return kept
}

/**
 * What a still needs of the window's style sheet: all but the rules of components that are not in it. A still is painted once
 * its page is read, of which the whole sheet would be two thirds. This is in the way of a start's first frame: 3 ms, where
 * css-tree takes 60 to parse the sheet.
 * @param sheet as the build has minified it: without comments, and without braces in strings
 * @param still markup (`shared/still.ts`)
 */
export const sheetOfStill = (sheet: string, still: string): string => keep(sheet, new Set(still.match(SCOPE)))
