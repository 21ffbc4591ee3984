import { QuoteType, Tokenizer } from 'htmlparser2'

export interface HtmlAttribute {
  readonly name: string
  readonly value: string
  readonly hasValue: boolean
  /** Positions of the end of the name and of the attribute. */
  readonly from: number
  readonly to: number
}

/** Names are in lower case, and cut to what a known name may have. */
export interface HtmlReader {
  readonly openName: (name: string) => void
  readonly attribute: (attribute: HtmlAttribute) => void
  readonly open?: () => void
  readonly close: (name: string) => void
  readonly text: (text: string, from: number) => void
}

const MAX_NAME_LENGTH = 80

const pass = (): void => undefined

/** Tokenizes HTML in one pass, without a tree. Write the HTML to the result. */
export const createHtmlTokenizer = (
  html: string,
  { decodeEntities }: { readonly decodeEntities: boolean },
  reader: HtmlReader,
): Tokenizer => {
  const nameAt = (from: number, to: number): string =>
    html.slice(from, Math.min(to, from + MAX_NAME_LENGTH)).toLowerCase()
  const open = (): void => reader.open?.()
  let [name, value, from] = ['', '', 0]
  return new Tokenizer(
    { decodeEntities },
    {
      onopentagname: (start, end) => reader.openName(nameAt(start, end)),
      onattribname: (start, end) => {
        name = nameAt(start, end)
        value = ''
        from = end
      },
      onattribdata: (start, end) => {
        value += html.slice(start, end)
      },
      onattribentity: (point) => {
        value += String.fromCodePoint(point)
      },
      onattribend: (quote, to) => reader.attribute({ name, value, hasValue: quote !== QuoteType.NoValue, from, to }),
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => reader.close(nameAt(start, end)),
      ontext: (start, end) => reader.text(html.slice(start, end), start),
      ontextentity: pass,
      oncdata: pass,
      oncomment: pass,
      ondeclaration: pass,
      onprocessinginstruction: pass,
      onend: pass,
    },
  )
}
