import { fit, withoutControls } from './safe-text.ts'

export const EXIT = {
  done: 0,
  /** It could not be done: the words are on the error stream. */
  failed: 1,
  usage: 2,
  /** Nothing was found: no match, no such e-mail, no such account. */
  nothing: 3,
  /** Another Linnet writes to the account: only one may. */
  busy: 4,
  /** Somebody has ended it (Ctrl-C): the shell's own code for that. */
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export class CommandError extends Error {
  readonly exitCode: ExitCode
  readonly details: readonly string[]

  constructor(message: string, exitCode: ExitCode, details: readonly string[] = []) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.details = details
  }
}

/** Empties the line that the cursor is in (ECMA-48: CR, EL). */
const CLEAR_LINE = '\r\x1b[2K'
/** The shortest time between two lines of progress in a file, milliseconds. */
const PROGRESS_MS = 2_000

/** Where a command writes to. A reader who goes away, as `head` does, ends the command without a word. */
export class Terminal {
  /** Signs in a line; null where the answer goes into a file or to another program. */
  readonly columns: number | null
  readonly #stdout: NodeJS.WriteStream
  readonly #stderr: NodeJS.WriteStream
  #isOver = false
  #isOnLine = false
  #progressAt = Number.NEGATIVE_INFINITY

  constructor({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.columns = stdout.isTTY ? stdout.columns : null
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') throw error
        this.#isOver = true
      })
    }
  }

  /** Whether whoever reads the answer has stopped to. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** A line of the answer. What is a stranger's is made safe before (`safe-text.ts`). */
  print(line: string): void {
    this.#send(this.#stdout, `${line}\n`)
  }

  write(bytes: Uint8Array): void {
    this.#send(this.#stdout, bytes)
  }

  /** Ends once what was written has reached its reader, or that has gone away. */
  async written(): Promise<void> {
    const streams = [this.#stdout, this.#stderr].filter(({ destroyed }) => !destroyed)
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write('', resolve))))
  }

  /** Something for the person, beside the answer. */
  note(line: string): void {
    this.#send(this.#stderr, `${this.#isOnLine ? CLEAR_LINE : ''}${withoutControls(line)}\n`)
    this.#isOnLine = false
  }

  /**
   * How far something has come, for the person: where they look on, each line takes the place of the one before; else there
   * is one now and then.
   */
  progress(line: string): void {
    if (this.#stderr.isTTY) {
      this.#send(this.#stderr, CLEAR_LINE + fit(withoutControls(line), Math.max(1, this.#stderr.columns - 1)))
      this.#isOnLine = true
    } else if (performance.now() - this.#progressAt >= PROGRESS_MS) {
      this.#progressAt = performance.now()
      this.note(line)
    }
  }

  #send(stream: NodeJS.WriteStream, what: string | Uint8Array): void {
    if (!this.#isOver) stream.write(what)
  }
}
