import { escapeHtml } from '../../../shared/escape-html.ts'
import { isLine } from './paragraph-lines.ts'

const BLOCKS = new Set(
  'address article blockquote div dl dt dd h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(' '),
)
/** Blocks with an empty line around them, except for paragraphs without a bottom margin. */
const SPACED = new Set('blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '))

const isElement = (node: Node): node is Element => node.nodeType === 1

const linkText = (link: Element): string => {
  const words = inlineText(link)
  const href = link.getAttribute('href') ?? ''
  const address = href.replace(/^mailto:/i, '')
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
  return words.trim() === '' || bare(words) === bare(address) ? words || address : `${words} <${address}>`
}

function inlineText(parent: Node): string {
  return [...parent.childNodes]
    .map((node) => {
      if (!isElement(node)) return node.nodeType === 3 ? (node.nodeValue ?? '').replace(/[ \t\r\n\f]+/g, ' ') : ''
      if (node.localName === 'br') return '\n'
      if (node.localName === 'a') return linkText(node)
      if (node.localName === 'img') {
        const words = node.getAttribute('alt')?.trim() ?? ''
        return words === '' ? '' : `[${words}]`
      }
      return inlineText(node)
    })
    .join('')
}

interface Block {
  readonly lines: readonly string[]
  readonly isSpaced: boolean
}

const linesOf = (text: string): readonly string[] =>
  // A line break at the end of a paragraph starts no new line.
  text
    .replace(/\n$/, '')
    .split('\n')
    // Keep deliberate leading spaces, such as in code.
    .map((line) =>
      line
        .replace(/^[ \t]+/, '')
        .replace(/\u00a0/g, ' ')
        .trimEnd(),
    )

const joinBlocks = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ lines, isSpaced }, index) => {
    const before = blocks[index - 1]
    return before !== undefined && (isSpaced || before.isSpaced) ? ['', ...lines] : lines
  })

const listLines = (list: Element): readonly string[] => {
  const first = Number.parseInt(list.getAttribute('start') ?? '1', 10)
  const items = [...list.children].filter(({ localName }) => localName === 'li')
  return items.flatMap((item, index) => {
    const mark = list.localName === 'ol' ? `${(Number.isNaN(first) ? 1 : first) + index}. ` : '- '
    const lines = joinBlocks(blocksOf(item).map((block) => ({ ...block, isSpaced: false })))
    return (lines.length === 0 ? [''] : lines).map((line, at) =>
      at === 0 ? mark + line : line === '' ? '' : ' '.repeat(mark.length) + line,
    )
  })
}

const cellText = (cell: Element): string => joinBlocks(blocksOf(cell)).join(' ').trim()

/** True for a row of a table with borders, whose cells belong side by side; other tables are page layout. */
const hasBorders = (row: Element): boolean => /^[1-9]/.test(row.closest('table')?.getAttribute('border') ?? '')

/** Separates cells with tabs, as spreadsheets do. A cell that spans columns is followed by empty ones. */
const borderedRow = (row: Element): string =>
  [...row.children]
    .flatMap((cell) => [
      cellText(cell),
      ...Array.from({ length: Math.min(200, Number(cell.getAttribute('colspan') ?? '1')) - 1 }, () => ''),
    ])
    .join('\t')
    .trimEnd()

const layoutRow = (row: Element): string =>
  [...row.children]
    .map(cellText)
    .filter((words) => words !== '')
    .join('  ')

const blockOf = (element: Element): Block => {
  const name = element.localName
  const isSpaced = SPACED.has(name) && !(name === 'p' && isLine(element))
  if (name === 'hr') return { lines: ['---'], isSpaced }
  if (name === 'ul' || name === 'ol') return { lines: listLines(element), isSpaced }
  if (name === 'pre') return { lines: element.textContent.replace(/\n$/, '').split('\n'), isSpaced }
  if (name === 'tr') {
    return { lines: [hasBorders(element) ? borderedRow(element) : layoutRow(element)], isSpaced }
  }
  const lines = joinBlocks(blocksOf(element))
  if (name === 'blockquote') return { lines: lines.map((line) => (line === '' ? '>' : `> ${line}`)), isSpaced }
  return { lines, isSpaced }
}

/** Splits content into blocks; text between blocks forms its own. */
function blocksOf(parent: Node): readonly Block[] {
  const blocks: Block[] = []
  let words: Node[] = []
  const endWords = (): void => {
    const holder = parent.ownerDocument?.createElement('div') ?? null
    if (holder === null || words.length === 0) return
    for (const node of words) holder.append(node.cloneNode(true))
    words = []
    const text = inlineText(holder)
    if (/[^ \n]/.test(text) || (text.includes('\n') && parent.nodeName === 'P')) {
      blocks.push({ lines: linesOf(text), isSpaced: false })
    }
  }
  for (const node of parent.childNodes) {
    const isGroup = isElement(node) && (node.localName === 'tbody' || node.localName === 'thead')
    if (isElement(node) && (BLOCKS.has(node.localName) || isGroup)) {
      endWords()
      blocks.push(blockOf(node))
    } else if (isElement(node) && node.querySelector([...BLOCKS].join()) !== null) {
      endWords()
      for (const block of blocksOf(node)) blocks.push(block)
    } else words.push(node)
  }
  endWords()
  return blocks.filter(({ lines }) => lines.length > 0)
}

/** Plain text for `toOutgoingHtml` or similar: lists with bullets, quotes with `>`, links with URLs, alt text. */
export const toOutgoingText = (html: string): string =>
  joinBlocks(blocksOf(new DOMParser().parseFromString(html, 'text/html').body))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd()

/** Preserves leading and repeated spaces. */
const escapedLine = (line: string): string => escapeHtml(line).replace(/^ | (?= )/g, '\u00a0')

const isQuoted = (line: string): boolean => line.startsWith('>')

/** Converts plain text to HTML: an empty line starts a paragraph, `>` a quote. @param depth current quote depth */
export const textToHtml = (text: string, depth = 0): string => {
  const html: string[] = []
  let lines: string[] = []
  let quoted: string[] = []
  const endLines = (): void => {
    if (lines.length > 0) html.push(`<p dir="auto">${lines.map(escapedLine).join('<br>')}</p>`)
    lines = []
  }
  const endQuote = (): void => {
    if (quoted.length > 0) html.push(`<blockquote>${textToHtml(quoted.join('\n'), depth + 1)}</blockquote>`)
    quoted = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    // Nobody quotes more deeply, and browsers can't lay out much deeper nesting.
    if (isQuoted(line) && depth < 20) {
      endLines()
      quoted.push(line.replace(/^> ?/, ''))
      continue
    }
    endQuote()
    if (line.trim() === '') endLines()
    else lines.push(line)
  }
  endLines()
  endQuote()
  return html.join('')
}
