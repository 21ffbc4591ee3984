import { Tokenizer } from 'htmlparser2'

export interface HtmlVisitor {
  /** @param attributes decoded values by lower-case name; the first of two equal names counts, as in a browser */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, isSelfClosing: boolean) => void
  readonly close: (name: string) => void
  /** Called for mark-up that browsers may read in another way than this tokenizer. */
  readonly odd?: () => void
  /** Decoded text in pieces, also of elements such as `style`. */
  readonly text: (words: string) => void
}

const NONE: ReadonlyMap<string, string> = new Map()

const pass = (): void => undefined

/** Elements without content or end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
)

/**
 * Reads the tags and the text of HTML in one pass, without a tree: in linear time, whatever the mark-up. Names are in
 * lower case. Comments and declarations are skipped.
 * @param hasAttributes false if the visitor needs none, which is faster
 */
export const walkHtml = (html: string, visitor: HtmlVisitor, hasAttributes = true): void => {
  let name = ''
  let attributes: Map<string, string> | null = null
  let attribute = ''
  let value = ''
  const open = (isSelfClosing: boolean): void => visitor.open(name, attributes ?? NONE, isSelfClosing)
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        const written = html.slice(start, end)
        // Browsers fold the case of ASCII letters only.
        if (/[^ -~]/.test(written)) visitor.odd?.()
        name = written.toLowerCase()
        attributes = null
      },
      onattribname: (start, end) => {
        if (!hasAttributes) return
        attribute = html.slice(start, end).toLowerCase()
        value = ''
      },
      onattribdata: (start, end) => {
        if (hasAttributes) value += html.slice(start, end)
      },
      onattribentity: (point) => {
        value += String.fromCodePoint(point)
      },
      onattribend: () => {
        if (!hasAttributes) return
        attributes ??= new Map()
        if (!attributes.has(attribute)) attributes.set(attribute, value)
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => {
        // Browsers read attributes of end tags, and their quotes.
        if (visitor.odd !== undefined && !/^\s*>/.test(html.slice(end, end + 100))) visitor.odd()
        visitor.close(html.slice(start, end).toLowerCase())
      },
      ontext: (start, end) => visitor.text(html.slice(start, end)),
      ontextentity: (point) => visitor.text(String.fromCodePoint(point)),
      oncdata: () => visitor.odd?.(),
      oncomment: pass,
      ondeclaration: pass,
      onprocessinginstruction: pass,
      onend: pass,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
