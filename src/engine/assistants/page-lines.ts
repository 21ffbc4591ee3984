import type { MessageLine } from '../../shared/history/message-folds.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'

export interface TextLine {
  readonly kind: MessageLine['kind']
  readonly text: string
}

/** Separators between words, narrow to wide. */
export const GAP_WIDTHS = { none: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const
type Gap = (typeof GAP_WIDTHS)[keyof typeof GAP_WIDTHS]

/** Maximum characters of an address or link text to keep. */
const MAX_LINK_TEXT_LENGTH = 2_000

export class PageLines {
  readonly #lines: TextLine[] = []
  /** Visible words without annotations. */
  readonly #bare: string[] = []
  readonly #pictures: string[] = []
  #line = ''
  #letters = 0
  #kind: MessageLine['kind'] = 'text'
  #gap: Gap = GAP_WIDTHS.none
  #marker = ''
  /** Text of the open link. */
  #linkText: string | null = null

  get letters(): number {
    return this.#letters
  }

  part(gap: Gap): void {
    if (gap > this.#gap) this.#gap = gap
  }

  mark(marker: string): void {
    this.part(GAP_WIDTHS.line)
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
    this.part(GAP_WIDTHS.space)
    this.#put(`[picture: ${words}]`, kind, '')
    this.#pictures.push(words)
    if (this.#linkText !== null) this.#linkText += words
    this.part(GAP_WIDTHS.space)
  }

  /** Ends the line, even if the next one is empty. */
  lineBreak(): void {
    if (this.#gap >= GAP_WIDTHS.line) this.#gap = GAP_WIDTHS.paragraph
    else this.#gap = GAP_WIDTHS.line
  }

  beginLink(): void {
    this.#linkText = ''
  }

  endLink(): string {
    const words = this.#linkText ?? ''
    this.#linkText = null
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
    if (text.startsWith(' ')) this.part(GAP_WIDTHS.space)
    const words = text.trim()
    if (words === '') return
    this.#put(words, kind)
    if (text.endsWith(' ')) this.part(GAP_WIDTHS.space)
  }

  #put(text: string, kind: MessageLine['kind'], bare = text): void {
    if (this.#gap >= GAP_WIDTHS.line) {
      this.#endLine()
      if (this.#gap === GAP_WIDTHS.paragraph && this.#lines.length > 0) this.#lines.push({ kind: 'text', text: '' })
    } else if (this.#line !== '' && this.#gap !== GAP_WIDTHS.none)
      this.#line += this.#gap === GAP_WIDTHS.cell ? ' | ' : ' '
    if (this.#gap !== GAP_WIDTHS.none) {
      this.#bare.push(' ')
      if (this.#linkText !== null && this.#linkText !== '') this.#linkText += ' '
    }
    this.#gap = GAP_WIDTHS.none
    if (this.#line === '') this.#kind = kind
    this.#line += this.#marker + text
    this.#marker = ''
    this.#bare.push(bare)
    this.#letters += bare.length
    if (this.#linkText !== null && this.#linkText.length < MAX_LINK_TEXT_LENGTH) this.#linkText += bare
  }

  #endLine(): void {
    if (this.#line !== '') this.#lines.push({ kind: this.#kind, text: this.#line.trimEnd() })
    this.#line = ''
  }
}
