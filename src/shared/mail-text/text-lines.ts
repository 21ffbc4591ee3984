/** Separators between words, from narrow to wide. */
export const GAP = { none: 0, space: 1, cell: 2, line: 3, paragraph: 4 } as const
export type Gap = (typeof GAP)[keyof typeof GAP]

export interface TextLine<Kind> {
  readonly text: string
  /** Kind of the line's first words. */
  readonly kind: Kind
}

const commonStart = (one: string, other: string): string => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return one.slice(0, length)
}

/** Collects the words of HTML as lines. White space collapses, unless it is kept as written. */
export class TextLines<Kind = null> {
  readonly #cell: string
  readonly #lines: TextLine<Kind>[] = []
  readonly #first: Kind
  #kind: Kind
  #line = ''
  /** Prefix of the current line. */
  #start = ''
  #gap: Gap = GAP.none
  #tabs = 0
  /** True until the next words, which stand beside the last ones. */
  #isBeside = false
  #mark = ''
  #sign = ''
  /** Marks of quotes, and the indent of list items, for the next lines. */
  prefix = ''
  /** True where lines and paragraphs follow each other on one line, as in the cell of a table with borders. */
  isOneLine = false

  /** @param kind of empty lines @param cell separates the cells of a table without borders */
  constructor(kind: Kind, cell = '  ') {
    this.#kind = kind
    this.#first = kind
    this.#cell = cell
  }

  /** Number of lines so far, without the current one. */
  get count(): number {
    return this.#lines.length
  }

  /** Separates the next words, unless something wider already does. */
  separate(gap: Gap): void {
    if (this.#isBeside) return
    const wanted = this.isOneLine && gap > GAP.space ? GAP.space : gap
    if (wanted > this.#gap) this.#gap = wanted
  }

  /** Puts the next words of a table's row beside the last ones. */
  beside(): void {
    if (this.#line !== '') this.#gap = GAP.cell
    this.#isBeside = true
  }

  /** Puts the next words of a table's row into a later column. */
  tab(columns: number): void {
    this.#tabs += columns
    if (this.#gap < GAP.line) this.#gap = GAP.none
    this.#isBeside = true
  }

  /** Ends a row: columns without words are left out. */
  endRow(): void {
    this.#tabs = 0
    this.#isBeside = false
  }

  /** Begins a line, even after an empty one. */
  lineBreak(): void {
    if (this.isOneLine || this.#isBeside) this.separate(GAP.space)
    else if (this.#gap >= GAP.line) this.#gap = GAP.paragraph
    else this.#gap = GAP.line
  }

  /** Puts a mark, such as the number of a list item, before the next words. */
  mark(mark: string): void {
    this.separate(GAP.line)
    this.#mark += mark
  }

  /** Ends an item: its mark stands alone if no words came. */
  endMark(): void {
    if (this.#mark !== '') this.#put('', this.#first)
  }

  /** Puts a sign right before the next words. */
  attachNext(sign: string): void {
    this.#sign += sign
  }

  /** Puts a sign right behind the last words, or takes back the same sign if no words came since. */
  attach(sign: string): void {
    if (this.#sign === '') this.#line += sign
    else this.#sign = this.#sign.slice(0, -sign.length)
  }

  /** @param isWritten true to keep line breaks and spaces */
  add(words: string, kind: Kind, isWritten = false): void {
    if (!isWritten) {
      this.#flow(words, kind)
      return
    }
    const lines = words.split('\n')
    for (const [place, line] of lines.entries()) {
      if (place > 0) this.lineBreak()
      if (line !== '') this.#put(line, kind)
    }
  }

  /** Appends words to the current line, or begins one. */
  append(words: string, kind: Kind): void {
    if (this.#line === '') this.#put(words, kind)
    else this.#line += ` ${words}`
  }

  /** Ends the text. */
  end(): readonly TextLine<Kind>[] {
    this.#endLine()
    return this.#lines
  }

  /** The last lines that have words, oldest first. */
  last(count: number): readonly string[] {
    const all = this.#lines.slice(-2 * count).map(({ text }) => text)
    return [...all, this.#line].filter((text) => text !== '').slice(-count)
  }

  #flow(words: string, kind: Kind): void {
    const flat = words.replace(/[ \t\n\r\f]+/g, ' ')
    if (flat.startsWith(' ')) this.separate(GAP.space)
    const isSpaced = flat.endsWith(' ')
    const text =
      isSpaced || flat.startsWith(' ') ? flat.slice(flat.startsWith(' ') ? 1 : 0, isSpaced ? -1 : undefined) : flat
    if (text === '') return
    this.#put(text, kind)
    if (isSpaced) this.separate(GAP.space)
  }

  #put(text: string, kind: Kind): void {
    if (this.#gap >= GAP.line) {
      const before = this.#start
      const isFirst = this.#line === '' && this.#lines.length === 0
      this.#endLine()
      if (this.#gap === GAP.paragraph && !isFirst)
        this.#lines.push({ kind: this.#first, text: commonStart(before, this.prefix).trimEnd() })
    } else if (this.#line !== '' && this.#gap !== GAP.none) this.#line += this.#gap === GAP.cell ? this.#cell : ' '
    this.#gap = GAP.none
    this.#isBeside = false
    if (this.#line === '') {
      this.#kind = kind
      // The mark of an item takes the place of its indent.
      this.#start = this.prefix
      this.#line = this.prefix.slice(0, this.prefix.length - this.#mark.length)
    }
    this.#line += '\t'.repeat(this.#tabs) + this.#mark + this.#sign + text
    this.#tabs = 0
    this.#mark = ''
    this.#sign = ''
  }

  #endLine(): void {
    if (this.#line !== '') this.#lines.push({ kind: this.#kind, text: this.#line.trimEnd() })
    this.#line = ''
  }
}
