/** Text without its percent-encoding; as it is where that is not whole: a per cent sign that escapes nothing stands for itself. */
export const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
