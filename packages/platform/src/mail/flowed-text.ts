interface FlowedLine {
  readonly depth: number
  readonly text: string
}

/** RFC 3676, 4.5 and 4.4: count the quote marks first, then remove one stuffed space. */
function parseLine(line: string): FlowedLine {
  let depth = 0
  while (line.charCodeAt(depth) === 0x3e) depth++
  const start = line.charCodeAt(depth) === 0x20 ? depth + 1 : depth
  return { depth, text: line.slice(start) }
}

/**
 * Joins `format=flowed` lines to paragraphs (RFC 3676). A quoted paragraph becomes one line after its quote marks. A
 * line that ends in a space continues on the next line of the same depth, unless it is the signature separator.
 * @param delSp true to remove the trailing space when joining
 */
export function joinFlowed(text: string, delSp: boolean): string {
  const paragraphs: string[] = []
  let pieces: string[] = []
  let open: FlowedLine | null = null
  const close = (): void => {
    if (open === null) return
    const marks = '>'.repeat(open.depth)
    const said = pieces.join('')
    // Without a continuation, the trailing space only ended the line.
    const shown = said === '-- ' ? said : said.trimEnd()
    paragraphs.push(marks === '' || shown === '' ? `${marks}${shown}` : `${marks} ${shown}`)
    pieces = []
    open = null
  }
  for (const line of text.split(/\r?\n/)) {
    const read = parseLine(line)
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
