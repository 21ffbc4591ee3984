import { setTimeout as wait } from 'node:timers/promises'
import { quoted } from '../../engine/assistants/quoting.ts'
import { toProblem } from '../../shared/result.ts'
import type { AccountHere } from '../accounts-here.ts'
import { RunningLinnet } from '../running-linnet.ts'
import { CommandError } from '../terminal.ts'
import { ReadableAccounts } from './readable-mail.ts'
import type { Answer, Asked } from './tool.ts'

/** Windows are notified once within that time. */
const TELLING_MS = 100
/** Characters of an answer, and of all values that a program gave, in the log. */
const NOTED = 360

/** A program's arguments for the log. A long value does not push out another, and has the room that short ones leave. */
const shorten = (input: unknown): string => {
  const values = Object.entries((input ?? {}) as Readonly<Record<string, unknown>>)
    .slice(0, 10)
    .map(([name, value]) => ({ name, value, text: typeof value === 'string' ? value : JSON.stringify(value) }))
  const lengths = values.map(({ text }) => text.length).toSorted((one, other) => one - other)
  let [left, share] = [NOTED, 0]
  for (const [at, length] of lengths.entries()) {
    share = Math.floor(left / (values.length - at))
    left -= Math.min(length, share)
  }
  const noted = values.map(({ name, value, text }) => [
    quoted(name, 30),
    text === value || text.length > share ? quoted(text, share) : value,
  ])
  return JSON.stringify(Object.fromEntries(noted))
}

export type Outcome = { readonly data: Answer['data'] } | { readonly refusal: string }

/** Why a call has no answer, for whoever asks. */
const wordsOf = (thrown: unknown): string =>
  thrown instanceof CommandError ? [thrown.message, ...thrown.details].join('\n') : toProblem(thrown).message

/** The calls of one program: each is answered from what is turned on at that moment, and noted before it is answered. */
export class Calls {
  readonly #dataDirectory: string
  readonly #accounts: ReadableAccounts
  readonly #written = new Set<string>()
  #telling: Promise<void> | null = null

  constructor(dataDirectory: string, only: string | undefined) {
    this.#dataDirectory = dataDirectory
    this.#accounts = new ReadableAccounts(dataDirectory, only)
  }

  /** Opens what is turned on, and does some work with it that nobody waits for. What goes wrong is said by the first call. */
  async prepare(work: (asked: Asked) => unknown): Promise<void> {
    await this.#accounts.during((readable) => work({ ...readable, client: '' })).catch(() => undefined)
  }

  /**
   * @param client the program that asks, as it calls itself
   * @param name what is called, as the log names it @param input what it was given
   */
  async answer(
    client: string,
    name: string,
    input: unknown,
    work: (asked: Asked) => Answer | Promise<Answer>,
  ): Promise<Outcome> {
    const asked = shorten(input)
    const note = (accounts: readonly AccountHere[], words: string, isRefused: boolean): void => {
      const call = {
        at: Date.now(),
        client,
        tool: quoted(name, 100),
        asked,
        answer: quoted(words, NOTED),
        isRefused,
      }
      this.#accounts.note(accounts, call)
      this.#tell(accounts)
    }
    try {
      return await this.#accounts.during(async (readable) => {
        try {
          const { data, said, accounts: about } = await work({ ...readable, client })
          // What cannot be noted is not answered.
          note(about, said, false)
          return { data }
        } catch (thrown) {
          const refusal = wordsOf(thrown)
          note(readable.logged, refusal, true)
          return { refusal }
        }
      })
    } catch (thrown) {
      return { refusal: wordsOf(thrown) }
    }
  }

  /** Closes the files, once windows have been told of the last call. */
  async close(): Promise<void> {
    await this.#telling
    this.#accounts.close()
  }

  #tell(accounts: readonly AccountHere[]): void {
    for (const { id } of accounts) this.#written.add(id)
    if (this.#written.size > 0) this.#telling ??= this.#tellSoon()
  }

  /** Has the Linnet that runs look at the log and the proposals again. One that cannot be told sees them when it looks. */
  async #tellSoon(): Promise<void> {
    await wait(TELLING_MS)
    this.#telling = null
    const ids = [...this.#written]
    this.#written.clear()
    const running = await RunningLinnet.find(this.#dataDirectory)
    if (running === null) return
    await Promise.all(ids.map((id) => running.ask(id, 'assistant.written', {})))
    running.close()
  }
}
