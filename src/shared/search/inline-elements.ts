/** Inline elements: text around such a tag is one word (docs/service.md, "Search"). All others split words. */
export const INLINE_ELEMENTS: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'code', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 's', 'small'],
  ...['span', 'strong', 'sub', 'sup', 'tt', 'u', 'wbr'],
])
