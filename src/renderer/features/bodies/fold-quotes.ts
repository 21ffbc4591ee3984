import { findFolds, type MessageLine } from '../../../shared/history/find-history.ts'
import { isForwardLine, isIntroduction } from '../../../shared/history/history-words.ts'
import { WITHIN_A_LINE } from '../../../shared/search/within-a-line.ts'

/** Elements that mail programs put around a quoted e-mail (Apple Mail, Thunderbird, Gmail, Proton, Yahoo, Tuta, Zoho). */
const QUOTES =
  'blockquote[type="cite" i], blockquote.gmail_quote, blockquote.protonmail_quote, blockquote.tutanota_quote, .yahoo_quoted, [class^="ydp"][class$="yahoo_quoted"], .zmail_extra'
/** These hold a quote and its introduction, and answers between the parts of it. Where no quote is in them, they are one. */
const AROUND_QUOTES = 'div.gmail_quote, div.protonmail_quote, div.gmail_extra'
const INTRODUCTIONS = '.gmail_attr, .moz-cite-prefix'
const SIGNATURES =
  '.gmail_signature, .moz-signature, .protonmail_signature_block-user, [id="Signature" i], [id^="ms-outlook-mobile-signature" i], .tutanota_signature'
/** From these on all is an earlier e-mail (Outlook on the web and on phones, Windows Mail). */
const HISTORY =
  '[id$="appendonsend" i], [id$="divRplyFwdMsg" i], [id="mail-editor-reference-message-container" i], .ms-outlook-mobile-reference-message, [id="OLK_SRC_BODY_SECTION" i]'
const OF_PROGRAMS = [QUOTES, AROUND_QUOTES, INTRODUCTIONS, SIGNATURES, HISTORY].join(', ')

/** Nobody sees it, so nobody said it. */
const UNSEEN = '[style*="display:none" i], [style*="display: none" i], style'

/** Characters of a line that are kept: enough to know it by. */
const LINE = 500

/** Lines of a text with line ends that are told apart; one with more is as one line. */
const PREFORMATTED_LINES = 5000

interface PlacedLine extends MessageLine {
  /** Where it begins, and the last node that is part of it. */
  readonly first: Node
  readonly last: Node
}

const SEEN = /[^\s\p{Cf}]/u

const isElement = (node: Node | null): node is Element => node?.nodeType === 1

const beginningOf = (element: Element): string => {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let words = ''
  for (let pieces = 0; pieces < 20 && words.trim().length < LINE && walker.nextNode() !== null; pieces += 1) {
    words += (walker.currentNode.nodeValue ?? '').slice(0, LINE)
  }
  return words.trim().slice(0, LINE)
}

/** What an element of a mail program is; null for one that is looked into. */
const kindOf = (element: Element): MessageLine['kind'] | null => {
  if (!element.matches(OF_PROGRAMS)) return null
  if (element.matches(HISTORY)) return 'history'
  const isSignature = element.matches(SIGNATURES)
  // Forwarded mail is marked like quoted mail, except for its first words.
  if (!isSignature && isForwardLine(beginningOf(element))) return null
  if (element.matches(AROUND_QUOTES)) return element.querySelector(QUOTES) === null ? 'quote' : null
  if (element.matches(QUOTES)) return 'quote'
  if (!isSignature) return 'introduction'
  // A program that has put all that was written into its signature is not followed.
  return element.querySelector(`${QUOTES}, ${HISTORY}`) === null ? 'signature' : null
}

const isPreformatted = (node: Node): boolean => (node.parentElement?.closest('pre') ?? null) !== null

/** Text that is shown with its line ends is a node for each line: then each can be folded by itself. */
const partLines = (node: Text): Text => {
  if (!isPreformatted(node)) return node
  const [first, ...rest] = (node.nodeValue ?? '')
    .split(/(?<=\n)/)
    .map((line) => node.ownerDocument.createTextNode(line))
  if (first === undefined || rest.length === 0 || rest.length > PREFORMATTED_LINES) return node
  node.replaceWith(first, ...rest)
  return first
}

/** Whether the last of some lines say of what follows whose it is. */
const isIntroduced = (lines: readonly PlacedLine[]): boolean => {
  const said = lines.slice(-6).filter(({ kind, text }) => kind === 'text' && SEEN.test(text))
  const [above = '', last = ''] = ['', ...said.map(({ text }) => text)].slice(-2)
  return isIntroduction(last) || isIntroduction(`${above} ${last}`)
}

/** Cells stand beside each other, as the names and values of a header do. */
const isWithinLine = (element: Element): boolean =>
  WITHIN_A_LINE.has(element.localName) || element.localName === 'td' || element.localName === 'th'

/** A mail as it stands on the screen, line by line, with what its program has marked as a line of its own. */
const linesOf = (body: Element): readonly PlacedLine[] => {
  const lines: PlacedLine[] = []
  let words = ''
  let first = null as Node | null
  let last = null as Node | null
  const end = (): void => {
    const text = words.trim()
    // Some programs leave the marks of plain text as they are.
    const kind = text.startsWith('>') ? 'quote' : 'text'
    if (first !== null && last !== null) lines.push({ kind, text, first, last })
    first = null
    last = null
    words = ''
  }
  const say = (node: Node, text: string): void => {
    first ??= node
    last = node
    if (words.length < LINE) words += text.slice(0, LINE).replace(/\s+/g, ' ')
  }
  /** Ends lines at the ends of what is left on the way to the next node. */
  const leave = (from: Node): Node | null => {
    for (let node: Node | null = from; node !== null && node !== body; node = node.parentNode) {
      if (isElement(node) && !isWithinLine(node)) end()
      if (node.nextSibling !== null) return node.nextSibling
    }
    return null
  }
  for (let node: Node | null = body.firstChild; node !== null;) {
    if (node.nodeType === 3) {
      const text = node.nodeValue ?? ''
      const parted = text.includes('\n') ? partLines(node as Text) : node
      if (parted !== node) {
        node = parted
        continue
      }
      if (first !== null || text.trim() !== '') say(node, text)
      if (text.endsWith('\n') && isPreformatted(node)) end()
      node = leave(node)
      continue
    }
    if (!isElement(node)) {
      node = leave(node)
      continue
    }
    if (!isWithinLine(node)) end()
    const kind = kindOf(node) ?? (node.localName === 'blockquote' && isIntroduced(lines) ? 'quote' : null)
    if (kind !== null) {
      end()
      lines.push({ kind, text: beginningOf(node), first: node, last: node })
    } else if (node.matches('img, .linnet-image')) {
      say(node, '\ufffc')
    } else if (!node.matches(UNSEEN)) {
      node = node.firstChild ?? leave(node)
      continue
    }
    node = leave(node)
  }
  end()
  return lines
}

const isEmpty = (node: Node): boolean =>
  isElement(node)
    ? !node.matches('img, .linnet-image') &&
      (node.matches(UNSEEN) || !SEEN.test(node.textContent)) &&
      node.querySelector('img, .linnet-image') === null
    : node.nodeType !== 3 || !SEEN.test(node.nodeValue ?? '')

/** The outermost that begins with a node, with the lines, rules and space that part it from what is above. */
const startOf = (node: Node, body: Element): Node => {
  let start = node
  for (;;) {
    const above = start.previousSibling
    if (above !== null && isEmpty(above)) start = above
    else if (above === null && start.parentNode !== null && start.parentNode !== body) start = start.parentNode
    else return start
  }
}

/** The outermost that ends with a node. */
const endOf = (node: Node, body: Element): Node => {
  let last = node
  while (last.nextSibling === null && last.parentNode !== null && last.parentNode !== body) last = last.parentNode
  return last
}

/** Puts what is in a range under a button that unfolds it, where it was. */
const foldAway = (range: Range, what: string): void => {
  const document = range.startContainer.ownerDocument
  if (document === null) return
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
  // What it lies in is made once more around it, so that it looks as it did.
  const content = range.extractContents()
  fold.append(summary, content)
  range.insertNode(fold)
}

/**
 * Folds the earlier e-mails at the end of a mail, and its signature: `findFolds` says which those are.
 * @param isForward whether it was sent for another e-mail that it carries
 */
export const foldQuotes = (body: Element, isForward = false): void => {
  const lines = linesOf(body)
  const { history, signatures } = findFolds(lines, isForward)
  const document = body.ownerDocument
  const start = history === null ? undefined : lines[history]?.first
  // Some programs mark where an earlier e-mail would be, and put none there.
  const isThere = lines.slice(history ?? lines.length).some(({ text }) => SEEN.test(text))
  if (start !== undefined && body.lastChild !== null && isThere) {
    const range = document.createRange()
    range.setStartBefore(startOf(start, body))
    range.setEndAfter(body.lastChild)
    foldAway(range, 'earlier messages in this one')
  }
  for (const { from, end } of signatures) {
    const [first, last] = [lines[from]?.first, lines[end - 1]?.last]
    if (first === undefined || last === undefined) continue
    const range = document.createRange()
    range.setStartBefore(startOf(first, body))
    range.setEndAfter(endOf(last, body))
    foldAway(range, 'signature')
  }
}
