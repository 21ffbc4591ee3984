import { kindOfMarkup } from '../../../shared/history/kind-of-markup.ts'
import { findFolds, type MessageLine } from '../../../shared/history/message-folds.ts'
import { isAttribution } from '../../../shared/history/history-terms.ts'
import { INLINE_ELEMENTS } from '../../../shared/search/inline-elements.ts'

const HIDDEN_ELEMENTS = '[style*="display:none" i], [style*="display: none" i], style'

/** Characters kept per line, enough to classify it. */
const MAX_LINE_LENGTH = 500

/** Maximum number of lines that preformatted text is split into. Longer text counts as a single line. */
const PREFORMATTED_LINES = 5000

interface PlacedLine extends MessageLine {
  readonly first: Node
  readonly last: Node
}

const VISIBLE_CHARACTER = /[^\s\p{Cf}]/u

const isElement = (node: Node | null): node is Element => node?.nodeType === 1

const leadingText = (element: Element): string => {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let words = ''
  for (
    let pieces = 0;
    pieces < 20 && words.trim().length < MAX_LINE_LENGTH && walker.nextNode() !== null;
    pieces += 1
  ) {
    words += (walker.currentNode.nodeValue ?? '').slice(0, MAX_LINE_LENGTH)
  }
  return words.trim().slice(0, MAX_LINE_LENGTH)
}

const kindOf = (element: Element): MessageLine['kind'] | null =>
  kindOfMarkup({
    matches: (selector) => element.matches(selector),
    contains: (selector) => element.querySelector(selector) !== null,
    leadingText: () => leadingText(element),
  })

const isPreformatted = (node: Node): boolean => (node.parentElement?.closest('pre') ?? null) !== null

/** Splits preformatted text into one node per line, so that each line can be folded separately. */
const splitLines = (node: Text): Text => {
  if (!isPreformatted(node)) return node
  const [first, ...rest] = (node.nodeValue ?? '')
    .split(/(?<=\n)/)
    .map((line) => node.ownerDocument.createTextNode(line))
  if (first === undefined || rest.length === 0 || rest.length > PREFORMATTED_LINES) return node
  node.replaceWith(first, ...rest)
  return first
}

/** True if the last of these lines introduces a quote. */
const isIntroduced = (lines: readonly PlacedLine[]): boolean => {
  const said = lines.slice(-6).filter(({ kind, text }) => kind === 'text' && VISIBLE_CHARACTER.test(text))
  const [above = '', last = ''] = ['', ...said.map(({ text }) => text)].slice(-2)
  return isAttribution(last) || isAttribution(`${above} ${last}`)
}

/** Table cells share a line, like the names and values of a header. */
const isWithinLine = (element: Element): boolean =>
  INLINE_ELEMENTS.has(element.localName) || element.localName === 'td' || element.localName === 'th'

/** The mail's visible lines. Each element marked up by a mail program counts as one line. */
const linesOf = (body: Element): readonly PlacedLine[] => {
  const lines: PlacedLine[] = []
  let words = ''
  let first = null as Node | null
  let last = null as Node | null
  const end = (): void => {
    const isExactDelimiter = /^\s*--[ \u00a0]\s*$/.test(words)
    const text = isExactDelimiter ? '-- ' : words.trim()
    if (first !== null && last !== null) lines.push({ kind: 'text', text, first, last })
    first = null
    last = null
    words = ''
  }
  const appendText = (node: Node, text: string): void => {
    first ??= node
    last = node
    if (words.length < MAX_LINE_LENGTH)
      words += text.slice(0, MAX_LINE_LENGTH).replace(/[^\S\u00a0]+/g, (gap) => (gap.startsWith('\n') ? '\n' : ' '))
  }
  const readElement = (element: Element): void => {
    if (!isWithinLine(element)) end()
    const kind = kindOf(element) ?? (element.localName === 'blockquote' && isIntroduced(lines) ? 'quote' : null)
    if (kind !== null) {
      end()
      lines.push({ kind, text: leadingText(element), first: element, last: element })
    } else if (element.matches('img, .linnet-image')) appendText(element, '\ufffc')
    else if (!element.matches(HIDDEN_ELEMENTS)) readChildren(element)
    if (!isWithinLine(element)) end()
  }
  function readChildren(parent: Element): void {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (isElement(node)) readElement(node)
      if (node.nodeType !== 3) continue
      if (node.nodeValue?.includes('\n') === true) node = splitLines(node as Text)
      const text = node.nodeValue ?? ''
      if (first !== null || text.trim() !== '') appendText(node, text)
      if (text.endsWith('\n') && isPreformatted(node)) end()
    }
  }
  readChildren(body)
  end()
  return lines
}

const isEmpty = (node: Node): boolean =>
  isElement(node)
    ? !node.matches('img, .linnet-image') &&
      (node.matches(HIDDEN_ELEMENTS) || !VISIBLE_CHARACTER.test(node.textContent)) &&
      node.querySelector('img, .linnet-image') === null
    : node.nodeType !== 3 || !VISIBLE_CHARACTER.test(node.nodeValue ?? '')

/** The outermost node that starts with this one, including the blank lines, rules and space above it. */
const startOf = (node: Node, body: Element): Node => {
  let start = node
  for (;;) {
    const above = start.previousSibling
    if (above !== null && isEmpty(above)) start = above
    else if (above === null && start.parentNode !== null && start.parentNode !== body) start = start.parentNode
    else return start
  }
}

const endOf = (node: Node, body: Element): Node => {
  let last = node
  while (last.nextSibling === null && last.parentNode !== null && last.parentNode !== body) last = last.parentNode
  return last
}

const wrapInFold = (body: Element, first: Node, last: Node, what: string): void => {
  const document = body.ownerDocument
  const range = document.createRange()
  range.setStartBefore(startOf(first, body))
  range.setEndAfter(last)
  const fold = document.createElement('details')
  const summary = document.createElement('summary')
  fold.className = 'linnet-quote'
  for (const [name, verb] of [
    ['linnet-closed', 'Show'],
    ['linnet-open', 'Hide'],
  ] as const) {
    const words = document.createElement('span')
    words.className = name
    words.textContent = `${verb} ${what}`
    summary.append(words)
  }
  // `extractContents` clones the ancestors, so the content keeps its look.
  fold.append(summary, range.extractContents())
  range.insertNode(fold)
}

/** @param isForward true for a message sent to forward another e-mail */
export const foldQuotes = (body: Element, isForward = false): void => {
  const lines = linesOf(body)
  const { history, signatures } = findFolds(lines, isForward)
  const start = history === null ? undefined : lines[history]?.first
  // Some programs mark a place for the earlier e-mail but leave it empty.
  const isThere = lines.slice(history ?? lines.length).some(({ text }) => VISIBLE_CHARACTER.test(text))
  if (start !== undefined && body.lastChild !== null && isThere) wrapInFold(body, start, body.lastChild, 'quoted text')
  for (const { from, end } of signatures) {
    const [first, last] = [lines[from]?.first, lines[end - 1]?.last]
    if (first !== undefined && last !== undefined) wrapInFold(body, first, endOf(last, body), 'signature')
  }
}
