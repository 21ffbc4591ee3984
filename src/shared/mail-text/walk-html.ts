import { Tokenizer } from 'htmlparser2'

export interface HtmlVisitor {
  /** @param attributes decoded values by lower-case name; the first of two equal names counts, as in a browser */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, isSelfClosing: boolean) => void
  readonly close: (name: string) => void
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
        name = html.slice(start, end).toLowerCase()
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
      onclosetag: (start, end) => visitor.close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => visitor.text(html.slice(start, end)),
      ontextentity: (point) => visitor.text(String.fromCodePoint(point)),
      oncdata: pass,
      oncomment: pass,
      ondeclaration: pass,
      onprocessinginstruction: pass,
      onend: pass,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
