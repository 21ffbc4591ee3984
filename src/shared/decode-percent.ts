/** Decodes percent-encoding. Returns malformed text unchanged: a stray per cent sign stands for itself. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
