import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { escapeHtml } from '../mail/html-text.ts'

/** A stranger's HTML made safe to look at. */
export interface SafeHtml {
  readonly html: string
  /** Images that would have been fetched from elsewhere. */
  readonly remoteImages: number
}

const kept = new Set(
  `a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn
  dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu nav ol
  p pre q rp rt ruby s samp section small span strike strong style sub summary sup table tbody td tfoot th thead time tr tt
  u ul var wbr`.split(/\s+/),
)
const empty = new Set(['br', 'col', 'hr', 'img', 'wbr'])
/** Elements that go with all that is in them. */
const hidden = new Set(
  `applet audio canvas frameset iframe math noembed noframes object plaintext script select svg template textarea
  title video xmp`.split(/\s+/),
)
const foreign = new Set(['math', 'svg'])
const attributes = new Set(
  `align alt bgcolor border cellpadding cellspacing class color colspan dir face headers height hspace id lang nowrap open
  reversed rowspan scope size span start style summary title type valign value vspace width`.split(/\s+/),
)
/** Where a person may go from a message. A path of this service is nowhere. */
const linkSchemes = /^\s*(?:https?:\/\/|mailto:|tel:)/i
const imageData = /^\s*data:image\//i

class Writer {
  readonly parts: string[] = []
  remoteImages = 0
  readonly #html: string
  /** The element whose content is left out, and how many of its kind are open in each other. */
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
        // Of two of a name a browser takes the first.
        if (!this.#attributes.has(this.#attribute)) this.#attributes.set(this.#attribute, this.#value)
      },
      onopentagend: () => this.#open(),
      onselfclosingtag: () => {
        // Of these alone a browser takes the slash at its word.
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
    // Style sheets are not escaped; without `<` nothing in one ends it.
    this.parts.push(this.#isInStyle ? text.replaceAll('<', '') : escapeHtml(text))
  }

  #open(): void {
    const name = this.#tag
    if (this.#hidden !== null) {
      if (this.#hidden.name === name) this.#hidden = { name, depth: this.#hidden.depth + 1 }
      return
    }
    if (hidden.has(name)) this.#hidden = { name, depth: 1 }
    if (!kept.has(name)) return
    this.#isInStyle = name === 'style'
    const written = [...this.#attributes].filter(([attribute]) => attributes.has(attribute))
    if (name === 'img' && !imageData.test(this.#attributes.get('src') ?? '')) {
      this.#remoteImage()
      return
    }
    const text = [...written, ...this.#address()]
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
    if (kept.has(name) && !empty.has(name)) this.parts.push(`</${name}>`)
  }

  /** Where a link leads, or the image that the message carries. */
  #address(): readonly (readonly [string, string])[] {
    if (this.#tag === 'img') return [['src', this.#attributes.get('src') ?? '']]
    const href = this.#attributes.get('href') ?? ''
    if (this.#tag !== 'a' || !linkSchemes.test(href)) return []
    return [
      ['href', href],
      ['target', '_blank'],
      ['rel', 'noopener noreferrer'],
    ]
  }

  /** What it would show is said in its place. */
  #remoteImage(): void {
    if (this.#attributes.has('src')) this.remoteImages += 1
    this.parts.push(escapeHtml(this.#attributes.get('alt') ?? ''))
  }
}

/**
 * Rewrites the HTML of a message: nothing but elements and attributes that are on a list comes out, and what is between
 * them is escaped anew, so that it does not matter how a browser would have read what came in. Links open a tab of their
 * own; images are those that the message carries.
 *
 * It is the second wall: the answer's policy and the frame's sandbox let no script run and fetch nothing. They do not
 * cover what a browser looks up ahead (`preconnect`, `dns-prefetch`) and where `meta` leads, which end here. One walk by
 * the tokenizer, so the time grows with the size and no faster.
 */
export function safeHtml(html: string): SafeHtml {
  const writer = new Writer(html)
  const tokenizer = new Tokenizer({}, writer.callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return { html: writer.parts.join(''), remoteImages: writer.remoteImages }
}
