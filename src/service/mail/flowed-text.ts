/** How deep a line is quoted, and what it says. */
interface FlowedLine {
  readonly depth: number
  readonly text: string
}

/** RFC 3676, 4.5 and 4.4: first the marks of the quote are counted, then one blank of stuffing is taken off. */
function readLine(line: string): FlowedLine {
  let depth = 0
  while (line.charCodeAt(depth) === 0x3e) depth++
  const start = line.charCodeAt(depth) === 0x20 ? depth + 1 : depth
  return { depth, text: line.slice(start) }
}

/**
 * Joins the lines of a `format=flowed` text to paragraphs (RFC 3676). A quoted paragraph is one line with its marks before
 * it. A line that ends in a blank goes on in the next one of the same depth; the line before a signature never does.
 * @param delSp whether the blank that a line ends in is taken away where lines are joined
 */
export function joinFlowed(text: string, delSp: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let open: FlowedLine | null = null
  const close = (): void => {
    if (open === null) return
    const marks = '>'.repeat(open.depth)
    const said = pieces.join('')
    // Where nothing follows, the blank only ended the line.
    const shown = said === '-- ' ? said : said.trimEnd()
    paragraphs.push(marks === '' || shown === '' ? `${marks}${shown}` : `${marks} ${shown}`)
    pieces = []
    open = null
  }
  for (const line of text.split(/\r?\n/)) {
    const read = readLine(line)
    const isSignature = read.text === '-- '
    if (open !== null && (read.depth !== open.depth || isSignature)) close()
    const isFlowed = read.text.endsWith(' ') && !isSignature
    pieces.push(isFlowed && delSp ? read.text.slice(0, -1) : read.text)
    open = read
    if (!isFlowed) close()
  }
  close()
  return paragraphs.join('\n')
}
