import { fitToColumns, stripControlCharacters } from './safe-text.ts'

export const EXIT = {
  done: 0,
  /** Failed; the message is on stderr. */
  failed: 1,
  usage: 2,
  /** No such message or account, or no match. */
  nothing: 3,
  /** Another Linnet has the account open for writing. */
  busy: 4,
  /** Stopped by Ctrl-C; shells use the same exit code. */
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

/** Clears the cursor's line (ECMA-48: CR, EL). */
const CLEAR_LINE = '\r\x1b[2K'
/** Minimum milliseconds between progress lines in a file. */
const PROGRESS_MS = 2_000

/** A command's output. If the reader goes away, for example `head`, the command ends silently. */
export class Terminal {
  /** Line width in characters; null if the output goes to a file or another program. */
  readonly columns: number | null
  readonly #stdout: NodeJS.WriteStream
  readonly #stderr: NodeJS.WriteStream
  #isOver = false
  #hasProgressLine = false
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

  /** True once the reader has gone away. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Prints a line of output. Make untrusted text safe first (`safe-text.ts`). */
  print(line: string): void {
    this.#send(this.#stdout, `${line}\n`)
  }

  write(bytes: Uint8Array): void {
    this.#send(this.#stdout, bytes)
  }

  /** Resolves when the reader has received everything, or has gone away. */
  async written(): Promise<void> {
    const streams = [this.#stdout, this.#stderr].filter(({ destroyed }) => !destroyed)
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write('', resolve))))
  }

  /** Tells the user something on stderr. */
  note(line: string): void {
    this.#send(this.#stderr, `${this.#hasProgressLine ? CLEAR_LINE : ''}${stripControlCharacters(line)}\n`)
    this.#hasProgressLine = false
  }

  /** Shows progress on stderr. In a terminal each line replaces the previous one; otherwise lines are throttled. */
  progress(line: string): void {
    if (this.#stderr.isTTY) {
      this.#send(
        this.#stderr,
        CLEAR_LINE + fitToColumns(stripControlCharacters(line), Math.max(1, this.#stderr.columns - 1)),
      )
      this.#hasProgressLine = true
    } else if (performance.now() - this.#progressAt >= PROGRESS_MS) {
      this.#progressAt = performance.now()
      this.note(line)
    }
  }

  #send(stream: NodeJS.WriteStream, what: string | Uint8Array): void {
    if (!this.#isOver) stream.write(what)
  }
}
