import type { MessageLine } from '../../shared/history/find-history.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'

export interface TextLine {
  readonly kind: MessageLine['kind']
  readonly text: string
}

/** Separators between words, narrow to wide. */
export const GAP = { none: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const
type Gap = (typeof GAP)[keyof typeof GAP]

/** Maximum characters of an address or link text to keep. */
const LONGEST_WORDS = 2_000

export class PageLines {
  readonly #lines: TextLine[] = []
  /** Visible words without annotations. */
  readonly #bare: string[] = []
  readonly #pictures: string[] = []
  #line = ''
  #letters = 0
  #kind: MessageLine['kind'] = 'text'
  #gap: Gap = GAP.none
  #marker = ''
  /** Text of the open link. */
  #words: string | null = null

  get letters(): number {
    return this.#letters
  }

  part(gap: Gap): void {
    if (gap > this.#gap) this.#gap = gap
  }

  mark(marker: string): void {
    this.part(GAP.line)
    this.#marker = marker
  }

  /** @param isWritten true to preserve line breaks and spaces */
  addText(words: string, kind: MessageLine['kind'], isWritten: boolean): void {
    const seen = stripHiddenCharacters(words)
    if (!isWritten) {
      this.#flow(seen.replace(/[ \t\n]+/g, ' '), kind)
      return
    }
    const lines = seen.split('\n')
    for (const [place, line] of lines.entries()) {
      if (place > 0) this.lineBreak()
      if (line !== '') this.#put(line, kind)
    }
  }

  /** Adds a picture's alternative text. */
  picture(words: string, kind: MessageLine['kind']): void {
    this.part(GAP.space)
    this.#put(`[picture: ${words}]`, kind, '')
    this.#pictures.push(words)
    if (this.#words !== null) this.#words += words
    this.part(GAP.space)
  }

  /** Ends the line, even if the next one is empty. */
  lineBreak(): void {
    if (this.#gap >= GAP.line) this.#gap = GAP.paragraph
    else this.#gap = GAP.line
  }

  beginLink(): void {
    this.#words = ''
  }

  endLink(): string {
    const words = this.#words ?? ''
    this.#words = null
    return words
  }

  /** Appends an annotation to the current line. */
  remark(words: string, kind: MessageLine['kind']): void {
    if (this.#line === '') this.#put(words, kind, '')
    else this.#line += ` ${words}`
  }

  end(): { readonly lines: readonly TextLine[]; readonly bare: string; readonly pictures: readonly string[] } {
    this.#endLine()
    return { lines: this.#lines, bare: this.#bare.join(''), pictures: this.#pictures }
  }

  /** The last non-empty lines, oldest first. */
  last(count: number): readonly TextLine[] {
    const all =
      this.#line === '' ? this.#lines : [...this.#lines.slice(-2 * count), { kind: this.#kind, text: this.#line }]
    return all
      .slice(-2 * count)
      .filter(({ text }) => text !== '')
      .slice(-count)
  }

  #flow(text: string, kind: MessageLine['kind']): void {
    if (text.startsWith(' ')) this.part(GAP.space)
    const words = text.trim()
    if (words === '') return
    this.#put(words, kind)
    if (text.endsWith(' ')) this.part(GAP.space)
  }

  #put(text: string, kind: MessageLine['kind'], bare = text): void {
    if (this.#gap >= GAP.line) {
      this.#endLine()
      if (this.#gap === GAP.paragraph && this.#lines.length > 0) this.#lines.push({ kind: 'text', text: '' })
    } else if (this.#line !== '' && this.#gap !== GAP.none) this.#line += this.#gap === GAP.cell ? ' | ' : ' '
    if (this.#gap !== GAP.none) {
      this.#bare.push(' ')
      if (this.#words !== null && this.#words !== '') this.#words += ' '
    }
    this.#gap = GAP.none
    if (this.#line === '') this.#kind = kind
    this.#line += this.#marker + text
    this.#marker = ''
    this.#bare.push(bare)
    this.#letters += bare.length
    if (this.#words !== null && this.#words.length < LONGEST_WORDS) this.#words += bare
  }

  #endLine(): void {
    if (this.#line !== '') this.#lines.push({ kind: this.#kind, text: this.#line.trimEnd() })
    this.#line = ''
  }
}
