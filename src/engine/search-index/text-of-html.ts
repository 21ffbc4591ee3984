import { Tokenizer } from 'htmlparser2'
import { DATA_ELEMENTS } from '../../shared/data-elements.ts'
import { WITHIN_A_LINE } from '../../shared/search/within-a-line.ts'

/** Elements whose content nobody reads. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['script', 'style', 'title', 'noscript', 'template', 'iframe', 'noembed', 'noframes'],
  ...DATA_ELEMENTS,
])

const IGNORE = (): void => undefined

/**
 * The text of an HTML body: what a person reads of it, with a line break wherever a tag parts words; comments part none. Reads every character
 * once, so that no hostile mark-up can make it slow; what is hidden and never closed hides all that follows, as in a
 * browser.
 */
export const textOfHtml = (html: string): string => {
  const parts: string[] = []
  let hiding: string | null = null
  let depth = 0
  const part = (name: string): void => {
    if (hiding === null && !WITHIN_A_LINE.has(name)) parts.push('\n')
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
