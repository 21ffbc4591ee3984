import { Tokenizer } from 'htmlparser2'
import { defaultTreeAdapter, html as vocabulary, parse, type DefaultTreeAdapterTypes } from 'parse5'
import type { StyledElement } from '../../shared/css/element-style.ts'

type Parsed = DefaultTreeAdapterTypes.ParentNode

export class PageElement implements StyledElement {
  readonly localName: string
  readonly parent: PageElement | null
  readonly children: (PageElement | string)[] = []
  readonly elements: PageElement[] = []
  /** Index among the parent's elements. */
  readonly place: number
  readonly #attributes: ReadonlyMap<string, string>
  #classes: ReadonlySet<string> | null = null

  constructor(name: string, attributes: ReadonlyMap<string, string>, parent: PageElement | null) {
    this.localName = name
    this.#attributes = attributes
    this.parent = parent
    this.place = parent?.elements.length ?? 0
    parent?.children.push(this)
    parent?.elements.push(this)
  }

  get classes(): ReadonlySet<string> {
    this.#classes ??= new Set((this.getAttribute('class') ?? '').split(/[ \t\n\f\r]+/).filter(Boolean))
    return this.#classes
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null
  }
}

export interface HtmlPage {
  readonly root: PageElement
  /** True if nesting exceeds the limits, so a browser may parse it differently. */
  readonly isApproximate: boolean
}

/**
 * Limits: open elements (512, as in Chromium), elements, attributes per element, and children scanned when elements are
 * moved.
 */
const MAX = { depth: 512, elements: 150_000, attributes: 400, moves: 20_000_000 } as const

class BoundsError extends Error {}

const boundedAdapter = () => {
  let [depth, elements, moves] = [0, 0, 0]
  const check = (isBeyond: boolean): void => {
    if (isBeyond) throw new BoundsError('The HTML exceeds the parser’s limits.')
  }
  const move = (parent: Parsed | null): void => {
    moves += parent?.childNodes.length ?? 0
    check(moves > MAX.moves)
  }
  const adapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      elements += 1
      check(elements > MAX.elements || attributes.length > MAX.attributes)
      return defaultTreeAdapter.createElement(name, namespace, attributes)
    },
    onItemPush: () => {
      depth += 1
      check(depth > MAX.depth)
    },
    onItemPop: () => {
      depth -= 1
    },
    detachNode: (node) => {
      move(node.parentNode)
      defaultTreeAdapter.detachNode(node)
    },
    insertBefore: (parent, node, reference) => {
      move(parent)
      defaultTreeAdapter.insertBefore(parent, node, reference)
    },
    insertTextBefore: (parent, text, reference) => {
      move(parent)
      defaultTreeAdapter.insertTextBefore(parent, text, reference)
    },
  }
  return adapter
}

/** @returns null beyond the limits */
const parseAsBrowser = (html: string): PageElement | null => {
  let document: Parsed
  try {
    document = parse(html, { treeAdapter: boundedAdapter(), scriptingEnabled: false })
  } catch (error) {
    if (error instanceof BoundsError) return null
    throw error
  }
  const root = new PageElement('', new Map(), null)
  const open: [Parsed, PageElement][] = [[document, root]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parsed, element] = next
    for (const node of parsed.childNodes) {
      if (defaultTreeAdapter.isTextNode(node)) element.children.push(node.value)
      else if (defaultTreeAdapter.isElementNode(node)) {
        // An SVG or MathML tree counts as one opaque element.
        const isForeign = node.namespaceURI !== vocabulary.NS.HTML
        const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
        const child = new PageElement(isForeign ? 'svg' : node.tagName, attributes, element)
        if (!isForeign) open.push([node, child])
      }
    }
  }
  return root
}

const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr'],
])

const pass = (): void => undefined

/** Deepest nesting in the fallback parser; deeper elements are dropped. */
const MAX_FALLBACK_DEPTH = 1000

/**
 * Fallback parser that runs in linear time. A hiding element hides everything up to its end tag, or up to the end of
 * the HTML if it has none: showing too little text is safer.
 */
const parseLenient = (html: string): PageElement => {
  const root = new PageElement('', new Map(), null)
  const open: PageElement[] = [root]
  const openByName = new Map<string, number>()
  /** Number of open elements that are nested too deep to be kept. */
  let below = 0
  let name = ''
  let attributes = new Map<string, string>()
  let attribute = ''
  let value: string[] = []
  const top = (): PageElement => open.at(-1) ?? root
  const addText = (text: string): void => {
    if (below === 0) top().children.push(text)
  }
  const begin = (isClosed: boolean): void => {
    if (VOID.has(name) || isClosed) {
      if (below === 0) new PageElement(name, attributes, top())
    } else if (open.length > MAX_FALLBACK_DEPTH) below += 1
    else {
      open.push(new PageElement(name, attributes, top()))
      openByName.set(name, (openByName.get(name) ?? 0) + 1)
    }
  }
  const end = (closed: string): void => {
    if (below > 0) below -= 1
    else if ((openByName.get(closed) ?? 0) > 0) {
      while (open.length > 1) {
        const last = top()
        // A styled element may hide content, so only its own end tag closes it.
        if (last.localName !== closed && last.getAttribute('style') !== null) return
        open.pop()
        openByName.set(last.localName, (openByName.get(last.localName) ?? 1) - 1)
        if (last.localName === closed) return
      }
    }
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => addText(html.slice(from, to)),
      ontextentity: (code) => addText(String.fromCodePoint(code)),
      onopentagname: (from, to) => {
        name = html.slice(from, to).toLowerCase()
        attributes = new Map()
      },
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase()
        value = []
      },
      onattribdata: (from, to) => {
        value.push(html.slice(from, to))
      },
      onattribentity: (code) => {
        value.push(String.fromCodePoint(code))
      },
      onattribend: () => {
        if (!attributes.has(attribute)) attributes.set(attribute, value.join(''))
      },
      onopentagend: () => begin(false),
      onselfclosingtag: () => begin(false),
      onclosetag: (from, to) => end(html.slice(from, to).toLowerCase()),
      oncdata: pass,
      oncomment: pass,
      ondeclaration: pass,
      onend: pass,
      onprocessinginstruction: pass,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return root
}

/** Parses HTML as a browser does (HTML Standard, 13.2), in linear time. Beyond `MAX`, uses the fallback parser. */
export const parseHtmlPage = (html: string): HtmlPage => {
  const root = parseAsBrowser(html)
  return root === null ? { root: parseLenient(html), isApproximate: true } : { root, isApproximate: false }
}
