import { fit, withoutControls } from './safe-text.ts'

/** How a command ends, for whoever has called it. */
export const EXIT = {
  done: 0,
  /** It could not be done: the words are on the error stream. */
  failed: 1,
  /** What was typed cannot be obeyed. */
  usage: 2,
  /** Nothing was found: no match, no such e-mail, no such account. */
  nothing: 3,
  /** Another Linnet writes to the account: only one may. */
  busy: 4,
  /** Somebody has ended it (Ctrl-C): the shell's own code for that. */
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with words and a code. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  /** Lines that are printed below. */
  readonly details: readonly string[]

  constructor(message: string, exitCode: ExitCode, details: readonly string[] = []) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.details = details
  }
}

/** Where a command writes to. */
export interface Terminal {
  /** A line of the answer. What is a stranger's is made safe before (`safe-text.ts`). */
  readonly print: (line: string) => void
  /** Bytes of the answer as they are. */
  readonly write: (bytes: Uint8Array) => void
  /** Something for the person, beside the answer. */
  readonly note: (line: string) => void
  /**
   * How far something has come, for the person: where they look on, each line takes the place of the one before; else there
   * is one now and then.
   */
  readonly progress: (line: string) => void
  /** Signs in a line; null where the answer goes into a file or to another program. */
  readonly columns: number | null
  /** Whether whoever reads the answer has stopped to. */
  readonly isOver: () => boolean
}

/** Empties the line that the cursor is in (ECMA-48: CR, EL). */
const CLEAR_LINE = '\r\x1b[2K'
/** How often it is told into a file how far something has come, milliseconds. */
const PROGRESS_MS = 2_000

/** The streams of this process. A reader who goes away, as `head` does, ends the command without a word. */
export const openTerminal = ({
  stdout,
  stderr,
}: {
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}): Terminal => {
  let isOver = false
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      isOver = true
    })
  }
  const send = (stream: NodeJS.WriteStream, what: string | Uint8Array): void => {
    if (!isOver) stream.write(what)
  }
  let isOnLine = false
  let progressAt = Number.NEGATIVE_INFINITY
  const note = (line: string): void => {
    send(stderr, `${isOnLine ? CLEAR_LINE : ''}${withoutControls(line)}\n`)
    isOnLine = false
  }
  return {
    print: (line) => send(stdout, `${line}\n`),
    write: (bytes) => send(stdout, bytes),
    note,
    progress: (line) => {
      if (stderr.isTTY) {
        send(stderr, CLEAR_LINE + fit(withoutControls(line), Math.max(1, stderr.columns - 1)))
        isOnLine = true
      } else if (performance.now() - progressAt >= PROGRESS_MS) {
        progressAt = performance.now()
        note(line)
      }
    },
    columns: stdout.isTTY ? stdout.columns : null,
    isOver: () => isOver,
  }
}
