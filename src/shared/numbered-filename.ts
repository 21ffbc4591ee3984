/** `name (2).pdf`. @param count 1 for the name itself */
export const formatNumberedFilename = (filename: string, count: number): string => {
  if (count === 1) return filename
  const dot = filename.lastIndexOf('.')
  return dot > 0 ? `${filename.slice(0, dot)} (${count})${filename.slice(dot)}` : `${filename} (${count})`
}
