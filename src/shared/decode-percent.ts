/** Decodes percent-encoding. Returns malformed text unchanged, because it may contain a literal per cent sign. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
