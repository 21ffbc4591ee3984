const threadRule = /^={20,}\n/m
const blockRule = /^-{20,}\n/m
const header = /^([A-Z][A-Za-z-]*):(?: (.*))?$/

/** A part of a file of letters: lines `Name: value`, and below an empty line what is written, if anything. */
export class Block {
  /** Without empty lines at its ends. */
  readonly body: string
  readonly #fields = new Map<string, string>()
  readonly #unasked: Set<string>

  /** @throws Error where a line above the first empty one is no header */
  constructor(text: string) {
    const [, head = '', body = ''] = /^([^]*?)(?:\n\n([^]*))?$/.exec(text.replace(/\n+$/, '')) ?? []
    for (const line of head.split('\n')) {
      const [, name, value = ''] = header.exec(line) ?? []
      if (name === undefined) throw new Error(`The demo has letters with “${line}” where a header should be.`)
      if (this.#fields.has(name)) throw new Error(`The demo has letters with two headers ${name}: ${head}`)
      this.#fields.set(name, value)
    }
    this.body = body.replace(/^\n+/, '')
    this.#unasked = new Set(this.#fields.keys())
  }

  text(name: string): string | undefined {
    this.#unasked.delete(name)
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

  /** Values separated by commas; a header without a value is an empty list. */
  list(name: string): readonly string[] | undefined {
    const value = this.text(name)
    return value === '' ? [] : value?.split(', ')
  }

  /** @throws Error where there is a header that nobody read: it is misspelt, or in the wrong place */
  close(): void {
    for (const name of this.#unasked) this.fail(`has a header ${name} that means nothing there`)
  }

  /** @throws Error that says which block it is by its first header */
  fail(fault: string): never {
    const [name, value] = this.#fields.entries().next().value ?? []
    throw new Error(`The demo’s part “${name ?? ''}: ${value ?? ''}” ${fault}.`)
  }
}

/** The threads of a file, each with its head first, then its letters. What stands above the first rule is for people. */
export const threadsIn = (text: string): readonly (readonly [Block, ...Block[]])[] =>
  text
    .split(threadRule)
    .slice(1)
    .map((thread) => {
      const [head = '', ...parts] = thread.split(blockRule)
      return [new Block(head), ...parts.map((part) => new Block(part))]
    })
