const threadRule = /^={20,}\n/m
const blockRule = /^-{20,}\n/m
const header = /^([A-Z][A-Za-z-]*):(?: (.*))?$/

/** A block of a letter file: `Name: value` lines, then an empty line and optional body text. */
export class LetterBlock {
  readonly body: string
  readonly #fields = new Map<string, string>()
  readonly #unreadFields: Set<string>

  /** @throws Error if a line above the first empty one is not a header */
  constructor(text: string) {
    const [, head = '', body = ''] = /^([^]*?)(?:\n\n([^]*))?$/.exec(text.replace(/\n+$/, '')) ?? []
    for (const line of head.split('\n')) {
      const [, name, value = ''] = header.exec(line) ?? []
      if (name === undefined) throw new Error(`The demo has letters with “${line}” where a header should be.`)
      if (this.#fields.has(name)) throw new Error(`The demo has letters with two headers ${name}: ${head}`)
      this.#fields.set(name, value)
    }
    this.body = body.replace(/^\n+/, '')
    this.#unreadFields = new Set(this.#fields.keys())
  }

  text(name: string): string | undefined {
    this.#unreadFields.delete(name)
    return this.#fields.get(name)
  }

  needed(name: string): string {
    return this.text(name) ?? this.fail(`has no ${name}`)
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    return value === 'yes' || (value === 'no' ? false : this.fail(`says neither yes nor no to ${name}`))
  }

  /** Comma-separated values; an empty value gives an empty list. */
  list(name: string): readonly string[] | undefined {
    const value = this.text(name)
    return value === '' ? [] : value?.split(', ')
  }

  /** @throws Error for a header that was never read, and must therefore be misspelt or misplaced */
  close(): void {
    for (const name of this.#unreadFields) this.fail(`has a header ${name} that means nothing there`)
  }

  /** @throws Error that identifies the block by its first header */
  fail(fault: string): never {
    const [name, value] = this.#fields.entries().next().value ?? []
    throw new Error(`The demo’s part “${name ?? ''}: ${value ?? ''}” ${fault}.`)
  }
}

/** The threads of a file, each as its head followed by its letters. Text above the first rule is a comment. */
export const parseThreadBlocks = (text: string): readonly (readonly [LetterBlock, ...LetterBlock[]])[] =>
  text
    .split(threadRule)
    .slice(1)
    .map((thread) => {
      const [head = '', ...parts] = thread.split(blockRule)
      return [new LetterBlock(head), ...parts.map((part) => new LetterBlock(part))]
    })
