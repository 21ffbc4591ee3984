const list = new Intl.ListFormat('en')

/** `A`, `A and B`, `A, B, and C` */
export const formatList = (parts: readonly string[]): string => list.format(parts)
