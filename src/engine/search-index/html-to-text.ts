import { Tokenizer } from 'htmlparser2'
import { DATA_ELEMENTS } from '../../shared/data-elements.ts'
import { INLINE_ELEMENTS } from '../../shared/search/inline-elements.ts'

const HIDDEN: ReadonlySet<string> = new Set([
  ...['script', 'style', 'title', 'noscript', 'template', 'iframe', 'noembed', 'noframes'],
  ...DATA_ELEMENTS,
])

const IGNORE = (): void => undefined

/**
 * Readable text of an HTML body. Tags that separate words become line breaks; comments don't. Takes linear time, even
 * for hostile mark-up. An unclosed hidden element hides the rest, as in a browser.
 */
export const htmlToText = (html: string): string => {
  const parts: string[] = []
  let hiding: string | null = null
  let depth = 0
  const part = (name: string): void => {
    if (hiding === null && !INLINE_ELEMENTS.has(name)) parts.push('\n')
  }
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase()
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => {
        if (hiding === null) parts.push(html.slice(start, end))
      },
      ontextentity: (code) => {
        if (hiding === null) parts.push(String.fromCodePoint(code))
      },
      onopentagname: (start, end) => {
        const name = nameAt(start, end)
        if (hiding === name) depth += 1
        else if (hiding === null && HIDDEN.has(name)) {
          hiding = name
          depth = 1
        }
        part(name)
      },
      onclosetag: (start, end) => {
        const name = nameAt(start, end)
        if (hiding === name) {
          depth -= 1
          if (depth === 0) hiding = null
        }
        part(name)
      },
      onattribdata: IGNORE,
      onattribend: IGNORE,
      onattribentity: IGNORE,
      onattribname: IGNORE,
      oncdata: IGNORE,
      oncomment: IGNORE,
      ondeclaration: IGNORE,
      onend: IGNORE,
      onopentagend: IGNORE,
      onprocessinginstruction: IGNORE,
      onselfclosingtag: IGNORE,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return parts.join('')
}
