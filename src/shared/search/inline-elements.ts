/** Inline elements, which don't split words (platform.md 11.7). All other elements do. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'code', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 's', 'small'],
  ...['span', 'strong', 'sub', 'sup', 'tt', 'u', 'wbr'],
])
