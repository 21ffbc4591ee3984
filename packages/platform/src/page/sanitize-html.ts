import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { escapeHtml } from '../mail/html-text.ts'

export interface SafeHtml {
  readonly html: string
  /** Number of blocked remote images. */
  readonly remoteImages: number
}

const allowedElements = new Set(
  `a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn
  dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nav ol
  p pre q rp rt ruby s samp section small span strike strong style sub summary sup table tbody td tfoot th thead time tr tt
  u ul var wbr`.split(/\s+/),
)
const voidElements = new Set(['br', 'col', 'hr', 'img', 'wbr'])
/** Elements removed together with their content. */
const hidden = new Set(
  `applet audio canvas frameset iframe math noembed noframes object plaintext script select svg template textarea
  title video xmp`.split(/\s+/),
)
const foreign = new Set(['math', 'svg'])
const attributes = new Set(
  `align alt bgcolor border cellpadding cellspacing class color colspan dir face headers height hspace id lang nowrap open
  reversed rowspan scope size span start style summary title type valign value vspace width`.split(/\s+/),
)
/** Link targets allowed in a message. A path of this service isn't among them. */
const linkSchemes = /^\s*(?:https?:\/\/|mailto:|tel:)/i
const imageData = /^\s*data:image\//i

class Writer {
  readonly parts: string[] = []
  remoteImages = 0
  readonly #html: string
  /** The hidden element and its nesting depth. */
  #hidden: { readonly name: string; readonly depth: number } | null = null
  #tag = ''
  #attribute = ''
  #value = ''
  #attributes = new Map<string, string>()
  #isInStyle = false

  constructor(html: string) {
    this.#html = html
  }

  get callbacks(): TokenizerCallbacks {
    const slice = (start: number, end: number): string => this.#html.slice(start, end)
    const nothing = (): void => undefined
    return {
      ontext: (start, end) => this.#text(slice(start, end)),
      ontextentity: (code) => this.#text(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        this.#tag = slice(start, end).toLowerCase()
        this.#attributes = new Map()
      },
      onattribname: (start, end) => {
        this.#attribute = slice(start, end).toLowerCase()
        this.#value = ''
      },
      onattribdata: (start, end) => (this.#value += slice(start, end)),
      onattribentity: (code) => (this.#value += String.fromCodePoint(code)),
      onattribend: () => {
        // Browsers use the first of two equal attributes.
        if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value)
      },
      onopentagend: () => this.#open(),
      onselfclosingtag: () => {
        // Browsers honour the self-closing slash only in SVG and MathML.
        if (!foreign.has(this.#tag)) this.#open()
      },
      onclosetag: (start, end) => this.#close(slice(start, end).toLowerCase()),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
    }
  }

  #text(text: string): void {
    if (this.#hidden !== null) return
    // Style sheets aren't escaped; without `<`, nothing in them can end the element.
    this.parts.push(this.#isInStyle ? text.replaceAll('<', '') : escapeHtml(text))
  }

  #open(): void {
    const name = this.#tag
    if (this.#hidden !== null) {
      if (this.#hidden.name === name) this.#hidden = { name, depth: this.#hidden.depth + 1 }
      return
    }
    if (hidden.has(name)) this.#hidden = { name, depth: 1 }
    if (!allowedElements.has(name)) return
    this.#isInStyle = name === 'style'
    const written = [...this.#attributes].filter(([attribute]) => attributes.has(attribute))
    if (name === 'img' && !imageData.test(this.#attributes.get('src') ?? '')) {
      this.#remoteImage()
      return
    }
    const text = [...written, ...this.#urlAttributes()]
      .map(([attribute, value]) => ` ${attribute}="${escapeHtml(value)}"`)
      .join('')
    this.parts.push(`<${name}${text}>`)
  }

  #close(name: string): void {
    if (this.#hidden !== null) {
      if (this.#hidden.name !== name) return
      const depth = this.#hidden.depth - 1
      this.#hidden = depth === 0 ? null : { name, depth }
      return
    }
    if (name === 'style') this.#isInStyle = false
    if (allowedElements.has(name) && !voidElements.has(name)) this.parts.push(`</${name}>`)
  }

  #urlAttributes(): readonly (readonly [string, string])[] {
    if (this.#tag === 'img') return [['src', this.#attributes.get('src') ?? '']]
    const href = this.#attributes.get('href') ?? ''
    if (this.#tag !== 'a' || !linkSchemes.test(href)) return []
    return [
      ['href', href],
      ['target', '_blank'],
      ['rel', 'noopener noreferrer'],
    ]
  }

  /** Replaces the image with its alt text. */
  #remoteImage(): void {
    if (this.#attributes.has('src')) this.remoteImages += 1
    this.parts.push(escapeHtml(this.#attributes.get('alt') ?? ''))
  }
}

/**
 * Rewrites HTML with allowed elements and attributes only and escapes all text again, so it doesn't matter how a
 * browser would have parsed the original. Links open new tabs; only embedded images stay. This is the second barrier
 * after CSP and the frame's sandbox. Those don't cover preloading (`preconnect`, `dns-prefetch`) and `meta` redirects,
 * which are removed here. Works in linear time, in one pass by the tokenizer.
 */
export function sanitizeHtml(html: string): SafeHtml {
  const writer = new Writer(html)
  const tokenizer = new Tokenizer({}, writer.callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return { html: writer.parts.join(''), remoteImages: writer.remoteImages }
}
