/**
 * HTML elements within a line: what stands on both sides of such a tag is one word (docs/service.md, "Search"). All others
 * part words.
 */
export const WITHIN_A_LINE: ReadonlySet<string> = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'code', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 's', 'small'],
  ...['span', 'strong', 'sub', 'sup', 'tt', 'u', 'wbr'],
])
