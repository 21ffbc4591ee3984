const list = new Intl.ListFormat('en')

/** Returns `A`, `A and B` or `A, B, and C`. */
export const formatList = (parts: readonly string[]): string => list.format(parts)
